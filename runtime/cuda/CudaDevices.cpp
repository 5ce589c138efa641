//===- CudaDevices.cpp - The GPUs that calls run on -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaDevices.h"
#include "runtime/core/Status.h"
#include "runtime/cuda/CudaContext.h"

#include <atomic>
#include <mutex>

using namespace rlscan::cuda;
using rlscan::runtime::Call;
using rlscan::runtime::fail;

rlscan_status rlscan::cuda::failed(const Error &error) {
  return fail(RLSCAN_DRIVER_ERROR, "%s", error.message.c_str());
}

static rlscan_status openDriver(const Driver *&driver) {
  if (Error error = Driver::open(driver))
    return fail(RLSCAN_NO_DRIVER, "%s", error.message.c_str());
  return RLSCAN_OK;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static constexpr int maxDevices = 64;
static std::atomic<const Device *> openDevices[maxDevices];

static rlscan_status openLocked(int32_t ordinal, const Device *&device) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  device = openDevices[ordinal].load(std::memory_order_acquire);
  if (device)
    return RLSCAN_OK;
  Device opened;
  if (Error error = Device::open(ordinal, opened))
    return failed(error);
  device = new Device(std::move(opened));
  openDevices[ordinal].store(device, std::memory_order_release);
  return RLSCAN_OK;
}

rlscan_status rlscan::cuda::openDevice(int32_t ordinal, const Device *&device) {
  if (ordinal >= 0 && ordinal < maxDevices) {
    device = openDevices[ordinal].load(std::memory_order_acquire);
    if (device)
      return RLSCAN_OK;
  }
  const Driver *driver = nullptr;
  if (rlscan_status status = openDriver(driver))
    return status;
  int count = 0;
  if (Error error = RLSCAN_CUDA_CALL(*driver, cuDeviceGetCount, &count))
    return failed(error);
  if (ordinal < 0 || ordinal >= count || ordinal >= maxDevices)
    return fail(RLSCAN_INVALID_DEVICE, "there is no GPU %d, the driver has %d",
                ordinal, count);
  return openLocked(ordinal, device);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

bool rlscan::cuda::isDefaultStream(const void *stream) {
  // CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are 1 and 2.
  return reinterpret_cast<uintptr_t>(stream) <= 2;
}

static const Device *findOpen(CUcontext context) {
  for (const std::atomic<const Device *> &entry : openDevices) {
    const Device *device = entry.load(std::memory_order_acquire);
    if (device && device->context()->native() == context)
      return device;
  }
  return nullptr;
}

/// Asks the driver which device a context is of.
static Error ordinalOf(const Driver &driver, CUcontext context, int &ordinal) {
  CUdevice wanted = 0;
  CUcontext popped = nullptr;
  if (Error error = RLSCAN_CUDA_CALL(driver, cuCtxPushCurrent_v2, context))
    return error;
  Error error = RLSCAN_CUDA_CALL(driver, cuCtxGetDevice, &wanted);
  Error after = RLSCAN_CUDA_CALL(driver, cuCtxPopCurrent_v2, &popped);
  if (error || after)
    return error ? error : after;
  for (ordinal = 0; ordinal < maxDevices; ++ordinal) {
    CUdevice device = 0;
    if (Error error = RLSCAN_CUDA_CALL(driver, cuDeviceGet, &device, ordinal))
      return error;
    if (device == wanted)
      break;
  }
  return {};
}

rlscan_status rlscan::cuda::deviceOfStream(void *stream,
                                           const Device *&device) {
  const Driver *driver = nullptr;
  if (rlscan_status status = openDriver(driver))
    return status;
  CUcontext context = nullptr;
  if (Error error = RLSCAN_CUDA_CALL(*driver, cuStreamGetCtx,
                                     static_cast<CUstream>(stream), &context))
    return failed(error);
  device = findOpen(context);
  if (device)
    return RLSCAN_OK;
  int ordinal = 0;
  if (Error error = ordinalOf(*driver, context, ordinal))
    return failed(error);
  if (rlscan_status status = openDevice(ordinal, device))
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

enum { Unknown = -3, AnyDevice = -4 };

/// The answers of the driver that were good, of this thread. Memory may change
/// hands, so that a bad one is always asked for.
struct KnownMemory {
  const void *address;
  int32_t ordinal;
};

} // namespace

static KnownMemory &known(const void *address) {
  constexpr int bits = 6;
  static thread_local KnownMemory table[1 << bits];
  // Addresses are often multiples of a large power of two: the product with the
  // golden ratio tells them apart by its upper bits.
  uint64_t mixed = reinterpret_cast<uintptr_t>(address) * 0x9e3779b97f4a7c15u;
  return table[mixed >> (64 - bits)];
}

/// The number of the GPU that has the memory, AnyDevice where all reach it, or
/// Unknown: nobody told the driver of it.
static int32_t ordinalOf(const Driver &driver, const void *address) {
  PointerAttribute attributes[] = {PointerAttribute::MemoryType,
                                   PointerAttribute::IsManaged,
                                   PointerAttribute::DeviceOrdinal};
  // What the driver does not know has no type, and is no error.
  int type = 0, isManaged = 0, ordinal = Unknown;
  void *values[] = {&type, &isManaged, &ordinal};
  auto place = reinterpret_cast<CUdeviceptr>(address);
  if (driver.symbols().cuPointerGetAttributes(3, attributes, values, place) !=
          success ||
      type == 0)
    return Unknown;
  if (type == static_cast<int>(MemoryType::Host) || isManaged)
    return AnyDevice;
  return ordinal;
}

int32_t rlscan::cuda::deviceOfMemory(const Call &call) {
  const Driver *driver = nullptr;
  if (!Driver::isLoaded() || Driver::open(driver))
    return RLSCAN_DEVICE_CPU;
  for (int i = 0; i < call.estimator.argument_count; ++i) {
    const rlscan_tensor &array = call.tensor(i);
    if (!array.data || call.estimator.arguments[i].kind != RLSCAN_STEP)
      continue;
    int32_t ordinal = ordinalOf(*driver, array.data);
    return ordinal >= 0 ? ordinal : RLSCAN_DEVICE_CPU;
  }
  return RLSCAN_DEVICE_CPU;
}

static rlscan_status checkAddress(const char *name, const void *address,
                                  const Device &device) {
  KnownMemory &entry = known(address);
  if (entry.address == address && entry.ordinal == device.ordinal())
    return RLSCAN_OK;
  int32_t ordinal = ordinalOf(device.driver(), address);
  if (ordinal == Unknown)
    return fail(RLSCAN_INVALID_DEVICE,
                "%s: address %p is in memory of the host, expected memory of "
                "GPU %d",
                name, address, device.ordinal());
  if (ordinal >= 0 && ordinal != device.ordinal())
    return fail(RLSCAN_INVALID_DEVICE,
                "%s: address %p is in memory of GPU %d, expected memory of GPU "
                "%d",
                name, address, ordinal, device.ordinal());
  entry = {address, device.ordinal()};
  return RLSCAN_OK;
}

rlscan_status rlscan::cuda::checkMemory(const Call &call,
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
