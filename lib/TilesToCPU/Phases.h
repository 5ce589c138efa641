//===- Phases.h - What comes before and after each scan ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_PHASES_H
#define RLSCAN_TILESTOCPU_PHASES_H

#include "dialects/rlscan/RLScan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace rlscan {

/// Cuts the body of a sweep at its recurrences. Phase 0 holds what needs none;
/// phase n what needs the results of n recurrences in a chain. Between two
/// phases the recurrences whose coefficients are then known are run.
class Phases {
public:
  explicit Phases(SweepOp sweep);

  unsigned count() const { return phases; }
  unsigned phaseOf(mlir::Value value) const {
    return phaseOfValue.lookup(value);
  }

  /// The recurrences to run before phase `phase`.
  llvm::SmallVector<AccumulateOp> scansBefore(unsigned phase);
  /// The stores of phase `phase`.
  llvm::SmallVector<StoreOp> storesOf(unsigned phase);

  /// Reals of an earlier phase that a later one reads from a buffer, since
  /// computing them again would cost more.
  const llvm::SetVector<mlir::Value> &kept() const { return keptValues; }

private:
  void assign(mlir::Operation *op);
  void keepOperands(mlir::Operation *reader, unsigned phase);
  void keep(mlir::Value value, unsigned phase);
  unsigned cost(mlir::Value value);

  SweepOp sweep;
  unsigned phases = 1;
  llvm::DenseMap<mlir::Value, unsigned> phaseOfValue;
  llvm::DenseMap<mlir::Value, unsigned> costOfValue;
  llvm::SetVector<mlir::Value> keptValues;
  llvm::DenseSet<std::pair<mlir::Value, unsigned>> visited; // by keep()
};

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_PHASES_H
