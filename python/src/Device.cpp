//===- Device.cpp - What calls on a GPU need beside the runtime ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace rlscan::python;

namespace {

/// Functions of NVIDIA's driver. The runtime opened it before.
struct Driver {
  int (*exchangeCaptureMode)(int *mode) = nullptr;
  int (*getDevice)(int *device, int ordinal) = nullptr;
  int (*retainContext)(void **context, int device) = nullptr;
  int (*pushContext)(void *context) = nullptr;
  int (*popContext)(void **context) = nullptr;
  int (*allocate)(uint64_t *address, size_t bytes) = nullptr;
  int (*makeStream)(void **stream, unsigned flags) = nullptr;
  int (*awaitStream)(void *stream) = nullptr;
  int (*destroyStream)(void *stream) = nullptr;
  int (*fill)(uint64_t address, unsigned char byte, size_t count,
              void *stream) = nullptr;

  Driver() {
    const char *named = std::getenv("RLSCAN_CUDA_DRIVER"); // as the runtime
    void *library =
        dlopen(named ? named : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return;
    find(library, "cuThreadExchangeStreamCaptureMode", exchangeCaptureMode);
    find(library, "cuDeviceGet", getDevice);
    find(library, "cuDevicePrimaryCtxRetain", retainContext);
    find(library, "cuCtxPushCurrent_v2", pushContext);
    find(library, "cuCtxPopCurrent_v2", popContext);
    find(library, "cuMemAlloc_v2", allocate);
    find(library, "cuStreamCreate", makeStream);
    find(library, "cuStreamSynchronize", awaitStream);
    find(library, "cuStreamDestroy_v2", destroyStream);
    find(library, "cuMemsetD8Async", fill);
  }

  bool isComplete() const {
    return exchangeCaptureMode && getDevice && retainContext && pushContext &&
           popContext && allocate && makeStream && awaitStream &&
           destroyStream && fill;
  }

private:
  template <typename Function>
  static void find(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
  }
};

} // namespace

static const Driver &driver() {
  static const Driver opened;
  return opened;
}

RelaxedCapture::RelaxedCapture() {
  if (driver().exchangeCaptureMode)
    driver().exchangeCaptureMode(&mode);
}

RelaxedCapture::~RelaxedCapture() {
  if (driver().exchangeCaptureMode)
    driver().exchangeCaptureMode(&mode);
}

/// Makes the primary context of a GPU the thread's for a while.
class CurrentContext {
public:
  explicit CurrentContext(int32_t ordinal) {
    const Driver &cuda = driver();
    void *context = nullptr;
    int device = 0;
    isThere = cuda.isComplete() && cuda.getDevice(&device, ordinal) == 0 &&
              cuda.retainContext(&context, device) == 0 &&
              cuda.pushContext(context) == 0;
  }
  ~CurrentContext() {
    void *popped = nullptr;
    if (isThere)
      driver().popContext(&popped);
  }
  bool isThere;
};

/// Kept to the end of the process, as the runtime keeps its code. On a stream
/// that waits for no other: one of those may be captured.
static uint64_t makeZeros(int32_t device, size_t bytes) {
  uint64_t address = 0;
  RelaxedCapture relaxed;
  CurrentContext current(device);
  constexpr unsigned nonBlocking = 1;
  void *stream = nullptr;
  const Driver &cuda = driver();
  if (!current.isThere || cuda.makeStream(&stream, nonBlocking) != 0)
    return 0;
  bool isFilled = cuda.allocate(&address, bytes) == 0 &&
                  cuda.fill(address, 0, bytes, stream) == 0 &&
                  cuda.awaitStream(stream) == 0;
  cuda.destroyStream(stream);
  return isFilled ? address : 0;
}

bool rlscan::python::zeroOn(int32_t device, void *data, size_t bytes,
                            void *stream) {
  CurrentContext current(device);
  return current.isThere &&
         driver().fill(reinterpret_cast<uint64_t>(data), 0, bytes, stream) == 0;
}

void *rlscan::python::zerosOn(int32_t device, Failure &failure) {
  constexpr int size = 16, maxDevices = 64;
  alignas(size) static char onHost[size] = {};
  static uint64_t onDevices[maxDevices] = {};
  static std::mutex mutex;
  if (device == host)
    return onHost;
  std::lock_guard<std::mutex> lock(mutex);
  if (device < maxDevices && !onDevices[device])
    onDevices[device] = makeZeros(device, size);
  if (device < maxDevices && onDevices[device])
    return reinterpret_cast<void *>(onDevices[device]);
  fail(failure, Failure::Runtime,
       "cannot allocate memory of " + deviceText(device));
  return nullptr;
}
