//===- TileOps.cpp - Verifiers of level 2 ---------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The labels in comments (kernel_c1, ...) are those of the constraints in
// TileOps.td and of the tests in test/dialects/invalid.mlir.
//
//===----------------------------------------------------------------------===//

#include "dialects/rlscan/RLScan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace rlscan;

static Type functionType(Builder &builder, ArrayRef<Type> inputs,
                         ArrayRef<Type> results,
                         function_interface_impl::VariadicFlag, std::string &) {
  return builder.getFunctionType(inputs, results);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), functionType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty()) // kernel_c1
    return emitOpError("must have no results");
  for (auto [i, type] : llvm::enumerate(getArgumentTypes()))
    if (!isa<ArrayType>(type)) // kernel_c1
      return emitOpError("argument ")
             << i << " must be an !rlscan.array, got " << type;
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  if (getBody().getBlocks().size() != 1) // kernel_c2
    return emitOpError("needs a body of one block");
  for (Operation &op : getBody().front())
    if (!isa<SweepOp, TilesOp, TemporaryOp, AfterOp>(op) &&
        !op.hasTrait<OpTrait::ConstantLike>()) // kernel_c2
      return op.emitOpError("must be inside a sweep or tiles");
  return success();
}

void SweepOp::build(OpBuilder &builder, OperationState &state,
                    Direction direction) {
  state.addAttribute(getDirectionAttrName(state.name),
                     DirectionAttr::get(builder.getContext(), direction));
  state.addRegion()->emplaceBlock();
}

/// The first op of a body, if any, that does more than a sweep may.
static Operation *findSideEffect(Block &body) {
  for (Operation &op : body)
    if (!isa<LoadOp, StoreOp, ReduceOp>(op) && !isMemoryEffectFree(&op))
      return &op;
  return nullptr;
}

LogicalResult SweepOp::verify() {
  if (Operation *op = findSideEffect(getBody().front())) // sweep_c1
    return op->emitOpError("must not have side effects inside a sweep");
  return success();
}

/// temporary_c1 and store_c1.
static LogicalResult verifyIsWritable(Operation *op, ArrayType array) {
  if (array.getKind() != InputKind::Param && !array.getAxis())
    return success();
  return op->emitOpError("array must have kind step or row and no axis, got ")
         << array;
}

void TemporaryOp::build(OpBuilder &builder, OperationState &state,
                        ArrayType array) {
  build(builder, state, array, /*workgroup=*/false);
}

LogicalResult TemporaryOp::verify() {
  return verifyIsWritable(*this, getArray().getType());
}

LogicalResult StoreOp::verify() {
  if (failed(verifyIsWritable(*this, getArray().getType())))
    return failure();
  Type value = getElementTypeOrSelf(getValue()),
       storage = getArray().getType().getStorage();
  bool fits = isa<FloatType>(value)   ? isa<FloatType>(storage)
              : isa<IndexType>(value) ? storage.isInteger()
                                      : true;
  if (!fits) // store_c2
    return emitOpError("cannot write ") << value << " to storage " << storage;
  return success();
}

/// load_c3
static bool canLoad(Type storage, Type signal) {
  if (isa<FloatType>(signal))
    return isa<FloatType>(storage);
  return signal.isInteger(1) || storage.isInteger();
}

LogicalResult LoadOp::verify() {
  ArrayType array = getArray().getType();
  if (static_cast<bool>(getIndex()) !=
      static_cast<bool>(array.getAxis())) // load_c1
    return emitOpError(getIndex() ? "has an index, but " : "needs an index: ")
           << array << (getIndex() ? " has no axis" : " has an axis");
  if (getOffset() != 0 && array.getKind() != InputKind::Step) // load_c2
    return emitOpError("has an offset, but ") << array << " has no steps";
  if (!canLoad(array.getStorage(),
               getElementTypeOrSelf(getResult()))) // load_c3
    return emitOpError("cannot read ")
           << getResult().getType() << " from storage " << array.getStorage();
  return success();
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

void TilesOp::build(OpBuilder &builder, OperationState &state,
                    Direction direction) {
  state.addAttribute(getDirectionAttrName(state.name),
                     DirectionAttr::get(builder.getContext(), direction));
  state.addRegion()->emplaceBlock();
}

LogicalResult TilesOp::verify() {
  if (Operation *op = findSideEffect(getBody().front())) // tiles_c1
    return op->emitOpError("must not have side effects inside tiles");
  ArrayAttr schedules =
      getOperation()->getParentOfType<KernelOp>().getSchedulesAttr();
  if (!schedules || schedules.size() != 1) // tiles_c2
    return emitOpError("needs a kernel with one schedule");
  return success();
}

LogicalResult NeighbourOp::verify() {
  Type element = getElementTypeOrSelf(getInput());
  Type init = getInit().getType();
  if (init != element && init != getInput().getType()) // neighbour_c1
    return emitOpError("init must be ")
           << element << " or " << getInput().getType() << ", got " << init;
  if (getEdge() && getEdge().getType() != element) // neighbour_c1
    return emitOpError("edge must be ")
           << element << ", got " << getEdge().getType();
  return success();
}
