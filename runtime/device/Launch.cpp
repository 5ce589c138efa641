//===- Launch.cpp - A call on a GPU ---------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Launch.h"
#include "runtime/core/DeviceGrid.h"
#include "runtime/core/Sizes.h"
#include "runtime/core/Status.h"
#include "runtime/core/Variants.h"
#include "runtime/device/Context.h"
#include "runtime/device/Devices.h"
#include "runtime/device/LastLaunches.h"
#include "runtime/device/Modules.h"

#include <algorithm>
#include <cinttypes>
#include <limits>

using namespace rlscan::device;
using namespace rlscan::runtime;

//===----------------------------------------------------------------------===//
// Which kernel
//===----------------------------------------------------------------------===//

/// Of two positive numbers: 1 where they are equal.
static double ratio(int64_t a, int64_t b) {
  double x = static_cast<double>(a), y = static_cast<double>(b);
  return x < y ? y / x : x / y;
}

/// How far a call is from what the kernel's schedule was chosen for. Steps
/// count twice: tiles are of steps.
static double distance(const rlscan_kernel &kernel, const Call &call) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kernel.shape_count; ++i) {
    const rlscan_shape &shape = kernel.shapes[i];
    double ofSteps = ratio(shape.steps, call.steps);
    least = std::min(least, ratio(shape.rows, call.rows) * ofSteps * ofSteps);
  }
  return least;
}

/// What a kernel takes for granted makes it faster: whatever the shape is, that
/// counts first.
static int advantages(const rlscan_kernel &kernel) {
  return 2 * (kernel.entries != 0) + (kernel.access > 1);
}

/// Whether the call keeps what the kernel takes for granted.
static bool suits(const rlscan_kernel &kernel, const Call &call) {
  constexpr int64_t mostTiles = int64_t(1) << 32;
  if (kernel.access > call.access || !holdsRow(kernel, call.steps))
    return false;
  if (kernel.entries != 0 && kernel.entries != call.entries)
    return false;
  return kernel.chain != RLSCAN_LOOK_BACK ||
         gridOf(kernel, call.rows, call.steps, tooMuch) < mostTiles;
}

static bool isAligned(const void *address) {
  constexpr uintptr_t alignment = 16;
  return reinterpret_cast<uintptr_t>(address) % alignment == 0;
}

/// The nearest kernel with at most so much workspace; -1: there is none.
static int findKernel(const rlscan_variant &variant, const Call &call,
                      int64_t workspace) {
  int chosen = -1, most = 0;
  double nearest = 0.0;
  for (int i = 0; i < variant.kernel_count; ++i) {
    const rlscan_kernel &kernel = variant.kernels[i];
    int64_t needs = workspaceBytes(kernel, call.rows, call.steps);
    if (!suits(kernel, call) || needs > workspace || needs == tooMuch)
      continue;
    int has = advantages(kernel);
    double far = distance(kernel, call);
    if (chosen < 0 || has > most || (has == most && far < nearest)) {
      chosen = i;
      most = has;
      nearest = far;
    }
  }
  return chosen;
}

static rlscan_status noKernel(const rlscan_variant &variant, const Call &call) {
  int64_t least = tooMuch;
  bool isSuited = false;
  for (int i = 0; i < variant.kernel_count; ++i)
    if (suits(variant.kernels[i], call)) {
      isSuited = true;
      least = std::min(
          least, workspaceBytes(variant.kernels[i], call.rows, call.steps));
    }
  const rlscan_args_head &head = call.head();
  if (isSuited && least == tooMuch)
    return fail(RLSCAN_INVALID_SHAPE,
                "%s: %" PRId64 " rows and %" PRId64
                " steps need more workspace than there can be",
                variant.name, call.rows, call.steps);
  if (isSuited)
    return fail(RLSCAN_SMALL_WORKSPACE,
                "%s: needs %" PRId64
                " bytes of workspace, aligned to 16, got %zu at %p",
                variant.name, least, head.workspace ? head.workspace_size : 0,
                head.workspace);
  return fail(RLSCAN_NO_VARIANT,
              "%s: no kernel takes %" PRId64 " steps with accesses of %d: "
              "compile it without --schedule",
              variant.name, call.steps, call.access);
}

namespace {

/// What a kernel is chosen by, and which one was.
struct KnownKernel {
  uint64_t variant = 0; // the number of a loaded one
  int64_t rows, steps, workspace, entries;
  int access, kernel;
};

} // namespace

