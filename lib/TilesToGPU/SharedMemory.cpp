//===- SharedMemory.cpp - Memory of a workgroup -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

using namespace mlir;
using namespace rlscan;

/// An array of its own in the workgroup's shared memory.
Value TileEmitter::sharedArray(Type element, int64_t count) {
  auto function = b.getInsertionBlock()->getParent()->getParentOfType<
      gpu::GPUFuncOp>();
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  OpBuilder::InsertionGuard guard(b);
  int64_t number = llvm::range_size(module.getOps<LLVM::GlobalOp>());
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(element, count);
  std::string name =
      (function.getName() + "_shared" + std::to_string(number)).str();
  auto global = LLVM::GlobalOp::create(
      b, type, /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
      /*alignment=*/16, /*addrSpace=*/3);
  b.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AddressOfOp::create(b, global);
}

Value TileEmitter::sharedElement(Value base, Type element, Value index) {
  return b.elementPointer(base, element, index);
}
