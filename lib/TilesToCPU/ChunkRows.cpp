//===- ChunkRows.cpp - A chunk of many rows in an array -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/ChunkRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rlscan;

SmallVector<Value> ChunkRows::pointers(VectorBuilder &b,
                                       const ArrayInfo &array) const {
  SmallVector<Value> result;
  for (unsigned i = 0; i < b.lanes; ++i) {
    Value row = b.minimum(b.add(firstRow, b.i64(i)), lastRow);
    result.push_back(elementPointer(b, array, row, firstStep));
  }
  return result;
}

SmallVector<Value> ChunkRows::load(VectorBuilder &b,
                                   const ArrayInfo &array) const {
  SmallVector<Value> addresses = pointers(b, array);
  SmallVector<Type> types(addresses.size(), b.vectorOf(array.storage()));
  auto choice = scf::IfOp::create(b, types, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  auto loadAll = [&](Block *block, Value lanes) {
    b.setInsertionPointToStart(block);
    SmallVector<Value> loaded;
    for (Value address : addresses)
      loaded.push_back(loadAdjacent(b, array, address, lanes));
    scf::YieldOp::create(b, loaded);
  };
  loadAll(choice.thenBlock(), Value());
  loadAll(choice.elseBlock(), mask);
  return SmallVector<Value>(choice.getResults());
}

void ChunkRows::store(VectorBuilder &b, const ArrayInfo &array,
                      ArrayRef<Value> rows) const {
  SmallVector<Value> addresses = pointers(b, array);
  Value isFull = b.equal(validRows, b.i64(b.lanes));
  auto storeAll = [&] {
    for (auto [address, row] : llvm::zip_equal(addresses, rows))
      storeAdjacent(b, array, row, address);
  };
  auto storePart = [&] {
    Value none = b.splat(b.constant(b.getBoolAttr(false)));
    for (auto [i, address] : llvm::enumerate(addresses)) {
      Value exists = b.less(b.i64(i), validRows);
      Value lanes = arith::SelectOp::create(b, exists, mask, none);
      storeAdjacent(b, array, rows[i], address, lanes);
    }
  };
  b.branch(arith::AndIOp::create(b, isWhole, isFull), storeAll, storePart);
}
