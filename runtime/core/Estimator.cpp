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
#include "runtime/cuda/CudaDevices.h"
#include "runtime/cuda/CudaLaunch.h"
#include "runtime/cuda/CudaModules.h"

using namespace rlscan;
using namespace rlscan::runtime;

namespace {

/// Where a call runs; on the CPU, `device` is null.
struct Place {
  const cuda::Device *device = nullptr;
};

} // namespace

static rlscan_status findHostVariant(const Call &call,
                                     const rlscan_variant *&variant) {
  return findVariant(call, RLSCAN_TARGET_CPU, hostLevel(), variant);
}

static rlscan_status checkAbi(const rlscan_estimator &estimator) {
  if (estimator.abi_version == RLSCAN_ABI_VERSION)
    return RLSCAN_OK;
  return fail(RLSCAN_WRONG_ABI,
              "%s was compiled for version %d of the interface, the runtime "
              "has %d: compile it again with this version's rlscan-compile",
              estimator.name, estimator.abi_version, RLSCAN_ABI_VERSION);
}

/// The CPU's calls are over when they return: no stream has to wait.
static rlscan_status findPlace(const Call &call, void *stream, Place &place) {
  const rlscan_args_head &head = call.head();
  int32_t device = head.device;
  bool hasCuda = hasTarget(call.estimator, RLSCAN_TARGET_CUDA);
  if (device == RLSCAN_DEVICE_AUTO && !cuda::isDefaultStream(stream))
    return cuda::deviceOfStream(stream, place.device);
  if (device == RLSCAN_DEVICE_AUTO)
    device = hasCuda ? cuda::deviceOfMemory(call) : RLSCAN_DEVICE_CPU;
  if (device >= 0)
    return cuda::openDevice(device, place.device);
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

rlscan_status rlscan_launch(const rlscan_estimator *estimator, const void *args,
                            void *stream) {
  Call call(*estimator);
  if (rlscan_status status = call.read(args))
    return status;
  Place place;
  if (rlscan_status status = findPlace(call, stream, place))
    return status;
  if (place.device)
    return cuda::launchOnDevice(call, *place.device, stream);
  const rlscan_variant *variant = nullptr;
  if (rlscan_status status = findHostVariant(call, variant))
    return status;
  return launchOnHost(call, *variant);
}

rlscan_status rlscan_workspace_size(const rlscan_estimator *estimator,
                                    const void *args, size_t *size) {
  Call call(*estimator);
  if (rlscan_status status = call.read(args))
    return status;
  Place place;
  if (rlscan_status status = findPlace(call, nullptr, place))
    return status;
  int64_t bytes = 0;
  if (place.device) {
    if (rlscan_status status = cuda::deviceWorkspaceSize(call, bytes))
      return status;
  } else {
    const rlscan_variant *variant = nullptr;
    if (rlscan_status status = findHostVariant(call, variant))
      return status;
    bytes = hostWorkspaceSize(call, *variant);
  }
  *size = static_cast<size_t>(bytes);
  return RLSCAN_OK;
}

/// The device of a prepare: the CPU has nothing to load.
static rlscan_status findDevice(const rlscan_estimator &estimator,
                                int32_t device, Place &place) {
  if (rlscan_status status = checkAbi(estimator))
    return status;
  bool isHost = device == RLSCAN_DEVICE_CPU;
  if (!isHost && device < 0)
    return fail(RLSCAN_INVALID_DEVICE,
                "%s: device %d, expected a GPU's number or RLSCAN_DEVICE_CPU",
                estimator.name, device);
  int32_t target = isHost ? RLSCAN_TARGET_CPU : RLSCAN_TARGET_CUDA;
  if (!hasTarget(estimator, target)) {
    const char *name = isHost ? "cpu" : "cuda";
    return fail(RLSCAN_NO_VARIANT,
                "%s has no code for %s; compile it with --target=%s",
                estimator.name, name, name);
  }
  return isHost ? RLSCAN_OK : cuda::openDevice(device, place.device);
}

rlscan_status rlscan_prepare(const rlscan_estimator *estimator,
                             int32_t device) {
  Place place;
  if (rlscan_status status = findDevice(*estimator, device, place))
    return status;
  return place.device ? cuda::prepareAll(*estimator, *place.device) : RLSCAN_OK;
}

rlscan_status rlscan_prepare_for(const rlscan_estimator *estimator,
                                 const void *args, int32_t device) {
  Place place;
  if (rlscan_status status = findDevice(*estimator, device, place))
    return status;
  Call call(*estimator);
  if (rlscan_status status = call.read(args))
    return status;
  if (place.device)
    return cuda::prepareFor(call, *place.device);
  const rlscan_variant *variant = nullptr;
  return findHostVariant(call, variant);
}

rlscan_status rlscan_release(const rlscan_estimator *estimator) {
  if (rlscan_status status = checkAbi(*estimator))
    return status;
  cuda::Modules::release(*estimator);
  return RLSCAN_OK;
}
