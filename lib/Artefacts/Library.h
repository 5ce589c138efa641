//===- Library.h - A compiled estimator as a whole --------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_LIBRARY_H
#define RLSCAN_ARTEFACTS_LIBRARY_H

#include "Artefacts/ArgsStruct.h"
#include "Artefacts/CallKinds.h"
#include "Artefacts/DeviceCode.h"
#include "Artefacts/HostCode.h"

namespace rlscan {

/// The code for one kind of call on one target (of a GPU's: all chips).
struct CompiledVariant {
  std::string name;
  CallKind kind;
  Target target;
  KernelSignature signature;
  HostCode host;     // where the target is a CPU
  DeviceCode device; // where it is a GPU
};

/// One estimator of a recipe with all its code.
struct CompiledEstimator {
  /// "tr_gae": what its functions and files are named by.
  std::string symbol;
  std::string recipe; // where it came from
  std::string recipeHash;
  /// At level 1, f32.
  EstimatorOp estimator;
  std::vector<CompiledVariant> variants;
};

/// Code, tables and functions in one module, ready to be made an object. Takes
/// the modules of the variants.
std::unique_ptr<llvm::Module> linkLibrary(CompiledEstimator &compiled,
                                          llvm::LLVMContext &context);

/// The C header.
std::string writeHeader(const CompiledEstimator &compiled);

/// The manifest, as JSON. `files` are the names of what is written beside it.
std::string writeManifest(const CompiledEstimator &compiled,
                          llvm::ArrayRef<std::string> files);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_LIBRARY_H
