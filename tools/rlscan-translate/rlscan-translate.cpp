//===- rlscan-translate.cpp - Translations into and out of the dialect ----===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Recipe.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  rlscan::registerImportRecipe();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "rlscan translation tool"));
}
