//===- recipe-fuzzer.cpp - Arbitrary bytes as a recipe --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target. Whatever the bytes, the importer must end with a module
// that verifies or with a diagnostic, and what it accepts must go through
// extract-coefficients with a result or a diagnostic. Printed, it reads the
// same again.
//
//===----------------------------------------------------------------------===//

#include "RecipePrinter.h"
#include "RecipeToRecurrence/Parser.h"
#include "rlscan/Passes.h"
#include "rlscan/Pipelines.h"
#include "rlscan/Recipe.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdint>
#include <cstdlib>

static void addBuffer(llvm::SourceMgr &sources, llvm::StringRef text) {
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.rls"), llvm::SMLoc());
}

/// The parentheses that are printed count as nesting, of which there is a most.
static bool isShallow(const rlscan::ast::Recipe &recipe) {
  constexpr unsigned most = rlscan::maxExpressionDepth / 4;
  for (const rlscan::ast::Estimator &estimator : recipe.estimators) {
    for (const rlscan::ast::Equation &equation : estimator.equations)
      if (equation.value->height > most)
        return false;
    for (const rlscan::ast::Result &result : estimator.results)
      if (result.value && result.value->height > most)
        return false;
  }
  return true;
}

static std::string printed(const llvm::SourceMgr &sources,
                           mlir::MLIRContext &context, bool &isRead) {
  rlscan::RecipeDiagnostics diagnostics(sources, &context);
  std::unique_ptr<rlscan::ast::Recipe> recipe =
      rlscan::parseRecipe(diagnostics);
  isRead = !diagnostics.hasErrors() && isShallow(*recipe);
  return isRead ? rlscan::test::print(*recipe) : "";
}

/// Of a recipe that was taken.
static void checkPrinted(const llvm::SourceMgr &sources,
                         mlir::MLIRContext &context) {
  bool isRead = false;
  std::string first = printed(sources, context, isRead);
  if (!isRead)
    return;
  llvm::SourceMgr again;
  addBuffer(again, first);
  if (printed(again, context, isRead) != first || !isRead ||
      !rlscan::importRecipe(again, &context))
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &) {
    ++errors;
    return mlir::success();
  });
  llvm::SourceMgr sources;
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  addBuffer(sources, text);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      rlscan::importRecipe(sources, &context);
  if (!module && errors == 0)
    std::abort(); // refused without a word
  if (!module)
    return 0;
  checkPrinted(sources, context);
  errors = 0;
  mlir::PassManager passes(&context);
  rlscan::buildToScansPipeline(passes);
  if (mlir::failed(passes.run(*module)) && errors == 0)
    std::abort();
  return 0;
}
