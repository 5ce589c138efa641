//===- RingReference.h - Recipes over integers modulo 2^32 ---- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_RINGREFERENCE_H
#define RLSCAN_TEST_EXECUTION_RINGREFERENCE_H

#include "Scenario.h"

namespace rlscan::test::ring {

/// Evaluates the equations of a recipe one row and one step at a time, in the
/// ring. Reals of `inputs` hold elements as their bits.
/// The results by name, with all steps of a row together.
llvm::StringMap<std::vector<int32_t>>
evaluate(const ast::Estimator &estimator, const llvm::StringMap<Tensor> &inputs,
         const Scenario &scenario);

} // namespace rlscan::test::ring

#endif // RLSCAN_TEST_EXECUTION_RINGREFERENCE_H
