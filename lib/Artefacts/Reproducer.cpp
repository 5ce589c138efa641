//===- Reproducer.cpp - When the compiler itself is at fault --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Reproducer.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace rlscan;

char InternalError::ID = 0;

void InternalError::log(llvm::raw_ostream &out) const { out << message; }

std::error_code InternalError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

static bool failsNext = false;
void rlscan::failInternally() { failsNext = true; }

namespace {
/// Fails, with all that follows a pass that fails.
struct Fail : PassWrapper<Fail, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Fail)
  StringRef getArgument() const override { return "rlscan-fail"; }
  void runOnOperation() override { signalPassFailure(); }
};
} // namespace

llvm::Error rlscan::runReproducibly(PassManager &passes, ModuleOp module,
                                    StringRef name) {
  std::string file = ("rlscan-" + name + ".mlir").str();
  passes.enableCrashReproducerGeneration(file);
  if (failsNext)
    passes.addPass(std::make_unique<Fail>());
  // The error below says all of it.
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &note) {
    return note.str().find("reproducer") != std::string::npos ||
                   note.str().find("Failures have been") != std::string::npos
               ? success()
               : failure();
  });
  if (succeeded(passes.run(module)))
    return llvm::Error::success();
  return llvm::make_error<InternalError>(
      ("cannot lower '" + name +
       "': a mistake of the compiler's; please report "
       "it with the file " +
       file)
          .str());
}
