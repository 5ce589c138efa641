//===- Resolver.cpp - A recipe with its names looked up -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference/Resolver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <limits>

using namespace rlscan;
using namespace rlscan::reference;
using ast::Expr;
using ast::TypeKind;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// IEEE 754-2019 minimum: NaN if either is NaN, and -0 < +0.
static double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

static double maximum(double a, double b) { return -minimum(-a, -b); }

static double fold(double (*combine)(double, double), ArrayRef<double> x) {
  double result = x[0];
  for (double next : x.drop_front())
    result = combine(result, next);
  return result;
}

namespace {
using Function = double (*)(ArrayRef<double>);

/// The functions of the language, and what a reduction does with what it has so
/// far and the next entry.
struct NamedFunction {
  StringRef name;
  Function apply;
};
} // namespace

static const NamedFunction functions[] = {
    {"exp", [](ArrayRef<double> x) { return std::exp(x[0]); }},
    {"log", [](ArrayRef<double> x) { return std::log(x[0]); }},
    {"sqrt", [](ArrayRef<double> x) { return std::sqrt(x[0]); }},
    {"abs", [](ArrayRef<double> x) { return std::fabs(x[0]); }},
    {"min", [](ArrayRef<double> x) { return fold(minimum, x); }},
    {"max", [](ArrayRef<double> x) { return fold(maximum, x); }},
    {"clip",
     [](ArrayRef<double> x) { return minimum(maximum(x[0], x[1]), x[2]); }},
    {"sum", [](ArrayRef<double> x) { return x[0] + x[1]; }},
};

static Function findFunction(StringRef name) {
  for (const NamedFunction &function : functions)
    if (function.name == name)
      return function.apply;
  llvm_unreachable("the importer refuses unknown functions");
}

/// What a reduction over no entries gives.
static double emptyReduction(StringRef name) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (name == "sum")
    return 0.0;
  return name == "max" ? -infinity : infinity;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
class Resolver {
public:
  Resolver(const ast::Estimator &estimator,
           const llvm::StringMap<Tensor> &inputs)
      : estimator(estimator), inputs(inputs) {}

  Program run(const llvm::StringMap<int64_t> &axisSizes);

private:
  // In the order of the file: each only refers to what came before it.
  Source resolveInput(const ast::Input &input);
  Rule resolveEquation(const ast::Equation &equation);
  Node resolve(const Expr &expr);
  void resolveName(Node &node, StringRef name);
  TypeKind typeOf(const Node &node) const;
  bool isCarry(const Expr &expr) const;
  int carryOffset(const Expr &expr) const;
  size_t axisSlot(StringRef name) const;

  const ast::Estimator &estimator;
  const llvm::StringMap<Tensor> &inputs;
  Program program;
  /// The equation that is being resolved, or an empty name.
  StringRef equationName;
  bool isInWindow = false;
};

} // namespace

/// The position of the entry of that name in a list of the estimator.
template <typename List>
static size_t positionOf(StringRef name, const List &list) {
  return llvm::find_if(
             list, [&](const auto &entry) { return entry.id.name == name; }) -
         list.begin();
}

size_t Resolver::axisSlot(StringRef name) const {
  return llvm::find_if(
             estimator.axes,
             [&](const ast::Identifier &axis) { return axis.name == name; }) -
         estimator.axes.begin();
}

/// A missing input stands for its default, which may be another input, which
/// may be missing in turn. Defaults only name inputs declared above.
Source Resolver::resolveInput(const ast::Input &input) {
  Source source;
  source.type = input.type;
  source.axis = axisSlot(input.axis.name);
  source.hasExtraStep = input.extraSteps > 0;
  auto given = inputs.find(input.id.name);
  if (given != inputs.end()) {
    source.tensor = &given->second;
    return source;
  }
  const Expr *value = input.defaultValue;
  if (input.isOfCalls)
    return source;
  if (!value)
    llvm::reportFatalInternalError(llvm::Twine("the reference needs input '") +
                                   input.id.name + "'");
  if (value->kind == Expr::Name)
    return program.sources[positionOf(value->name, estimator.inputs)];
  source.number =
      value->kind == Expr::Negate ? -value->operand(0).number : value->number;
  return source;
}

