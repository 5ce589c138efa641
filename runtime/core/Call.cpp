//===- Call.cpp - One call of a compiled estimator, checked ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Call.h"
#include "runtime/core/Status.h"

#include <cinttypes>
#include <cmath>
#include <cstring>

using namespace rlscan::runtime;

//===----------------------------------------------------------------------===//
// The struct
//===----------------------------------------------------------------------===//

rlscan_status rlscan::runtime::checkAbi(const rlscan_estimator &estimator) {
  if (estimator.abi_version == RLSCAN_ABI_VERSION)
    return RLSCAN_OK;
  return fail(RLSCAN_WRONG_ABI,
              "%s was compiled for version %d of the interface, the runtime "
              "has %d: compile it again with this version's rlscan-compile",
              estimator.name, estimator.abi_version, RLSCAN_ABI_VERSION);
}

rlscan_status Call::checkHead(const void *given) {
  if (rlscan_status status = checkAbi(estimator))
    return status;
  if (!given)
    return fail(RLSCAN_INVALID_ARGUMENT, "%s: no arguments, a null pointer",
                estimator.name);
  args = static_cast<const char *>(given);
  if (head().size != static_cast<size_t>(estimator.args_size))
    return fail(RLSCAN_WRONG_ABI,
                "%s: the arguments have %zu bytes, the library's %d: start "
                "from the INIT macro of the header that came with it",
                estimator.name, head().size, estimator.args_size);
  return RLSCAN_OK;
}

