//===- Pipelines.h - The stages of the compiler -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PIPELINES_H
#define RLSCAN_PIPELINES_H

#include "rlscan/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <functional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace rlscan {

/// Passes that tests run over a lowered kernel: they compute in exact rings, or
/// have threads wait.
using KernelPasses = std::function<void(mlir::OpPassManager &)>;

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

/// What `rlscan-to-tiles` needs to know: see the pass `rlscan-select-schedule`.
struct TileOptions : mlir::PassPipelineOptions<TileOptions> {
  Option<int64_t> rows{*this, "rows", llvm::cl::desc("rows of a call, about"),
                       llvm::cl::init(4096)};
  Option<int64_t> steps{*this, "steps", llvm::cl::desc("steps of a call"),
                        llvm::cl::init(128)};
  Option<unsigned> access{*this, "access",
                          llvm::cl::desc("steps that one access may move"),
                          llvm::cl::init(1)};
  Option<unsigned> entries{
      *this, "entries",
      llvm::cl::desc("entries of every axis, where they are packed"),
      llvm::cl::init(0)};
  Option<int64_t> axis{*this, "axis",
                       llvm::cl::desc("entries of the largest axis"),
                       llvm::cl::init(4)};
  Option<unsigned> multiprocessors{
      *this, "multiprocessors", llvm::cl::desc("multiprocessors of the device"),
      llvm::cl::init(132)};
  Option<unsigned> subgroupSize{
      *this, "subgroup-size",
      llvm::cl::desc("threads of the device's subgroup"), llvm::cl::init(32)};
  ListOption<std::string> schedules{*this, "schedules",
                                    llvm::cl::desc("schedules to use instead")};
};

/// What `rlscan-to-gpu` needs to know of the target.
struct GPUOptions : mlir::PassPipelineOptions<GPUOptions> {
  Option<Vendor> vendor{
      *this, "vendor", llvm::cl::desc("whose operations are used"),
      llvm::cl::init(Vendor::NVIDIA),
      llvm::cl::values(clEnumValN(Vendor::NVIDIA, "nvidia", ""),
                       clEnumValN(Vendor::AMD, "amd", ""))};
  Option<unsigned> subgroupSize{
      *this, "subgroup-size",
      llvm::cl::desc("threads of the target's subgroup"), llvm::cl::init(32)};
  Option<int64_t> sharedBytes{
      *this, "shared-bytes",
      llvm::cl::desc("shared memory that a workgroup may have"),
      llvm::cl::init(49152)};
  Option<bool> asyncCopies{
      *this, "async-copies",
      llvm::cl::desc("whether the target copies from global to shared memory "
                     "past the registers"),
      llvm::cl::init(true)};
};

struct NVVMOptions : mlir::PassPipelineOptions<NVVMOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("sm_75, sm_90, ..."),
                           llvm::cl::init("sm_90")};
};

struct ROCDLOptions : mlir::PassPipelineOptions<ROCDLOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("gfx90a, gfx942, gfx1100, ..."),
                           llvm::cl::init("gfx942")};
};

/// Recurrences to scans: alpha and beta are derived.
void buildToScansPipeline(mlir::OpPassManager &pm);

/// Scans to kernels of sweeps, specialised for one kind of call.
void buildToSweepsPipeline(mlir::OpPassManager &pm,
                           const SweepOptions &options);

/// Kernels to vector code for one CPU thread.
void buildToCPUPipeline(mlir::OpPassManager &pm, const CPUOptions &options);

/// Kernels of sweeps to kernels of tiles, each with a schedule.
void buildToTilesPipeline(mlir::OpPassManager &pm, const TileOptions &options);

/// Kernels of tiles to functions of a device.
void buildToGPUPipeline(mlir::OpPassManager &pm, const GPUOptions &options);

/// Functions of a device to a `gpu.binary` of PTX for NVIDIA's chips.
void buildToPTXPipeline(mlir::OpPassManager &pm, const NVVMOptions &options);

/// Functions of a device to a `gpu.binary` of assembly for AMD's chips.
void buildToAMDGCNPipeline(mlir::OpPassManager &pm,
                           const ROCDLOptions &options);

/// Functions of a device to a `gpu.binary` of code objects for AMD's chips.
void buildToHSACOPipeline(mlir::OpPassManager &pm, const ROCDLOptions &options);

/// The threads of a subgroup of a chip, of either vendor's.
unsigned subgroupSizeOf(llvm::StringRef chip);

/// Functions of a device to what the simulator executes.
void buildToSimulatorPipeline(mlir::OpPassManager &pm);

/// Vector code to the LLVM dialect.
void buildToLLVMPipeline(mlir::OpPassManager &pm);

/// Registers every pass and pipeline of the project, and the upstream passes
/// that go with them.
void registerAll();

/// The dialects that occur in any stage.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace rlscan

#endif // RLSCAN_PIPELINES_H