/// The equation's own name at a neighbouring step.
bool Resolver::isCarry(const Expr &expr) const {
  return expr.kind == Expr::Shift && expr.operand(0).kind == Expr::Name &&
         expr.operand(0).name == equationName;
}

/// That of the first carry in the expression; 0 where there is none. The
/// importer has checked that all agree.
int Resolver::carryOffset(const Expr &expr) const {
  if (isCarry(expr))
    return expr.offset;
  for (const Expr *operand : expr.operands)
    if (int offset = carryOffset(*operand))
      return offset;
  return 0;
}

Rule Resolver::resolveEquation(const ast::Equation &equation) {
  equationName = equation.id.name;
  isInWindow = equation.window > 0;
  Rule rule{resolve(*equation.value), carryOffset(*equation.value),
            equation.window};
  equationName = {};
  return rule;
}

/// Inputs and equations share one set of names.
void Resolver::resolveName(Node &node, StringRef name) {
  node.isStep = name == "t";
  node.slot = positionOf(name, estimator.inputs);
  node.isInput = node.slot < estimator.inputs.size();
  if (!node.isInput)
    node.slot = positionOf(name, estimator.equations);
}

TypeKind Resolver::typeOf(const Node &node) const {
  switch (node.kind) {
  case Expr::Name:
  case Expr::Pick:
    if (node.isStep)
      return TypeKind::Index;
    if (node.isInput)
      return program.sources[node.slot].type;
    // An equation that refers to itself is a recurrence, which is real.
    if (node.slot == program.rules.size())
      return TypeKind::Real;
    return program.rules[node.slot].value.type;
  case Expr::Select:
    return node.operands[1].type;
  case Expr::Shift:
    return node.operands[0].type;
  case Expr::Boolean:
  case Expr::Not:
  case Expr::And:
  case Expr::Or:
  case Expr::Less:
  case Expr::LessEqual:
  case Expr::Greater:
  case Expr::GreaterEqual:
  case Expr::Equal:
  case Expr::NotEqual:
    return TypeKind::Flag;
  case Expr::Remainder:
    return TypeKind::Index;
  default:
    return TypeKind::Real;
  }
}

Node Resolver::resolve(const Expr &expr) {
  Node node;
  node.kind = expr.kind;
  node.number = expr.number;
  node.offset = expr.offset;
  node.isCarry = isCarry(expr);
  // Over a window products are plain.
  node.dependsOnCarry = node.isCarry && !isInWindow;
  for (const Expr *operand : expr.operands) {
    node.operands.push_back(resolve(*operand));
    node.dependsOnCarry |= node.operands.back().dependsOnCarry;
  }
  if (expr.kind == Expr::Name)
    resolveName(node, expr.name);
  if (expr.kind == Expr::Pick) {
    resolveName(node, expr.operand(0).name);
    node.operands.erase(node.operands.begin());
  }
  if (expr.kind == Expr::Call || expr.kind == Expr::Reduce)
    node.function = findFunction(expr.name);
  if (expr.kind == Expr::Reduce) {
    node.slot = axisSlot(expr.axis);
    node.number = emptyReduction(expr.name);
  }
  node.type = typeOf(node);
  return node;
}

Program Resolver::run(const llvm::StringMap<int64_t> &axisSizes) {
  for (const ast::Identifier &axis : estimator.axes)
    program.axisSizes.push_back(axisSizes.lookup(axis.name));
  for (const ast::Input &input : estimator.inputs)
    program.sources.push_back(resolveInput(input));
  for (const ast::Equation &equation : estimator.equations)
    program.rules.push_back(resolveEquation(equation));
  for (const ast::Result &result : estimator.results) {
    Expr byName;
    byName.kind = Expr::Name;
    byName.name = result.id.name;
    program.results.push_back(resolve(result.value ? *result.value : byName));
  }
  return std::move(program);
}

Program reference::resolve(const ast::Estimator &estimator,
                           const llvm::StringMap<Tensor> &inputs,
                           const llvm::StringMap<int64_t> &axisSizes) {
  return Resolver(estimator, inputs).run(axisSizes);
}