/// A trainer's calls have few shapes: of each thread, the last ones are
/// remembered.
static rlscan_status chooseKernel(const rlscan_variant &variant,
                                  const LoadedVariant &loaded, const Call &call,
                                  int &kernel) {
  constexpr size_t count = 16;
  static thread_local KnownKernel table[count];
  const rlscan_args_head &head = call.head();
  bool hasWorkspace = head.workspace && isAligned(head.workspace);
  int64_t workspace = hasWorkspace ? bytesOf(head.workspace_size) : 0;
  KnownKernel &known =
      table[(loaded.number + static_cast<uint64_t>(call.steps)) % count];
  if (known.variant != loaded.number || known.rows != call.rows ||
      known.steps != call.steps || known.workspace != workspace ||
      known.entries != call.entries || known.access != call.access) {
    int found = findKernel(variant, call, workspace);
    if (found < 0)
      return noKernel(variant, call);
    known = {loaded.number, call.rows,   call.steps, workspace,
             call.entries,  call.access, found};
  }
  kernel = known.kernel;
  return RLSCAN_OK;
}

static rlscan_status findDeviceVariant(const Call &call, const Device &device,
                                       int &index) {
  int32_t target = device.driver().target;
  const rlscan_variant *variant = bestVariant(call, {target, 0, &device});
  if (!variant) {
    // There is none for any GPU, or one for others.
    if (rlscan_status status = findVariant(call, {target, 0, nullptr}, variant))
      return status;
    return failUnfit(call.estimator, variant->name, device);
  }
  index = static_cast<int>(variant - call.estimator.variants);
  return RLSCAN_OK;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

rlscan_status rlscan::device::prepareAll(const rlscan_estimator &estimator,
                                         const Device &device) {
  Modules &modules = Modules::of(estimator);
  const LoadedVariant *loaded = nullptr;
  for (int i = 0; i < estimator.variant_count; ++i)
    if (runsOn(estimator.variants[i], device))
      if (rlscan_status status = modules.load(i, device, loaded))
        return status;
  return loaded ? RLSCAN_OK : failUnfit(estimator, estimator.name, device);
}

rlscan_status rlscan::device::prepareFor(const Call &call,
                                         const Device &device) {
  int variant = 0;
  if (rlscan_status status = findDeviceVariant(call, device, variant))
    return status;
  const LoadedVariant *loaded = nullptr;
  return Modules::of(call.estimator).load(variant, device, loaded);
}

/// A module cannot be loaded while the stream is captured.
static rlscan_status loadNow(const Call &call, int variant,
                             const Device &device, void *stream,
                             const LoadedVariant *&loaded) {
  CaptureStatus status = CaptureStatus::None;
  if (Error error = device.context()->call(
          device.driver().functions().isCapturing, stream, &status))
    return failed(error);
  if (status != CaptureStatus::None)
    return fail(RLSCAN_NOT_PREPARED,
                "%s is not loaded on GPU %d, and the stream is being captured: "
                "call %s_prepare(%d) before",
                call.estimator.variants[variant].name, device.ordinal(),
                call.estimator.name, device.ordinal());
  return Modules::of(call.estimator).load(variant, device, loaded);
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// A number, and the address of one that counts instead.
static rlscan_status addNumber(const Call &call, const rlscan_variant &variant,
                               int argument, DeviceArguments &arguments) {
  const rlscan_argument &input = call.estimator.arguments[argument];
  const rlscan_tensor &given = call.tensor(argument);
  arguments.add(call.number(argument));
  arguments.add(reinterpret_cast<uint64_t>(given.data));
  int32_t wanted =
      input.element == RLSCAN_INDEX ? RLSCAN_I64
      : input.element == RLSCAN_FLAG
          ? (given.dtype == RLSCAN_I8 || given.dtype == RLSCAN_U8 ? given.dtype
                                                                  : RLSCAN_BOOL)
      : variant.is_f64 ? RLSCAN_F64
                       : RLSCAN_F32;
  if (!given.data || given.dtype == wanted)
    return RLSCAN_OK;
  return fail(RLSCAN_INVALID_DTYPE,
              "%s: stored as %s, a number in memory of a GPU takes %s here",
              input.name, spelling(given.dtype), spelling(wanted));
}

static rlscan_status addArguments(const Call &call,
                                  const rlscan_variant &variant,
                                  DeviceArguments &arguments) {
  for (int i = 0; i < variant.argument_count; ++i) {
    int argument = variant.arguments[i];
    const rlscan_argument &array = call.estimator.arguments[argument];
    if (array.kind == RLSCAN_PARAM) {
      if (rlscan_status status = addNumber(call, variant, argument, arguments))
        return status;
      continue;
    }
    const rlscan_tensor tensor = call.view(argument);
    bool isRow = array.kind == RLSCAN_ROW && !call.isPacked();
    bool isAlong = Call::hasAxis(array) || (call.isPacked() && array.axis >= 0);
    arguments.addArray(reinterpret_cast<uint64_t>(tensor.data), tensor.strides,
                       numStrides(isRow ? RLSCAN_ROW : RLSCAN_STEP, isAlong));
  }
  arguments.add(static_cast<uint64_t>(call.rows));
  arguments.add(static_cast<uint64_t>(call.steps));
  for (int i = 0; i < variant.axis_count; ++i)
    arguments.add(static_cast<uint64_t>(call.axisSizes[variant.axes[i]]));
  arguments.add(reinterpret_cast<uint64_t>(call.head().workspace));
  return RLSCAN_OK;
}

static rlscan_status queue(KernelLaunch &launch, void *stream) {
  const Device &device = *launch.device;
  Error error = device.context()->call(
      device.driver().functions().launchKernel, launch.function,
      static_cast<unsigned>(launch.grid), 1, 1,
      static_cast<unsigned>(launch.threads), 1, 1, 0, stream,
      launch.arguments.pointers(), nullptr);
  return error ? failed(error) : RLSCAN_OK;
}

bool rlscan::device::launchAgain(const rlscan_estimator &estimator,
                                 const void *args, void *stream,
                                 rlscan_status &status) {
  KernelLaunch *launch = LastLaunches::ofThread().find(estimator, args);
  if (launch)
    status = queue(*launch, stream);
  return launch;
}

rlscan_status rlscan::device::launchOnDevice(const Call &call,
                                             const Device &device,
                                             void *stream) {
  int index = 0, kernel = 0;
  if (rlscan_status status = findDeviceVariant(call, device, index))
    return status;
  if (rlscan_status status = checkMemory(call, device))
    return status;
  if (call.rows == 0 || call.steps == 0)
    return RLSCAN_OK;
  const rlscan_variant &variant = call.estimator.variants[index];
  const LoadedVariant *loaded = Modules::of(call.estimator).find(index, device);
  if (!loaded)
    if (rlscan_status status = loadNow(call, index, device, stream, loaded))
      return status;
  if (rlscan_status status = chooseKernel(variant, *loaded, call, kernel))
    return status;
  const rlscan_kernel &chosen = variant.kernels[kernel];
  KernelLaunch launch;
  launch.device = &device;
  launch.function = loaded->functions[kernel].handle();
  launch.grid = gridOf(chosen, call.rows, call.steps, loaded->resident[kernel]);
  launch.threads = chosen.threads;
  if (rlscan_status status = addArguments(call, variant, launch.arguments))
    return status;
  if (launch.grid > device.driver().mostWorkgroups(chosen.threads))
    return fail(RLSCAN_INVALID_SHAPE,
                "%s: %" PRId64 " rows are more than a launch takes",
                variant.name, call.rows);
  rlscan_status status = queue(launch, stream);
  if (status == RLSCAN_OK)
    LastLaunches::ofThread().add(call.estimator, &call.head(), index, *loaded,
                                 launch);
  return status;
}

rlscan_status rlscan::device::chooseOnDevice(const Call &call,
                                             const Device &device,
                                             rlscan_choice &choice) {
  int variant = 0;
  if (rlscan_status status = findDeviceVariant(call, device, variant))
    return status;
  const rlscan_variant &found = call.estimator.variants[variant];
  choice = {&found, nullptr, 0};
  if (call.rows == 0 || call.steps == 0)
    return RLSCAN_OK;
  int kernel = findKernel(found, call, tooMuch);
  if (kernel < 0)
    return noKernel(found, call);
  choice.kernel = &found.kernels[kernel];
  choice.workspace = static_cast<size_t>(
      workspaceBytes(*choice.kernel, call.rows, call.steps));
  return RLSCAN_OK;
}
