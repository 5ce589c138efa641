//===- ScanTile.h - A recurrence over a tile, a lane for a row --*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_SCANTILE_H
#define RLSCAN_TILESTOCPU_SCANTILE_H

#include "TilesToCPU/VectorBuilder.h"
#include "dialects/rlscan/RLScan.h"

namespace rlscan {

/// A tile is `lanes` rows by up to `tileChunks` chunks of `lanes` steps: few
/// enough for buffers and the tile's part of some arrays to stay in the
/// first-level cache from phase to phase.
constexpr int64_t tileChunks = 4;

/// Values of a tile: a row of it after the other, each `tileChunks` vectors and
/// one of padding, so that the rows do not all compete for the same lines of
/// the cache.
struct TileBuffer {
  mlir::Type element;
  mlir::Value memory;

  static TileBuffer allocate(VectorBuilder &b, mlir::Type element);
  /// The address of chunk `chunk` of row `row` of the tile.
  mlir::Value address(VectorBuilder &b, mlir::Value row,
                      mlir::Value chunk) const;
};

/// Where beta comes from.
enum class BetaForm {
  Signal,  // a buffer like alpha's
  Choice,  // one of two values that are the same everywhere, by a flag
  Uniform, // one such value
};

/// What one recurrence reads and writes, a tile at a time.
struct ScanTile {
  AccumulateOp op;
  Direction direction;
  BetaForm form;
  /// An array that holds alpha (beta) as it is computed is read in place, and
  /// the buffer then left out; so is the result's where the arrays that hold it
  /// are all that needs it. Where alpha has a buffer the result's is the same.
  mlir::Value alphaArray, betaArray;
  llvm::SmallVector<mlir::Value> resultArrays;
  TileBuffer alpha, beta, result;
  /// Choice: for each chunk of the tile `lanes` integers, one a row, with a bit
  /// for each step, the first in bit 0.
  mlir::Value flags;
  /// Only where init differs from step to step: init at each step.
  TileBuffer init;
  mlir::Value carry; // slot: lanes x f64

  mlir::Value flagsAddress(VectorBuilder &b, mlir::Value chunk,
                           mlir::Value row) const;
};

/// What the surroundings of a scan do for it.
struct ScanHooks {
  /// A chunk of an array, a vector for each row.
  llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value array,
                                                    mlir::Value chunk)>
      load;
  llvm::function_ref<void(mlir::Value array, mlir::Value chunk,
                          llvm::ArrayRef<mlir::Value> rows)>
      store;
  /// What else is to be done in the course of a chunk.
  llvm::function_ref<void(mlir::Value chunk)> meanwhile;
};

/// Runs the recurrence over chunks 0 .. chunkCount - 1 of the tile. In: alpha,
/// beta and flags of the tile; the carry of the tiles before. Out: the result;
/// the carry after the tile. `ifSet` and `ifClear` are the two betas of a
/// Choice, the first the one of a Uniform, as vectors of f64; `scale`, or null,
/// multiplies a Signal. `isStart` says whether the tile is the first of its
/// rows.
void runScan(VectorBuilder &b, const ScanTile &scan, mlir::Value chunkCount,
             mlir::Value isStart, mlir::Value ifSet, mlir::Value ifClear,
             mlir::Value scale, const ScanHooks &hooks);

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_SCANTILE_H
