//===- DeviceArrays.cpp - Arrays as kernels reach them ------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/DeviceArrays.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rlscan;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

unsigned rlscan::numStrides(ArrayType array) {
  if (array.getKind() == InputKind::Param)
    return 0;
  if (array.getKind() == InputKind::Row)
    return 1;
  return array.getAxis() ? 3 : 2;
}

DeviceSignature::DeviceSignature(KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  Type i64 = IntegerType::get(context, 64);
  Type pointer = LLVM::LLVMPointerType::get(context, 1);
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto array = cast<ArrayType>(type);
    if (array.getKind() == InputKind::Param) {
      types.push_back(array.getStorage());
      continue;
    }
    bool isInput = static_cast<bool>(
        kernel.getArgAttr(i, EstimatorOp::getInputAttrName()));
    (isInput ? inputs : outputs).push_back(types.size());
    types.push_back(pointer);
    types.append(numStrides(array), i64);
    if (StringAttr axis = array.getAxis())
      if (!llvm::is_contained(axes, axis.getValue()))
        axes.push_back(axis.getValue());
  }
  types.append({i64, i64});
  types.append(axes.size(), i64);
  types.push_back(pointer);
}

static bool hasExtraStep(KernelOp kernel, unsigned argument) {
  auto input = kernel.getArgAttrOfType<InputAttr>(
      argument, EstimatorOp::getInputAttrName());
  return input && input.getExtraSteps() > 0;
}

/// The entries of an input after the last step are an array of their own.
static void addAfters(ThreadBuilder &b, KernelOp kernel, DeviceCall &call) {
  for (AfterOp after : kernel.getBody().getOps<AfterOp>()) {
    DeviceArray of = call.arrays.lookup(after.getInput());
    DeviceArray &array = call.arrays[after.getResult()];
    array.type = cast<ArrayType>(after.getType());
    array.base = b.elementPointer(of.base, of.storage(),
                                  b.mul(call.steps, of.stepStride));
    array.rowStride = of.rowStride;
  }
}

DeviceCall rlscan::readArguments(ThreadBuilder &b, KernelOp kernel,
                                 const DeviceSignature &signature,
                                 Block::BlockArgListType arguments) {
  DeviceCall call;
  auto next = arguments.begin();
  for (BlockArgument argument : kernel.getArguments()) {
    DeviceArray &array = call.arrays[argument];
    array.type = cast<ArrayType>(argument.getType());
    array.hasExtraStep = hasExtraStep(kernel, argument.getArgNumber());
    if (array.type.getKind() == InputKind::Param) {
      array.number = *next++;
      continue;
    }
    array.base = *next++;
    array.rowStride = *next++;
    if (array.type.getKind() == InputKind::Step)
      array.stepStride = *next++;
    if (array.type.getAxis())
      array.axisStride = *next++;
    // What the layout says is known without the argument.
    if (array.type.getKind() == InputKind::Step && !array.type.getAxis()) {
      if (array.type.getLayout() == Layout::Steps)
        array.stepStride = b.i64(1);
      else if (array.type.getLayout() == Layout::Rows)
        array.rowStride = b.i64(1);
    }
  }
  call.rows = *next++;
  call.steps = *next++;
  for (StringRef axis : signature.axes)
    call.axisSizes[axis] = *next++;
  call.workspace = *next++;
  addAfters(b, kernel, call);
  return call;
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

/// `element`, or a fragment of it where `like` is a fragment.
static Type withShape(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return VectorType::get(vector.getShape(), element);
  return element;
}

Value rlscan::fromStorage(ThreadBuilder &b, Value stored, Type signal) {
  Type storage = getElementTypeOrSelf(stored);
  Type type = withShape(stored, getElementTypeOrSelf(signal));
  if (storage == getElementTypeOrSelf(signal))
    return stored;
  if (isa<FloatType>(getElementTypeOrSelf(signal)))
    return b.resize(stored, type);
  Value zero = b.zero(stored.getType());
  if (getElementTypeOrSelf(signal).isInteger(1)) {
    if (isa<FloatType>(storage))
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, stored, zero);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, stored, zero);
  }
  return arith::IndexCastOp::create(b, type, stored);
}

Value rlscan::toStorage(ThreadBuilder &b, Value signal, Type storage) {
  Type element = getElementTypeOrSelf(signal);
  Type type = withShape(signal, storage);
  if (element == storage)
    return signal;
  if (isa<FloatType>(element))
    return b.resize(signal, type);
  if (isa<IndexType>(element))
    return arith::IndexCastOp::create(b, type, signal);
  if (isa<FloatType>(storage))
    return arith::UIToFPOp::create(b, type, signal);
  return arith::ExtUIOp::create(b, type, signal);
}
