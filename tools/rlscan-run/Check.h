//===- Check.h - Results against the reference ------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUN_CHECK_H
#define RLSCAN_RUN_CHECK_H

#include "Execution/Call.h"
#include "RecipeToRecurrence/AST.h"

namespace rlscan {

/// Compares the results of a call with the serial reference, prints the largest
/// errors of each and fails where a value is past its tolerance (design:
/// 1e-5 * (1 + max|x| of the row)).
llvm::Error checkResults(const Call &call, const ast::Estimator &estimator,
                         bool isArithmeticF64);

} // namespace rlscan

#endif // RLSCAN_RUN_CHECK_H
