//===- SharedMemory.cpp - Memory of a workgroup -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace rlscan;

void SharedArrays::release() {
  for (Array &array : arrays)
    array.isTaken = array.isKept;
}

Value SharedArrays::take(ThreadBuilder &b, Type element, int64_t count,
                         bool isKept) {
  auto type = LLVM::LLVMArrayType::get(element, count);
  for (Array &array : arrays)
    if (!array.isTaken && array.type == type) {
      array.isTaken = true;
      array.isKept = isKept;
      return array.address;
    }
  auto function =
      b.getInsertionBlock()->getParent()->getParentOfType<gpu::GPUFuncOp>();
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  OpBuilder::InsertionGuard guard(b);
  int64_t number = llvm::range_size(module.getOps<LLVM::GlobalOp>());
  b.setInsertionPointToStart(module.getBody());
  size += llvm::alignTo(DataLayout().getTypeSize(type), 16);
  std::string name =
      (function.getName() + "_shared" + std::to_string(number)).str();
  auto global = LLVM::GlobalOp::create(
      b, type, /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
      /*alignment=*/16, /*addrSpace=*/3);
  b.setInsertionPointToStart(&function.getBody().front());
  Value address = LLVM::AddressOfOp::create(b, global);
  arrays.push_back({type, address, /*isTaken=*/true, isKept});
  return address;
}

Value TileEmitter::sharedArray(Type element, int64_t count) {
  return sharedArrays.take(b, element, count);
}

/// The thread's subgroup in the workgroup, an i64.
Value TileEmitter::subgroupNumber() {
  Value id = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  return b.toI64(arith::DivUIOp::create(b, id, b.i32(b.subgroupSize)));
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

/// Exchanges a fragment between the lanes of a subgroup, in units of `access`
/// elements. Of its K units lane l holds numbers l, l + lanes, ... as memory is
/// accessed, and l * K, l * K + 1, ... as its positions. Where a unit stands in
/// shared memory, its lowest bits are mixed with higher ones, so that lanes
/// meet in no bank either way.
///
/// Two areas take turns: who writes to one has passed a barrier that all lanes
/// passed after reading it.
Value TileEmitter::exchange(Value fragment, unsigned access, bool toPositions) {
  auto type = cast<VectorType>(fragment.getType());
  int64_t count = type.getNumElements() / access, lanes = schedule.getLanes();
  auto unit = VectorType::get({access}, type.getElementType());
  unsigned unitBytes = access * type.getElementTypeBitWidth() / 8;
  Value own = b.mul(b.toI64(thread.lane), b.i64(count));
  auto byLane = [&](int64_t i) { return b.add(own, b.i64(i)); };
  auto byAccess = [&](int64_t i) {
    return b.add(b.toI64(thread.lane), b.i64(i * lanes));
  };
  Value area = stagingArea();
  auto slot = [&](Value number) {
    Value high = arith::ShRUIOp::create(b, number, b.i64(3));
    Value mixed = arith::AndIOp::create(b, high, b.i64(count - 1));
    return b.elementPointer(area, unit,
                            arith::XOrIOp::create(b, number, mixed));
  };
  SmallVector<Value> elements = b.unpack(fragment);
  for (int64_t i = 0; i < count; ++i) {
    Value piece = b.pack(ArrayRef<Value>(elements).slice(i * access, access));
    LLVM::StoreOp::create(b, piece, slot(toPositions ? byAccess(i) : byLane(i)),
                          unitBytes);
  }
  b.syncSubgroup();
  SmallVector<Value> exchanged;
  for (int64_t i = 0; i < count; ++i) {
    Value piece = LLVM::LoadOp::create(
        b, unit, slot(toPositions ? byLane(i) : byAccess(i)), unitBytes);
    llvm::append_range(exchanged, b.unpack(piece));
  }
  return b.pack(exchanged);
}

/// One of the subgroup's two areas; the first use in a tile comes after all of
/// the tile before.
Value TileEmitter::stagingArea() {
  if (stagings == 0)
    b.syncSubgroup();
  int64_t subgroups = schedule.getThreads() / b.subgroupSize;
  if (!staging) {
    OpBuilder::InsertionGuard guard(b);
    // The widest exchange: all positions in f64.
    stagingBytes = 0;
    for (auto &entry : call.arrays)
      if (isStaged(entry.second))
        stagingBytes = std::max<int64_t>(
            stagingBytes, schedule.getStepsPerThread() * b.subgroupSize *
                              entry.second.storage().getIntOrFloatBitWidth() /
                              8);
    staging = sharedArray(b.getI8Type(), 2 * stagingBytes * subgroups);
  }
  Value area = b.add(b.mul(subgroupNumber(), b.i64(2)), b.i64(stagings++ % 2));
  return b.elementPointer(staging, b.getI8Type(),
                          b.mul(area, b.i64(stagingBytes)));
}
