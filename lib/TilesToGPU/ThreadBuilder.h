//===- ThreadBuilder.h - Code of one thread -----*- C++ -* --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOGPU_THREADBUILDER_H
#define RLSCAN_TILESTOGPU_THREADBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rlscan {

/// Builds the code of one thread of a device. Integers are i64 or i32, both
/// operands alike.
class ThreadBuilder : public mlir::ImplicitLocOpBuilder {
public:
  ThreadBuilder(mlir::Location loc, mlir::OpBuilder builder,
                unsigned subgroupSize)
      : ImplicitLocOpBuilder(loc, builder), subgroupSize(subgroupSize) {}

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

  /// Any signal from another lane of the subgroup.
  mlir::Value shuffle(mlir::Value value, mlir::gpu::ShuffleMode mode,
                      mlir::Value operand);
  mlir::Value shuffleUp(mlir::Value value, unsigned distance);

  // NVIDIA.cpp: what each vendor has its own operations for.

  /// The number of the subgroup's first lane with the flag, or `none`.
  mlir::Value firstLane(mlir::Value flag, mlir::Value none);
  /// Before it: the subgroup's lanes may have touched shared memory. After it:
  /// all see what the others wrote.
  void syncSubgroup();
  /// 16 bytes of an input, whose lines are the first that caches give up.
  mlir::Value loadStreamed(mlir::VectorType type, mlir::Value pointer);
  /// Copies 4, 8 or 16 bytes from global to shared memory. They are there for
  /// the thread once it has waited for its copies.
  void copyAsync(mlir::Value from, mlir::Value to, int64_t bytes);
  void waitForCopies();

  /// Tells the assembler that unrolling the loop costs more registers than it
  /// is worth.
  void keepRolled(mlir::scf::ForOp loop);

  void when(mlir::Value condition, llvm::function_ref<void()> then);
  /// What `then` gives where the condition is set, else 0.
  mlir::Value choose(mlir::Value condition, mlir::Type type,
                     llvm::function_ref<mlir::Value()> then);
};

} // namespace rlscan

#endif // RLSCAN_TILESTOGPU_THREADBUILDER_H
