//===- Execute.h - Compiles, runs and checks one call --------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_EXECUTE_H
#define RLSCAN_TEST_EXECUTION_EXECUTE_H

#include "Executor.h"
#include "Reference/Reference.h"
#include "Scenario.h"

namespace rlscan::test {

/// The results where they were placed.
struct Execution {
  std::vector<std::pair<std::string, Tensor>> results;
  /// What went wrong; empty where all is well.
  std::string problem;

  const Tensor &result(llvm::StringRef name) const;
};

/// Places the packed `inputs` and the results as the scenario says, compiles
/// and runs. It is a problem where the call is refused and where memory that is
/// not of the results changes.
Execution execute(TestRecipe &recipe, const Scenario &scenario,
                  const llvm::StringMap<Tensor> &inputs, Executor &executor);

/// What the serial reference makes of the same inputs.
std::vector<ReferenceResult> reference(const TestRecipe &recipe,
                                       const Scenario &scenario,
                                       const llvm::StringMap<Tensor> &inputs);

/// How far a value may be from the one that is expected, x:
///   ofRow * (1 + max|x| of the row), and half a unit in the last place of
///   what it is stored as where that is coarser than the arithmetic.
struct Tolerance {
  double ofRow;
  bool isF64; // the arithmetic

  /// That of the contract (docs/design.md).
  static Tolerance contract(bool isF64) {
    return {isF64 ? 1e-12 : 1e-5, isF64};
  }
};

/// Says where a result of `rows` rows is first past the tolerance; empty where
/// it is not. Raises `used` to the largest part of the tolerance that was
/// needed.
std::string compare(const ReferenceResult &expected, const Tensor &found,
                    const Tolerance &tolerance, double &used);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_EXECUTE_H
