//===- Specialize.cpp - Fix what is known about the calls -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

namespace rlscan {
#define GEN_PASS_DEF_SPECIALIZE
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// One entry of the option: `name:storage:layout[:kind]`, `name:absent` or
/// `name=value`.
struct Binding {
  StringRef name;
  bool isAbsent = false;
  bool isFixed = false;
  StringRef value; // of name=value
  Type storage;
  Layout layout = Layout::Strided;
  std::optional<InputKind> kind;
};

class Specialization {
public:
  explicit Specialization(EstimatorOp estimator)
      : estimator(estimator), builder(estimator.getBody()) {}

  LogicalResult apply(StringRef text);
  /// Storage for what no entry names, and removal of replaced arguments.
  void finish();

private:
  FailureOr<Binding> parse(StringRef text);
  LogicalResult applyToInput(unsigned index, const Binding &binding);
  LogicalResult applyToResult(unsigned index, const Binding &binding);
  LogicalResult store(unsigned index, const Binding &binding);
  LogicalResult replaceByDefault(unsigned index);
  LogicalResult replaceByConstant(unsigned index, StringRef text);
  void replace(unsigned index, Value value);
  InFlightDiagnostic error() { return estimator.emitError(); }

  EstimatorOp estimator;
  OpBuilder builder;
  llvm::BitVector replaced = llvm::BitVector(estimator.getNumArguments());
  /// What stands for each replaced argument.
  llvm::DenseMap<unsigned, Value> replacements;
};

} // namespace

//===----------------------------------------------------------------------===//
// The entries of the option
//===----------------------------------------------------------------------===//

static Type parseStorage(StringRef text, MLIRContext *context) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(text)
      .Case("f32", builder.getF32Type())
      .Case("f64", builder.getF64Type())
      .Case("bf16", builder.getBF16Type())
      .Case("f16", builder.getF16Type())
      .Case("i8", builder.getI8Type())
      .Case("i32", builder.getI32Type())
      .Case("i64", builder.getI64Type())
      .Default(Type());
}

FailureOr<Binding> Specialization::parse(StringRef text) {
  Binding binding;
  if (text.contains('=')) {
    std::tie(binding.name, binding.value) = text.split('=');
    binding.isFixed = true;
    return binding;
  }
  SmallVector<StringRef> fields;
  text.split(fields, ':');
  binding.name = fields[0];
  if (fields.size() == 2 && fields[1] == "absent") {
    binding.isAbsent = true;
    return binding;
  }
  if (fields.size() < 3 || fields.size() > 4)
    return error() << "expected a binding 'name:storage:layout', 'name:absent' "
                      "or 'name=value', got '"
                   << text << "'";
  binding.storage = parseStorage(fields[1], estimator.getContext());
  if (!binding.storage)
    return error() << "expected a storage type (f32, f64, bf16, f16, i8, i32, "
                      "i64) for '"
                   << binding.name << "', got '" << fields[1] << "'";
  std::optional<Layout> layout = symbolizeLayout(fields[2]);
  if (!layout)
    return error() << "expected a layout (steps, rows, strided) for '"
                   << binding.name << "', got '" << fields[2] << "'";
  binding.layout = *layout;
  if (fields.size() == 4) {
    binding.kind = symbolizeInputKind(fields[3]);
    if (!binding.kind)
      return error() << "expected a kind (param, row, step) for '"
                     << binding.name << "', got '" << fields[3] << "'";
  }
  return binding;
}

LogicalResult Specialization::apply(StringRef text) {
  FailureOr<Binding> binding = parse(text);
  if (failed(binding))
    return failure();
  if (std::optional<unsigned> input = estimator.findInput(binding->name))
    return applyToInput(*input, *binding);
  for (unsigned i = 0, e = estimator.getNumResults(); i < e; ++i)
    if (estimator.getOutput(i).getName() == binding->name && binding->storage)
      return applyToResult(i, *binding);
  return error() << "'" << binding->name << "' is no input and no result of '"
                 << estimator.getSymName() << "'";
}

//===----------------------------------------------------------------------===//
// What an entry does
//===----------------------------------------------------------------------===//

LogicalResult Specialization::applyToInput(unsigned index,
                                           const Binding &binding) {
  if (binding.isAbsent)
    return replaceByDefault(index);
  if (binding.isFixed)
    return replaceByConstant(index, binding.value);
  return store(index, binding);
}

/// Whether values of type `signal` can be stored as `storage`: a flag as
/// anything.
static bool canHold(Type storage, Type signal) {
  return signal.isInteger(1) ||
         isa<FloatType>(storage) == isa<FloatType>(signal);
}

LogicalResult Specialization::applyToResult(unsigned index,
                                            const Binding &binding) {
  if (binding.kind)
    return error() << "only a param can have another kind; '" << binding.name
                   << "' is a result";
  Type type = estimator.getResultTypes()[index];
  if (!canHold(binding.storage, type))
    return error() << "'" << binding.name << "' (" << type
                   << ") cannot be stored as " << binding.storage;
  estimator.setOutput(index,
                      OutputAttr::get(estimator.getContext(),
                                      estimator.getOutput(index).getName(),
                                      binding.storage, binding.layout));
  return success();
}

