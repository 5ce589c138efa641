//===- Staging.h - Tiles of arrays whose steps are contiguous ---*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector holds one step of many rows, but in a [rows, steps] array the steps
// of a row are neighbours. Such arrays are read and written in tiles of
// `lanes` rows by `tileSteps` steps, transposed in registers, by way of a
// buffer small enough for the first-level cache.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_STAGING_H
#define RLSCAN_TILESTOCPU_STAGING_H

#include "TilesToCPU/ArrayAccess.h"

namespace rlscan {

/// Steps of a tile. A row of a tile is then four lines of the cache at f32.
constexpr int64_t tileSteps = 64;

/// The buffer of one array: [tileSteps][lanes] elements of type `element`.
struct StagedArray {
  ArrayInfo array;
  mlir::Type signal;  // what the sweep computes with: a float, i1 or index
  mlir::Type element; // what the buffer holds
  mlir::Value buffer;

  static StagedArray create(VectorBuilder &b, const ArrayInfo &array,
                            mlir::Type signal);
};

/// Where a tile lies: rows first .. first + lanes - 1, of which `validRows`
/// exist, and `stepCount` steps from `firstStep`.
struct TileBounds {
  mlir::Value firstRow, lastRow, validRows, firstStep, stepCount;
};

/// Fills the buffer from the array. Lanes without a row get the last row's.
void stageIn(VectorBuilder &b, const StagedArray &staged,
             const TileBounds &tile);

/// Writes the buffer to the array.
void stageOut(VectorBuilder &b, const StagedArray &staged,
              const TileBounds &tile);

/// Tiles whose lines are asked for together, along each row in turn.
constexpr int64_t tilesAhead = 8;

/// How many lines are asked for at once.
constexpr int64_t linesAtOnce = 4;

/// Asks for `linesAtOnce` lines of the up to `tilesAhead` tiles that come next, different
/// ones at each turn: rows one after the other, each from its first step to its
/// last. Hardware does not follow as many streams as a tile
/// has rows, but it does help along one row.
/// `next.firstStep` and `next.stepCount` span those tiles; `turn` counts the
/// steps since the first of the present tiles.
void prefetchStaged(VectorBuilder &b, const StagedArray &staged,
                    const TileBounds &next, mlir::Value turn, bool forWrite);

/// The signal at step `firstStep + j` in the buffer.
mlir::Value readStaged(VectorBuilder &b, const StagedArray &staged,
                       mlir::Value j);
void writeStaged(VectorBuilder &b, const StagedArray &staged, mlir::Value j,
                 mlir::Value value);

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_STAGING_H
