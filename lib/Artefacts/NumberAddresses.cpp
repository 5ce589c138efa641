//===- NumberAddresses.cpp - Numbers of a call that lie in memory ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/NumberAddresses.h"
#include "TilesToGPU/DeviceArrays.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace rlscan;

SmallVector<unsigned> rlscan::positionsOfNumbers(KernelOp kernel) {
  SmallVector<unsigned> positions;
  unsigned next = 0;
  for (Type type : kernel.getArgumentTypes()) {
    auto array = cast<ArrayType>(type);
    if (array.getKind() == InputKind::Param)
      positions.push_back(next);
    next += 1 + numStrides(array);
  }
  return positions;
}

/// The number at an address, as the argument has it.
static Value load(OpBuilder &b, Location loc, Value address, Type type,
                  bool isF64) {
  if (!type.isF64() || isF64)
    return LLVM::LoadOp::create(b, loc, type, address);
  Value narrow = LLVM::LoadOp::create(b, loc, b.getF32Type(), address);
  return arith::ExtFOp::create(b, loc, type, narrow);
}

static void addAddress(gpu::GPUFuncOp function, unsigned position, bool isF64) {
  Location loc = function.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(function.getContext(), 1);
  [[maybe_unused]] LogicalResult inserted =
      function.insertArgument(position + 1, pointer, {}, loc);
  assert(succeeded(inserted) && "a function can have more arguments");
  OpBuilder b(function.getContext());
  b.setInsertionPointToStart(&function.getBody().front());
  Value number = function.getArgument(position);
  Value address = function.getArgument(position + 1);
  Value null = LLVM::ZeroOp::create(b, loc, pointer);
  Value isGiven =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, address, null);
  auto choice = scf::IfOp::create(
      b, loc, isGiven,
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc,
                             load(b, loc, address, number.getType(), isF64));
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, number);
      });
  number.replaceUsesWithIf(choice.getResult(0), [&](OpOperand &use) {
    return !choice->isAncestor(use.getOwner());
  });
}

void rlscan::addNumberAddresses(gpu::GPUFuncOp function,
                                ArrayRef<unsigned> numbers, bool isF64) {
  for (unsigned position : llvm::reverse(numbers))
    addAddress(function, position, isF64);
}
