//===- SweepEmitter.h - The signals of a sweep as vectors -------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_SWEEPEMITTER_H
#define RLSCAN_TILESTOCPU_SWEEPEMITTER_H

#include "TilesToCPU/ArrayAccess.h"
#include "TilesToCPU/Staging.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace rlscan {

/// Memory of the function's frame for one value a row of the block: what is
/// carried from position to position, and what does not change along a row.
struct Slot {
  mlir::Type element;
  mlir::Value memory;
};

/// What generated code knows about the call.
struct CallInfo {
  llvm::DenseMap<mlir::Value, ArrayInfo> arrays; // by argument or temporary
  llvm::StringMap<mlir::Value> axisSizes;
  mlir::Value steps; // T
};

/// Where the code of a sweep's body stands.
struct BodyPosition {
  mlir::Value position; // in the sweep
  mlir::Value step;     // of the arrays
  mlir::Value inTile;   // step - first step of the tile; null without tiles
  mlir::Value inBlock;  // row of lane 0, counted from the first of the block
  RowGroup rows;
};

/// Emits one sweep's code, position by position, a vector for each signal.
class SweepEmitter {
public:
  SweepEmitter(VectorBuilder &b, SweepOp sweep, const CallInfo &call,
               int64_t blockRows);

  /// Allocates the slots and tile buffers; the builder is in the function's
  /// entry block.
  void allocate();

  /// Before the first position: fills the slots of the rows at `inBlock`.
  void emitStart(mlir::Value inBlock, const RowGroup &rows);
  /// One position of the rows at `at`.
  void emitBody(const BodyPosition &at);

  bool hasTiles() const { return !stagedInputs.empty() || !stagedOutputs.empty(); }
  void emitStageIn(const TileBounds &tile);
  void emitStageOut(const TileBounds &tile);
  void emitPrefetch(const TileBounds &next, mlir::Value turn);

private:
  using Values = llvm::DenseMap<mlir::Value, mlir::Value>;

  void emitOp(mlir::Operation *op);
  mlir::Value emitLoad(LoadOp load);
  void emitStore(StoreOp store);
  mlir::Value emitPrevious(PreviousOp previous);
  mlir::Value emitAccumulate(AccumulateOp accumulate);
  mlir::Value emitReduce(ReduceOp reduce);
  mlir::Value emitConstant(mlir::Operation *op);
  mlir::Value emitElementwise(mlir::Operation *op);
  mlir::Value emitParam(LoadOp load, mlir::Type type);
  mlir::Value emitInvariant(mlir::Value value);

  /// A real as f64, without rounding to f32 on the way where it is computed
  /// from params alone.
  mlir::Value widen(mlir::Value value);
  mlir::Value widenUniform(mlir::Value value);

  mlir::Value stepAhead(int64_t offset);
  mlir::Value pickIndex(LoadOp load);
  mlir::Value isFirst();

  Slot makeSlot(mlir::Type signal);
  mlir::Value readSlot(const Slot &slot, mlir::Value inBlock,
                       mlir::Type signal);
  void writeSlot(const Slot &slot, mlir::Value inBlock, mlir::Value value);

  VectorBuilder &b;
  SweepOp sweep;
  const CallInfo &call;
  int64_t blockRows;

  llvm::MapVector<mlir::Operation *, Slot> slots; // row loads, carries
  llvm::MapVector<mlir::Value, StagedArray> stagedInputs, stagedOutputs;
  BodyPosition at;
  Values values;
};

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_SWEEPEMITTER_H
