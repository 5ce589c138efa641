//===- HipDriver.cpp - AMD's driver ---------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HIP has no contexts but devices, one of which is current to each thread. In
// the place of a context stands the device's number, plus 1: none is null.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Driver.h"
#include "runtime/hip/HipSymbols.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace rlscan;
using namespace rlscan::hip;
using device::Error;

namespace {

class HipDriver final : public device::Driver {
public:
  HipDriver()
      : Driver(RLSCAN_TARGET_HIP,
               {"RLSCAN_HIP_DRIVER",
                {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                 "/opt/rocm/lib/libamdhip64.so"},
                "install ROCm 6.0 or later (package hip-runtime-amd) or choose "
                "another target: those of the CPU need no driver",
                "update ROCm, to 6.0 or later"}) {}

  Error retain(int ordinal, int &device, void *&context) const override {
    device = ordinal;
    context = contextFor(ordinal);
    return {};
  }
  void release(int) const override {}
  Error readProperties(int device, device::DeviceProperties &) const override;
  Error enter(void *context, void *&before) const override;
  Error leave(void *before) const override;
  Error contextOf(void *stream, void *&context) const override;
  Error ordinalOf(void *context, int &ordinal) const override {
    ordinal = numberOf(context);
    return {};
  }
  Error deviceOf(const void *address, int32_t &device) const override;
  Error load(const char *image, void *&module) const override {
    return make(module, own.hipModuleLoadData, &module, image);
  }
  bool readsImages() const override { return true; }
  int fitness(const rlscan_image &image,
              const device::DeviceProperties &device) const override {
    return image.kind == RLSCAN_IMAGE_HSACO &&
           image.capability == device.architecture;
  }
  std::string
  describeMisfit(const std::vector<const rlscan_image *> &images, int ordinal,
                 const device::DeviceProperties &device) const override;
  /// A launch is told of workgroups, but its threads are counted in 32 bits.
  int64_t mostWorkgroups(int64_t threads) const override {
    return std::min<int64_t>(INT32_MAX, UINT32_MAX / threads);
  }

private:
  void forgetError() const override { (void)own.hipGetLastError.call(); }
  void findOwn() override {
#define RLSCAN_HIP_FIND(name, ...) find(own.name, #name);
    RLSCAN_HIP_SYMBOLS(RLSCAN_HIP_FIND)
#undef RLSCAN_HIP_FIND
  }
  static void *contextFor(int number) {
    return reinterpret_cast<void *>(static_cast<intptr_t>(number) + 1);
  }
  static int numberOf(void *context) {
    return static_cast<int>(reinterpret_cast<intptr_t>(context) - 1);
  }

  Symbols own;
};

} // namespace

device::Driver &device::hipDriver() {
  static HipDriver &driver = *new HipDriver;
  return driver;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// "gfx90a:sramecc+:xnack-" is 0x90a: the digits of the chip, whatever modes
/// it is in. Code objects are compiled for every mode.
static int architectureOf(const char *name) {
  if (std::strncmp(name, "gfx", 3) != 0)
    return 0;
  return static_cast<int>(std::strtol(name + 3, nullptr, 16));
}

Error HipDriver::readProperties(int device,
                                device::DeviceProperties &properties) const {
  DeviceProperties given = {};
  if (Error error = call(own.hipGetDevicePropertiesR0600, &given, device))
    return error;
  given.gcnArchName[sizeof given.gcnArchName - 1] = '\0';
  properties.architecture = architectureOf(given.gcnArchName);
  properties.multiprocessors = given.multiProcessorCount;
  return {};
}

Error HipDriver::enter(void *context, void *&before) const {
  int current = 0;
  if (Error error = call(own.hipGetDevice, &current))
    return error;
  before = contextFor(current);
  return before == context ? Error()
                           : call(own.hipSetDevice, numberOf(context));
}

Error HipDriver::leave(void *before) const {
  return call(own.hipSetDevice, numberOf(before));
}

Error HipDriver::contextOf(void *stream, void *&context) const {
  int number = 0;
  if (Error error = call(own.hipStreamGetDevice, stream, &number))
    return error;
  context = contextFor(number);
  return {};
}

Error HipDriver::deviceOf(const void *address, int32_t &device) const {
  PointerAttributes attributes = {};
  device = device::unknownMemory;
  if (Error error = call(own.hipPointerGetAttributes, &attributes, address))
    return device::isUnknownAddress(error) ? Error() : error;
  if (attributes.type == MemoryType::Host || attributes.isManaged)
    device = device::memoryOfAll;
  else if (attributes.type != MemoryType::Unregistered)
    device = attributes.device;
  return {};
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static std::string chipOf(int architecture) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (; architecture > 0; architecture /= 16)
    text.insert(text.begin(), digits[architecture % 16]);
  return "gfx" + text;
}

std::string
HipDriver::describeMisfit(const std::vector<const rlscan_image *> &images,
                          int ordinal,
                          const device::DeviceProperties &device) const {
  std::string wanted = chipOf(device.architecture), there;
  std::set<int> chips;
  for (const rlscan_image *image : images)
    chips.insert(image->capability);
  for (int chip : chips)
    there += (there.empty() ? "" : " or ") + chipOf(chip);
  return "expected a GPU that is " + there + ", GPU " +
         std::to_string(ordinal) + ", '" + device.name + "', is " + wanted +
         "; compile with --target=hip:" + wanted;
}
