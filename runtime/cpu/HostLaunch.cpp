//===- HostLaunch.cpp - A call on the CPU ---------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/HostLaunch.h"
#include "runtime/core/Sizes.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/ThreadPool.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

using namespace rlscan::runtime;

static constexpr int64_t alignment = 64; // of workspace

int64_t rlscan::runtime::grainOf(int64_t rows, int64_t threads) {
  constexpr int64_t vectorRows = 16, pieces = 4;
  int64_t perPiece = rows / (pieces * threads);
  return std::max<int64_t>(1, perPiece / vectorRows) * vectorRows;
}

namespace {

/// What the threads of a call share.
struct HostCall {
  const rlscan_variant &variant;
  const Call &call;
  rlscan_host_array arrays[maxArguments];
  int64_t axisSizes[maxAxes];
  uint64_t numbers[maxArguments];
  int64_t grain = 0;
  /// Each piece has its own workspace; most kernels need none.
  char *workspace = nullptr;
  int64_t workspaceStride = 0;

  HostCall(const Call &call, const rlscan_variant &variant)
      : variant(variant), call(call) {}
  rlscan_status read();
  rlscan_status readNumber(int argument, uint64_t &number);
  rlscan_status split();
  static void runPiece(void *context, int64_t index);
};

} // namespace

static const rlscan_parallel &parallelOf(const Call &call) {
  const rlscan_parallel *parallel = call.head().parallel;
  return parallel ? *parallel : rlscan_threads;
}

static int64_t threadsOf(const Call &call) {
  const rlscan_parallel &parallel = parallelOf(call);
  if (&parallel != &rlscan_threads)
    return std::max(parallel.threads, 1);
  static const int64_t available = availableThreads();
  return available;
}

/// A number in memory becomes what kernels read: f64, a byte, an i64.
rlscan_status HostCall::readNumber(int argument, uint64_t &number) {
  const rlscan_argument &input = call.estimator.arguments[argument];
  const rlscan_tensor &given = call.tensor(argument);
  number = call.number(argument);
  if (!given.data)
    return RLSCAN_OK;
  if (input.element == RLSCAN_FLAG) {
    uint64_t bits = 0;
    size_t width = byteWidth(given.dtype);
    std::memcpy(&bits, given.data, width);
    // The negative zero of a real is as clear as the other.
    if (isFloat(given.dtype))
      bits &= ~(uint64_t(1) << (8 * width - 1));
    number = bits != 0;
    return RLSCAN_OK;
  }
  if (input.element == RLSCAN_INDEX) {
    int64_t index = given.dtype == RLSCAN_I64
                        ? *static_cast<const int64_t *>(given.data)
                        : *static_cast<const int32_t *>(given.data);
    number = static_cast<uint64_t>(index);
    return RLSCAN_OK;
  }
  if (given.dtype != RLSCAN_F32 && given.dtype != RLSCAN_F64)
    return fail(RLSCAN_INVALID_DTYPE,
                "%s: stored as %s, a number in memory takes f32 or f64",
                input.name, spelling(given.dtype));
  double real = given.dtype == RLSCAN_F64
                    ? *static_cast<const double *>(given.data)
                    : *static_cast<const float *>(given.data);
  std::memcpy(&number, &real, sizeof number);
  return RLSCAN_OK;
}

rlscan_status HostCall::read() {
  for (int i = 0; i < variant.argument_count; ++i) {
    int argument = variant.arguments[i];
    if (call.estimator.arguments[argument].kind == RLSCAN_PARAM) {
      if (rlscan_status status = readNumber(argument, numbers[i]))
        return status;
      arrays[i] = {&numbers[i], 0, 0, 0};
      continue;
    }
    const rlscan_tensor array = call.view(argument);
    arrays[i] = {array.data, array.strides[0], array.strides[1],
                 array.strides[2]};
  }
  for (int i = 0; i < variant.axis_count; ++i)
    axisSizes[i] = call.axisSizes[variant.axes[i]];
  return split();
}

/// As much for each step as for one: what it is for more than there can be is
/// not asked.
static int64_t bytesOfPiece(const Call &call, const rlscan_variant &variant) {
  int64_t most = productOf(variant.workspace(1), call.steps);
  if (most > tooMuch - alignment)
    return tooMuch / alignment * alignment;
  return divideCeil(variant.workspace(call.steps), alignment) * alignment;
}

/// With less workspace there are fewer pieces.
rlscan_status HostCall::split() {
  grain = grainOf(call.rows, threadsOf(call));
  workspaceStride = bytesOfPiece(call, variant);
  if (workspaceStride == 0)
    return RLSCAN_OK;
  auto start = reinterpret_cast<uintptr_t>(call.head().workspace);
  uintptr_t aligned = (start + alignment - 1) / alignment * alignment;
  int64_t size = bytesOf(call.head().workspace_size) -
                 static_cast<int64_t>(aligned - start);
  if (!start || size < workspaceStride)
    return fail(RLSCAN_SMALL_WORKSPACE,
                "%s: needs %" PRId64 " bytes of workspace, better %" PRId64
                ", got %zu",
                call.estimator.name, sumOf(workspaceStride, alignment),
                hostWorkspaceSize(call, variant),
                start ? call.head().workspace_size : 0);
  workspace = reinterpret_cast<char *>(aligned);
  grain = std::max(grain, divideCeil(call.rows, size / workspaceStride));
  return RLSCAN_OK;
}

int64_t rlscan::runtime::hostWorkspaceSize(const Call &call,
                                           const rlscan_variant &variant) {
  int64_t bytes = bytesOfPiece(call, variant);
  if (bytes == 0 || call.rows == 0)
    return 0;
  int64_t grain = grainOf(call.rows, threadsOf(call));
  return sumOf(productOf(divideCeil(call.rows, grain), bytes), alignment);
}

void HostCall::runPiece(void *context, int64_t index) {
  const HostCall &self = *static_cast<const HostCall *>(context);
  int64_t begin = index * self.grain;
  int64_t end = std::min(begin + self.grain, self.call.rows);
  self.variant.run(self.arrays, self.axisSizes,
                   self.workspace + index * self.workspaceStride,
                   self.call.steps, begin, end);
}

rlscan_status rlscan::runtime::launchOnHost(const Call &call,
                                            const rlscan_variant &variant) {
  const rlscan_parallel &parallel = parallelOf(call);
  if (!parallel.run || (parallel.threads < 1 && &parallel != &rlscan_threads))
    return fail(RLSCAN_INVALID_ARGUMENT,
                "%s: parallel has %d threads%s, expected 1 or more and a "
                "function that runs pieces",
                call.estimator.name, parallel.threads,
                parallel.run ? "" : " and no function");
  if (call.rows == 0 || call.steps == 0)
    return RLSCAN_OK;
  HostCall shared(call, variant);
  if (rlscan_status status = shared.read())
    return status;
  parallel.run(&parallel, divideCeil(call.rows, shared.grain),
               &HostCall::runPiece, &shared);
  return RLSCAN_OK;
}
