//===- RecipePrinter.h - A syntax tree as text ---------------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_RECIPEPRINTER_H
#define RLSCAN_TEST_EXECUTION_RECIPEPRINTER_H

#include "RecipeToRecurrence/AST.h"

#include <string>

namespace rlscan::test {

/// Every operator in parentheses. What the parser makes of the text is printed
/// as the same text again.
std::string print(const ast::Estimator &estimator);
std::string print(const ast::Recipe &recipe);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_RECIPEPRINTER_H
