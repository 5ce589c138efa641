//===- AMD.cpp - What AMD has its own operations for ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/ThreadBuilder.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rlscan;

namespace {

class AMDBuilder : public ThreadBuilder {
public:
  using ThreadBuilder::ThreadBuilder;

  StringRef deviceScope() const override { return "agent"; }

  Value numWorkgroups() override;

  Value ballot(Value flag) override {
    return ROCDL::BallotOp::create(*this, getIntegerType(subgroupSize), flag);
  }

  /// A subgroup's lanes run in step, and the hardware keeps its accesses to
  /// shared memory in order; so must the compiler.
  void syncSubgroup() override {
    LLVM::FenceOp::create(*this, LLVM::AtomicOrdering::acq_rel, "wavefront");
  }

  Value loadStreamed(VectorType type, Value pointer) override {
    return LLVM::LoadOp::create(*this, type, pointer, /*alignment=*/16,
                                /*isVolatile=*/false, /*isNonTemporal=*/true);
  }

  void copyAsync(Value from, Value to, int64_t bytes) override {
    llvm_unreachable("the target has no such copies");
  }
  void waitForCopies() override {
    llvm_unreachable("the target has no such copies");
  }

  /// The word is in the device's own memory, or older chips would need a loop.
  Value countUp(Value pointer, Value last) override {
    auto atomic = LLVM::AtomicRMWOp::create(
        *this, LLVM::AtomicBinOp::uinc_wrap, pointer, last,
        LLVM::AtomicOrdering::monotonic, deviceScope());
    for (StringRef place :
         {"rocdl.no_fine_grained_memory", "rocdl.no_remote_memory"})
      atomic->setAttr(place, getUnitAttr());
    return atomic;
  }

  /// A multiprocessor has four register files, which its workgroups' subgroups
  /// are dealt out to.
  void limitRegisters(gpu::GPUFuncOp function, unsigned resident) override {
    constexpr unsigned files = 4;
    unsigned threads = (*function.getKnownBlockSize())[0];
    unsigned subgroups = resident * llvm::divideCeil(threads, subgroupSize);
    function->setAttr("rocdl.waves_per_eu",
                      getI32IntegerAttr(llvm::divideCeil(subgroups, files)));
  }

protected:
  /// There is no such mode. The first lanes ask for one past the last, and get
  /// their own.
  Value shuffleWordUp(Value word, unsigned distance) override {
    Value id = toI32(gpu::ThreadIdOp::create(*this, gpu::Dimension::x));
    Value lane = arith::AndIOp::create(*this, id, i32(subgroupSize - 1));
    return shuffle(word, sub(lane, i32(distance)));
  }
};

} // namespace

/// The first of the arguments that the driver adds to a kernel's own (code
/// object version 5 and later). The operation of the GPU dialect would call a
/// function of the vendor's library.
Value AMDBuilder::numWorkgroups() {
  Type constant = LLVM::LLVMPointerType::get(getContext(), /*addressSpace=*/4);
  Value arguments =
      LLVM::CallIntrinsicOp::create(
          *this, constant, getStringAttr("llvm.amdgcn.implicitarg.ptr"),
          ValueRange())
          .getResult(0);
  return LLVM::LoadOp::create(*this, getI32Type(), arguments, /*alignment=*/4,
                              /*isVolatile=*/false, /*isNonTemporal=*/false,
                              /*isInvariant=*/true);
}

std::unique_ptr<ThreadBuilder>
rlscan::makeAMDBuilder(Location loc, OpBuilder builder, unsigned subgroupSize) {
  return std::make_unique<AMDBuilder>(loc, builder, subgroupSize);
}
