//===- rlscan-opt.cpp - Run passes and pipelines --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<rlscan::RLScanDialect, mlir::arith::ArithDialect,
                  mlir::math::MathDialect>();
  rlscan::registerExtractCoefficients();
  rlscan::registerSpecialize();
  rlscan::registerMakeSweeps();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "rlscan optimizer driver\n", registry));
}
