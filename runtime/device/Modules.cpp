//===- Modules.cpp - The code of a compiled estimator on GPUs -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Modules.h"
#include "runtime/core/Image.h"
#include "runtime/core/Status.h"
#include "runtime/device/Devices.h"

#include <algorithm>
#include <memory>
#include <string>

using namespace rlscan;
using namespace rlscan::device;
using rlscan::runtime::fail;

Modules &Modules::of(const rlscan_estimator &estimator) {
  void *state = __atomic_load_n(estimator.state, __ATOMIC_ACQUIRE);
  if (state)
    return *static_cast<Modules *>(state);
  auto *made = new Modules(estimator);
  if (__atomic_compare_exchange_n(estimator.state, &state,
                                  static_cast<void *>(made), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return *made;
  delete made;
  return *static_cast<Modules *>(state);
}

void Modules::release(const rlscan_estimator &estimator) {
  void *none = nullptr;
  auto *state = static_cast<Modules *>(
      __atomic_exchange_n(estimator.state, none, __ATOMIC_ACQ_REL));
  if (!state)
    return;
  for (std::atomic<Slot *> &device : state->devices) {
    Slot *slots = device.load(std::memory_order_acquire);
    for (int i = 0; slots && i < estimator.variant_count; ++i)
      delete slots[i].load(std::memory_order_acquire);
    delete[] slots;
  }
  delete state;
}

const LoadedVariant *Modules::find(int variant, const Device &device) const {
  const Slot *slots = devices[slotOf(device)].load(std::memory_order_acquire);
  return slots ? slots[variant].load(std::memory_order_acquire) : nullptr;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// The images that the device runs, the best first.
static std::vector<const rlscan_image *>
findImages(const rlscan_variant &variant, const Device &device) {
  std::vector<const rlscan_image *> images;
  auto fitness = [&](const rlscan_image *image) {
    return device.driver().fitness(*image, device.properties());
  };
  for (int i = 0; i < variant.image_count; ++i)
    if (fitness(&variant.images[i]) > 0)
      images.push_back(&variant.images[i]);
  std::sort(images.begin(), images.end(),
            [&](const rlscan_image *a, const rlscan_image *b) {
              return fitness(a) > fitness(b);
            });
  return images;
}

bool rlscan::device::runsOn(const rlscan_variant &variant,
                            const Device &device) {
  const Driver &driver = device.driver();
  if (variant.target != driver.target)
    return false;
  for (int i = 0; i < variant.image_count; ++i)
    if (driver.fitness(variant.images[i], device.properties()) > 0)
      return true;
  return false;
}

rlscan_status rlscan::device::failUnfit(const rlscan_estimator &estimator,
                                        const char *name,
                                        const Device &device) {
  const Driver &driver = device.driver();
  std::vector<const rlscan_image *> images;
  for (int i = 0; i < estimator.variant_count; ++i) {
    const rlscan_variant &variant = estimator.variants[i];
    for (int k = 0; k < variant.image_count; ++k)
      if (variant.target == driver.target)
        images.push_back(&variant.images[k]);
  }
  std::string reason =
      driver.describeMisfit(images, device.ordinal(), device.properties());
  return fail(RLSCAN_INVALID_DEVICE, "%s: %s", name, reason.c_str());
}

static Error loadKernels(const rlscan_variant &variant, const Device &device,
                         LoadedVariant &loaded) {
  for (int i = 0; i < variant.kernel_count; ++i) {
    const rlscan_kernel &kernel = variant.kernels[i];
    Function function;
    if (Error error = Function::get(loaded.module, kernel.name, function))
      return error;
    int perMultiprocessor = 0;
    if (Error error = function.occupancy(kernel.threads, 0, perMultiprocessor))
      return error;
    loaded.functions.push_back(std::move(function));
    loaded.resident.push_back(static_cast<int64_t>(perMultiprocessor) *
                              device.properties().multiprocessors);
  }
  return {};
}

static Error loadImage(const rlscan_variant &variant, const rlscan_image &image,
                       const Device &device, Module &module) {
  std::string bytes;
  if (runtime::unpack(variant, image, bytes))
    return Module::load(device, std::move(bytes), module);
  return {"image " + std::to_string(&image - variant.images + 1) + " of " +
              std::to_string(variant.image_count) +
              " does not have its checksum: the library is damaged, compile or "
              "install it again",
          damaged};
}

/// Machine code of a newer toolkit may be foreign to an older driver: PTX is
/// not.
static Error loadFirst(const rlscan_variant &variant, const Device &device,
                       Module &module) {
  Error first;
  for (const rlscan_image *image : findImages(variant, device)) {
    Error error = loadImage(variant, *image, device, module);
    if (!error)
      return {};
    bool isRefused = refusesImage(error);
    if (!first)
      first = std::move(error);
    if (!isRefused)
      return first;
  }
  return first;
}

rlscan_status Modules::load(int variant, const Device &device,
                            const LoadedVariant *&loaded) {
  std::lock_guard<std::mutex> lock(mutex);
  loaded = find(variant, device);
  if (loaded)
    return RLSCAN_OK;
  const rlscan_variant &wanted = estimator.variants[variant];
  static std::atomic<uint64_t> count{0};
  auto made = std::make_unique<LoadedVariant>();
  made->number = ++count;
  Error error = loadFirst(wanted, device, made->module);
  if (!error)
    error = loadKernels(wanted, device, *made);
  if (error)
    return failed(wanted.name, error);
  std::atomic<Slot *> &entry = devices[slotOf(device)];
  if (!entry.load(std::memory_order_acquire))
    entry.store(new Slot[estimator.variant_count](), std::memory_order_release);
  loaded = made.release();
  entry.load(std::memory_order_acquire)[variant].store(
      loaded, std::memory_order_release);
  return RLSCAN_OK;
}
