//===- Registers.cpp - Where a program keeps its values -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::sim;

Shape sim::shapeOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return {};
    Shape element = shapeOf(vector.getElementType());
    return {element.width, static_cast<unsigned>(vector.getNumElements())};
  }
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    if (record.isOpaque() || !llvm::all_equal(record.getBody()))
      return {};
    Shape element = shapeOf(record.getBody().front());
    return {element.width, static_cast<unsigned>(record.getBody().size())};
  }
  if (isa<LLVM::LLVMPointerType, IndexType>(type))
    return {8};
  if (!type.isIntOrFloat())
    return {};
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
  case 8:
    return {1};
  case 16:
  case 32:
  case 64:
    return {type.getIntOrFloatBitWidth() / 8};
  }
  return {};
}

bool sim::isView(Operation *op, unsigned &element) {
  element = 0;
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    if (extract.getNumIndices() != 1 || extract.hasDynamicPosition())
      return false;
    element = extract.getStaticPosition()[0];
    return true;
  }
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    element = extract.getPosition()[0];
    return extract.getPosition().size() == 1;
  }
  if (!isa<arith::BitcastOp, LLVM::BitcastOp, arith::IndexCastOp>(op))
    return false;
  Shape from = shapeOf(op->getOperand(0).getType()),
        to = shapeOf(op->getResult(0).getType());
  return from.width == to.width && from.elements == to.elements;
}

unsigned Registers::bytesOf(Value value) const {
  Shape shape = shapeOf(value.getType());
  return shape.width * shape.elements * lanes;
}

unsigned Registers::allocate(unsigned bytes) {
  unsigned place = end;
  end += bytes;
  return place;
}

unsigned Registers::add(Value value) {
  unsigned bytes = bytesOf(value);
  std::vector<unsigned> &list = unused[bytes];
  unsigned place;
  if (list.empty())
    place = allocate(bytes);
  else {
    place = list.back();
    list.pop_back();
  }
  places[value] = {place, value};
  return place;
}

void Registers::alias(Value value, Value of, unsigned element) {
  Shape shape = shapeOf(of.getType());
  places[value] = {places.lookup(of).place + element * shape.width * lanes,
                   nullptr};
}

void Registers::release(Value value) {
  auto found = places.find(value);
  if (found != places.end() && found->second.owner)
    unused[bytesOf(value)].push_back(found->second.place);
}

/// The last operation of the block that needs the value, or a view of it.
static Operation *lastUse(Value value, Block &block, Operation *last) {
  for (Operation *user : value.getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(here))
      last = here;
    unsigned element;
    if (isView(user, element))
      last = lastUse(user->getResult(0), block, last);
  }
  return last;
}

void Registers::beginBlock(Block &block) {
  for (Operation &op : block)
    for (Value result : op.getResults())
      lastUses[lastUse(result, block, &op)].push_back(result);
}

void Registers::endOperation(Operation *op) {
  for (Value value : lastUses.lookup(op))
    release(value);
  lastUses.erase(op);
}
