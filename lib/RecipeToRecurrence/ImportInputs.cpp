//===- ImportInputs.cpp - Declarations of a recipe to arguments -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/Importer.h"

using namespace mlir;
using namespace rlscan;
using ast::Expr;

Type EstimatorImporter::inputType(const ast::Input &input) {
  Type element = realType;
  if (input.type == ast::TypeKind::Flag)
    element = builder.getI1Type();
  else if (input.type == ast::TypeKind::Index)
    element = builder.getIndexType();
  if (input.axis.name.empty())
    return element;
  return AlongType::get(builder.getContext(),
                        builder.getStringAttr(input.axis.name), element);
}

Signal EstimatorImporter::inputSignal(const ast::Input &input, Value argument) {
  Signal signal;
  signal.value = argument;
  signal.element = input.type;
  signal.axis = input.indexAxis.name;
  signal.kind = input.type == ast::TypeKind::Real   ? Signal::Real
                : input.type == ast::TypeKind::Flag ? Signal::Flag
                                                    : Signal::Index;
  if (!input.axis.name.empty()) {
    signal.kind = Signal::Along;
    signal.axis = input.axis.name;
  }
  return signal;
}

static InputKind importKind(ast::InputKind kind) {
  switch (kind) {
  case ast::InputKind::Param:
    return InputKind::Param;
  case ast::InputKind::Row:
    return InputKind::Row;
  case ast::InputKind::Step:
    return InputKind::Step;
  }
  llvm_unreachable("unknown kind");
}

/// Whether a row of `other` has an entry wherever one of `input` has, past the
/// last step too.
static bool hasValuesOf(InputAttr other, const ast::Input &input) {
  bool isOfRow = other.getKind() == InputKind::Row;
  return isOfRow || other.getExtraSteps() == input.extraSteps;
}

/// The input `name` as a stand-in for `input`: declared above, of the same
/// type, and with no more values. Null where it cannot be.
Attribute EstimatorImporter::importStandIn(const ast::Input &input,
                                           StringRef name) {
  std::optional<unsigned> other = op.findInput(name);
  if (!other || op.getArgumentTypes()[*other] != inputType(input) ||
      op.getInput(*other).getKind() > importKind(input.kind) ||
      !hasValuesOf(op.getInput(*other), input) ||
      symbols[name].signal.axis != inputSignal(input, Value()).axis)
    return {};
  symbols[name].isUsed = true;
  return FlatSymbolRefAttr::get(builder.getContext(), name);
}

/// The default as an attribute: a number, a boolean, or the symbol of the input
/// that stands in. Null after an error.
Attribute EstimatorImporter::importDefault(const ast::Input &input) {
  const Expr *value = input.defaultValue;
  bool isNegative = value->kind == Expr::Negate;
  if (isNegative)
    value = value->operands[0];
  bool isScalar = input.axis.name.empty();
  bool isReal = input.type == ast::TypeKind::Real;
  Attribute result;
  if (isReal && isScalar && value->kind == Expr::Number)
    result =
        builder.getF64FloatAttr(isNegative ? -value->number : value->number);
  else if (isNegative)
    result = {};
  else if (value->kind == Expr::Name)
    result = importStandIn(input, value->name);
  else if (input.type == ast::TypeKind::Flag && isScalar &&
           value->kind == Expr::Boolean)
    result = builder.getBoolAttr(value->number != 0.0);
  else if (input.type == ast::TypeKind::Index && isScalar &&
           isWholeNumber(*value))
    result = builder.getIndexAttr(static_cast<int64_t>(value->number));
  if (result)
    return result;
  InFlightDiagnostic error = diagnostics.error(input.defaultValue->loc);
  error << "expected a default of the type of '" << input.id.name << "'";
  error.attachNote() << "a default is a number for a real, 'true' or 'false' "
                        "for a flag, 0, 1, ... for an index, or the name of an "
                        "input declared above with the same type and no more "
                        "values";
  if (input.extraSteps)
    error.attachNote()
        << "a name for a 'step+1' is that of a row or of another "
           "'step+1'";
  return {};
}

/// Null after an error.
InputAttr EstimatorImporter::describeInput(const ast::Input &input) {
  auto isAxis = [&](const ast::Identifier &axis) {
    auto found = symbols.find(axis.name);
    if (found != symbols.end() && found->second.what == Symbol::Axis) {
      found->second.isUsed = true;
      return true;
    }
    InFlightDiagnostic error = diagnostics.error(axis.loc);
    error << "'" << axis.name << "' is no axis";
    error.attachNote() << "declare it above: 'axis " << axis.name << "'";
    return false;
  };
  if (!input.axis.name.empty()) {
    if (!isAxis(input.axis))
      return {};
    if (input.kind != ast::InputKind::Step ||
        input.type == ast::TypeKind::Index) {
      diagnostics.error(input.axis.loc)
          << "expected a step input of reals or flags along an axis";
      return {};
    }
    if (input.extraSteps) {
      InFlightDiagnostic error = diagnostics.error(input.axis.loc);
      error << "expected an input without an axis after 'step+1'";
      error.attachNote() << "declare the next step's entries as an input of "
                            "their own, 'step next_"
                         << input.id.name << "[" << input.axis.name << "]'";
      return {};
    }
  }
  if (!input.indexAxis.name.empty() && !isAxis(input.indexAxis))
    return {};
  Attribute defaultValue;
  if (input.isOfCalls)
    defaultValue = builder.getUnitAttr();
  else if (input.defaultValue && !(defaultValue = importDefault(input)))
    return {};
  return InputAttr::get(builder.getContext(),
                        builder.getStringAttr(input.id.name),
                        importKind(input.kind), defaultValue, Type(),
                        Layout::Strided, input.extraSteps);
}

void EstimatorImporter::declareInputs() {
  for (const ast::Input &input : estimator.inputs) {
    if (!input.isOfCalls && !declare(input.id, Symbol::Input))
      continue;
    InputAttr description = describeInput(input);
    if (!description)
      continue;
    Location loc = NameLoc::get(builder.getStringAttr(input.id.name),
                                location(input.id.loc));
    DictionaryAttr attributes = builder.getDictionaryAttr(
        builder.getNamedAttr(EstimatorOp::getInputAttrName(), description));
    unsigned position = op.getNumArguments();
    if (failed(op.insertArgument(position, inputType(input), attributes, loc)))
      llvm_unreachable("the body has a block");
    // What is of calls is no name to equations.
    if (!input.isOfCalls)
      symbols[input.id.name].signal =
          inputSignal(input, op.getArgument(position));
  }
}
