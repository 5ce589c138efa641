//===- RecurrenceOps.cpp - Verifiers and folders of level 1 ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The labels in comments (estimator_c1, ...) are those of the constraints in
// RecurrenceOps.td and of the tests in test/dialects/invalid.mlir.
//
//===----------------------------------------------------------------------===//

#include "dialects/rlscan/RLScan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace rlscan;

//===----------------------------------------------------------------------===//
// estimator
//===----------------------------------------------------------------------===//

InputAttr EstimatorOp::getInput(unsigned index) {
  return getArgAttrOfType<InputAttr>(index, getInputAttrName());
}

OutputAttr EstimatorOp::getOutput(unsigned index) {
  return getResultAttrOfType<OutputAttr>(index, getOutputAttrName());
}

void EstimatorOp::setInput(unsigned index, InputAttr input) {
  setArgAttr(index, getInputAttrName(), input);
}

void EstimatorOp::setOutput(unsigned index, OutputAttr output) {
  setResultAttr(index, StringAttr::get(getContext(), getOutputAttrName()),
                output);
}

std::optional<unsigned> EstimatorOp::findInput(StringRef name) {
  for (unsigned i = 0, e = getNumArguments(); i < e; ++i)
    if (getInput(i).getName() == name)
      return i;
  return std::nullopt;
}

ReturnOp EstimatorOp::getReturn() {
  return cast<ReturnOp>(getBody().front().getTerminator());
}

static Type functionType(Builder &builder, ArrayRef<Type> inputs,
                         ArrayRef<Type> results,
                         function_interface_impl::VariadicFlag, std::string &) {
  return builder.getFunctionType(inputs, results);
}

ParseResult EstimatorOp::parse(OpAsmParser &parser, OperationState &result) {
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), functionType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void EstimatorOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

static bool isIndexAttr(Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && isa<IndexType>(integer.getType());
}

/// estimator_c5: whether `value` can stand in for an input of `type`.
static LogicalResult verifyDefault(EstimatorOp op, unsigned index,
                                   Attribute value) {
  Type type = op.getArgumentTypes()[index];
  StringRef name = op.getInput(index).getName().getValue();
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(value)) {
    std::optional<unsigned> other = op.findInput(symbol.getValue());
    if (!other)
      return op.emitOpError("default of '")
             << name << "' is '" << symbol.getValue() << "', which is no input";
    if (*other == index)
      return op.emitOpError("default of '")
             << name << "' is '" << name << "' itself";
    if (*other > index)
      return op.emitOpError("default of '")
             << name << "' is '" << symbol.getValue()
             << "', which comes after it";
    if (op.getArgumentTypes()[*other] != type)
      return op.emitOpError("default of '")
             << name << "' must have type " << type << ", but '"
             << symbol.getValue() << "' has " << op.getArgumentTypes()[*other];
    return success();
  }
  if (isa<UnitAttr>(value)) {
    bool isOfRow =
        isa<IndexType>(type) && op.getInput(index).getKind() == InputKind::Row;
    bool isRead = !op.getBody().empty() && !op.getArgument(index).use_empty();
    if (isOfRow && !isRead)
      return success();
    return op.emitOpError("default of '")
           << name
           << "' is unit, which is for a row's index that no equation "
              "reads";
  }
  bool fits = isa<FloatType>(type)   ? isa<FloatAttr>(value)
              : type.isInteger(1)    ? isa<BoolAttr>(value)
              : isa<IndexType>(type) ? isIndexAttr(value)
                                     : false;
  if (fits)
    return success();
  return op.emitOpError("default of '")
         << name << "' must be a value of type " << type << ", got " << value;
}

