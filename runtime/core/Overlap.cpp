//===- Overlap.cpp - Results have memory of their own ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Call.h"
#include "runtime/core/Sizes.h"
#include "runtime/core/Status.h"

#include <algorithm>
#include <cinttypes>
#include <cstdlib>

using namespace rlscan::runtime;

namespace {

/// From the first byte of an array to past the last one.
struct Range {
  uintptr_t begin, end;

  bool isEmpty() const { return begin == end; }
  bool meets(const Range &other) const {
    return !isEmpty() && !other.isEmpty() && other.begin < end &&
           begin < other.end;
  }
};

/// The bytes of an array: `width` at each of the places.
struct Lattice {
  int64_t width = 0;
  int rank = 0; // of the dimensions with more than one place
  int64_t sizes[3], strides[3];

  explicit Lattice(const rlscan_tensor &array);
  bool isNested() const;
  bool hasShapeOf(const Lattice &other) const;
};

} // namespace

bool rlscan::runtime::hasElements(const rlscan_tensor &array) {
  for (int dim = 0; dim < array.rank; ++dim)
    if (array.sizes[dim] == 0)
      return false;
  return true;
}

/// False: no memory is so large.
static bool findRange(const rlscan_tensor &array, Range &range) {
  constexpr int64_t most = int64_t(1) << 62;
  auto address = reinterpret_cast<uintptr_t>(array.data);
  int64_t width = byteWidth(array.dtype);
  uint64_t below = 0, above = static_cast<uint64_t>(width);
  range = {address, address};
  if (!hasElements(array))
    return true;
  for (int dim = 0; dim < array.rank; ++dim) {
    int64_t size = array.sizes[dim], bytes = array.strides[dim];
    if (size < 2)
      continue;
    if (__builtin_mul_overflow(bytes, width, &bytes) ||
        __builtin_mul_overflow(bytes, size - 1, &bytes) || bytes > most ||
        bytes < -most)
      return false;
    (bytes < 0 ? below : above) += static_cast<uint64_t>(std::abs(bytes));
    if (below + above > static_cast<uint64_t>(most))
      return false;
  }
  range = {address - below, address + above};
  return range.begin <= address && address <= range.end;
}

static rlscan_status failReach(const Call &call, int argument) {
  const rlscan_tensor &array = call.tensor(argument);
  rlscan_tensor strides = array;
  std::copy(array.strides, array.strides + 3, strides.sizes);
  return fail(RLSCAN_INVALID_SHAPE,
              "%s: shape %s with strides %s reaches past all memory",
              call.estimator.arguments[argument].name, ShapeText(array).text,
              ShapeText(strides).text);
}

/// Their number, and what is computed of it, has to be one.
rlscan_status Call::checkCount() {
  if (packedRows <= mostSteps &&
      steps <= mostSteps / std::max(rows, int64_t(1)))
    return RLSCAN_OK;
  int64_t count = isPacked() ? packedRows : rows;
  return fail(RLSCAN_INVALID_SHAPE,
              "%s: %" PRId64 " rows and %" PRId64
              " steps are more than memory has room for",
              estimator.name, count, steps);
}

/// Largest stride first, all of them positive.
Lattice::Lattice(const rlscan_tensor &array) : width(byteWidth(array.dtype)) {
  for (int dim = 0; dim < array.rank; ++dim) {
    int64_t size = array.sizes[dim], stride = array.strides[dim] * width;
    if (size < 2)
      continue;
    int at = rank++;
    for (; at > 0 && strides[at - 1] < std::abs(stride); --at) {
      sizes[at] = sizes[at - 1];
      strides[at] = strides[at - 1];
    }
    sizes[at] = size;
    strides[at] = std::abs(stride);
  }
}

/// Whether each dimension's stride is past all that the smaller ones reach:
/// then no two elements share memory.
bool Lattice::isNested() const {
  int64_t reach = width;
  for (int dim = rank - 1; dim >= 0; --dim) {
    if (strides[dim] < reach)
      return false;
    reach = strides[dim] * (sizes[dim] - 1) + reach;
  }
  return true;
}

bool Lattice::hasShapeOf(const Lattice &other) const {
  return rank == other.rank && std::equal(sizes, sizes + rank, other.sizes) &&
         std::equal(strides, strides + rank, other.strides);
}

/// Whether some place of `b` is less than an element away from one of `a`,
/// `offset` bytes on. Both have the same shape and are nested, so that in each
/// dimension only the two nearest multiples of the stride can bring them near.
static bool meets(const Lattice &a, const Lattice &b, int64_t offset, int dim) {
  if (dim == a.rank)
    return offset < a.width && -offset < b.width;
  int64_t nearest = offset / a.strides[dim];
  for (int64_t steps = nearest - 1; steps <= nearest + 1; ++steps)
    if (std::abs(steps) < a.sizes[dim] &&
        meets(a, b, offset - steps * a.strides[dim], dim + 1))
      return true;
  return false;
}

/// Of arrays whose ranges meet. Those of one shape may be interleaved, as
/// fields of records are.
static bool overlap(const Call &call, int result, int other, int64_t offset) {
  Lattice a(call.tensor(result)), b(call.tensor(other));
  if (!a.hasShapeOf(b) || !a.isNested() || !b.isNested())
    return true;
  return meets(a, b, offset, 0);
}

static rlscan_status sharesItself(const Call &call, int result) {
  const rlscan_tensor &array = call.tensor(result);
  return fail(RLSCAN_OVERLAP,
              "%s: elements of the result share memory: strides %lld, %lld of "
              "an array %s",
              call.estimator.arguments[result].name,
              static_cast<long long>(array.strides[0]),
              static_cast<long long>(array.strides[1]), ShapeText(array).text);
}

rlscan_status rlscan::runtime::checkRanges(const Call &call) {
  const rlscan_argument *arguments = call.estimator.arguments;
  int count = call.estimator.argument_count;
  Range ranges[maxArguments];
  for (int i = 0; i < count; ++i) {
    ranges[i] = {0, 0};
    if (call.isGiven(i) && !findRange(call.tensor(i), ranges[i]))
      return failReach(call, i);
  }
  for (int result = 0; result < count; ++result) {
    const Range &written = ranges[result];
    if (!arguments[result].is_result || written.isEmpty())
      continue;
    if (!Lattice(call.tensor(result)).isNested())
      return sharesItself(call, result);
    for (int other = 0; other < count; ++other) {
      // A pair of results is looked at once.
      bool isDone = arguments[other].is_result && other >= result;
      auto offset = static_cast<int64_t>(ranges[other].begin - written.begin);
      if (!isDone && written.meets(ranges[other]) &&
          overlap(call, result, other, offset))
        return fail(RLSCAN_OVERLAP,
                    "%s overlaps %s: results need memory of their own",
                    arguments[result].name, arguments[other].name);
    }
  }
  return RLSCAN_OK;
}
