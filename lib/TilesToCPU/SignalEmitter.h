//===- SignalEmitter.h - Signals of a sweep as vectors ----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_SIGNALEMITTER_H
#define RLSCAN_TILESTOCPU_SIGNALEMITTER_H

#include "RecurrenceToTiles/SweepAnalysis.h"
#include "TilesToCPU/ArrayAccess.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace rlscan {

/// What generated code knows about the call.
struct CallInfo {
  llvm::DenseMap<mlir::Value, ArrayInfo> arrays; // by argument or temporary
  llvm::StringMap<mlir::Value> axisSizes;
  mlir::Value steps;  // T
  mlir::Value rowEnd; // the row after the last of this call
};

/// Emits the signals of one sweep, each as a vector. What the lanes stand for,
/// rows or steps, is up to the derived class, and with it how arrays and
/// neighbours are reached. Values are emitted on demand and once.
class SignalEmitter {
public:
  SignalEmitter(VectorBuilder &b, SweepOp sweep, const CallInfo &call)
      : b(b), sweep(sweep), call(call) {}
  virtual ~SignalEmitter() = default;

protected:
  mlir::Value emit(mlir::Value value);
  /// Forgets what was emitted: the code that follows stands elsewhere.
  void restart() {
    values.clear();
    widened.clear();
  }

  virtual mlir::Value emitStepLoad(LoadOp load, mlir::Value index) = 0;
  virtual mlir::Value emitRowLoad(LoadOp load) = 0;
  virtual mlir::Value emitOutside(OutsideOp outside) = 0;
  /// As i64, in each lane.
  virtual mlir::Value stepNumbers() = 0;
  virtual mlir::Value emitPrevious(PreviousOp previous) = 0;
  virtual mlir::Value emitAccumulate(AccumulateOp accumulate) = 0;
  /// A value that the derived class has elsewhere, or null.
  virtual mlir::Value findElsewhere(mlir::Value value) { return {}; }

  /// A uniform value as a vector of f64. It is not rounded to f32 on the way:
  /// a beta such as gamma * lambda would lose accuracy over long rows.
  mlir::Value widenUniform(mlir::Value value);
  mlir::Value toF64(mlir::Value vector);
  /// An init that is the same along the row, as f64.
  mlir::Value widenInit(mlir::Value value);

  /// A beta as a product of what is uniform, as f64 or null where nothing is,
  /// and of the rest: gamma * c as a whole would round gamma to f32.
  mlir::Value uniformFactor(mlir::Value beta);
  mlir::Value withoutUniformFactor(mlir::Value beta);

  /// A step within the window, `offset` positions of the sweep from `step`.
  mlir::Value clampedStep(mlir::Value step, int64_t offset);

  /// Memory of the function's frame for one vector; a flag or an index takes
  /// the space of a real.
  mlir::Type slotElement(mlir::Type signal);
  unsigned slotAlignment(mlir::Type element);
  mlir::Value readSlot(mlir::Value address, mlir::Type signal);
  void writeSlot(mlir::Value address, mlir::Value value);

  VectorBuilder &b;
  SweepOp sweep;
  const CallInfo &call;

private:
  mlir::Value emitOp(mlir::Operation *op);
  mlir::Value emitLoad(LoadOp load);
  mlir::Value emitParam(LoadOp load, mlir::Type type);
  mlir::Value emitReduce(ReduceOp reduce);
  mlir::Value stepNumbers(int64_t offset);
  mlir::Value emitStep(StepOp step);
  mlir::Value emitSegment(SegmentOp segment);
  mlir::Value emitElementwise(mlir::Operation *op);
  mlir::Value pickIndex(LoadOp load);

  mlir::Value widenUniformNew(mlir::Value value);

  llvm::DenseMap<mlir::Value, mlir::Value> values, widened;
};

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_SIGNALEMITTER_H
