//===- CudaDriver.cpp - NVIDIA's driver -----------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaSymbols.h"
#include "runtime/device/Driver.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>

using namespace rlscan;
using namespace rlscan::cuda;
using device::DeviceProperties;
using device::Error;

namespace {

class CudaDriver final : public device::Driver {
public:
  CudaDriver()
      : Driver(RLSCAN_TARGET_CUDA,
               {"RLSCAN_CUDA_DRIVER",
                {"libcuda.so.1"},
                "install the NVIDIA driver or choose another target",
                "update the NVIDIA driver, to 470 or later"}) {}

  Error retain(int ordinal, int &device, void *&context) const override;
  void release(int device) const override {
    (void)call(own.cuDevicePrimaryCtxRelease_v2, device);
  }
  Error readProperties(int device, DeviceProperties &) const override;
  Error enter(void *context, void *&before) const override;
  Error leave(void *before) const override;
  Error contextOf(void *stream, void *&context) const override {
    return make(context, own.cuStreamGetCtx, stream, &context);
  }
  Error ordinalOf(void *context, int &ordinal) const override;
  Error deviceOf(const void *address, int32_t &device) const override;
  Error load(const char *image, void *&module) const override;
  bool readsImages() const override { return false; }
  int fitness(const rlscan_image &image,
              const DeviceProperties &device) const override;
  std::string describeMisfit(const std::vector<const rlscan_image *> &images,
                             int ordinal,
                             const DeviceProperties &device) const override;
  int64_t mostWorkgroups(int64_t) const override { return INT32_MAX; }

private:
  void findOwn() override {
#define RLSCAN_CUDA_FIND(name, ...) find(own.name, #name);
    RLSCAN_CUDA_SYMBOLS(RLSCAN_CUDA_FIND)
#undef RLSCAN_CUDA_FIND
  }

  Symbols own;
};

} // namespace

device::Driver &device::cudaDriver() {
  static CudaDriver &driver = *new CudaDriver;
  return driver;
}

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

Error CudaDriver::retain(int ordinal, int &device, void *&context) const {
  if (Error error = call(own.cuDeviceGet, &device, ordinal))
    return error;
  void *retained = nullptr;
  if (Error error =
          make(retained, own.cuDevicePrimaryCtxRetain, &retained, device))
    return error;
  context = retained;
  return {};
}

Error CudaDriver::readProperties(int device,
                                 DeviceProperties &properties) const {
  int major = 0, minor = 0;
  const std::pair<DeviceAttribute, int *> attributes[] = {
      {DeviceAttribute::ComputeCapabilityMajor, &major},
      {DeviceAttribute::ComputeCapabilityMinor, &minor},
      {DeviceAttribute::MultiprocessorCount, &properties.multiprocessors}};
  for (const auto &[attribute, value] : attributes)
    if (Error error = call(own.cuDeviceGetAttribute, value, attribute, device))
      return error;
  properties.architecture = major * 10 + minor;
  return {};
}

/// Nothing is current, for all that is known, where the driver cannot tell. It
/// is that error which counts where nothing else works, either.
Error CudaDriver::enter(void *context, void *&before) const {
  Error unknown = call(own.cuCtxGetCurrent, &before);
  if (unknown)
    before = nullptr;
  if (before == context)
    return {};
  Error error = call(own.cuCtxPushCurrent_v2, context);
  return error && unknown ? unknown : error;
}

Error CudaDriver::leave(void *) const {
  void *popped = nullptr;
  return call(own.cuCtxPopCurrent_v2, &popped);
}

Error CudaDriver::ordinalOf(void *context, int &ordinal) const {
  int wanted = 0, count = 0;
  if (Error error = call(own.cuCtxPushCurrent_v2, context))
    return error;
  Error error = call(own.cuCtxGetDevice, &wanted);
  Error after = leave(nullptr);
  if (error || after)
    return error ? error : after;
  if (Error error = call(functions().getDeviceCount, &count))
    return error;
  for (ordinal = 0; ordinal < count; ++ordinal) {
    int device = 0;
    if (Error error = call(own.cuDeviceGet, &device, ordinal))
      return error;
    if (device == wanted)
      break;
  }
  return {};
}

Error CudaDriver::deviceOf(const void *address, int32_t &device) const {
  PointerAttribute attributes[] = {PointerAttribute::MemoryType,
                                   PointerAttribute::IsManaged,
                                   PointerAttribute::DeviceOrdinal};
  // What the driver does not know has no type, and is no error, but for older
  // drivers and those that nobody has a context of.
  int type = 0, isManaged = 0, ordinal = device::unknownMemory;
  void *values[] = {&type, &isManaged, &ordinal};
  device = device::unknownMemory;
  Error error = call(own.cuPointerGetAttributes, 3, attributes, values,
                     reinterpret_cast<uint64_t>(address));
  if (error)
    return device::isUnknownAddress(error) ? Error() : error;
  if (type == static_cast<int>(MemoryType::Host) || isManaged)
    device = device::memoryOfAll;
  else if (type != 0)
    device = ordinal;
  return {};
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

Error CudaDriver::load(const char *image, void *&module) const {
  // One byte more than the driver is told of, so that the text ends.
  constexpr size_t logBytes = 16384;
  std::string log(logBytes, '\0');
  // Which lines of a recipe code comes from is for profilers.
  JitOption options[] = {JitOption::ErrorLogBuffer,
                         JitOption::ErrorLogBufferSizeBytes,
                         JitOption::GenerateLineInfo};
  void *values[] = {log.data(), reinterpret_cast<void *>(logBytes - 1),
                    reinterpret_cast<void *>(1)};
  Error error =
      make(module, own.cuModuleLoadDataEx, &module, image, 3, options, values);
  if (!error)
    return {};
  log.resize(std::strlen(log.c_str()));
  while (!log.empty() && std::strchr(" \r\n", log.back()))
    log.pop_back();
  if (!log.empty())
    error.message += "\n" + log;
  return error;
}

/// PTX runs on later chips too, machine code on later ones of the same
/// generation. The newest is the best; of two for one chip, the one that is
/// machine code.
int CudaDriver::fitness(const rlscan_image &image,
                        const DeviceProperties &device) const {
  bool isMachineCode = image.kind == RLSCAN_IMAGE_CUBIN;
  if (image.capability > device.architecture ||
      (isMachineCode && image.capability / 10 != device.architecture / 10))
    return 0;
  return 2 * image.capability + isMachineCode;
}

std::string
CudaDriver::describeMisfit(const std::vector<const rlscan_image *> &images,
                           int ordinal, const DeviceProperties &device) const {
  auto isOlder = [](const rlscan_image *a, const rlscan_image *b) {
    return a->capability < b->capability;
  };
  auto text = [](int capability) {
    return std::to_string(capability / 10) + "." +
           std::to_string(capability % 10);
  };
  int oldest =
      (*std::min_element(images.begin(), images.end(), isOlder))->capability;
  return "expected a GPU of compute capability " + text(oldest) +
         " or more, GPU " + std::to_string(ordinal) + ", '" + device.name +
         "', has " + text(device.architecture) +
         "; compile with --target=cuda:ptx";
}
