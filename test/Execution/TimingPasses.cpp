//===- TimingPasses.cpp - Kernels whose workgroups lag behind -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimingPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace rlscan::test;

namespace {

struct RoundStates : PassWrapper<RoundStates, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RoundStates)

  llvm::StringRef getArgument() const override { return "round-states"; }
  void runOnOperation() override;
};

struct SleepBeforePublishing
    : PassWrapper<SleepBeforePublishing, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SleepBeforePublishing)

  llvm::StringRef getArgument() const override {
    return "sleep-before-publishing";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<NVVM::NVVMDialect>();
  }
  void runOnOperation() override;
};

} // namespace

/// What is split into words is a state.
void RoundStates::runOnOperation() {
  getOperation().walk([](LLVM::BitcastOp op) {
    Value state = op.getArg();
    if (!state.getType().isF64())
      return;
    OpBuilder b(op);
    Value rounded =
        arith::TruncFOp::create(b, op.getLoc(), b.getF32Type(), state);
    op.setOperand(
        arith::ExtFOp::create(b, op.getLoc(), b.getF64Type(), rounded));
  });
}

/// From 0 to 16383 for half of all `bits`, else 0; NVIDIA's threads sleep for
/// up to twice as many nanoseconds.
static Value drawDuration(ImplicitLocOpBuilder &b, Value bits) {
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value mixed = arith::MulIOp::create(b, bits, number(0x9e3779b1));
  Value high = arith::ShRUIOp::create(b, mixed, number(16));
  mixed = arith::MulIOp::create(b, arith::XOrIOp::create(b, mixed, high),
                                number(0x85ebca6b));
  Value duration = arith::ShRUIOp::create(b, mixed, number(18));
  Value isAsleep = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq,
      arith::AndIOp::create(b, mixed, number(1 << 17)), number(0));
  return arith::SelectOp::create(b, isAsleep, duration, number(0));
}

void SleepBeforePublishing::runOnOperation() {
  getOperation().walk([](LLVM::StoreOp op) {
    if (op.getOrdering() != LLVM::AtomicOrdering::monotonic ||
        !op.getValue().getType().isInteger(64))
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), op.getAddr());
    Value clock = NVVM::ClockOp::create(b, b.getI32Type());
    NVVM::NanosleepOp::create(
        b, drawDuration(b, arith::XOrIOp::create(b, address, clock)));
  });
}

std::unique_ptr<Pass> rlscan::test::createRoundStates() {
  return std::make_unique<RoundStates>();
}

std::unique_ptr<Pass> rlscan::test::createSleepBeforePublishing() {
  return std::make_unique<SleepBeforePublishing>();
}
