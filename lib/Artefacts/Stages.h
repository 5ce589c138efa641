//===- Stages.h - One stage of one kind of call -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_STAGES_H
#define RLSCAN_ARTEFACTS_STAGES_H

#include "Artefacts/Compile.h"

namespace rlscan {

/// In the order of compilation.
enum class Stage {
  MLIR,
  Coefficients,
  Sweeps,
  Tiles,
  GPU,
  LLVM,
  PTX,
  Cubin,
  Asm,
  Hsaco
};

/// "mlir", "coefficients", ...
std::optional<Stage> parseStage(llvm::StringRef word);
bool isText(Stage stage);

/// The stage of the first kind of call, for the first target that has it.
llvm::Expected<std::string> emitStage(Stage stage, const RecipeFile &recipe,
                                      EstimatorOp estimator,
                                      const CompileOptions &options);

/// Every stage that the targets have, as numbered files.
llvm::Error dumpStages(const RecipeFile &recipe, EstimatorOp estimator,
                       const CompileOptions &options, llvm::StringRef folder);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_STAGES_H
