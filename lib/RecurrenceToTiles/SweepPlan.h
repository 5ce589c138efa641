//===- SweepPlan.h - Which sweep computes which value -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECURRENCETOTILES_SWEEPPLAN_H
#define RLSCAN_RECURRENCETOTILES_SWEEPPLAN_H

#include "dialects/rlscan/RLScan.h"

#include "llvm/ADT/DenseMap.h"

namespace rlscan {

/// Assigns the values of an estimator to sweeps that alternate in direction.
/// A value is computed in the first sweep in which everything it needs is
/// known. A value that needs no scan is *pure*: any sweep can compute it from
/// the inputs, at any position.
class SweepPlan {
public:
  /// The plan with the fewest sweeps. Fails, after an error, where a neighbour
  /// is used in a way that no sweep can compute.
  static mlir::FailureOr<SweepPlan> make(EstimatorOp estimator);

  unsigned numSweeps() const { return sweeps; }
  Direction direction(unsigned sweep) const;

  /// The sweep that computes `value`; 0 for inputs.
  unsigned sweepOf(mlir::Value value) const {
    return sweepOfValue.lookup(value);
  }
  bool isPure(mlir::Value value) const { return !impure.contains(value); }

  /// How many positions of the sweep a shift looks ahead: 1 or -1.
  int64_t lookAhead(ShiftOp shift, unsigned sweep) const;

private:
  SweepPlan(EstimatorOp estimator, Direction first);

  void assign(mlir::Operation *op);
  unsigned assignScan(ScanOp scan, unsigned earliest);
  unsigned assignShift(ShiftOp shift, unsigned earliest);

  Direction first;
  unsigned sweeps = 1;
  llvm::DenseMap<mlir::Value, unsigned> sweepOfValue;
  llvm::DenseSet<mlir::Value> impure;
};

} // namespace rlscan

#endif // RLSCAN_RECURRENCETOTILES_SWEEPPLAN_H
