//===- NVIDIA.cpp - What NVIDIA has its own operations for ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/ThreadBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace rlscan;

namespace {

class NVIDIABuilder : public ThreadBuilder {
public:
  using ThreadBuilder::ThreadBuilder;

  StringRef deviceScope() const override { return "device"; }

  Value numWorkgroups() override {
    return toI32(gpu::GridDimOp::create(*this, gpu::Dimension::x));
  }

  Value ballot(Value flag) override {
    return NVVM::VoteSyncOp::create(*this, getI32Type(), i32(-1), flag,
                                    NVVM::VoteSyncKind::ballot);
  }

  Value notBefore(Value flag, Value real) override;

  void syncSubgroup() override { NVVM::SyncWarpOp::create(*this, i32(-1)); }

  Value loadStreamed(VectorType type, Value pointer) override;

  void copyAsync(Value from, Value to, int64_t bytes) override {
    NVVM::CpAsyncOp::create(*this, to, from, bytes,
                            NVVM::LoadCacheModifierKind::CA,
                            /*cpSize=*/Value());
  }

  void waitForCopies() override {
    NVVM::CpAsyncCommitGroupOp::create(*this);
    NVVM::CpAsyncWaitGroupOp::create(*this, 0);
  }

  Value countUp(Value pointer, Value last) override {
    return LLVM::AtomicRMWOp::create(
        *this, LLVM::AtomicBinOp::uinc_wrap, pointer, last,
        LLVM::AtomicOrdering::monotonic, deviceScope());
  }

  void limitRegisters(gpu::GPUFuncOp function, unsigned resident) override {
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      getI32IntegerAttr(resident));
  }

protected:
  Value shuffleWordUp(Value word, unsigned distance) override {
    return gpu::ShuffleOp::create(*this, word, i32(distance), i32(subgroupSize),
                                  gpu::ShuffleMode::UP)
        .getShuffleResult();
  }
};

} // namespace

/// Nothing is more than infinity, which LLVM is kept from seeing, and ptxas
/// does not ask.
Value NVIDIABuilder::notBefore(Value flag, Value real) {
  Type type = real.getType();
  auto infinity = APFloat::getInf(cast<FloatType>(type).getFloatSemantics());
  Value constant =
      arith::ConstantOp::create(*this, getFloatAttr(type, infinity));
  Value hidden =
      LLVM::CallIntrinsicOp::create(
          *this, type, getStringAttr("llvm.arithmetic.fence"), constant)
          .getResult(0);
  Value never =
      arith::CmpFOp::create(*this, arith::CmpFPredicate::OGT, real, hidden);
  return arith::OrIOp::create(*this, flag, never);
}

/// NVPTX has no hint for that but the instruction.
Value NVIDIABuilder::loadStreamed(VectorType type, Value pointer) {
  Type word = getI32Type();
  auto words =
      LLVM::LLVMStructType::getLiteral(getContext(), {word, word, word, word});
  Value loaded =
      LLVM::InlineAsmOp::create(
          *this, words, ValueRange{pointer},
          "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l",
          /*has_side_effects=*/false, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
          ArrayAttr())
          .getRes();
  SmallVector<Value> parts;
  for (int64_t i = 0; i < 4; ++i)
    parts.push_back(LLVM::ExtractValueOp::create(*this, loaded, i));
  return LLVM::BitcastOp::create(*this, type, pack(parts));
}

std::unique_ptr<ThreadBuilder>
rlscan::makeNVIDIABuilder(Location loc, OpBuilder builder,
                          unsigned subgroupSize) {
  return std::make_unique<NVIDIABuilder>(loc, builder, subgroupSize);
}
