//===- Pipelines.h - The stages of the compiler -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PIPELINES_H
#define RLSCAN_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace rlscan {

/// What `rlscan-to-sweeps` needs to know about the calls to compile for.
struct SweepOptions : mlir::PassPipelineOptions<SweepOptions> {
  ListOption<std::string> bindings{
      *this, "bindings",
      llvm::cl::desc("what is known of each input and result; see "
                     "rlscan-specialize")};
};

struct CPUOptions : mlir::PassPipelineOptions<CPUOptions> {
  Option<unsigned> lanes{
      *this, "lanes",
      llvm::cl::desc("rows that a vector of reals holds (a power of two)"),
      llvm::cl::init(16)};
};

/// Recurrences to scans: alpha and beta are derived.
void buildToScansPipeline(mlir::OpPassManager &pm);

/// Scans to kernels of sweeps, specialised for one kind of call.
void buildToSweepsPipeline(mlir::OpPassManager &pm,
                           const SweepOptions &options);

/// Kernels to vector code for one CPU thread.
void buildToCPUPipeline(mlir::OpPassManager &pm, const CPUOptions &options);

/// Vector code to the LLVM dialect.
void buildToLLVMPipeline(mlir::OpPassManager &pm);

/// Registers every pass and pipeline of the project, and the upstream passes
/// that go with them.
void registerAll();

/// The dialects that occur in any stage.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace rlscan

#endif // RLSCAN_PIPELINES_H
