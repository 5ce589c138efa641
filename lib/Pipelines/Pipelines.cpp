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
// and from the kernel of sweeps for a device
//
//   -> kernel of tiles                               rlscan-to-tiles
//   -> gpu, scf, arith, math, vector, llvm.load      rlscan-to-gpu
//   -> gpu.binary of PTX                             rlscan-to-ptx
//   or gpu.binary of AMD's assembly                  rlscan-to-amdgcn
//   or gpu.binary of AMD's code objects              rlscan-to-hsaco
//   or the same, without functions of a library     rlscan-to-simulator
//
//===----------------------------------------------------------------------===//

#include "rlscan/Pipelines.h"
#include "rlscan/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVM/ROCDL/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

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
  pm.addNestedPass<EstimatorOp>(createBoundRows());
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

void rlscan::buildToTilesPipeline(OpPassManager &pm,
                                  const TileOptions &options) {
  pm.addPass(createShrinkTemporaries());
  SelectScheduleOptions select;
  select.rows = options.rows;
  select.steps = options.steps;
  select.access = options.access;
  select.axis = options.axis;
  select.entries = options.entries;
  select.multiprocessors = options.multiprocessors;
  select.subgroupSize = options.subgroupSize;
  select.schedules.assign(options.schedules.begin(), options.schedules.end());
  pm.addPass(createSelectSchedule(select));
  pm.addPass(createMakeTiles());
  pm.addPass(createCSEPass());
}

void rlscan::buildToGPUPipeline(OpPassManager &pm, const GPUOptions &options) {
  TilesToGPUOptions tiles;
  tiles.vendor = options.vendor;
  tiles.subgroupSize = options.subgroupSize;
  tiles.sharedBytes = options.sharedBytes;
  tiles.asyncCopies = options.asyncCopies;
  pm.addPass(createTilesToGPU(tiles));
  addCleanUp(pm);
  pm.addPass(createLoopInvariantCodeMotionPass());
}

/// No function is left that would be a call of a vendor's library.
static void addDeviceMath(OpPassManager &pm) {
  ApproximateMathOptions math;
  math.minima = false;
  pm.addPass(createApproximateMath(math));
  pm.addPass(createDeviceMath());
}

void rlscan::buildToSimulatorPipeline(OpPassManager &pm) { addDeviceMath(pm); }

/// The lowest PTX that knows the chip; LLVM needs to be told one.
static StringRef ptxFeature(StringRef chip) {
  return llvm::StringSwitch<StringRef>(chip)
      .Case("sm_75", "+ptx63")
      .Case("sm_80", "+ptx70")
      .Case("sm_86", "+ptx71")
      .Case("sm_87", "+ptx74")
      .Cases({"sm_89", "sm_90"}, "+ptx78")
      .Case("sm_90a", "+ptx80")
      .Cases({"sm_100", "sm_100a"}, "+ptx86")
      .Cases({"sm_120", "sm_120a"}, "+ptx87")
      .Cases({"sm_103", "sm_103a", "sm_121", "sm_121a"}, "+ptx88")
      .Default("+ptx90");
}

/// Functions of a device to the LLVM dialect and the vendor's own.
static void addDeviceConversion(OpPassManager &pm,
                                std::unique_ptr<Pass> gpuConversion) {
  addDeviceMath(pm);
  pm.addPass(createSCFToControlFlowPass());
  OpPassManager &device = pm.nest<gpu::GPUModuleOp>();
  // First of all: what is left then is a call of the device's library.
  device.addPass(createConvertMathToLLVMPass());
  device.addPass(std::move(gpuConversion));
  device.addPass(createConvertVectorToLLVMPass());
  device.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanUp(pm);
  // Profilers show lines of the recipe. Directives alone: with a table of lines
  // the PTX is marked for a debugger, and assembled without optimisation.
  LLVM::DIScopeForLLVMFuncOpPassOptions lines;
  lines.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(lines));
}

static void addTranslation(OpPassManager &pm) {
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(binary));
}

void rlscan::buildToPTXPipeline(OpPassManager &pm, const NVVMOptions &options) {
  GpuNVVMAttachTargetOptions target;
  target.chip = options.chip;
  target.features = ptxFeature(options.chip).str();
  target.optLevel = 3;
  pm.addPass(createGpuNVVMAttachTarget(target));
  addDeviceConversion(pm, createConvertGpuOpsToNVVMOps());
  addTranslation(pm);
}

/// AMD's gfx9 family has wide subgroups; later chips may have either and are
/// faster with narrow ones.
unsigned rlscan::subgroupSizeOf(StringRef chip) {
  return chip.starts_with("gfx9") ? 64 : 32;
}

void rlscan::buildToAMDGCNPipeline(OpPassManager &pm,
                                   const ROCDLOptions &options) {
  GpuROCDLAttachTargetOptions target;
  target.chip = options.chip;
  target.optLevel = 3;
  // Code object version 5: more drivers load it than the newest one.
  target.abiVersion = "500";
  target.wave64Flag = subgroupSizeOf(options.chip) == 64;
  pm.addPass(createGpuROCDLAttachTarget(target));
  ConvertGpuOpsToROCDLOpsOptions conversion;
  conversion.chipset = options.chip;
  conversion.runtime = gpu::amd::Runtime::HIP;
  addDeviceConversion(pm, createConvertGpuOpsToROCDLOps(conversion));
  addTranslation(pm);
}

void rlscan::buildToHSACOPipeline(OpPassManager &pm,
                                  const ROCDLOptions &options) {
  buildToAMDGCNPipeline(pm, options);
  pm.addPass(createLinkCodeObjects());
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
  PassPipelineRegistration<TileOptions>("rlscan-to-tiles",
                                        "kernels of sweeps to kernels of tiles",
                                        buildToTilesPipeline);
  PassPipelineRegistration<GPUOptions>(
      "rlscan-to-gpu", "kernels of tiles to functions of a device",
      buildToGPUPipeline);
  PassPipelineRegistration<NVVMOptions>(
      "rlscan-to-ptx", "functions of a device to PTX", buildToPTXPipeline);
  PassPipelineRegistration<ROCDLOptions>(
      "rlscan-to-amdgcn", "functions of a device to assembly for AMD's chips",
      buildToAMDGCNPipeline);
  PassPipelineRegistration<ROCDLOptions>(
      "rlscan-to-hsaco",
      "functions of a device to code objects for AMD's chips",
      buildToHSACOPipeline);
  PassPipelineRegistration<>("rlscan-to-simulator",
                             "functions of a device to what is simulated",
                             buildToSimulatorPipeline);
  PassPipelineRegistration<>(
      "rlscan-to-llvm", "vector code to the LLVM dialect", buildToLLVMPipeline);
}

void rlscan::registerDialects(DialectRegistry &registry) {
  registry.insert<RLScanDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, NVVM::NVVMDialect, ROCDL::ROCDLDialect,
                  scf::SCFDialect, vector::VectorDialect>();
  // The conversion to ROCDL makes constants of this dialect.
  arith::registerConvertArithToLLVMInterface(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
}
