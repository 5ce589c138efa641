//===- Placement.h - Arrays anywhere in memory ---------------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_PLACEMENT_H
#define RLSCAN_TEST_EXECUTION_PLACEMENT_H

#include "Execution/Tensor.h"
#include "dialects/rlscan/RLScan.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <string>
#include <vector>

namespace rlscan::test {

/// Where the elements of an array [rows], [rows, steps] or [rows, steps, axis]
/// lie.
struct Placement {
  const char *name;
  bool rowsInside = false;  // [T, N] in memory rather than [N, T]
  bool axisOutside = false; // [A, N, T] rather than [N, T, A]
  int64_t spacing = 1;      // from a neighbour to the next
  int64_t padding = 0;      // after each run of neighbours
  int64_t shift = 0;        // from an aligned address to the first element
  bool reversesRows = false, reversesSteps = false; // negative strides
  bool repeatsRows = false, repeatsSteps = false;   // strides of 0

  bool repeats() const { return repeatsRows || repeatsSteps; }
};

/// The placements of arrays of that rank for which a kernel is compiled alike:
/// in one layout. Those that repeat elements come last.
llvm::ArrayRef<Placement> placements(Layout layout, int64_t rank);
/// The ones that can be written to.
llvm::ArrayRef<Placement> outputPlacements(Layout layout);

/// Calls body(index) for each element, in row-major order.
void forEachElement(llvm::ArrayRef<int64_t> sizes,
                    llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body);

/// A copy of an array that cannot be written to and lies against a page that
/// cannot be touched, at one end or the other.
class PlacedInput {
public:
  /// `packed` holds equal elements where the placement repeats them.
  PlacedInput(const Tensor &packed, const Placement &placement, bool atEnd);

  Tensor tensor;

private:
  std::shared_ptr<char> pages;
};

/// Memory for a result, filled with a NaN that arithmetic does not make, and
/// with at least a row and 4 KiB of it on either side.
class PlacedOutput {
public:
  PlacedOutput(DType dtype, llvm::ArrayRef<int64_t> sizes,
               const Placement &placement);

  Tensor tensor;

  /// What was written that is no element of the array; empty where nothing was.
  std::string findStrayWrite() const;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_PLACEMENT_H
