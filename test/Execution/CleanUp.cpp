//===- CleanUp.cpp - Less cleaning up between passes, or more -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CleanUp.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static bool cleansUp(const Pass &pass) {
  return pass.getArgument() == "canonicalize" || pass.getArgument() == "cse";
}

static void cleanUpNow(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  if (failed(passes.run(module)))
    module.emitError("cleaning up failed");
}

void rlscan::test::setCleanUp(MLIRContext &context, CleanUp cleanUp) {
  if (cleanUp == CleanUp::AsIs)
    return;
  bool isInside = false;
  context.registerActionHandler([=](llvm::function_ref<void()> run,
                                    const tracing::Action &action) mutable {
    const auto *pass = llvm::dyn_cast<PassExecutionAction>(&action);
    if (pass && cleanUp == CleanUp::None && cleansUp(pass->getPass()))
      return;
    run();
    auto module = pass ? dyn_cast<ModuleOp>(pass->getOp()) : ModuleOp();
    if (!module || isInside || cleanUp != CleanUp::Often)
      return;
    isInside = true;
    cleanUpNow(module);
    isInside = false;
  });
}
