//===- Compile.h - From recipes to artefacts --------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_COMPILE_H
#define RLSCAN_ARTEFACTS_COMPILE_H

#include "Artefacts/Files.h"
#include "Artefacts/Library.h"
#include "Artefacts/Recipes.h"

namespace rlscan {

/// What is made of an estimator.
struct Emission {
  bool library = false, shared = false, object = false, header = false,
       manifest = false;
};

struct CompileOptions {
  std::vector<Target> targets;
  CallChoice calls;
  DeviceOptions device;
  std::string prefix = "rlscan";
  Emission emission;
};

/// The estimators of a recipe, in its order.
llvm::SmallVector<EstimatorOp> estimatorsOf(const RecipeFile &recipe);

/// Names of C: "tr_gae".
std::string symbolOf(EstimatorOp estimator, llvm::StringRef prefix);

/// A kernel of sweeps for a kind of call.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
sweepsOf(const RecipeFile &recipe, EstimatorOp estimator, const CallKind &kind);

/// Compiles an estimator for every target and kind of call, and adds what is to
/// be written of it.
llvm::Error compileEstimator(const RecipeFile &recipe, EstimatorOp estimator,
                             const CompileOptions &options,
                             std::vector<OutputFile> &files);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_COMPILE_H
