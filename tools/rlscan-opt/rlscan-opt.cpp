//===- rlscan-opt.cpp - Run passes and pipelines --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Pipelines.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  rlscan::registerDialects(registry);
  rlscan::registerAll();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "rlscan optimizer driver\n", registry));
}
