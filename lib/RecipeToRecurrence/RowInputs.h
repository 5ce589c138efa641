//===- RowInputs.h - What calls say of their rows ---------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_ROWINPUTS_H
#define RLSCAN_RECIPETORECURRENCE_ROWINPUTS_H

#include "llvm/ADT/StringRef.h"

namespace rlscan {

/// Inputs of every estimator that calls may give and no recipe declares: how
/// many steps each row has, and where rows begin that are packed one after the
/// other.
inline constexpr llvm::StringLiteral lengthsName = "lengths";
inline constexpr llvm::StringLiteral boundsName = "cu_seqlens";

/// Axes of packed calls, by names that no axis of a recipe can have: of what
/// each row has one of, of where rows begin and end, and of inputs that have an
/// extra step a row.
inline constexpr llvm::StringLiteral packedRowAxis = "row";
inline constexpr llvm::StringLiteral boundAxis = "row+1";
inline constexpr llvm::StringLiteral extraStepAxis = "step+row";

/// Whether calls have the axis and recipes do not.
inline bool isAxisOfCalls(llvm::StringRef axis) {
  return axis == packedRowAxis || axis == boundAxis || axis == extraStepAxis;
}

} // namespace rlscan

#endif // RLSCAN_RECIPETORECURRENCE_ROWINPUTS_H
