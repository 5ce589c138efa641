//===- ThreadBuilder.h - Code of one thread -----*- C++ -* --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOGPU_THREADBUILDER_H
#define RLSCAN_TILESTOGPU_THREADBUILDER_H

#include "rlscan/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <memory>

namespace rlscan {

/// Builds the code of one thread of a device. Integers are i64 or i32, both
/// operands alike. What each vendor has its own operations for is virtual.
class ThreadBuilder : public mlir::ImplicitLocOpBuilder {
public:
  static std::unique_ptr<ThreadBuilder> make(Vendor vendor, mlir::Location loc,
                                             mlir::OpBuilder builder,
                                             unsigned subgroupSize);
  ThreadBuilder(mlir::Location loc, mlir::OpBuilder builder,
                unsigned subgroupSize)
      : ImplicitLocOpBuilder(loc, builder), subgroupSize(subgroupSize) {}
  virtual ~ThreadBuilder() = default;

  const unsigned subgroupSize;

  mlir::Value i1(bool value);
  mlir::Value i32(int32_t value);
  mlir::Value i64(int64_t value);
  mlir::Value constantLike(mlir::Value like, int64_t number);
  mlir::Value real(mlir::Type type, double value);
  mlir::Value zero(mlir::Type type);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value minimum(mlir::Value a, mlir::Value b);
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  mlir::Value clamp(mlir::Value a, mlir::Value low, mlir::Value high);
  mlir::Value ceilDiv(mlir::Value a, int64_t b);
  mlir::Value less(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, int64_t b) {
    return equal(a, constantLike(a, b));
  }
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  /// Of what is not negative, or may be.
  mlir::Value toI64(mlir::Value a);
  mlir::Value signedToI64(mlir::Value a);
  mlir::Value toI32(mlir::Value a);

  /// As what branches and loops hand on a value: their blocks are converted
  /// before what is in them, so an index goes as an i64.
  mlir::Type carriedType(mlir::Type type);
  mlir::Value castIndex(mlir::Value value, mlir::Type type);

  /// A fragment's positions one by one, and back.
  mlir::Value extract(mlir::Value fragment, unsigned position);
  llvm::SmallVector<mlir::Value> unpack(mlir::Value fragment);
  mlir::Value pack(llvm::ArrayRef<mlir::Value> positions);

  /// Floats of another width.
  mlir::Value resize(mlir::Value value, mlir::Type type);

  mlir::Value elementPointer(mlir::Value base, mlir::Type element,
                             mlir::Value offset);

  mlir::Value atOffset(mlir::Value base, int64_t bytes);

  /// Accesses that all threads of the device see in one order a word.
  mlir::Value loadRelaxed(mlir::Type type, mlir::Value pointer);
  void storeRelaxed(mlir::Value value, mlir::Value pointer);

  /// Any signal of the subgroup's lane of that number.
  mlir::Value shuffle(mlir::Value value, mlir::Value lane);
  /// That of the lane so many before; in the first lanes, anything.
  mlir::Value shuffleUp(mlir::Value value, unsigned distance);
  /// The number of the subgroup's first lane with the flag, or `none`. All
  /// lanes ask.
  mlir::Value firstLane(mlir::Value flag, mlir::Value none);

  //===--------------------------------------------------------------------===//
  // The vendor's own: NVIDIA.cpp, AMD.cpp
  //===--------------------------------------------------------------------===//

  /// LLVM's name for all threads of a device.
  virtual llvm::StringRef deviceScope() const = 0;
  /// The number of workgroups of the launch, as i32.
  virtual mlir::Value numWorkgroups() = 0;
  /// A bit a lane of the subgroup: its flag. All lanes ask.
  virtual mlir::Value ballot(mlir::Value flag) = 0;
  /// The flag, where the assembler cannot tell that it does not need `real`: it
  /// then loads what leads to it no later than what leads to the flag.
  virtual mlir::Value notBefore(mlir::Value flag, mlir::Value real) {
    return flag;
  }
  /// Before it: the subgroup's lanes may have touched shared memory. After it:
  /// all see what the others wrote.
  virtual void syncSubgroup() = 0;
  /// 16 bytes of an input, whose lines are the first that caches give up.
  virtual mlir::Value loadStreamed(mlir::VectorType type,
                                   mlir::Value pointer) = 0;
  /// Copies 4, 8 or 16 bytes from global to shared memory. They are there for
  /// the thread once it has waited for its copies. Only where the target has
  /// such copies.
  virtual void copyAsync(mlir::Value from, mlir::Value to, int64_t bytes) = 0;
  virtual void waitForCopies() = 0;
  /// Adds 1 to an i32 that all threads of the device see, or makes it 0 where
  /// it was `last`, in one step. What it was.
  virtual mlir::Value countUp(mlir::Value pointer, mlir::Value last) = 0;
  /// Limits the function's registers, so that a multiprocessor has room for so
  /// many of its workgroups at a time.
  virtual void limitRegisters(mlir::gpu::GPUFuncOp function,
                              unsigned resident) = 0;

  /// Tells the assembler that unrolling the loop costs more registers than it
  /// is worth.
  void keepRolled(mlir::scf::ForOp loop);

  void when(mlir::Value condition, llvm::function_ref<void()> then);
  /// What `then` gives where the condition is set, else 0.
  mlir::Value choose(mlir::Value condition, mlir::Type type,
                     llvm::function_ref<mlir::Value()> then);

protected:
  /// Of an f32 or an i32.
  virtual mlir::Value shuffleWordUp(mlir::Value word, unsigned distance) = 0;

private:
  /// Moves any value in words of 32 bits.
  mlir::Value moveWords(mlir::Value value,
                        llvm::function_ref<mlir::Value(mlir::Value)> move);
};

std::unique_ptr<ThreadBuilder> makeNVIDIABuilder(mlir::Location loc,
                                                 mlir::OpBuilder builder,
                                                 unsigned subgroupSize);
std::unique_ptr<ThreadBuilder> makeAMDBuilder(mlir::Location loc,
                                              mlir::OpBuilder builder,
                                              unsigned subgroupSize);

} // namespace rlscan

#endif // RLSCAN_TILESTOGPU_THREADBUILDER_H
