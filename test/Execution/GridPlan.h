//===- GridPlan.h - Which calls of a recipe are tried --------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The full cross product of subsets, types, layouts, shapes and placements is
// out of reach: a compilation takes a third of a second. What a kernel is
// compiled for is a combination of a few choices; of these, enough are made
// that (nearly) every pair of choices meets in one of them. A kernel then runs
// on several shapes and placements of memory, which costs little.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_GRIDPLAN_H
#define RLSCAN_TEST_EXECUTION_GRIDPLAN_H

#include "Scenario.h"

namespace rlscan::test {

struct GridRun {
  Scenario scenario;
  /// Equal for runs of one combination.
  size_t combination;
  /// Whose turn it is among the schedules of a device.
  size_t turn = 0;
};

struct GridPlan {
  std::vector<GridRun> runs;
  size_t combinations = 0;
  /// How many pairs of values of two factors meet in a combination, of how
  /// many.
  size_t pairs = 0, allPairs = 0;
};

/// The default plan takes seconds; the full one has every combination of a
/// subset, storage types, layout and kind of params, and takes a while.
GridPlan planGrid(const TestRecipe &recipe, uint64_t seed, bool isFull);

/// For a device: larger shapes, and the combinations on shapes among them.
/// Shapes and combinations are mixed, so that the first part of the runs has
/// some of each. Two runs have the same turn; the next seed goes on where
/// the turns of this one end.
GridPlan planDeviceGrid(const TestRecipe &recipe, uint64_t seed, bool isFull);

/// The same with shapes that the simulator does in no time.
GridPlan planSimulatorGrid(const TestRecipe &recipe, uint64_t seed,
                           bool isFull);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_GRIDPLAN_H
