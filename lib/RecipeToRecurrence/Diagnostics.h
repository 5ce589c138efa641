//===- Diagnostics.h - Errors at a place in a recipe ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_DIAGNOSTICS_H
#define RLSCAN_RECIPETORECURRENCE_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

namespace rlscan {

/// Turns places in a recipe into MLIR locations and reports errors there. The
/// recipe is the main buffer of `sources`.
class RecipeDiagnostics {
public:
  RecipeDiagnostics(const llvm::SourceMgr &sources, mlir::MLIRContext *context)
      : sources(sources), context(context) {}

  llvm::StringRef buffer() const {
    return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  }

  mlir::Location location(llvm::SMLoc loc) const;

  /// Reports an error; the caller streams the text and attaches a note with the
  /// cure.
  mlir::InFlightDiagnostic error(llvm::SMLoc loc);

  bool hasErrors() const { return errors > 0; }
  unsigned errorCount() const { return errors; }
  mlir::MLIRContext *getContext() const { return context; }

private:
  const llvm::SourceMgr &sources;
  mlir::MLIRContext *context;
  unsigned errors = 0;
};

} // namespace rlscan

#endif // RLSCAN_RECIPETORECURRENCE_DIAGNOSTICS_H