static LogicalResult verifyInput(EstimatorOp op, unsigned index) {
  InputAttr input = op.getInput(index);
  if (!input) // estimator_c2
    return op.emitOpError("argument ")
           << index << " needs an '" << EstimatorOp::getInputAttrName()
           << "' attribute";
  Type type = op.getArgumentTypes()[index];
  bool isSignal =
      isa<Float32Type, Float64Type, IndexType>(type) || type.isInteger(1);
  bool isAlong = isa<AlongType>(type) && input.getKind() == InputKind::Step;
  if (!isSignal && !isAlong) // estimator_c6
    return op.emitOpError("input '")
           << input.getName().getValue()
           << "' must be a signal (f32, f64, i1, index), or along an axis "
              "where its kind is step, got "
           << type;
  unsigned extra = input.getExtraSteps();
  bool canHaveExtra = isSignal && input.getKind() == InputKind::Step;
  if (extra > (canHaveExtra ? 1 : 0)) // estimator_c9
    return op.emitOpError("input '")
           << input.getName().getValue() << "' has extra_steps = " << extra
           << ": a step's signal has 0 or 1, all others have 0";
  return success();
}

/// estimator_c8: an axis has the size of the inputs along it.
static LogicalResult verifyAxes(EstimatorOp op) {
  llvm::StringSet<> axes;
  for (Type type : op.getArgumentTypes())
    if (auto along = dyn_cast<AlongType>(type))
      axes.insert(along.getAxis().getValue());
  WalkResult walk = op.walk([&](ReduceOp reduce) {
    if (axes.contains(reduce.getAxis()))
      return WalkResult::advance();
    reduce.emitOpError("no input runs along axis '")
        << reduce.getAxis() << "', so its size is unknown";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult EstimatorOp::verify() {
  llvm::StringSet<> names;
  for (unsigned i = 0, e = getNumArguments(); i < e; ++i) {
    if (failed(verifyInput(*this, i)))
      return failure();
    if (!names.insert(getInput(i).getName().getValue()).second) // estimator_c4
      return emitOpError("has two inputs named ") << getInput(i).getName();
  }
  for (unsigned i = 0, e = getNumArguments(); i < e; ++i)
    if (Attribute value = getInput(i).getDefaultValue())
      if (failed(verifyDefault(*this, i, value)))
        return failure();
  for (auto [i, type] : llvm::enumerate(getResultTypes())) {
    OutputAttr output = getOutput(i);
    if (!output) // estimator_c3
      return emitOpError("result ")
             << i << " needs an '" << getOutputAttrName() << "' attribute";
    if (!names.insert(output.getName().getValue()).second) // estimator_c4
      return emitOpError("has an input or another result named ")
             << output.getName();
    if (isa<AlongType>(type)) // estimator_c7
      return emitOpError("result ")
             << output.getName() << " must be a real, a flag or an index, got "
             << type;
  }
  return success();
}

LogicalResult EstimatorOp::verifyRegions() {
  if (getBody().getBlocks().size() != 1 || getBody().front().empty() ||
      !isa<ReturnOp>(getBody().front().back())) // estimator_c1
    return emitOpError(
        "needs a body of one block that ends in 'rlscan.return'");
  return verifyAxes(*this);
}

LogicalResult ReturnOp::verify() {
  auto estimator = cast<EstimatorOp>((*this)->getParentOp());
  if (TypeRange(getOperands()) != TypeRange(estimator.getResultTypes()))
    return emitOpError("must return the estimator's results (")
           << TypeRange(estimator.getResultTypes()) << "), got ("
           << TypeRange(getOperands()) << ")"; // return_c1
  return success();
}

//===----------------------------------------------------------------------===//
// step, segment and shift
//===----------------------------------------------------------------------===//

LogicalResult StepOp::verify() {
  bool isInSweep = getOperation()->getParentOfType<KernelOp>() != nullptr;
  if (getOffset() != 0 && !isInSweep) // step_c1
    return emitOpError("has an offset, but is in no sweep");
  return success();
}

LogicalResult SegmentOp::verify() {
  Type bounds = getBounds().getType();
  auto along = dyn_cast<AlongType>(bounds);
  bool isIndex = along ? isa<IndexType>(along.getElement())
                       : cast<ArrayType>(bounds).getAxis() &&
                             cast<ArrayType>(bounds).getStorage().isInteger();
  if (!isIndex) // segment_c1
    return emitOpError("bounds must be indices along an axis, got ") << bounds;
  return success();
}

void ShiftOp::build(OpBuilder &builder, OperationState &state, Value input,
                    Value otherwise, int64_t offset) {
  Type type = builder.getIntegerType(64, /*isSigned=*/true);
  build(builder, state, input.getType(), input, otherwise,
        builder.getIntegerAttr(type, offset));
}

LogicalResult ShiftOp::verify() {
  if (getOffset() != 1 && getOffset() != -1) // shift_c1
    return emitOpError("offset must be 1 or -1, got ") << getOffset();
  return success();
}

/// A constant shifted over the same constant is that constant.
OpFoldResult ShiftOp::fold(FoldAdaptor adaptor) {
  Attribute input = adaptor.getInput();
  if (input && input == adaptor.getOtherwise())
    return input;
  return {};
}

//===----------------------------------------------------------------------===//
// recurrence and scan
//===----------------------------------------------------------------------===//

/// Null where the value is no argument of an estimator.
static InputAttr inputOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto estimator =
      argument
          ? dyn_cast_if_present<EstimatorOp>(argument.getOwner()->getParentOp())
          : EstimatorOp();
  return estimator ? estimator.getInput(argument.getArgNumber()) : InputAttr();
}

LogicalResult AfterOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location>,
                                        ValueRange operands, DictionaryAttr,
                                        OpaqueProperties, RegionRange,
                                        SmallVectorImpl<Type> &types) {
  Type type = operands[0].getType();
  if (auto array = dyn_cast<ArrayType>(type))
    type = ArrayType::get(context, InputKind::Row, array.getStorage(),
                          Layout::Strided, StringAttr());
  types.push_back(type);
  return success();
}

LogicalResult AfterOp::verify() {
  if (auto array = dyn_cast<ArrayType>(getInput().getType())) {
    if (array.getKind() == InputKind::Step && !array.getAxis())
      return success();
    return emitOpError("array must have kind step and no axis, got ")
           << array; // after_c1
  }
  InputAttr input = inputOf(getInput());
  if (input && input.getKind() == InputKind::Step && !input.getExtraSteps())
    return emitOpError("input '")
           << input.getName().getValue() << "' has no extra step"; // after_c1
  return success();
}

OpFoldResult AfterOp::fold(FoldAdaptor adaptor) {
  if (adaptor.getInput())
    return adaptor.getInput();
  InputAttr input = inputOf(getInput());
  if (input && input.getKind() != InputKind::Step)
    return getInput();
  return {};
}

LogicalResult RecurrenceOp::verifyRegions() {
  Block &body = getBody().front();
  Type type = getResult().getType();
  if (body.getNumArguments() != 1 ||
      body.getArgument(0).getType() != type) // recurrence_c1
    return emitOpError("region must have one argument of type ") << type;
  auto yield = cast<YieldOp>(body.getTerminator());
  if (!yield.getValue() || yield.getValue().getType() != type) // recurrence_c2
    return emitOpError("region must yield one value of type ") << type;
  for (Operation &op : body.without_terminator())
    if (!isMemoryEffectFree(&op)) // recurrence_c3
      return emitOpError("region must not have side effects")
                 .attachNote(op.getLoc())
             << "this op has, or may have";
  return success();
}

/// With beta = 0 nothing is carried.
OpFoldResult ScanOp::fold(FoldAdaptor adaptor) {
  auto beta = dyn_cast_if_present<FloatAttr>(adaptor.getBeta());
  if (beta && beta.getValue().isZero())
    return getAlpha();
  return {};
}

//===----------------------------------------------------------------------===//
// pick and reduce
//===----------------------------------------------------------------------===//

void PickOp::build(OpBuilder &builder, OperationState &state, Value input,
                   Value index) {
  build(builder, state, cast<AlongType>(input.getType()).getElement(), input,
        index);
}

LogicalResult PickOp::verify() {
  Type element = getInput().getType().getElement();
  if (getResult().getType() != element) // pick_c1
    return emitOpError("result must have the element type ")
           << element << ", got " << getResult().getType();
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 1 ||
      !isa<IndexType>(body.getArgument(0).getType())) // reduce_c1
    return emitOpError("region must have one argument of type index");
  auto yield = cast<YieldOp>(body.getTerminator());
  if (!yield.getValue() ||
      yield.getValue().getType() != getResult().getType()) // reduce_c2
    return emitOpError("region must yield one value of type ")
           << getResult().getType();
  return success();
}
