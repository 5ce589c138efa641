//===- Devices.cpp - The GPUs that calls run on ---------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Devices.h"
#include "runtime/core/Status.h"
#include "runtime/core/Variants.h"
#include "runtime/device/Context.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

using namespace rlscan::device;
using rlscan::runtime::Call;
using rlscan::runtime::fail;
using rlscan::runtime::hasTarget;

static rlscan_status statusOf(const Error &error) {
  return error.code == forked    ? RLSCAN_FORKED
         : error.code == damaged ? RLSCAN_DAMAGED
                                 : RLSCAN_DRIVER_ERROR;
}

/// What to do about an error; CUDA and HIP number these alike. Null where that
/// is not known.
static const char *cureOf(int code) {
  constexpr int outOfMemory = 2, stub = 34, oldDriver = 35, noDevice = 100;
  if (code == outOfMemory)
    return "free memory of the GPU and call again";
  if (code == stub || code == oldDriver)
    return "install a driver, or a newer one";
  if (code == noDevice)
    return "make a GPU visible to the process, or choose the CPU";
  if (refusesImage({"", code}))
    return "compile the library for this GPU, or update the driver";
  if (isLasting({"", code}))
    return "work that was queued before has failed: start the process anew";
  if (code >= 900 && code < 910)
    return "end the capture of the stream, or leave the call out of it";
  return nullptr;
}

static rlscan_status tell(rlscan_status status, const char *subject,
                          const Error &error) {
  const char *cure = cureOf(error.code);
  bool hasLines = error.message.find('\n') != std::string::npos;
  return fail(status, "%s%s%s%s%s", subject, *subject ? ": " : "",
              error.message.c_str(),
              !cure      ? ""
              : hasLines ? "\n"
                         : "; ",
              cure ? cure : "");
}

rlscan_status rlscan::device::failed(const Error &error) {
  return tell(statusOf(error), "", error);
}

rlscan_status rlscan::device::failed(const char *subject, const Error &error) {
  return tell(statusOf(error), subject, error);
}

static rlscan_status openDriver(int32_t target, const Driver *&driver) {
  if (Error error = Driver::open(target, driver))
    return tell(RLSCAN_NO_DRIVER, "", error);
  return RLSCAN_OK;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static int slotOf(int32_t target, int32_t ordinal) {
  return (target == RLSCAN_TARGET_HIP ? maxDevices : 0) + ordinal;
}

int rlscan::device::slotOf(const Device &device) {
  return ::slotOf(device.driver().target, device.ordinal());
}

static std::atomic<const Device *> openDevices[numSlots];

static rlscan_status openLocked(int32_t target, int32_t ordinal,
                                const Device *&device) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::atomic<const Device *> &entry = openDevices[::slotOf(target, ordinal)];
  device = entry.load(std::memory_order_acquire);
  if (device)
    return RLSCAN_OK;
  Device opened;
  if (Error error = Device::open(target, ordinal, opened))
    return failed(error);
  device = new Device(std::move(opened));
  entry.store(device, std::memory_order_release);
  return RLSCAN_OK;
}

rlscan_status rlscan::device::openDevice(int32_t target, int32_t ordinal,
                                         const Device *&device) {
  if (isForked())
    return failed(forkedError());
  if (ordinal >= 0 && ordinal < maxDevices) {
    device =
        openDevices[::slotOf(target, ordinal)].load(std::memory_order_acquire);
    if (device)
      return RLSCAN_OK;
  }
  const Driver *driver = nullptr;
  if (rlscan_status status = openDriver(target, driver))
    return status;
  int count = 0;
  if (Error error = driver->call(driver->functions().getDeviceCount, &count))
    return failed(error);
  if (ordinal < 0 || ordinal >= count || ordinal >= maxDevices)
    return fail(RLSCAN_INVALID_DEVICE, "there is no GPU %d, the driver has %d",
                ordinal, count);
  return openLocked(target, ordinal, device);
}

//===----------------------------------------------------------------------===//
// Vendors
//===----------------------------------------------------------------------===//

static constexpr int32_t vendors[] = {RLSCAN_TARGET_CUDA, RLSCAN_TARGET_HIP};

/// The first array of the call; null: it has none.
static const void *firstArray(const Call &call) {
  for (int i = 0; i < call.estimator.argument_count; ++i)
    if (call.estimator.arguments[i].kind == RLSCAN_STEP && call.tensor(i).data)
      return call.tensor(i).data;
  return nullptr;
}

/// As Driver::deviceOf; memory of a driver that is not there is unknown.
static rlscan_status deviceOf(int32_t target, const void *address,
                              int32_t &ordinal) {
  const Driver *driver = nullptr;
  ordinal = unknownMemory;
  if (!address || !Driver::isLoaded(target) || Driver::open(target, driver))
    return RLSCAN_OK;
  if (Error error = driver->deviceOf(address, ordinal))
    return failed(error);
  return RLSCAN_OK;
}

static rlscan_status findAmongBoth(const Call *call, int32_t &target) {
  const void *address = call ? firstArray(*call) : nullptr;
  for (int32_t vendor : vendors) {
    int32_t ordinal = 0;
    if (rlscan_status status = deviceOf(vendor, address, ordinal))
      return status;
    if (ordinal != unknownMemory) {
      target = vendor;
      return RLSCAN_OK;
    }
  }
  for (int32_t vendor : vendors)
    if (Driver::isLoaded(vendor)) {
      target = vendor;
      return RLSCAN_OK;
    }
  const Driver *driver = nullptr;
  std::string reasons;
  for (int32_t vendor : vendors) {
    target = vendor;
    Error error = Driver::open(vendor, driver);
    if (!error)
      return RLSCAN_OK;
    reasons += (reasons.empty() ? "" : "; or: ") + error.message;
  }
  return fail(RLSCAN_NO_DRIVER, "%s", reasons.c_str());
}

