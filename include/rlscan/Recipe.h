//===- Recipe.h - From recipe text to the dialect ---------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPE_H
#define RLSCAN_RECIPE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace rlscan {

struct ImportOptions {
  /// Reals are f64 instead of f32.
  bool arithmeticF64 = false;
  /// Each estimator has the optional input `lengths`, or `cu_seqlens`.
  bool withLengths = false;
  bool withPackedRows = false;
};

/// Parses and checks the recipe in the main buffer of `sources`. Returns a
/// module with one `rlscan.estimator` for each estimator of the file, or null
/// after reporting every error of the file through the context's diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
importRecipe(const llvm::SourceMgr &sources, mlir::MLIRContext *context,
             const ImportOptions &options = {});

/// Registers `rlscan-translate --import-recipe`.
void registerImportRecipe();

} // namespace rlscan

#endif // RLSCAN_RECIPE_H
