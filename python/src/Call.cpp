//===- Call.cpp - A call's arrays, checked --------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <cstdlib>
#include <utility>

using namespace rlscan::python;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Whether the call says where its rows begin.
bool Call::findPacking(Failure &failure) {
  for (int i = 0; i < signature.argument_count; ++i) {
    if (signature.arguments[i].role != RLSCAN_BOUNDS || !arrays[i].isGiven())
      continue;
    if (arrays[i].rank != 1 || arrays[i].sizes[0] < 1)
      return fail(failure, Failure::Value,
                  nameOf(i) + ": shape " + shapeText(arrays[i]) +
                      ", expected [B + 1]: where each of B rows begins, and "
                      "where the last one ends");
    packedRows = arrays[i].sizes[0] - 1;
  }
  return true;
}

/// What packed rows have one of is [B], whatever the tokens are.
bool Call::checkPackedRow(int argument, Failure &failure) const {
  const Array &array = arrays[argument];
  bool isBounds = signature.arguments[argument].role == RLSCAN_BOUNDS;
  if (isBounds || (array.rank == 1 && array.sizes[0] == packedRows))
    return true;
  return fail(failure, Failure::Value,
              nameOf(argument) + ": shape " + shapeText(array) +
                  ", expected [" + std::to_string(packedRows) +
                  "], one value for each packed row");
}

bool Call::findAnchors(Failure &failure) {
  for (int i = 0; i < signature.argument_count; ++i) {
    const rlscan_argument &input = signature.arguments[i];
    if (!isStep(i) || input.is_result || !arrays[i].isGiven())
      continue;
    bool isBetter = anchor < 0 || (extraOf(anchor) && !extraOf(i));
    if (isBetter && !hasAxis(i))
      anchor = i;
    if (typed < 0 && input.element == RLSCAN_REAL)
      typed = i;
  }
  if (anchor < 0)
    return fail(failure, Failure::Value,
                estimator.name +
                    ": no step input is given, the shape is unknown");
  const Array &array = arrays[anchor];
  if (isPacked() && array.rank != 1)
    return fail(failure, Failure::Value,
                nameOf(anchor) + ": shape " + shapeText(array) +
                    ", expected one dimension of tokens, with cu_seqlens");
  int64_t given = timeDim;
  if (timeDim < 0)
    timeDim += array.rank;
  bool isDimension = timeDim >= 0 && timeDim < array.rank;
  if (isDimension && steps() < 0)
    return fail(
        failure, Failure::Value,
        nameOf(anchor) + ": shape " + shapeText(array) +
            ", expected one value after the last step of a row in dim " +
            std::to_string(timeDim));
  if (isDimension)
    return true;
  return fail(failure, Failure::Value,
              "time_dim: " + std::to_string(given) + " is no dimension of " +
                  nameOf(anchor) + " with shape " + shapeText(array));
}

/// Says how an array's shape differs from what the anchor asks for.
bool Call::misfit(int argument, Failure &failure) const {
  const Array &array = arrays[argument], &given = arrays[anchor];
  Array expected;
  expected.rank = 0;
  for (int dim = 0; dim < given.rank; ++dim)
    if (isStep(argument) || dim != timeDim)
      expected.sizes[expected.rank++] = expectedSize(argument, dim);
  if (hasAxis(argument)) {
    int64_t axis = axisSizes[signature.arguments[argument].axis];
    expected.sizes[expected.rank++] =
        axis < 0 ? array.sizes[array.rank - 1] : axis;
  }
  std::string text = nameOf(argument) + ": ";
  if (array.rank != expected.rank)
    text += std::to_string(array.rank) + " dimensions, expected " +
            std::to_string(expected.rank);
  for (int dim = 0; array.rank == expected.rank && dim < array.rank; ++dim)
    if (array.sizes[dim] != expected.sizes[dim]) {
      text += "dim " + std::to_string(dim) + " is " +
              std::to_string(array.sizes[dim]) + ", expected " +
              std::to_string(expected.sizes[dim]);
      break;
    }
  return fail(failure, Failure::Value,
              text + ": shape " + shapeText(array) + ", expected " +
                  shapeText(expected) + " as " + nameOf(anchor) + " has " +
                  shapeText(given) + " with time in dim " +
                  std::to_string(timeDim) +
                  (extraOf(argument) > extraOf(anchor)
                       ? ", and one value after the last step"
                       : ""));
}

