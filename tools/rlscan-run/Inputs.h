//===- Inputs.h - The arrays and params of a run ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUN_INPUTS_H
#define RLSCAN_RUN_INPUTS_H

#include "Execution/Call.h"
#include "Run.h"

namespace rlscan {

/// Reads the arrays and params of the command line. Arrays of the .npz that the
/// estimator does not read are left out and named in a note.
llvm::Expected<llvm::StringMap<Tensor>> readInputs(const RunOptions &options,
                                                   EstimatorOp estimator);

/// Stores the arrays of the call as --dtype and --layout say.
void convertInputs(Call &call, EstimatorOp estimator,
                   const RunOptions &options);

} // namespace rlscan

#endif // RLSCAN_RUN_INPUTS_H
