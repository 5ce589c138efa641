//===- CudaModules.cpp - The code of a compiled estimator on GPUs ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaModules.h"
#include "runtime/core/Status.h"
#include "runtime/cuda/CudaDevices.h"

#include <memory>
#include <string>

using namespace rlscan::cuda;
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
  const Slot *slots = devices[device.ordinal()].load(std::memory_order_acquire);
  return slots ? slots[variant].load(std::memory_order_acquire) : nullptr;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static bool runsOn(const rlscan_image &image, int capability) {
  if (image.kind == RLSCAN_IMAGE_CUBIN)
    return image.capability / 10 == capability / 10 &&
           image.capability <= capability;
  return image.capability <= capability;
}

/// The newest image that the device runs; of two, the one that is machine code.
static rlscan_status findImage(const rlscan_variant &variant,
                               const Device &device,
                               const rlscan_image *&chosen) {
  const DeviceProperties &properties = device.properties();
  int capability = properties.computeMajor * 10 + properties.computeMinor;
  int oldest = 0;
  auto rank = [](const rlscan_image &image) {
    return 2 * image.capability + (image.kind == RLSCAN_IMAGE_CUBIN);
  };
  chosen = nullptr;
  for (int i = 0; i < variant.image_count; ++i) {
    const rlscan_image &image = variant.images[i];
    if (oldest == 0 || image.capability < oldest)
      oldest = image.capability;
    if (runsOn(image, capability) && (!chosen || rank(image) > rank(*chosen)))
      chosen = &image;
  }
  if (chosen)
    return RLSCAN_OK;
  return fail(RLSCAN_INVALID_DEVICE,
              "%s: expected a GPU of compute capability %d.%d or more, GPU %d, "
              "'%s', has %d.%d; compile with --target=cuda:ptx",
              variant.name, oldest / 10, oldest % 10, device.ordinal(),
              properties.name.c_str(), properties.computeMajor,
              properties.computeMinor);
}

static Error loadKernels(const rlscan_variant &variant,
                         const rlscan_image &image, const Device &device,
                         LoadedVariant &loaded) {
  std::string bytes(static_cast<const char *>(image.data), image.size);
  if (Error error = Module::load(device, std::move(bytes), loaded.module))
    return error;
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

rlscan_status Modules::load(int variant, const Device &device,
                            const LoadedVariant *&loaded) {
  std::lock_guard<std::mutex> lock(mutex);
  loaded = find(variant, device);
  if (loaded)
    return RLSCAN_OK;
  const rlscan_variant &wanted = estimator.variants[variant];
  const rlscan_image *image = nullptr;
  if (rlscan_status status = findImage(wanted, device, image))
    return status;
  auto made = std::make_unique<LoadedVariant>();
  if (Error error = loadKernels(wanted, *image, device, *made))
    return fail(RLSCAN_DRIVER_ERROR, "%s: %s", wanted.name,
                error.message.c_str());
  std::atomic<Slot *> &entry = devices[device.ordinal()];
  if (!entry.load(std::memory_order_acquire))
    entry.store(new Slot[estimator.variant_count](), std::memory_order_release);
  loaded = made.release();
  entry.load(std::memory_order_acquire)[variant].store(
      loaded, std::memory_order_release);
  return RLSCAN_OK;
}
