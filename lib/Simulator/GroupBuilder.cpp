//===- GroupBuilder.cpp - Compiles what lanes do together -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The operations of both vendors: what NVIDIA.cpp and AMD.cpp of TilesToGPU
// make, and upstream's own.
//
//===----------------------------------------------------------------------===//

#include "Simulator/ProgramBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::sim;

/// Which lanes a vote or a synchronisation is for, by a constant.
static std::optional<int64_t> lanesOf(Value mask) {
  std::optional<int64_t> lanes = getConstantIntValue(mask);
  return lanes ? std::optional<int64_t>(static_cast<uint32_t>(*lanes))
               : std::nullopt;
}

LogicalResult ProgramBuilder::buildBallot(Operation *op, Value flag,
                                          int64_t lanes) {
  Type type = op->getResult(0).getType();
  unsigned width = shapeOf(type).width;
  if (!type.isInteger() || width * 8 < program->lanes)
    return op->emitError("a ballot of ")
           << type << " in a subgroup of " << program->lanes << " lanes";
  Instruction &i = add(op->getLoc(), ballot);
  i.to = registers.add(op->getResult(0));
  i.from[0] = registers.of(flag);
  i.width = width;
  i.number = lanes;
  return success();
}

/// AMD's: the number of workgroups is the first of the arguments that its
/// driver adds.
LogicalResult ProgramBuilder::buildIntrinsic(LLVM::CallIntrinsicOp op) {
  if (op.getIntrin() != "llvm.amdgcn.implicitarg.ptr")
    return refuse(op);
  registers.share(op.getResult(0), uniform(launchAddress(), 8));
  return success();
}

LogicalResult ProgramBuilder::buildGroup(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<gpu::BarrierOp>([&](auto) {
        add(op->getLoc(), barrier);
        return success();
      })
      .Case<gpu::ShuffleOp>([&](gpu::ShuffleOp shuffle) -> LogicalResult {
        if (shapeOf(shuffle.getValue().getType()).width != 4)
          return refuse(op);
        Instruction &i = addLike(op, sim::shuffle);
        i.target = registers.add(shuffle.getValid());
        i.number = static_cast<int64_t>(shuffle.getMode());
        return success();
      })
      .Case<NVVM::VoteSyncOp>([&](NVVM::VoteSyncOp vote) {
        std::optional<int64_t> lanes = lanesOf(vote.getMask());
        bool isKnown = vote.getKind() == NVVM::VoteSyncKind::ballot && lanes;
        return isKnown ? buildBallot(op, vote.getPred(), *lanes) : refuse(op);
      })
      .Case<ROCDL::BallotOp>(
          [&](auto vote) { return buildBallot(op, vote.getPred(), allLanes); })
      .Case<NVVM::SyncWarpOp>([&](NVVM::SyncWarpOp sync) -> LogicalResult {
        std::optional<int64_t> lanes = lanesOf(sync.getMask());
        if (!lanes)
          return refuse(op);
        add(op->getLoc(), syncSubgroup).number = *lanes;
        return success();
      })
      .Case<NVVM::CpAsyncOp>([&](NVVM::CpAsyncOp copy) -> LogicalResult {
        if (copy.getCpSize())
          return refuse(op);
        program->sharedUnit =
            std::min<unsigned>(program->sharedUnit, copy.getSize());
        addLike(op, copyAsync).count = copy.getSize();
        return success();
      })
      .Case<NVVM::CpAsyncCommitGroupOp>([&](auto) {
        add(op->getLoc(), commitCopies);
        return success();
      })
      .Case<NVVM::CpAsyncWaitGroupOp>([&](NVVM::CpAsyncWaitGroupOp wait) {
        add(op->getLoc(), waitForCopies).number = wait.getN();
        return success();
      })
      .Case<LLVM::CallIntrinsicOp>(
          [&](auto call) { return buildIntrinsic(call); })
      .Default([&](auto) { return refuse(op); });
}
