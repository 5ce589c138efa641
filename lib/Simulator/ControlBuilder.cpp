//===- ControlBuilder.cpp - Compiles branches and loops -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/ProgramBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::sim;

LogicalResult ProgramBuilder::buildControl(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::IfOp>([&](auto branch) { return buildIf(branch); })
      .Case<scf::ForOp>([&](auto loop) { return buildFor(loop); })
      .Case<scf::WhileOp>([&](auto loop) { return buildWhile(loop); })
      .Case<gpu::ReturnOp>([&](auto) {
        add(op->getLoc(), endProgram);
        return success();
      })
      // What it hands on, its parent assigns.
      .Default([](auto) { return success(); });
}

//===----------------------------------------------------------------------===//
// Values that blocks hand on
//===----------------------------------------------------------------------===//

void ProgramBuilder::assignOne(Location location, Value from, unsigned place,
                               Value to) {
  if (place == registers.of(to))
    return;
  Shape shape = shapeOf(from.getType());
  Instruction &i = add(location, assign);
  i.from[0] = place;
  i.to = registers.of(to);
  i.count = shape.elements;
  i.width = shape.width;
}

unsigned ProgramBuilder::bytesOf(Value value) const {
  Shape shape = shapeOf(value.getType());
  return shape.width * shape.elements * program->lanes;
}

/// All at once: what is overwritten first and read later is read before.
void ProgramBuilder::assignAll(Location location, ValueRange from,
                               ValueRange to) {
  SmallVector<unsigned> places;
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    unsigned place = registers.of(source), bytes = bytesOf(source);
    auto isOverwritten = [&](Value other) {
      unsigned begin = registers.of(other);
      return place < begin + bytesOf(other) && begin < place + bytes;
    };
    if (place != registers.of(target) && llvm::any_of(to, isOverwritten)) {
      Instruction &i = add(location, copyElements);
      i.from[0] = place;
      i.to = place = registers.allocate(bytes);
      i.count = bytes;
      i.width = 1;
    }
    places.push_back(place);
  }
  for (auto [source, place, target] : llvm::zip_equal(from, places, to))
    assignOne(location, source, place, target);
}

static ValueRange yieldedBy(Block &block) {
  return block.getTerminator()->getOperands();
}

LogicalResult ProgramBuilder::buildIf(scf::IfOp op) {
  for (Value result : op.getResults())
    registers.add(result);
  unsigned begin = here();
  add(op.getLoc(), beginIf).from[0] = registers.of(op.getCondition());
  if (failed(buildBlock(*op.thenBlock())))
    return failure();
  assignAll(op.getLoc(), yieldedBy(*op.thenBlock()), op.getResults());
  jumpHere(begin);
  if (Block *block = op.elseBlock()) {
    unsigned middle = here();
    add(op.getLoc(), beginElse);
    if (failed(buildBlock(*block)))
      return failure();
    assignAll(op.getLoc(), yieldedBy(*block), op.getResults());
    jumpHere(middle);
  }
  add(op.getLoc(), endFrame);
  return success();
}

/// Results are where the values are that go from turn to turn.
LogicalResult ProgramBuilder::buildFor(scf::ForOp op) {
  Location loc = op.getLoc();
  Value index = op.getInductionVar();
  registers.add(index);
  for (auto [result, argument] :
       llvm::zip_equal(op.getResults(), op.getRegionIterArgs()))
    registers.share(argument, registers.add(result));
  assignAll(loc, op.getInitArgs(), op.getRegionIterArgs());
  assignOne(loc, op.getLowerBound(), registers.of(op.getLowerBound()), index);
  add(loc, beginLoop);
  unsigned head = here();
  Instruction &test = add(loc, testFor);
  test.from[0] = registers.of(index);
  test.from[1] = registers.of(op.getUpperBound());
  test.width = shapeOf(index.getType()).width;
  if (failed(buildBlock(*op.getBody())))
    return failure();
  assignAll(loc, yieldedBy(*op.getBody()), op.getRegionIterArgs());
  Instruction &next = add(loc, nextFor);
  next.to = registers.of(index);
  next.from[0] = registers.of(op.getStep());
  next.width = shapeOf(index.getType()).width;
  next.target = head;
  jumpHere(head);
  add(loc, endFrame);
  return success();
}

LogicalResult ProgramBuilder::buildWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  for (Value argument : before.getArguments())
    registers.add(argument);
  for (auto [result, argument] :
       llvm::zip_equal(op.getResults(), after.getArguments()))
    registers.share(argument, registers.add(result));
  assignAll(loc, op.getInits(), before.getArguments());
  add(loc, beginLoop);
  unsigned head = here();
  if (failed(buildBlock(before)))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  assignAll(loc, condition.getArgs(), after.getArguments());
  unsigned test = here();
  add(loc, testWhile).from[0] = registers.of(condition.getCondition());
  if (failed(buildBlock(after)))
    return failure();
  add(loc, beginCarry);
  assignAll(loc, yieldedBy(after), before.getArguments());
  add(loc, nextWhile).target = head;
  jumpHere(test);
  add(loc, endFrame);
  return success();
}