template <typename T> static T loadAt(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

uint64_t Call::number(int argument) const {
  const rlscan_argument &input = estimator.arguments[argument];
  const char *place = args + input.number_offset;
  if (input.element == RLSCAN_FLAG)
    return loadAt<int32_t>(place) != 0;
  return loadAt<uint64_t>(place);
}

/// A param without a default has to be set: INIT leaves what no number is.
rlscan_status Call::checkNumber(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  if (input.is_optional)
    return RLSCAN_OK;
  const char *place = args + input.number_offset;
  bool isUnset =
      input.element == RLSCAN_REAL   ? std::isnan(loadAt<double>(place))
      : input.element == RLSCAN_FLAG ? loadAt<int32_t>(place) == INT32_MIN
                                     : loadAt<int64_t>(place) == INT64_MIN;
  if (!isUnset)
    return RLSCAN_OK;
  return fail(RLSCAN_INVALID_ARGUMENT,
              "missing input '%s' (param): expected a single number",
              input.name);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

int Call::expectedRank(const rlscan_argument &argument) const {
  if (argument.kind != RLSCAN_STEP)
    return argument.kind == RLSCAN_ROW ? 1 : 0;
  return (isPacked() ? 1 : 2) + hasAxis(argument);
}

static const char *kindName(const rlscan_argument &argument) {
  return argument.kind == RLSCAN_ROW ? "row" : "step";
}

/// The shape that the anchors ask for.
static ShapeText expectedShape(const Call &call, int argument) {
  const rlscan_argument &input = call.estimator.arguments[argument];
  rlscan_tensor shape = RLSCAN_NO_TENSOR;
  if (!call.isPacked())
    shape.sizes[shape.rank++] = call.rows;
  else if (input.kind == RLSCAN_ROW)
    shape.sizes[shape.rank++] = call.packedRows;
  if (input.kind == RLSCAN_STEP)
    shape.sizes[shape.rank++] = call.steps + call.extraOf(input);
  if (Call::hasAxis(input))
    shape.sizes[shape.rank++] = call.axisSizes[input.axis];
  return ShapeText(shape);
}

/// The first step input that has the right number of dimensions tells rows and
/// steps, the first one along an axis its size.
/// The first step input says the number of steps, one without an extra step
/// where there is one.
bool Call::takesExtent(int argument, int64_t size) const {
  int64_t extra = extraOf(estimator.arguments[argument]);
  if (extentAnchor >= 0)
    return extra == 0 && extraOf(estimator.arguments[extentAnchor]) > 0;
  return size >= extra;
}

rlscan_status Call::findSizes() {
  for (int &anchor : axisAnchors)
    anchor = -1;
  for (int i = 0; i < estimator.argument_count; ++i) {
    const rlscan_argument &input = estimator.arguments[i];
    if (input.kind != RLSCAN_STEP || input.is_result ||
        tensor(i).rank != expectedRank(input))
      continue;
    const rlscan_tensor array = view(i);
    if (takesExtent(i, array.sizes[1])) {
      extentAnchor = i;
      rows = array.sizes[0];
      steps = array.sizes[1] - extraOf(input);
    }
    if (hasAxis(input) && axisAnchors[input.axis] < 0) {
      axisAnchors[input.axis] = i;
      axisSizes[input.axis] = array.sizes[2];
    }
  }
  if (extentAnchor >= 0)
    return checkCount();
  for (int i = 0; i < estimator.argument_count; ++i)
    if (estimator.arguments[i].kind == RLSCAN_STEP &&
        !estimator.arguments[i].is_result && isGiven(i))
      return checkRank(i);
  return fail(RLSCAN_INVALID_ARGUMENT,
              "%s: no step input is given: the number of rows and steps is "
              "unknown",
              estimator.name);
}

rlscan_status Call::checkMissing(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  if (input.is_optional)
    return RLSCAN_OK;
  ShapeText expected = expectedShape(*this, argument);
  const char *shape = expected.text;
  if (input.is_result)
    return fail(RLSCAN_INVALID_ARGUMENT,
                "missing result '%s': expected an array %s", input.name, shape);
  return fail(RLSCAN_INVALID_ARGUMENT,
              "missing input '%s' (%s): expected an array %s", input.name,
              kindName(input), shape);
}

rlscan_status Call::checkType(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  int32_t dtype = tensor(argument).dtype;
  if (byteWidth(dtype) == 0)
    return fail(RLSCAN_INVALID_DTYPE, "%s: %d is no rlscan_dtype", input.name,
                dtype);
  if (input.element == RLSCAN_REAL && !isFloat(dtype))
    return fail(RLSCAN_INVALID_DTYPE,
                "%s: stored as %s, a real takes f32, f64, bf16 or f16",
                input.name, spelling(dtype));
  if (input.element == RLSCAN_INDEX && dtype != RLSCAN_I32 &&
      dtype != RLSCAN_I64)
    return fail(RLSCAN_INVALID_DTYPE,
                "%s: stored as %s, an index takes i32 or i64", input.name,
                spelling(dtype));
  return RLSCAN_OK;
}

static const char *dimensionsOf(const rlscan_argument &argument, int rank) {
  if (argument.kind != RLSCAN_STEP)
    return rank == 0 ? "a number in memory" : "rows";
  bool isPacked = rank == (Call::hasAxis(argument) ? 2 : 1);
  if (isPacked)
    return rank == 1 ? "tokens" : "tokens, positions";
  return rank == 2 ? "rows, steps" : "rows, steps, positions";
}

rlscan_status Call::checkRank(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  const rlscan_tensor &array = tensor(argument);
  int rank = expectedRank(input);
  if (array.rank != rank)
    return fail(RLSCAN_INVALID_SHAPE,
                "%s: expected %d dimensions (%s), got %d: %s", input.name, rank,
                dimensionsOf(input, rank), array.rank, ShapeText(array).text);
  for (int dim = 0; dim < rank; ++dim)
    if (array.sizes[dim] < 0)
      return fail(RLSCAN_INVALID_SHAPE,
                  "%s: dim %d is %" PRId64 ", expected 0 or more", input.name,
                  dim, array.sizes[dim]);
  return RLSCAN_OK;
}

/// Of two step inputs the anchor is named first: either may be the wrong one.
rlscan_status Call::checkSize(int argument, int dim, int64_t size, int anchor) {
  int first = anchor, second = argument;
  if (tensor(argument).sizes[dim] == size)
    return RLSCAN_OK;
  const rlscan_argument &input = estimator.arguments[argument];
  if (input.kind == RLSCAN_ROW || input.is_result)
    first = argument, second = anchor;
  return fail(RLSCAN_INVALID_SHAPE,
              "%s: dim %d is %" PRId64 ", %s has %" PRId64 ": shapes %s and %s",
              estimator.arguments[first].name, dim, tensor(first).sizes[dim],
              estimator.arguments[second].name, tensor(second).sizes[dim],
              ShapeText(tensor(first)).text, ShapeText(tensor(second)).text);
}

/// As many steps as the anchor has, or these and the extra one.
rlscan_status Call::checkSteps(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  const rlscan_tensor &array = tensor(argument);
  int dim = isPacked() ? 0 : 1;
  int64_t extra = extraOf(input), size = steps + extra;
  if (extra == extraOf(estimator.arguments[extentAnchor]))
    return checkSize(argument, dim, size, extentAnchor);
  if (array.sizes[dim] == size)
    return RLSCAN_OK;
  if (extra == 0)
    return fail(RLSCAN_INVALID_SHAPE,
                "%s: dim %d is %" PRId64 ", expected %" PRId64
                ": %s has shape %s",
                input.name, dim, array.sizes[dim], size,
                estimator.arguments[extentAnchor].name,
                ShapeText(tensor(extentAnchor)).text);
  return fail(RLSCAN_INVALID_SHAPE,
              "%s: dim %d is %" PRId64 ", expected %" PRId64
              ", with one value after the last step%s: %s has shape %s",
              input.name, dim, array.sizes[dim], size,
              isPacked() ? " of each row" : "",
              estimator.arguments[extentAnchor].name,
              ShapeText(tensor(extentAnchor)).text);
}

rlscan_status Call::checkSizes(int argument) {
  if (isPacked())
    return checkPackedSizes(argument);
  const rlscan_argument &input = estimator.arguments[argument];
  int rank = expectedRank(input);
  rlscan_status status = RLSCAN_OK;
  if (rank > 0)
    status = checkSize(argument, 0, rows, extentAnchor);
  if (status == RLSCAN_OK && rank > 1)
    status = checkSteps(argument);
  if (status == RLSCAN_OK && rank > 2)
    status =
        checkSize(argument, 2, axisSizes[input.axis], axisAnchors[input.axis]);
  return status;
}

rlscan_status Call::checkAddress(int argument) {
  const rlscan_tensor &array = tensor(argument);
  const char *name = estimator.arguments[argument].name;
  if (!hasElements(array))
    return RLSCAN_OK;
  if (!array.data)
    return fail(RLSCAN_INVALID_ARGUMENT, "%s: a null pointer for an array %s",
                name, ShapeText(array).text);
  int64_t width = byteWidth(array.dtype);
  if (reinterpret_cast<uintptr_t>(array.data) % width != 0)
    return fail(RLSCAN_INVALID_ARGUMENT,
                "%s: address %p is no multiple of %" PRId64
                ", the size of an element",
                name, array.data, width);
  return RLSCAN_OK;
}

static int storageOfType(int32_t dtype) {
  if (dtype == RLSCAN_BOOL || dtype == RLSCAN_I8 || dtype == RLSCAN_U8)
    return RLSCAN_STORED_I8;
  if (dtype == RLSCAN_I32 || dtype == RLSCAN_I64)
    return dtype == RLSCAN_I32 ? RLSCAN_STORED_I32 : RLSCAN_STORED_I64;
  return dtype;
}

void Call::notePacking(const rlscan_tensor &array) {
  constexpr uint64_t piece = 16; // a divisor of what the products wrap at
  auto width = static_cast<uint64_t>(byteWidth(array.dtype));
  int64_t count = array.sizes[2];
  auto address = reinterpret_cast<uintptr_t>(array.data);
  bool isTogether = (count < 2 || array.strides[2] == 1) &&
                    (steps < 2 || array.strides[1] == count);
  uint64_t ofRow = static_cast<uint64_t>(steps) * static_cast<uint64_t>(count);
  auto stride = static_cast<uint64_t>(array.strides[0]);
  bool isAligned = address % piece == 0 && ofRow * width % piece == 0 &&
                   (rows < 2 || stride * width % piece == 0);
  hasPackedEntries &= !isPacked() && isTogether && isAligned &&
                      (entries == 0 || entries == count);
  entries = count;
}

/// Remembers what variants and schedules are chosen by.
void Call::note(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  const rlscan_tensor array = view(argument);
  uint64_t stored = input.kind == RLSCAN_PARAM ? RLSCAN_STORED_NUMBER
                                               : storageOfType(array.dtype);
  storage[argument / 16] |= stored << (argument % 16 * 4);
  if (hasAxis(input))
    notePacking(array);
  if (input.kind != RLSCAN_STEP || hasAxis(input))
    return;
  // Packed, such an input lies along an axis, in no order of steps.
  if (input.extra_steps && isPacked())
    return;
  stepsAdjoin &= array.strides[1] == 1 || steps < 2;
  rowsAdjoin &= array.strides[0] == 1 || rows < 2;
  if (array.strides[1] != 1 || input.extra_steps)
    return;
  accessBits |=
      reinterpret_cast<uintptr_t>(array.data) / byteWidth(array.dtype);
  if (rows > 1)
    accessBits |= static_cast<uint64_t>(array.strides[0]);
}

rlscan_status Call::check(int argument) {
  const rlscan_argument &input = estimator.arguments[argument];
  bool isParam = input.kind == RLSCAN_PARAM;
  if (!isGiven(argument)) {
    if (!isParam)
      return checkMissing(argument);
    note(argument);
    return checkNumber(argument);
  }
  rlscan_status status = checkType(argument);
  if (status == RLSCAN_OK)
    status = checkRank(argument);
  if (status == RLSCAN_OK)
    status = checkSizes(argument);
  if (status == RLSCAN_OK)
    status = checkAddress(argument);
  if (status == RLSCAN_OK)
    note(argument);
  return status;
}

rlscan_status Call::read(const void *given) {
  rlscan_status status = checkHead(given);
  if (status == RLSCAN_OK)
    status = findPacking();
  if (status == RLSCAN_OK)
    status = findSizes();
  for (int i = 0; status == RLSCAN_OK && i < estimator.argument_count; ++i)
    status = check(i);
  if (status != RLSCAN_OK)
    return status;
  accessBits |= static_cast<uint64_t>(steps);
  while (access > 1 && accessBits % access != 0)
    access /= 2;
  if (!hasPackedEntries)
    entries = 0;
  return checkRanges(*this);
}
