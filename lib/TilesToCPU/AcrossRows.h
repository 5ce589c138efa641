//===- AcrossRows.h - A lane for each row -----------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For arrays whose rows are contiguous: a vector holds one step of neighbouring
// rows. A block of rows is walked step by step; what is carried from step to
// step lies in slots, one value a row of the block.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_ACROSSROWS_H
#define RLSCAN_TILESTOCPU_ACROSSROWS_H

#include "TilesToCPU/SignalEmitter.h"

#include "llvm/ADT/MapVector.h"

namespace rlscan {

class AcrossRows : public SignalEmitter {
public:
  AcrossRows(VectorBuilder &b, SweepOp sweep, const CallInfo &call,
             int64_t blockRows)
      : SignalEmitter(b, sweep, call), blockRows(blockRows) {}

  /// Allocates the slots; the builder is in the function's entry block.
  void allocate();
  /// The sweep over rows firstRow .. firstRow + validRows - 1.
  void lower(mlir::Value firstRow, mlir::Value validRows);

  /// Rows of a block: enough that each step reads a run of memory, few enough
  /// that what is carried stays in the first-level cache.
  static int64_t chooseBlockRows(KernelOp kernel, VectorBuilder &b);

private:
  /// The rows of one vector.
  struct Group {
    mlir::Value inBlock; // of lane 0
    mlir::Value first;   // row of lane 0
    mlir::Value numbers; // row of each lane, the last row where there is none
    mlir::Value mask;    // lanes that stand for a row; null: all
  };

  Group makeGroup(mlir::Value firstRow, mlir::Value inBlock, bool isFull);
  void forEachGroup(mlir::Value firstRow, mlir::Value validRows,
                    llvm::function_ref<void()> body);
  void emitStart();
  void emitPosition();
  void emitStore(StoreOp store);

  mlir::Value emitStepLoad(LoadOp load, mlir::Value index) override;
  mlir::Value emitRowLoad(LoadOp load) override;
  mlir::Value emitOutside(OutsideOp outside) override;
  mlir::Value stepNumbers() override { return b.splat(step); }
  mlir::Value emitPrevious(PreviousOp previous) override;
  mlir::Value emitAccumulate(AccumulateOp accumulate) override;

  /// The lanes' slot of an op, in memory.
  mlir::Value slot(mlir::Operation *op, mlir::Type signal);
  mlir::Value isFirst();
  mlir::Value widenBeta(mlir::Value value);

  int64_t blockRows;
  llvm::MapVector<mlir::Operation *, mlir::Value> slots;
  Group group;
  mlir::Value position, step;
};

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_ACROSSROWS_H
