//===- Reproducer.h - When the compiler itself is at fault ------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_REPRODUCER_H
#define RLSCAN_ARTEFACTS_REPRODUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace rlscan {

/// A pass that fails on what earlier ones made: nothing that a user could have
/// written otherwise.
class InternalError : public llvm::ErrorInfo<InternalError> {
public:
  static char ID;
  explicit InternalError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

/// Runs a pipeline on compiler-made IR. Where it fails, the IR and the pipeline
/// are left in a file of the current folder that the error names.
llvm::Error runReproducibly(mlir::PassManager &passes, mlir::ModuleOp module,
                            llvm::StringRef name);

/// For tests: the next pipeline fails.
void failInternally();

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_REPRODUCER_H
