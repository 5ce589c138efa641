//===- CudaDriver.cpp - Devices, memory and kernels of NVIDIA -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaDriver.h"
#include "runtime/cuda/CudaContext.h"

#include <atomic>
#include <cstdlib>
#include <utility>

#include <dlfcn.h>
#include <link.h>

using namespace rlscan::cuda;

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

/// A function's documented name: without the version of its binary interface.
static std::string documentedName(const char *call) {
  std::string name = call;
  size_t suffix = name.rfind("_v");
  return suffix == std::string::npos ? name : name.substr(0, suffix);
}

Error Driver::check(const char *call, CUresult result) const {
  if (result == success)
    return {};
  const char *name = nullptr, *text = nullptr;
  if (table.cuGetErrorName(result, &name) != success || !name)
    return {documentedName(call) + " failed: error " + std::to_string(result)};
  std::string message = documentedName(call) + " failed: " + name;
  if (table.cuGetErrorString(result, &text) == success && text)
    message += std::string(" (") + text + ")";
  return {message};
}

static const char *driverPath() {
  const char *path = std::getenv("RLSCAN_CUDA_DRIVER");
  return path && *path ? path : "libcuda.so.1";
}

/// How many libraries the process has ever loaded.
static unsigned long long countLoads() {
  unsigned long long loads = 0;
  auto read = [](dl_phdr_info *info, size_t, void *result) {
    *static_cast<unsigned long long *>(result) = info->dlpi_adds;
    return 1; // any of them knows
  };
  dl_iterate_phdr(read, &loads);
  return loads;
}

/// The loader searches its whole path for what is not there: it is asked again
/// only after something was loaded.
bool Driver::isLoaded() {
  static std::atomic<bool> isThere{false};
  static std::atomic<unsigned long long> loadsThen{0};
  unsigned long long loads = countLoads();
  if (isThere.load(std::memory_order_acquire))
    return true;
  if (loads == loadsThen.load(std::memory_order_acquire))
    return false;
  void *library = dlopen(driverPath(), RTLD_NOW | RTLD_NOLOAD);
  if (library) // kept: it stays
    isThere.store(true, std::memory_order_release);
  else
    loadsThen.store(loads, std::memory_order_release);
  return library != nullptr;
}

Error Driver::load() {
  const char *path = driverPath();
  // Never closed: the driver has threads and exit handlers of its own.
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return {std::string(path) + " cannot be opened (" + dlerror() +
            "); install the NVIDIA driver or choose another target"};
  }
  const char *missing = nullptr;
#define RLSCAN_CUDA_FIND(name, ...)                                            \
  table.name =                                                                 \
      reinterpret_cast<CUresult (*)(__VA_ARGS__)>(dlsym(library, #name));      \
  if (!table.name && !missing)                                                 \
    missing = #name;
  RLSCAN_CUDA_SYMBOLS(RLSCAN_CUDA_FIND)
#undef RLSCAN_CUDA_FIND
  if (missing)
    return {std::string(path) + " has no " + missing +
            "; update the NVIDIA driver, to 470 or later"};
  if (Error error = RLSCAN_CUDA_CALL(*this, cuInit, 0))
    return error;
  return RLSCAN_CUDA_CALL(*this, cuDriverGetVersion, &cudaVersion);
}

Error Driver::open(const Driver *&driver) {
  struct Outcome {
    Driver driver;
    Error error = driver.load();
  };
  // Never destroyed: other objects may still need it while the process ends.
  static const Outcome &outcome = *new Outcome;
  driver = outcome.error ? nullptr : &outcome.driver;
  return outcome.error;
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

Error Context::readProperties() {
  char name[256] = "";
  if (Error error = RLSCAN_CUDA_CALL(driver, cuDeviceGetName, name,
                                     int(sizeof(name)) - 1, device))
    return error;
  properties.name = name;
  const std::pair<DeviceAttribute, int *> attributes[] = {
      {DeviceAttribute::ComputeCapabilityMajor, &properties.computeMajor},
      {DeviceAttribute::ComputeCapabilityMinor, &properties.computeMinor},
      {DeviceAttribute::MultiprocessorCount, &properties.multiprocessors},
      {DeviceAttribute::L2CacheSize, &properties.l2Bytes},
      {DeviceAttribute::MaxSharedMemoryPerBlockOptin,
       &properties.maxSharedBytesPerBlock},
      {DeviceAttribute::MaxSharedMemoryPerMultiprocessor,
       &properties.sharedBytesPerMultiprocessor}};
  for (const auto &[attribute, value] : attributes)
    if (Error error = RLSCAN_CUDA_CALL(driver, cuDeviceGetAttribute, value,
                                       attribute, device))
      return error;
  return {};
}

Error Context::retain() {
  int count = 0;
  if (Error error = RLSCAN_CUDA_CALL(driver, cuDeviceGetCount, &count))
    return error;
  if (ordinal < 0 || ordinal >= count)
    return {"there is no GPU " + std::to_string(ordinal) + ", the driver has " +
            std::to_string(count)};
  if (Error error = RLSCAN_CUDA_CALL(driver, cuDeviceGet, &device, ordinal))
    return error;
  if (Error error = readProperties())
    return error;
  CUcontext retained = nullptr;
  if (Error error =
          RLSCAN_CUDA_CALL(driver, cuDevicePrimaryCtxRetain, &retained, device))
    return error;
  handle = retained;
  return {};
}

Error Device::count(int &devices) {
  const Driver *driver = nullptr;
  if (Error error = Driver::open(driver))
    return error;
  return RLSCAN_CUDA_CALL(*driver, cuDeviceGetCount, &devices);
}

Error Device::open(int ordinal, Device &result) {
  const Driver *driver = nullptr;
  if (Error error = Driver::open(driver))
    return error;
  auto context = std::make_shared<Context>(*driver, ordinal);
  if (Error error = context->retain())
    return error;
  result.shared = std::move(context);
  return {};
}

int Device::ordinal() const { return shared->ordinal; }
const DeviceProperties &Device::properties() const {
  return shared->properties;
}
const Driver &Device::driver() const { return shared->driver; }

Error Device::synchronize() const {
  return shared->with(
      [&] { return RLSCAN_CUDA_CALL(shared->driver, cuCtxSynchronize); });
}
