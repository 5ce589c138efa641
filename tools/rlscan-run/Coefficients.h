//===- Coefficients.h - Recurrences as equations ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUN_COEFFICIENTS_H
#define RLSCAN_RUN_COEFFICIENTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace rlscan {

/// Prints, for each recurrence of the module's estimators, the coefficients
/// that the compiler derives. Changes the module. Fails after reporting where a
/// recurrence is not affine.
mlir::LogicalResult printCoefficients(mlir::ModuleOp module);

} // namespace rlscan

#endif // RLSCAN_RUN_COEFFICIENTS_H
