//===- Device.cpp - What calls on a GPU need beside the runtime -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "runtime/device/Context.h"
#include "runtime/device/Objects.h"

#include <mutex>

using namespace rlscan;
using namespace rlscan::python;

/// Puts the thread's mode and the given one in each other's place. There is
/// nothing to do where no driver is.
static void exchange(device::CaptureMode &mode) {
  const device::Driver *driver = nullptr;
  if (!device::Driver::open(RLSCAN_TARGET_CUDA, driver))
    driver->functions().exchangeCaptureMode.call(&mode);
}

RelaxedCapture::RelaxedCapture() { exchange(mode); }
RelaxedCapture::~RelaxedCapture() { exchange(mode); }

namespace {

/// A GPU and a few zeros in its memory, kept to the end of the process, as the
/// runtime keeps its code.
struct Opened {
  device::Device gpu;
  device::Buffer zeros;
};

} // namespace

static constexpr size_t zeroBytes = 16;

/// On a stream that waits for no other: one of those may be captured.
static device::Error openDevice(int32_t ordinal, Opened &opened) {
  RelaxedCapture relaxed;
  device::Stream stream;
  if (device::Error error =
          device::Device::open(RLSCAN_TARGET_CUDA, ordinal, opened.gpu))
    return error;
  if (device::Error error = device::Stream::create(opened.gpu, stream))
    return error;
  if (device::Error error =
          device::Buffer::allocate(opened.gpu, zeroBytes, opened.zeros))
    return error;
  if (device::Error error = opened.zeros.fill(0, stream))
    return error;
  return stream.synchronize();
}

/// Null after a failure.
static const Opened *openedAt(int32_t ordinal, Failure &failure) {
  constexpr int maxDevices = 64;
  static const Opened *known[maxDevices] = {};
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (ordinal < maxDevices && known[ordinal])
    return known[ordinal];
  auto opened = std::make_unique<Opened>();
  device::Error error = openDevice(ordinal, *opened);
  if (error || ordinal >= maxDevices) {
    fail(failure, Failure::Runtime, deviceText(ordinal) + ": " + error.message);
    return nullptr;
  }
  return known[ordinal] = opened.release();
}

bool rlscan::python::zeroOn(int32_t ordinal, void *data, size_t bytes,
                            void *stream, Failure &failure) {
  const Opened *opened = openedAt(ordinal, failure);
  if (!opened)
    return false;
  const device::Context &context = *opened->gpu.context();
  device::Error error = context.call(context.driver.functions().fill, data,
                                     (unsigned char)0, bytes, stream);
  return !error || fail(failure, Failure::Runtime, error.message);
}

void *rlscan::python::zerosOn(int32_t ordinal, Failure &failure) {
  alignas(zeroBytes) static char onHost[zeroBytes] = {};
  if (ordinal == host)
    return onHost;
  const Opened *opened = openedAt(ordinal, failure);
  return opened ? reinterpret_cast<void *>(opened->zeros.address()) : nullptr;
}
