//===- Parser.h - Recipe text to syntax tree --------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_PARSER_H
#define RLSCAN_RECIPETORECURRENCE_PARSER_H

#include "RecipeToRecurrence/AST.h"
#include "RecipeToRecurrence/Diagnostics.h"

namespace rlscan {

/// How deep expressions may nest. Bounds the stack of everything that walks
/// them.
constexpr unsigned maxExpressionDepth = 256;

/// Parses a whole file. Every syntax error is reported through
/// `diagnostics`; what could be read is returned all the same, so that names
/// and types in it can be checked too.
std::unique_ptr<ast::Recipe> parseRecipe(RecipeDiagnostics &diagnostics);

/// Gives an estimator one of the inputs of RowInputs.h, which calls may leave
/// out.
void addRowInput(ast::Estimator &estimator, llvm::StringRef name);

} // namespace rlscan

#endif // RLSCAN_RECIPETORECURRENCE_PARSER_H