/// Finds the strides of an array in the dimensions of the anchor.
bool Call::align(int argument, Failure &failure) {
  const Array &array = arrays[argument], &given = arrays[anchor];
  bool along = hasAxis(argument);
  int rank = array.rank - along; // of what the anchor has too
  int last = -1, count = 0;      // dimensions that the anchor asks for
  for (int dim = 0; dim < given.rank; ++dim)
    if (isStep(argument) || dim != timeDim)
      last = dim, ++count;
  bool lacksOne =
      rank == count - 1 && last != timeDim && given.sizes[last] == 1;
  bool hasOneMore = rank == count + 1 && array.sizes[rank - 1] == 1;
  if (rank != count && !lacksOne && !hasOneMore)
    return misfit(argument, failure);
  int from = 0;
  for (int dim = 0; dim < given.rank; ++dim) {
    strides[argument][dim] = 0;
    if ((!isStep(argument) && dim == timeDim) || (lacksOne && dim == last))
      continue;
    if (array.sizes[from] != expectedSize(argument, dim))
      return misfit(argument, failure);
    strides[argument][dim] = array.strides[from++];
  }
  if (!along)
    return true;
  int64_t &size = axisSizes[signature.arguments[argument].axis];
  if (size < 0)
    size = array.sizes[array.rank - 1];
  axisStrides[argument] = array.strides[array.rank - 1];
  return size == array.sizes[array.rank - 1] || misfit(argument, failure);
}

bool Call::check(int argument, Failure &failure) {
  const Array &array = arrays[argument];
  if (array.device != arrays[anchor].device)
    return fail(failure, Failure::Value,
                nameOf(argument) + ": on " + deviceText(array.device) +
                    ", expected " + deviceText(arrays[anchor].device) +
                    ", where " + nameOf(anchor) + " is");
  if (isPacked() && isRow(argument))
    return checkPackedRow(argument, failure);
  if (isStep(argument) || isRow(argument))
    return align(argument, failure);
  return array.rank == 0 ||
         fail(failure, Failure::Value,
              nameOf(argument) + ": shape " + shapeText(array) +
                  ", expected a single number");
}

/// Results are dense, their dimensions in the anchor's order in memory.
void Call::orderResult() {
  const Array &given = arrays[anchor];
  int order[maxRank];
  bool isPlain = false;
  for (int i = 0; i < result.rank; ++i) {
    order[i] = i;
    isPlain |= result.sizes[i] > 1 && given.strides[i] <= 0;
  }
  // Insertion sort, stable; dimensions of one element stay where they are.
  for (int i = 1; i < result.rank && !isPlain; ++i)
    for (int j = i; j > 0; --j) {
      int a = order[j - 1], b = order[j];
      if (result.sizes[a] == 1 || result.sizes[b] == 1 ||
          given.strides[a] >= given.strides[b])
        break;
      std::swap(order[j - 1], order[j]);
    }
  int64_t stride = 1;
  for (int i = result.rank; i-- > 0;) {
    result.strides[order[i]] = stride;
    stride *= result.sizes[order[i]] > 1 ? result.sizes[order[i]] : 1;
  }
}

bool Call::plan(Failure &failure) {
  if (!findPacking(failure) || !findAnchors(failure))
    return false;
  for (int i = 0; i < signature.axis_count; ++i)
    axisSizes[i] = -1;
  for (int i = 0; i < signature.argument_count; ++i)
    if (arrays[i].isGiven() && !signature.arguments[i].is_result &&
        !check(i, failure))
      return false;
  result = arrays[anchor];
  result.data = nullptr;
  result.sizes[timeDim] = steps();
  result.dtype = typed < 0 ? int32_t(RLSCAN_F32) : arrays[typed].dtype;
  orderResult();
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Dimensions of rows that are one in every array become one; what is left
/// beside the longest takes a launch for each of its elements.
void Call::group() {
  const Array &given = arrays[anchor];
  groupCount = 0;
  for (int dim = 0; dim < given.rank; ++dim) {
    if (dim == timeDim || given.sizes[dim] == 1)
      continue;
    Group next;
    next.size = given.sizes[dim];
    bool isOne = groupCount > 0;
    for (int i = 0; i < signature.argument_count; ++i) {
      next.strides[i] = arrays[i].isGiven() ? strides[i][dim] : 0;
      isOne = isOne &&
              groups[groupCount - 1].strides[i] == next.size * next.strides[i];
    }
    if (isOne) {
      next.size *= groups[groupCount - 1].size;
      --groupCount;
    }
    groups[groupCount++] = next;
  }
  if (groupCount == 0)
    groups[groupCount++] = {1, {}};
  rowGroup = 0;
  for (int i = 1; i < groupCount; ++i)
    if (groups[i].size > groups[rowGroup].size)
      rowGroup = i;
}

/// The runtime sees one launch: rows that a result has twice in others are
/// refused here.
bool Call::overlapsItself(int argument, Failure &failure) const {
  for (int i = 0; i < groupCount; ++i)
    if (groups[i].size > 1 && groups[i].strides[argument] == 0)
      return !fail(failure, Failure::Value,
                   nameOf(argument) + ": its elements share memory");
  return false;
}
