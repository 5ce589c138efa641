//===- AlongSteps.h - A lane for each step ----------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For arrays whose steps are contiguous: a vector holds neighbouring steps of
// one row, a *chunk*. What is computed step by step needs no more than that,
// and a neighbour is a shift by one lane. Only the recurrences themselves are
// run with a lane for each row (ScanTile): their coefficients are transposed on
// the way in and their results on the way out, by way of buffers small enough
// for the first-level cache.
//
// Chunks are counted from the start of the sweep, so that only the last can be
// partial: in a backward sweep chunk k ends at step T - 1 - k * lanes. Lanes of
// a chunk are in the order of steps.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_ALONGSTEPS_H
#define RLSCAN_TILESTOCPU_ALONGSTEPS_H

#include "TilesToCPU/ChunkRows.h"
#include "TilesToCPU/Phases.h"
#include "TilesToCPU/ScanTile.h"
#include "TilesToCPU/SignalEmitter.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace rlscan {

/// How many tiles of a row are asked for together.
constexpr int64_t tilesAhead = 8;

class AlongSteps : public SignalEmitter {
public:
  AlongSteps(VectorBuilder &b, SweepOp sweep, const CallInfo &call)
      : SignalEmitter(b, sweep, call), phases(sweep) {}

  /// Allocates buffers and slots; the builder is in the function's entry block.
  void allocate();
  /// The sweep over up to `lanes` rows from firstRow on.
  void lower(mlir::Value firstRow, mlir::Value validRows);

private:
  struct Place {
    mlir::Value row, step;
  };

  void emitStart(mlir::Value validRows);
  void lowerTile(mlir::Value firstChunk, mlir::Value chunkCount,
                 mlir::Value validRows);
  void lowerPhase(mlir::Value firstChunk, mlir::Value chunkCount,
                  mlir::Value validRows);
  void emitChunk(mlir::Value chunk, mlir::Value firstChunk, bool isWhole);
  // AskAhead.cpp
  static bool isAskedFor(const ArrayInfo &array);
  Place placeOfTurn(mlir::Value turn, mlir::Value firstChunk);
  void emitPrefetch(const ArrayInfo &array, Place place, mlir::Value from,
                    int64_t lines, bool forWrite);
  llvm::SmallVector<mlir::Value> inputRuns();
  size_t inputsInPhase0(size_t inputs);
  llvm::SmallVector<mlir::Value> resultsDuringScan();
  bool isAskedForByScan(StoreOp store);
  void prefetchInputs();
  void prefetchDuringScan(mlir::Value chunk, mlir::Value firstChunk);
  mlir::Value stepOf(mlir::Value chunk);
  void emitCoefficients(const ScanTile &scan);
  void emitStore(StoreOp store);
  void runScans(unsigned before, mlir::Value firstChunk, mlir::Value chunkCount,
                mlir::Value validRows);
  ChunkRows rowsOf(mlir::Value chunk, mlir::Value firstChunk,
                   mlir::Value validRows);
  void setRow(mlir::Value inBlock);

  mlir::Value emitStepLoad(LoadOp load, mlir::Value index) override;
  mlir::Value emitRowLoad(LoadOp load) override;
  mlir::Value emitOutside(OutsideOp outside) override;
  mlir::Value stepNumbers() override { return steps; }
  mlir::Value emitPrevious(PreviousOp previous) override;
  mlir::Value emitAccumulate(AccumulateOp accumulate) override;
  mlir::Value findElsewhere(mlir::Value value) override;

  bool isInPlace(mlir::Value array);
  mlir::Value arrayOf(mlir::Value coefficient);
  ScanTile makeScan(AccumulateOp op);
  bool isStoredByScan(StoreOp store);
  bool hasWork();
  mlir::Value insideWindow(mlir::Value lanes);
  /// The last chunk of a row that went through `previous` in this phase.
  mlir::Value previousSlot(PreviousOp previous, unsigned inPhase);
  mlir::Value toBuffer(const TileBuffer &buffer);

  Phases phases;
  llvm::MapVector<mlir::Operation *, ScanTile> scans;
  llvm::MapVector<mlir::Value, TileBuffer> kept;
  /// By op and phase; an op that two phases need is computed in both.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, mlir::Value> slots;

  // Where the code stands.
  unsigned phase = 0;
  bool worksInPhase0 = true;
  mlir::Value firstRow;
  mlir::Value rowInBlock, row;
  Place ahead; // what to ask for while this row of the tile is written
  mlir::Value chunkInTile;
  mlir::Value firstStep; // of lane 0; may be negative in a partial chunk
  mlir::Value steps;     // of each lane
  mlir::Value mask;      // lanes inside the window; null: all
};

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_ALONGSTEPS_H
