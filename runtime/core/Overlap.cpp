//===- Overlap.cpp - Results have memory of their own ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Call.h"
#include "runtime/core/Status.h"

#include <algorithm>
#include <cstdlib>

using namespace rlscan::runtime;

namespace {

/// The bytes of an array: `width` at each of the places.
struct Lattice {
  int64_t width = 0;
  int rank = 0; // of the dimensions with more than one place
  int64_t sizes[3], strides[3];
  uintptr_t begin = 0, end = 0;

  Lattice() {}
  explicit Lattice(const rlscan_tensor &array);
  bool isEmpty() const { return begin == end; }
  bool isNested() const;
  bool hasShapeOf(const Lattice &other) const;
};

} // namespace

/// Largest stride first, all of them positive.
Lattice::Lattice(const rlscan_tensor &array) : width(byteWidth(array.dtype)) {
  begin = reinterpret_cast<uintptr_t>(array.data);
  end = begin + width;
  for (int dim = 0; dim < array.rank; ++dim) {
    int64_t size = array.sizes[dim], stride = array.strides[dim] * width;
    if (size == 0) {
      end = begin;
      return;
    }
    if (size == 1)
      continue;
    (stride < 0 ? begin : end) += (size - 1) * stride;
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

/// Arrays of one shape may be interleaved, as fields of records are; of others
/// it is the ranges that count.
static bool overlap(const Lattice &a, const Lattice &b) {
  if (a.isEmpty() || b.isEmpty() || a.end <= b.begin || b.end <= a.begin)
    return false;
  if (!a.hasShapeOf(b) || !a.isNested() || !b.isNested())
    return true;
  return meets(a, b, static_cast<int64_t>(b.begin - a.begin), 0);
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

rlscan_status rlscan::runtime::checkOverlaps(const Call &call) {
  const rlscan_argument *arguments = call.estimator.arguments;
  int count = call.estimator.argument_count;
  Lattice lattices[maxArguments];
  for (int i = 0; i < count; ++i)
    if (call.isGiven(i))
      lattices[i] = Lattice(call.tensor(i));
  for (int result = 0; result < count; ++result) {
    const Lattice &written = lattices[result];
    if (!arguments[result].is_result || written.isEmpty())
      continue;
    if (!written.isNested())
      return sharesItself(call, result);
    for (int other = 0; other < count; ++other) {
      // A pair of results is looked at once.
      bool isDone = arguments[other].is_result && other >= result;
      if (!isDone && overlap(written, lattices[other]))
        return fail(RLSCAN_OVERLAP,
                    "%s overlaps %s: results need memory of their own",
                    arguments[result].name, arguments[other].name);
    }
  }
  return RLSCAN_OK;
}
