//===- Pipelines.cpp - The order of the passes ----------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that knows the order. Each stage is a registered pipeline, so
// that one can enter and leave anywhere.
//
//   recipe -> estimator with recurrences             importRecipe
//   -> estimator with scans                          rlscan-to-scans
//   -> kernel of sweeps                              rlscan-to-sweeps
//   -> func, scf, arith, math, vector, llvm.load     rlscan-to-cpu
//   -> llvm                                          rlscan-to-llvm
//
//===----------------------------------------------------------------------===//

#include "rlscan/Pipelines.h"
#include "rlscan/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace rlscan;

static void addCleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void rlscan::buildToScansPipeline(OpPassManager &pm) {
  pm.addNestedPass<EstimatorOp>(createExtractCoefficients());
  addCleanUp(pm);
}

void rlscan::buildToSweepsPipeline(OpPassManager &pm,
                                   const SweepOptions &options) {
  SpecializeOptions specialize;
  specialize.bindings.assign(options.bindings.begin(), options.bindings.end());
  pm.addNestedPass<EstimatorOp>(createSpecialize(specialize));
  addCleanUp(pm);
  pm.addPass(createMakeSweeps());
  pm.addPass(createCSEPass());
}

void rlscan::buildToCPUPipeline(OpPassManager &pm, const CPUOptions &options) {
  TilesToCPUOptions tiles;
  tiles.lanes = options.lanes;
  pm.addPass(createTilesToCPU(tiles));
  addCleanUp(pm);
}

void rlscan::buildToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(createApproximateMath());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanUp(pm);
}

void rlscan::registerAll() {
  registerRLScanPasses();
  registerCanonicalizerPass();
  registerCSEPass();
  PassPipelineRegistration<>("rlscan-to-scans",
                             "estimators with recurrences to scans",
                             buildToScansPipeline);
  PassPipelineRegistration<SweepOptions>(
      "rlscan-to-sweeps", "estimators with scans to kernels of sweeps",
      buildToSweepsPipeline);
  PassPipelineRegistration<CPUOptions>("rlscan-to-cpu",
                                       "kernels to vector code for the CPU",
                                       buildToCPUPipeline);
  PassPipelineRegistration<>(
      "rlscan-to-llvm", "vector code to the LLVM dialect", buildToLLVMPipeline);
}

void rlscan::registerDialects(DialectRegistry &registry) {
  registry.insert<RLScanDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  scf::SCFDialect, vector::VectorDialect>();
}
