//===- TileChain.cpp - A workgroup walks along its rows -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Tiles with all their positions inside the window need no conditions; only the
// last one of a row may be another, and has code of its own.
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

using namespace mlir;
using namespace rlscan;

ChainState TileEmitter::initialState() {
  ChainState initial;
  for (Operation &op : tiles.getBody().front()) {
    if (auto carry = dyn_cast<CarryOp>(op)) {
      initial[carry] = b.resize(get(carry.getInit()), b.getF64Type());
    } else if (auto neighbour = dyn_cast<NeighbourOp>(op)) {
      if (neighbour.getEdge())
        continue;
      Value init = get(neighbour.getInit());
      bool isScalar = init && !isa<VectorType>(init.getType());
      Type element = cast<VectorType>(neighbour.getType()).getElementType();
      Value first = isScalar ? init : b.zero(element);
      initial[neighbour] = b.castIndex(first, b.carriedType(element));
    }
  }
  return initial;
}

void TileEmitter::emitOnce() {
  ChainState initial = initialState();
  Value isFull = b.equal(call.steps, schedule.getTileSteps());
  auto branch = scf::IfOp::create(b, isFull, /*withElse=*/true);
  auto before = values;
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    values = before;
    state = initial;
    TilePlace at = makeTilePlace(row(), b.i64(0), b.i64(0),
                                 /*isFull=*/block == branch.thenBlock());
    emitTile(at, readAhead(at));
  }
}

void TileEmitter::emitLoop() {
  Value full =
      arith::DivUIOp::create(b, call.steps, b.i64(schedule.getTileSteps()));
  ChainState chain = initialState();
  auto before = values;
  walkFullTiles(full, chain);
  Value reached = b.mul(full, b.i64(schedule.getTileSteps()));
  b.when(b.less(reached, call.steps), [&] {
    values = before;
    state = chain;
    TilePlace at = makeTilePlace(row(), full, parityOf(full));
    emitTile(at, readAhead(at));
  });
}

Value TileEmitter::parityOf(Value tile) {
  return arith::AndIOp::create(b, tile, b.i64(1));
}

TilePlace TileEmitter::makeFullPlace(Value tile) {
  return makeTilePlace(row(), tile, parityOf(tile), /*isFull=*/true);
}

/// The values of a chain, and of what is ahead, as a loop hands them on.
static SmallVector<Value> valuesOf(const ChainState &chain,
                                   const ReadAhead &ahead) {
  SmallVector<Value> all;
  for (auto &entry : chain)
    all.push_back(entry.second);
  for (auto &entry : ahead)
    all.push_back(entry.second);
  return all;
}

static void setValues(ChainState &chain, ReadAhead &ahead, ValueRange all) {
  for (auto &entry : chain) {
    entry.second = all.front();
    all = all.drop_front();
  }
  for (auto &entry : ahead) {
    entry.second = all.front();
    all = all.drop_front();
  }
}

/// Takes the chain through the first `full` tiles, where there are any.
void TileEmitter::walkFullTiles(Value full, ChainState &chain) {
  ReadAhead none;
  SmallVector<Value> initial = valuesOf(chain, none);
  auto branch = scf::IfOp::create(b, ValueRange(initial).getTypes(),
                                  b.less(b.i64(0), full),
                                  /*withElse=*/!initial.empty());
  OpBuilder::InsertionGuard guard(b);
  // A branch that hands on nothing has its terminator.
  if (!initial.empty()) {
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, initial);
  }
  b.setInsertionPointToStart(branch.thenBlock());
  emitFullTiles(full, chain);
  if (!initial.empty())
    scf::YieldOp::create(b, valuesOf(chain, none));
  setValues(chain, none, branch.getResults());
}

/// The next tile is on its way from memory while the present one is computed.
/// The last one, which has no next, stands behind the loop: a condition inside
/// keeps loads from being moved, and reading a tile for nothing takes as long
/// as reading it for something.
void TileEmitter::emitFullTiles(Value full, ChainState &chain) {
  ReadAhead ahead = readAhead(makeFullPlace(b.i64(0)));
  Value last = b.sub(full, b.i64(1));
  auto loop =
      scf::ForOp::create(b, b.i64(0), last, b.i64(1), valuesOf(chain, ahead));
  auto before = values;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    setValues(chain, ahead, loop.getRegionIterArgs());
    Value tile = loop.getInductionVar();
    ReadAhead next = readAhead(makeFullPlace(b.add(tile, b.i64(1))));
    takeThroughTile(tile, ahead, chain);
    SmallVector<Value> results = valuesOf(chain, next);
    if (!results.empty())
      scf::YieldOp::create(b, results);
  }
  values = before;
  setValues(chain, ahead, loop.getResults());
  takeThroughTile(last, ahead, chain);
}

/// `chain` is that before the tile, and then that after it.
void TileEmitter::takeThroughTile(Value tile, const ReadAhead &ahead,
                                  ChainState &chain) {
  state = chain;
  emitTile(makeFullPlace(tile), ahead);
  for (auto &entry : chain)
    entry.second = nextState.lookup(entry.first);
}
