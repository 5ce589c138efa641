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

/// Takes the chain through the first `full` tiles. The next tile is on its way
/// from memory while the present one is computed; the last one is read twice.
void TileEmitter::walkFullTiles(Value full, ChainState &chain) {
  SmallVector<Value> initial;
  for (auto &entry : chain)
    initial.push_back(entry.second);
  auto branch = scf::IfOp::create(b, ValueRange(initial).getTypes(),
                                  b.less(b.i64(0), full),
                                  /*withElse=*/!initial.empty());
  size_t count = initial.size();
  OpBuilder::InsertionGuard guard(b);
  if (count > 0) {
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, initial);
  }
  b.setInsertionPointToStart(branch.thenBlock());
  auto placeAt = [&](Value tile) {
    return makeTilePlace(row(), tile, parityOf(tile), /*isFull=*/true);
  };
  ReadAhead ahead = readAhead(placeAt(b.i64(0)));
  for (auto &entry : ahead)
    initial.push_back(entry.second);
  auto loop =
      scf::ForOp::create(b, b.i64(0), full, b.i64(1), ValueRange(initial));
  if (count > 0)
    scf::YieldOp::create(b, loop.getResults().take_front(count));

  b.setInsertionPointToStart(loop.getBody());
  Value tile = loop.getInductionVar();
  Value following = b.minimum(b.add(tile, b.i64(1)), b.sub(full, b.i64(1)));
  ReadAhead next = readAhead(placeAt(following));
  auto argument = loop.getRegionIterArgs().begin();
  for (auto &entry : chain)
    entry.second = *argument++;
  for (auto &entry : ahead)
    entry.second = *argument++;
  state = chain;
  emitTile(placeAt(tile), ahead);
  SmallVector<Value> results;
  for (auto &entry : chain)
    results.push_back(nextState.lookup(entry.first));
  for (auto &entry : next)
    results.push_back(entry.second);
  // A loop that hands on nothing has its terminator.
  if (!results.empty())
    scf::YieldOp::create(b, results);
  for (auto [entry, result] : llvm::zip(chain, branch.getResults()))
    entry.second = result;
}