rlscan_status rlscan::device::findVendor(const rlscan_estimator &estimator,
                                         const Call *call, int32_t &target) {
  bool hasCuda = hasTarget(estimator, RLSCAN_TARGET_CUDA);
  bool hasHip = hasTarget(estimator, RLSCAN_TARGET_HIP);
  if (hasCuda && hasHip)
    return findAmongBoth(call, target);
  target = hasHip ? RLSCAN_TARGET_HIP : RLSCAN_TARGET_CUDA;
  if (hasCuda || hasHip)
    return RLSCAN_OK;
  return fail(RLSCAN_NO_VARIANT,
              "%s has no code for a GPU; compile it with --target=cuda or "
              "--target=hip",
              estimator.name);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

bool rlscan::device::isDefaultStream(const void *stream) {
  // CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are 1 and 2, and so are HIP's.
  return reinterpret_cast<uintptr_t>(stream) <= 2;
}

static const Device *findOpen(int32_t target, const void *context) {
  for (int32_t ordinal = 0; ordinal < maxDevices; ++ordinal) {
    const Device *device =
        openDevices[::slotOf(target, ordinal)].load(std::memory_order_acquire);
    if (device && device->context()->native() == context)
      return device;
  }
  return nullptr;
}

rlscan_status rlscan::device::deviceOfStream(int32_t target, void *stream,
                                             const Device *&device) {
  const Driver *driver = nullptr;
  if (rlscan_status status = openDriver(target, driver))
    return status;
  void *context = nullptr;
  if (Error error = driver->contextOf(stream, context))
    return failed(error);
  device = findOpen(target, context);
  if (device)
    return RLSCAN_OK;
  int ordinal = 0;
  if (Error error = driver->ordinalOf(context, ordinal))
    return failed(error);
  if (rlscan_status status = openDevice(target, ordinal, device))
    return status;
  if (device->context()->native() != context)
    return fail(RLSCAN_INVALID_DEVICE,
                "the stream is of a context of its own, expected one of the "
                "primary context of GPU %d",
                ordinal);
  return RLSCAN_OK;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

/// The answers of the driver that were good, of a thread. Memory may change
/// hands, so that a bad one is always asked for. No address takes another's
/// place: how often the driver is asked does not depend on what they are.
class KnownMemory {
public:
  /// Where an address is: the GPU's slot, or -1.
  int slotOf(const void *address) { return find(address).slot - 1; }
  void add(const void *address, int slot) {
    if (count == most) {
      std::fill(std::begin(entries), std::end(entries), Entry());
      count = 0;
    }
    Entry &entry = find(address);
    count += !entry.address;
    entry = {address, slot + 1};
  }

private:
  struct Entry {
    const void *address;
    int slot; // plus 1: 0 is none
  };
  static constexpr int bits = 8, most = 1 << (bits - 1);

  Entry &find(const void *address) {
    // Addresses are often multiples of a large power of two: the product with
    // the golden ratio tells them apart by its upper bits.
    uint64_t mixed = reinterpret_cast<uintptr_t>(address) * 0x9e3779b97f4a7c15u;
    size_t at = mixed >> (64 - bits);
    while (entries[at].address && entries[at].address != address)
      at = (at + 1) % (size_t(1) << bits);
    return entries[at];
  }

  Entry entries[1 << bits];
  int count;
};

} // namespace

static thread_local KnownMemory known;

rlscan_status rlscan::device::deviceOfMemory(const Call &call,
                                             const Device *&device) {
  const void *address = firstArray(call);
  device = nullptr;
  for (int32_t target : vendors) {
    if (!hasTarget(call.estimator, target))
      continue;
    int32_t ordinal = 0;
    if (rlscan_status status = ::deviceOf(target, address, ordinal))
      return status;
    if (ordinal >= 0)
      return openDevice(target, ordinal, device);
  }
  return RLSCAN_OK;
}

static rlscan_status checkAddress(const char *name, const void *address,
                                  const Device &device) {
  int slot = slotOf(device);
  if (known.slotOf(address) == slot)
    return RLSCAN_OK;
  int32_t ordinal = 0;
  if (Error error = device.driver().deviceOf(address, ordinal))
    return failed(name, error);
  if (ordinal == unknownMemory)
    return fail(RLSCAN_INVALID_DEVICE,
                "%s: address %p is in memory of the host, expected memory of "
                "GPU %d",
                name, address, device.ordinal());
  if (ordinal >= 0 && ordinal != device.ordinal())
    return fail(RLSCAN_INVALID_DEVICE,
                "%s: address %p is in memory of GPU %d, expected memory of GPU "
                "%d",
                name, address, ordinal, device.ordinal());
  known.add(address, slot);
  return RLSCAN_OK;
}

rlscan_status rlscan::device::checkMemory(const Call &call,
                                          const Device &device) {
  for (int i = 0; i < call.estimator.argument_count; ++i)
    if (const void *address = call.tensor(i).data)
      if (rlscan_status status =
              checkAddress(call.estimator.arguments[i].name, address, device))
        return status;
  if (const void *address = call.head().workspace)
    return checkAddress("workspace", address, device);
  return RLSCAN_OK;
}
