//===- SweepAnalysis.h - What the signals of a sweep depend on --*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECURRENCETOTILES_SWEEPANALYSIS_H
#define RLSCAN_RECURRENCETOTILES_SWEEPANALYSIS_H

#include "dialects/rlscan/RLScan.h"

namespace rlscan {

bool isLoadOf(mlir::Value value, InputKind kind);

/// Whether an op without regions computes its one result from its operands
/// alone.
bool isElementwise(mlir::Operation *op);

/// Whether params and constants alone determine `value`; whether it is the same
/// at every position of a row.
bool isUniform(mlir::Value value);
bool isInvariant(mlir::Value value);

/// Whether `value` is computed from inputs alone, without the result of a scan
/// or what an earlier sweep left: it can then be computed at any position.
bool isPureSignal(mlir::Value value);

/// Whether some neighbour in `kernel` is neither pure nor a function of a
/// scan's state: only a thread that has seen the position before knows it.
bool needsPositionBefore(KernelOp kernel);

} // namespace rlscan

#endif // RLSCAN_RECURRENCETOTILES_SWEEPANALYSIS_H
