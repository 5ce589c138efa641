//===- TilesToGPU.cpp - Kernels of tiles to device functions ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"
#include "rlscan/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace rlscan {
#define GEN_PASS_DEF_TILESTOGPU
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// Writes one kernel as a function of a `gpu.module`.
class FunctionWriter {
public:
  FunctionWriter(KernelOp kernel, gpu::GPUModuleOp module,
                 const TargetTraits &target)
      : kernel(kernel), module(module), target(target),
        schedule(cast<ScheduleAttr>(kernel.getSchedulesAttr()[0])),
        signature(kernel) {}

  LogicalResult run();

private:
  LogicalResult checkSchedule();
  gpu::GPUFuncOp createFunction(OpBuilder &builder);
  void packEntries(ThreadBuilder &b, DeviceCall &call);
  void addTemporaries(ThreadBuilder &b, DeviceCall &call, SharedArrays &shared);

  KernelOp kernel;
  gpu::GPUModuleOp module;
  const TargetTraits &target;
  ScheduleAttr schedule;
  DeviceSignature signature;
};

} // namespace

/// What the attribute cannot know without the target.
LogicalResult FunctionWriter::checkSchedule() {
  if (schedule.getLanes() > target.subgroupSize)
    return kernel.emitError("schedule ")
           << schedule << " has more lanes than the target's subgroup of "
           << target.subgroupSize;
  bool isSplit =
      schedule.getGroups() > 1 || schedule.getChain() == Chain::LookBack;
  if (isSplit && schedule.getLanes() > 1 &&
      schedule.getLanes() != target.subgroupSize)
    return kernel.emitError("schedule ")
           << schedule << " splits rows, which needs lanes = 1 or "
           << target.subgroupSize;
  return success();
}

gpu::GPUFuncOp FunctionWriter::createFunction(OpBuilder &builder) {
  builder.setInsertionPointToEnd(module.getBody());
  auto function =
      gpu::GPUFuncOp::create(builder, kernel.getLoc(), kernel.getSymName(),
                             builder.getFunctionType(signature.types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function.setKnownBlockSize(
      ArrayRef<int32_t>{static_cast<int32_t>(schedule.getThreads()), 1, 1});
  UnitAttr unit = builder.getUnitAttr();
  for (unsigned i : signature.inputs) {
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), unit);
  }
  for (unsigned i : signature.outputs)
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
  return function;
}

/// What the schedule promises of arrays along an axis is known without the
/// arguments.
void FunctionWriter::packEntries(ThreadBuilder &b, DeviceCall &call) {
  Value entries = b.i64(schedule.getEntries());
  for (auto &axis : call.axisSizes)
    axis.second = entries;
  for (auto &entry : call.arrays) {
    DeviceArray &array = entry.second;
    if (!array.type.getAxis())
      continue;
    array.stepStride = entries;
    array.axisStride = b.i64(1);
  }
}

/// Neighbouring lanes have neighbouring elements of a temporary. In the
/// workspace there are 8 bytes for each row and step.
void FunctionWriter::addTemporaries(ThreadBuilder &b, DeviceCall &call,
                                    SharedArrays &shared) {
  bool hasLanes = schedule.getLanes() > 1;
  Value bytes = b.mul(b.mul(call.rows, call.steps), b.i64(8));
  int64_t number = 0;
  for (TemporaryOp temporary : kernel.getBody().getOps<TemporaryOp>()) {
    ArrayType type = temporary.getArray().getType();
    bool isOfRows = type.getKind() == InputKind::Row;
    DeviceArray &array = call.arrays[temporary.getArray()];
    array.isTemporary = true;
    array.isOfWorkgroup = temporary.getWorkgroup();
    array.type =
        ArrayType::get(b.getContext(), type.getKind(), type.getStorage(),
                       hasLanes ? Layout::Steps : Layout::Rows, type.getAxis());
    Value rows = call.rows, steps = call.steps;
    if (array.isOfWorkgroup) {
      int64_t held = isOfRows ? 1 : schedule.getTileSteps();
      rows = b.i64(schedule.getRows());
      steps = b.i64(held);
      array.base = shared.take(b, type.getStorage(), held * schedule.getRows(),
                               /*isKept=*/true);
    } else {
      array.base = b.elementPointer(call.workspace, b.getI8Type(),
                                    b.mul(bytes, b.i64(number++)));
    }
    array.rowStride = hasLanes ? steps : b.i64(1);
    array.stepStride = hasLanes ? b.i64(1) : rows;
  }
}

LogicalResult FunctionWriter::run() {
  if (failed(checkSchedule()))
    return failure();
  OpBuilder builder(kernel.getContext());
  gpu::GPUFuncOp function = createFunction(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  std::unique_ptr<ThreadBuilder> threadBuilder = ThreadBuilder::make(
      target.vendor, kernel.getLoc(), builder, target.subgroupSize);
  ThreadBuilder &b = *threadBuilder;
  if (schedule.getResident())
    b.limitRegisters(function, schedule.getResident());
  DeviceCall call =
      readArguments(b, kernel, signature,
                    function.getArguments().take_front(signature.types.size()));
  if (schedule.getEntries())
    packEntries(b, call);
  SharedArrays shared;
  addTemporaries(b, call, shared);
  bool isFirst = true;
  for (TilesOp tiles : kernel.getBody().getOps<TilesOp>()) {
    // What one sweep leaves in memory, the next one reads with other threads.
    if (!isFirst)
      gpu::BarrierOp::create(b);
    isFirst = false;
    shared.release();
    TileEmitter(b, tiles, schedule, call, target, shared).emitAll();
  }
  if (shared.bytes() > target.sharedBytes)
    return kernel.emitError("schedule ")
           << schedule << " needs " << shared.bytes()
           << " bytes of shared memory, but the target's workgroups have "
           << target.sharedBytes;
  gpu::ReturnOp::create(b);
  return success();
}

namespace {
struct TilesToGPU : rlscan::impl::TilesToGPUBase<TilesToGPU> {
  using TilesToGPUBase::TilesToGPUBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (vendor == Vendor::NVIDIA && subgroupSize != 32) {
      module.emitError("subgroups of ")
          << unsigned(subgroupSize)
          << " threads were asked for; NVIDIA's have 32";
      return signalPassFailure();
    }
    OpBuilder builder(module.getBodyRegion());
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    builder.getUnitAttr());
    auto device =
        gpu::GPUModuleOp::create(builder, module.getLoc(), "rlscan_device");
    TargetTraits target = {vendor, subgroupSize, sharedBytes, asyncCopies};
    for (KernelOp kernel :
         llvm::make_early_inc_range(module.getOps<KernelOp>())) {
      if (failed(checkHasTiles(kernel)) ||
          failed(FunctionWriter(kernel, device, target).run()))
        return signalPassFailure();
      kernel.erase();
    }
  }

  static LogicalResult checkHasTiles(KernelOp kernel) {
    ArrayAttr schedules = kernel.getSchedulesAttr();
    if (schedules && schedules.size() == 1 && kernel.getOps<SweepOp>().empty())
      return success();
    return kernel.emitError(
        "kernel is not made of tiles; run rlscan-make-tiles first");
  }
};
} // namespace
