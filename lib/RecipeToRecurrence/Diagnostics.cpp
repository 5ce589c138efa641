//===- Diagnostics.cpp - Errors at a place in a recipe --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/Diagnostics.h"

#include "mlir/IR/Diagnostics.h"

using namespace rlscan;

mlir::Location RecipeDiagnostics::location(llvm::SMLoc loc) const {
  unsigned file = sources.getMainFileID();
  auto [line, column] = sources.getLineAndColumn(loc, file);
  return mlir::FileLineColLoc::get(
      context, sources.getMemoryBuffer(file)->getBufferIdentifier(), line,
      column);
}

mlir::InFlightDiagnostic RecipeDiagnostics::error(llvm::SMLoc loc) {
  ++errors;
  return mlir::emitError(location(loc));
}
