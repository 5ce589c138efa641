//===- PackedRows.cpp - Calls whose rows are packed in one ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Call.h"
#include "runtime/core/Status.h"

#include <cinttypes>

using namespace rlscan::runtime;

rlscan_tensor Call::view(int argument) const {
  const rlscan_argument &input = estimator.arguments[argument];
  rlscan_tensor array = tensor(argument);
  if (!isPacked() || input.kind == RLSCAN_PARAM)
    return array;
  bool isRow = input.kind == RLSCAN_ROW || input.extra_steps;
  rlscan_tensor seen = array;
  seen.rank = isRow ? 3 : array.rank + 1;
  seen.sizes[0] = 1;
  seen.strides[0] = 0;
  seen.sizes[1] = input.kind == RLSCAN_ROW ? steps : array.sizes[0];
  seen.strides[1] = isRow ? 0 : array.strides[0];
  seen.sizes[2] = array.sizes[isRow ? 0 : 1];
  seen.strides[2] = array.strides[isRow ? 0 : 1];
  return seen;
}

/// Whether the call says where its rows begin. What it says is not looked at:
/// it may lie on a GPU.
rlscan_status Call::findPacking() {
  const rlscan_argument *lengths = nullptr, *bounds = nullptr;
  for (int i = 0; i < estimator.argument_count; ++i) {
    const rlscan_argument &input = estimator.arguments[i];
    if (input.role == RLSCAN_PLAIN || !isGiven(i))
      continue;
    if (input.role == RLSCAN_LENGTHS) {
      lengths = &input;
      continue;
    }
    bounds = &input;
    if (tensor(i).rank == 1 && tensor(i).sizes[0] < 1)
      return fail(RLSCAN_INVALID_SHAPE,
                  "%s: expected where rows begin and where the last one ends, "
                  "got %s",
                  input.name, ShapeText(tensor(i)).text);
    packedRows = tensor(i).rank == 1 ? tensor(i).sizes[0] - 1 : 0;
  }
  if (lengths && bounds)
    return fail(RLSCAN_INVALID_ARGUMENT,
                "%s and %s: rows are padded or packed, give one of the two",
                lengths->name, bounds->name);
  for (int i = 0; bounds && i < estimator.argument_count; ++i) {
    const rlscan_argument &input = estimator.arguments[i];
    if (input.kind == RLSCAN_ROW && input.axis >= 0)
      axisSizes[input.axis] = packedRows + (input.role == RLSCAN_BOUNDS);
    if (input.extra_steps && tensor(i).rank == 1)
      axisSizes[input.axis] = tensor(i).sizes[0];
  }
  return RLSCAN_OK;
}

rlscan_status Call::checkPackedSizes(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  if (input.kind == RLSCAN_ROW) {
    int64_t size = tensor(argument).sizes[0];
    if (input.role == RLSCAN_BOUNDS || size == packedRows)
      return RLSCAN_OK;
    return fail(RLSCAN_INVALID_SHAPE,
                "%s: dim 0 is %" PRId64 ", but %" PRId64 " rows are packed",
                input.name, size, packedRows);
  }
  if (input.kind == RLSCAN_PARAM)
    return RLSCAN_OK;
  rlscan_status status = checkSteps(argument);
  if (status == RLSCAN_OK && hasAxis(input))
    status =
        checkSize(argument, 1, axisSizes[input.axis], axisAnchors[input.axis]);
  return status;
}
