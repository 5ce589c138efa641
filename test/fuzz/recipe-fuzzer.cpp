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
// extract-coefficients with a result or a diagnostic.
//
//===----------------------------------------------------------------------===//

#include "rlscan/Passes.h"
#include "rlscan/Pipelines.h"
#include "rlscan/Recipe.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &) {
    ++errors;
    return mlir::success();
  });
  llvm::SourceMgr sources;
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.rls"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      rlscan::importRecipe(sources, &context);
  if (!module && errors == 0)
    std::abort(); // refused without a word
  if (!module)
    return 0;
  errors = 0;
  mlir::PassManager passes(&context);
  rlscan::buildToScansPipeline(passes);
  if (mlir::failed(passes.run(*module)) && errors == 0)
    std::abort();
  return 0;
}