LogicalResult Specialization::store(unsigned index, const Binding &binding) {
  InputAttr input = estimator.getInput(index);
  InputKind kind = binding.kind.value_or(input.getKind());
  if (kind != input.getKind() && input.getKind() != InputKind::Param)
    return error() << "only a param can have another kind; '" << binding.name
                   << "' is a " << stringifyInputKind(input.getKind());
  Type element = estimator.getArgumentTypes()[index];
  if (auto along = dyn_cast<AlongType>(element))
    element = along.getElement();
  if (!canHold(binding.storage, element))
    return error() << "'" << binding.name << "' (" << element
                   << ") cannot be stored as " << binding.storage;
  estimator.setInput(index,
                     input.withStorage(binding.storage, binding.layout, kind));
  return success();
}

void Specialization::replace(unsigned index, Value value) {
  Value argument = estimator.getArgument(index);
  argument.replaceAllUsesWith(value);
  // Earlier stand-ins may have been this very argument.
  for (auto &[other, standIn] : replacements)
    if (standIn == argument)
      standIn = value;
  replacements[index] = value;
  replaced.set(index);
}

LogicalResult Specialization::replaceByDefault(unsigned index) {
  InputAttr input = estimator.getInput(index);
  Attribute value = input.getDefaultValue();
  if (!value)
    return error() << "'" << input.getName().getValue()
                   << "' has no default and cannot be absent";
  if (isa<UnitAttr>(value)) { // nothing reads it
    replaced.set(index);
    return success();
  }
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(value)) {
    unsigned other = *estimator.findInput(symbol.getValue());
    Value standIn = replacements.lookup(other);
    replace(index, standIn ? standIn : estimator.getArgument(other));
    return success();
  }
  Location loc = estimator.getArgument(index).getLoc();
  Type type = estimator.getArgumentTypes()[index];
  TypedAttr constant = cast<TypedAttr>(value);
  if (auto number = dyn_cast<FloatAttr>(value))
    constant = builder.getFloatAttr(type, number.getValueAsDouble());
  replace(index, arith::ConstantOp::create(builder, loc, type, constant));
  return success();
}

LogicalResult Specialization::replaceByConstant(unsigned index,
                                                StringRef text) {
  InputAttr input = estimator.getInput(index);
  Type type = estimator.getArgumentTypes()[index];
  TypedAttr constant;
  double number;
  int64_t position;
  if (type.isInteger(1) && (text == "true" || text == "false"))
    constant = builder.getBoolAttr(text == "true");
  else if (isa<FloatType>(type) && !text.getAsDouble(number))
    constant = builder.getFloatAttr(type, number);
  else if (isa<IndexType>(type) && !text.getAsInteger(10, position) &&
           position >= 0)
    constant = builder.getIndexAttr(position);
  if (!constant || input.getKind() != InputKind::Param)
    return error() << "'" << input.getName().getValue()
                   << "' cannot be fixed to '" << text
                   << "': expected a param and a value of its type";
  Location loc = estimator.getArgument(index).getLoc();
  replace(index, arith::ConstantOp::create(builder, loc, type, constant));
  return success();
}

/// Reals are stored as they are computed, flags as bytes, indices as i64;
/// numbers of a call as f64.
static Type defaultStorage(Type type, InputKind kind) {
  if (auto along = dyn_cast<AlongType>(type))
    type = along.getElement();
  Builder builder(type.getContext());
  if (type.isInteger(1))
    return builder.getI8Type();
  if (isa<IndexType>(type))
    return builder.getI64Type();
  return kind == InputKind::Param ? builder.getF64Type() : type;
}

void Specialization::finish() {
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    InputAttr input = estimator.getInput(i);
    Type storage = input.getStorage();
    if (!storage)
      storage =
          defaultStorage(estimator.getArgumentTypes()[i], input.getKind());
    // What is present needs no default, whose own input may be gone.
    estimator.setInput(
        i, input.withStorage(storage, input.getLayout(), input.getKind())
               .withoutDefault());
  }
  for (unsigned i = 0, e = estimator.getNumResults(); i < e; ++i) {
    OutputAttr output = estimator.getOutput(i);
    if (!output.getStorage())
      estimator.setOutput(
          i, OutputAttr::get(
                 estimator.getContext(), output.getName(),
                 defaultStorage(estimator.getResultTypes()[i], InputKind::Step),
                 output.getLayout()));
  }
  if (failed(estimator.eraseArguments(replaced)))
    llvm_unreachable("replaced arguments have no uses");
}

namespace {
struct Specialize : rlscan::impl::SpecializeBase<Specialize> {
  using SpecializeBase::SpecializeBase;

  void runOnOperation() override {
    Specialization specialization(getOperation());
    bool failedAny = false;
    for (const std::string &binding : bindings)
      failedAny |= failed(specialization.apply(binding));
    if (failedAny)
      return signalPassFailure();
    specialization.finish();
  }
};
} // namespace
