//===- Shrinker.h - Smaller recipes that fail as well --------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_SHRINKER_H
#define RLSCAN_TEST_EXECUTION_SHRINKER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace rlscan::test {

/// Takes results, equations, inputs and parts of expressions away from the one
/// estimator of `text` for as long as `fails` says that what is left fails.
/// What `fails` is asked about need not be a recipe that the compiler takes.
std::string shrink(std::string text,
                   llvm::function_ref<bool(llvm::StringRef)> fails);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_SHRINKER_H
