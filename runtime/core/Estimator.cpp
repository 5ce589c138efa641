//===- Estimator.cpp - The functions behind those of an estimator ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Status.h"
#include "runtime/core/Variants.h"
#include "runtime/cpu/HostLaunch.h"
#include "runtime/device/Devices.h"
#include "runtime/device/Launch.h"
#include "runtime/device/Modules.h"

#include <new>

using namespace rlscan;
using namespace rlscan::runtime;

/// What `run` returns. C callers get a status where memory is at its end.
template <typename Run>
static rlscan_status guarded(const rlscan_estimator &estimator, Run run) {
  try {
    return run();
  } catch (const std::bad_alloc &) {
    return fail(RLSCAN_OUT_OF_MEMORY,
                "%s: the host has no memory left for the call", estimator.name);
  }
}

static rlscan_status findHostVariant(const Call &call,
                                     const rlscan_variant *&variant) {
  return findVariant(call, {RLSCAN_TARGET_CPU, hostLevel(), nullptr}, variant);
}

/// The GPU that a call runs on; null for the CPU, whose calls are over when
/// they return: no stream has to wait.
static rlscan_status findPlace(const Call &call, void *stream,
                               const device::Device *&gpu) {
  int32_t device = call.head().device, vendor = 0;
  bool isAutomatic = device == RLSCAN_DEVICE_AUTO;
  if (isAutomatic && device::isDefaultStream(stream)) {
    rlscan_status status = device::deviceOfMemory(call, gpu);
    if (status || gpu)
      return status;
    device = RLSCAN_DEVICE_CPU;
  } else if (isAutomatic || device >= 0) {
    if (rlscan_status status =
            device::findVendor(call.estimator, &call, vendor))
      return status;
    return isAutomatic ? device::deviceOfStream(vendor, stream, gpu)
                       : device::openDevice(vendor, device, gpu);
  }
  if (device != RLSCAN_DEVICE_CPU)
    return fail(RLSCAN_INVALID_DEVICE,
                "%s: device %d, expected a GPU's number, RLSCAN_DEVICE_CPU or "
                "RLSCAN_DEVICE_AUTO",
                call.estimator.name, device);
  if (stream)
    return fail(
        RLSCAN_INVALID_DEVICE,
        "%s: a stream %p for arrays on the CPU, expected a null pointer",
        call.estimator.name, stream);
  return RLSCAN_OK;
}

static rlscan_status launch(const rlscan_estimator &estimator, const void *args,
                            void *stream) {
  rlscan_status again = RLSCAN_OK;
  if (device::launchAgain(estimator, args, stream, again))
    return again;
  Call call(estimator);
  if (rlscan_status status = call.read(args))
    return status;
  const device::Device *gpu = nullptr;
  if (rlscan_status status = findPlace(call, stream, gpu))
    return status;
  if (gpu)
    return device::launchOnDevice(call, *gpu, stream);
  const rlscan_variant *variant = nullptr;
  if (rlscan_status status = findHostVariant(call, variant))
    return status;
  return launchOnHost(call, *variant);
}

rlscan_status rlscan_launch(const rlscan_estimator *estimator, const void *args,
                            void *stream) {
  return guarded(*estimator, [&] { return launch(*estimator, args, stream); });
}

static rlscan_status choose(const rlscan_estimator &estimator, const void *args,
                            rlscan_choice &choice) {
  Call call(estimator);
  if (rlscan_status status = call.read(args))
    return status;
  const device::Device *gpu = nullptr;
  if (rlscan_status status = findPlace(call, nullptr, gpu))
    return status;
  if (gpu)
    return device::chooseOnDevice(call, *gpu, choice);
  choice = {nullptr, nullptr, 0};
  if (rlscan_status status = findHostVariant(call, choice.variant))
    return status;
  choice.workspace =
      static_cast<size_t>(hostWorkspaceSize(call, *choice.variant));
  return RLSCAN_OK;
}

rlscan_status rlscan_choose(const rlscan_estimator *estimator, const void *args,
                            rlscan_choice *choice) {
  return guarded(*estimator, [&] { return choose(*estimator, args, *choice); });
}

rlscan_status rlscan_workspace_size(const rlscan_estimator *estimator,
                                    const void *args, size_t *size) {
  rlscan_choice choice;
  rlscan_status status = rlscan_choose(estimator, args, &choice);
  if (status == RLSCAN_OK)
    *size = choice.workspace;
  return status;
}

/// The device of a prepare: the CPU has nothing to load.
static rlscan_status findDevice(const rlscan_estimator &estimator,
                                int32_t device, const device::Device *&gpu) {
  if (rlscan_status status = checkAbi(estimator))
    return status;
  if (device == RLSCAN_DEVICE_CPU)
    return checkTarget(estimator, RLSCAN_TARGET_CPU);
  if (device < 0)
    return fail(RLSCAN_INVALID_DEVICE,
                "%s: device %d, expected a GPU's number or RLSCAN_DEVICE_CPU",
                estimator.name, device);
  int32_t vendor = 0;
  if (rlscan_status status = device::findVendor(estimator, nullptr, vendor))
    return status;
  return device::openDevice(vendor, device, gpu);
}

static rlscan_status prepareAll(const rlscan_estimator &estimator,
                                int32_t device) {
  const device::Device *gpu = nullptr;
  if (rlscan_status status = findDevice(estimator, device, gpu))
    return status;
  return gpu ? device::prepareAll(estimator, *gpu) : RLSCAN_OK;
}

rlscan_status rlscan_prepare(const rlscan_estimator *estimator,
                             int32_t device) {
  return guarded(*estimator, [&] { return prepareAll(*estimator, device); });
}

static rlscan_status prepareFor(const rlscan_estimator &estimator,
                                const void *args, int32_t device) {
  const device::Device *gpu = nullptr;
  if (rlscan_status status = findDevice(estimator, device, gpu))
    return status;
  Call call(estimator);
  if (rlscan_status status = call.read(args))
    return status;
  if (gpu)
    return device::prepareFor(call, *gpu);
  const rlscan_variant *variant = nullptr;
  return findHostVariant(call, variant);
}

rlscan_status rlscan_prepare_for(const rlscan_estimator *estimator,
                                 const void *args, int32_t device) {
  return guarded(*estimator,
                 [&] { return prepareFor(*estimator, args, device); });
}

rlscan_status rlscan_release(const rlscan_estimator *estimator) {
  if (rlscan_status status = checkAbi(*estimator))
    return status;
  device::Modules::release(*estimator);
  return RLSCAN_OK;
}
