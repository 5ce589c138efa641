//===- EquationPrinter.h - Level-1 values as recipe text --------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_EQUATIONPRINTER_H
#define RLSCAN_RECIPETORECURRENCE_EQUATIONPRINTER_H

#include "dialects/rlscan/RLScan.h"

#include "llvm/ADT/SetVector.h"

#include <string>

namespace rlscan {

/// Writes values of an estimator as the recipe would. Values that have a name
/// in the recipe are written by it and remembered, so that their equations can
/// follow.
class EquationPrinter {
public:
  /// The right-hand side that defines `value`.
  std::string equation(mlir::Value value);

  /// The same, but by name where the value has one.
  std::string reference(mlir::Value value);

  /// The name of `value` in the recipe, or empty.
  static llvm::StringRef nameOf(mlir::Value value);

  /// Values written by name so far, but for inputs.
  llvm::ArrayRef<mlir::Value> mentioned() const {
    return mentions.getArrayRef();
  }

private:
  std::string operand(mlir::Value value, unsigned precedence);
  std::string expression(mlir::Operation *op, unsigned &precedence);
  std::string select(mlir::Operation *op, unsigned &precedence);
  std::string blockArgument(mlir::BlockArgument argument);

  llvm::SetVector<mlir::Value> mentions;
};

} // namespace rlscan

#endif // RLSCAN_RECIPETORECURRENCE_EQUATIONPRINTER_H
