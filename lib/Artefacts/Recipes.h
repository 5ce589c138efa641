//===- Recipes.h - Recipes that artefacts are made from ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_RECIPES_H
#define RLSCAN_ARTEFACTS_RECIPES_H

#include "dialects/rlscan/RLScan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace rlscan {

/// The recipes that are built in: names and texts.
llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> builtinRecipes();

/// What rows calls have: full ones, ones with lengths, packed ones, or any of
/// these.
struct RowChoice {
  bool full = true, lengths = false, packed = false;
};

/// A param that calls give as an array, one value a row or a row and step.
struct ArrayParam {
  std::string name;
  InputKind kind;
};

/// What a recipe is imported for.
struct RecipeOptions {
  bool needsF64 = false;
  RowChoice rows;
  std::vector<ArrayParam> arrays;
};

/// A recipe, read and imported. It is imported in f32 and, where that is asked
/// for, in f64.
class RecipeFile {
public:
  /// `path` names a file, "-" the standard input, or `@NAME` a built-in recipe.
  /// Null after an error, which is printed. The text is added to `sources`, for
  /// messages that come later.
  static std::unique_ptr<RecipeFile> read(llvm::StringRef path,
                                          mlir::MLIRContext &context,
                                          const RecipeOptions &options,
                                          llvm::SourceMgr &sources);

  /// "gae.rls": without the folder.
  std::string name;
  std::string text, hash;
  mlir::OwningOpRef<mlir::ModuleOp> f32, f64;
};

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_RECIPES_H
