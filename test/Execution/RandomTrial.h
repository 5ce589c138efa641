//===- RandomTrial.h - One call of one random recipe ---------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_RANDOMTRIAL_H
#define RLSCAN_TEST_EXECUTION_RANDOMTRIAL_H

#include "Execute.h"

namespace rlscan::test {

/// A recipe, a call and who computes it.
struct Trial {
  std::string text;
  Scenario scenario; // for the inputs and results of `text`
  size_t turn = 0;   // among the schedules
  Executor *executor = nullptr;

  /// What is wrong, or nothing. `used` as for compare().
  std::string run(double &used) const;
  std::string run(TestRecipe &recipe, double &used) const;

  /// A smaller one with a problem of the same kind, after a minute at most.
  Trial shrink(llvm::StringRef problem) const;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_RANDOMTRIAL_H
