//===- Reference.cpp - The serial reference -------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two parts. The Resolver looks up every name once and copies the syntax tree
// into Nodes that hold positions instead of names. The Evaluator walks the
// Nodes: for each row, each equation in the order of the file, each step.
//
//===----------------------------------------------------------------------===//

#include "Reference/Reference.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace rlscan;
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
// The resolved program
//===----------------------------------------------------------------------===//

namespace {

/// An expression whose names have been looked up. `operands` are those of
/// ast::Expr, except that a Pick keeps only its index.
struct Node {
  Expr::Kind kind = Expr::Number;
  TypeKind type = TypeKind::Real;
  double number = 0.0; // Number, Boolean; Reduce: the result over no entries
  int offset = 0;      // Shift
  /// Name: which input or equation; Pick: which input; Reduce: which axis.
  size_t slot = 0;
  bool isInput = false;        // Name
  Function function = nullptr; // Call, Reduce
  /// Whether a neighbour of the equation's own name stands anywhere inside.
  bool dependsOnCarry = false;
  std::vector<Node> operands;
};

/// An input as this call gives it.
struct Source {
  TypeKind type = TypeKind::Real;
  const Tensor *tensor = nullptr; // null: `number` everywhere
  double number = 0.0;
  size_t axis = 0; // of an input along an axis
};

struct Rule {
  Node value;
  /// The neighbour that the equation reads of itself: 1 or -1; 0 where it is no
  /// recurrence.
  int carryOffset = 0;
};

struct Program {
  std::vector<Source> sources;    // by position among the estimator's inputs
  std::vector<Rule> rules;        // by position among its equations
  std::vector<int64_t> axisSizes; // by position among its axes
  std::vector<Node> results;
};

class Resolver {
public:
  Resolver(const ast::Estimator &estimator,
           const llvm::StringMap<Tensor> &inputs)
      : estimator(estimator), inputs(inputs) {}

  Program run(const llvm::StringMap<int64_t> &axisSizes);

private:
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
  auto given = inputs.find(input.id.name);
  if (given != inputs.end()) {
    source.tensor = &given->second;
    return source;
  }
  const Expr *value = input.defaultValue;
  if (!value)
    llvm::reportFatalInternalError("the reference needs input '" +
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
  Rule rule{resolve(*equation.value), carryOffset(*equation.value)};
  equationName = {};
  return rule;
}

/// Inputs and equations share one set of names.
void Resolver::resolveName(Node &node, StringRef name) {
  node.slot = positionOf(name, estimator.inputs);
  node.isInput = node.slot < estimator.inputs.size();
  if (!node.isInput)
    node.slot = positionOf(name, estimator.equations);
}

TypeKind Resolver::typeOf(const Node &node) const {
  switch (node.kind) {
  case Expr::Name:
  case Expr::Pick:
    if (node.isInput)
      return program.sources[node.slot].type;
    // An equation that is being resolved refers to itself: a recurrence is
    // real.
    return node.slot < program.rules.size()
               ? program.rules[node.slot].value.type
               : TypeKind::Real;
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
  default:
    return TypeKind::Real;
  }
}

Node Resolver::resolve(const Expr &expr) {
  Node node;
  node.kind = expr.kind;
  node.number = expr.number;
  node.offset = expr.offset;
  node.dependsOnCarry = isCarry(expr);
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

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {

/// A value at one row and step: a real, a flag (0 or 1), or an index (a whole
/// number). A real behind a closed gate is 0 and, as a factor, makes the whole
/// product 0, whatever the other factors hold.
struct Value {
  double number = 0.0;
  bool isGatedOff = false; // then the number is 0
};

class Evaluator {
public:
  Evaluator(const Program &program, int64_t steps)
      : program(program), steps(steps), positions(program.axisSizes.size()),
        values(program.rules.size(), std::vector<Value>(steps)) {}

  /// Evaluates every equation at every step of a row.
  void evaluateRow(int64_t row);

  Value evaluate(const Node &node, int64_t t);

private:
  Value read(const Source &source, int64_t t, int64_t position) const;
  Value evaluateName(const Node &node, int64_t t) const;
  Value evaluateProduct(const Node &node, int64_t t);
  Value evaluateQuotient(const Node &node, int64_t t);
  Value evaluateShift(const Node &node, int64_t t);
  Value evaluatePick(const Node &node, int64_t t);
  double evaluateCall(const Node &node, int64_t t);
  double evaluateReduce(const Node &node, int64_t t);
  bool compare(const Node &node, int64_t t);
  /// The value of an operand; whether that operand, a flag, is set.
  double number(const Node &node, unsigned operand, int64_t t) {
    return evaluate(node.operands[operand], t).number;
  }
  bool isSet(const Node &node, unsigned operand, int64_t t) {
    return number(node, operand, t) != 0.0;
  }

  const Program &program;
  int64_t steps;
  int64_t row = 0;
  std::vector<int64_t> positions;         // of the reductions around, by axis
  std::vector<std::vector<Value>> values; // by equation and step, of this row
};

} // namespace

static Value flag(bool isSet) { return {isSet ? 1.0 : 0.0}; }

static constexpr Value gatedOff{0.0, true};

/// `source` at a step of the row. Params may be given with fewer dimensions;
/// `position` is that along the axis of an input that has one.
Value Evaluator::read(const Source &source, int64_t t, int64_t position) const {
  double stored = source.number;
  if (source.tensor) {
    const int64_t index[] = {row, t, position};
    stored = source.tensor->read(ArrayRef(index, source.tensor->rank()));
  }
  // NaN is set, -0.0 is clear.
  return source.type == TypeKind::Flag ? flag(stored != 0.0) : Value{stored};
}

/// An equation's value keeps its gate under its name.
Value Evaluator::evaluateName(const Node &node, int64_t t) const {
  if (!node.isInput)
    return values[node.slot][t];
  const Source &source = program.sources[node.slot];
  bool isAlong = source.axis < positions.size();
  return read(source, t, isAlong ? positions[source.axis] : 0);
}

Value Evaluator::evaluatePick(const Node &node, int64_t t) {
  const Source &source = program.sources[node.slot];
  double last = static_cast<double>(program.axisSizes[source.axis] - 1);
  double index = std::clamp(number(node, 0, t), 0.0, std::max(last, 0.0));
  return read(source, t, static_cast<int64_t>(index));
}

/// A flag is a gate: set, it leaves the other factor as it is; clear, it closes
/// the product. Otherwise IEEE arithmetic, but for the carry of a recurrence: a
/// factor of exactly 0 cuts it, whatever it holds.
Value Evaluator::evaluateProduct(const Node &node, int64_t t) {
  const Node &left = node.operands[0], &right = node.operands[1];
  Value a = evaluate(left, t), b = evaluate(right, t);
  if (left.type == TypeKind::Flag)
    return a.number != 0.0 ? b : gatedOff;
  if (right.type == TypeKind::Flag)
    return b.number != 0.0 ? a : gatedOff;
  if (a.isGatedOff || b.isGatedOff)
    return gatedOff;
  bool cutsLeft = left.dependsOnCarry && b.number == 0.0;
  bool cutsRight = right.dependsOnCarry && a.number == 0.0;
  return cutsLeft || cutsRight ? Value{0.0} : Value{a.number * b.number};
}

/// A quotient by x is a product with 1 / x, so that an infinite divisor cuts
/// the carry.
Value Evaluator::evaluateQuotient(const Node &node, int64_t t) {
  Value numerator = evaluate(node.operands[0], t);
  double divisor = number(node, 1, t);
  if (numerator.isGatedOff)
    return gatedOff;
  if (node.operands[0].dependsOnCarry && std::isinf(divisor))
    return {0.0};
  return {numerator.number / divisor};
}

/// The whole operand at the neighbouring step, or the other value, at this
/// step, where there is no neighbour. A gate does not outlive the shift.
Value Evaluator::evaluateShift(const Node &node, int64_t t) {
  int64_t neighbour = t + node.offset;
  bool isInside = 0 <= neighbour && neighbour < steps;
  return {isInside ? number(node, 0, neighbour) : number(node, 1, t)};
}

double Evaluator::evaluateCall(const Node &node, int64_t t) {
  llvm::SmallVector<double, 4> arguments;
  for (const Node &operand : node.operands)
    arguments.push_back(evaluate(operand, t).number);
  return node.function(arguments);
}

/// In the order of the axis. Reductions over one axis do not nest.
double Evaluator::evaluateReduce(const Node &node, int64_t t) {
  double result = node.number;
  for (int64_t i = 0; i < program.axisSizes[node.slot]; ++i) {
    positions[node.slot] = i;
    result = node.function({result, number(node, 0, t)});
  }
  return result;
}

/// Reals and indices. False where either is NaN, except that `!=` is then true.
bool Evaluator::compare(const Node &node, int64_t t) {
  double a = number(node, 0, t), b = number(node, 1, t);
  switch (node.kind) {
  case Expr::Less:
    return a < b;
  case Expr::LessEqual:
    return a <= b;
  case Expr::Greater:
    return a > b;
  case Expr::GreaterEqual:
    return a >= b;
  case Expr::Equal:
    return a == b;
  default:
    return a != b;
  }
}

Value Evaluator::evaluate(const Node &node, int64_t t) {
  switch (node.kind) {
  case Expr::Number:
  case Expr::Boolean:
    return {node.number};
  case Expr::Name:
    return evaluateName(node, t);
  case Expr::Negate: {
    Value operand = evaluate(node.operands[0], t);
    return operand.isGatedOff ? gatedOff : Value{-operand.number};
  }
  case Expr::Not:
    return flag(!isSet(node, 0, t));
  case Expr::Add:
    return {number(node, 0, t) + number(node, 1, t)};
  case Expr::Subtract:
    return {number(node, 0, t) - number(node, 1, t)};
  case Expr::Multiply:
    return evaluateProduct(node, t);
  case Expr::Divide:
    return evaluateQuotient(node, t);
  case Expr::And:
    return flag(isSet(node, 0, t) && isSet(node, 1, t));
  case Expr::Or:
    return flag(isSet(node, 0, t) || isSet(node, 1, t));
  case Expr::Less:
  case Expr::LessEqual:
  case Expr::Greater:
  case Expr::GreaterEqual:
  case Expr::Equal:
  case Expr::NotEqual:
    return flag(compare(node, t));
  case Expr::Select: // A gate does not outlive the choice.
    return {number(node, isSet(node, 0, t) ? 1 : 2, t)};
  case Expr::Call:
    return {evaluateCall(node, t)};
  case Expr::Shift:
    return evaluateShift(node, t);
  case Expr::Pick:
    return evaluatePick(node, t);
  case Expr::Reduce:
    return {evaluateReduce(node, t)};
  }
  llvm_unreachable("unknown expression");
}

/// A recurrence runs away from the neighbour that it reads, which is its own
/// value computed just before. What it yields is a plain number, without gate.
void Evaluator::evaluateRow(int64_t newRow) {
  row = newRow;
  for (auto [rule, ofRule] : llvm::zip_equal(program.rules, values))
    for (int64_t i = 0; i < steps; ++i) {
      int64_t t = rule.carryOffset > 0 ? steps - 1 - i : i;
      ofRule[t] = evaluate(rule.value, t);
      if (rule.carryOffset != 0)
        ofRule[t].isGatedOff = false;
    }
}

std::vector<ReferenceResult> rlscan::evaluateReference(
    const ast::Estimator &estimator, const llvm::StringMap<Tensor> &inputs,
    int64_t rows, int64_t steps, const llvm::StringMap<int64_t> &axisSizes) {
  Program program = Resolver(estimator, inputs).run(axisSizes);
  std::vector<ReferenceResult> results;
  for (auto [result, node] :
       llvm::zip_equal(estimator.results, program.results))
    results.push_back({result.id.name.str(), node.type, {}});
  Evaluator evaluator(program, steps);
  for (int64_t row = 0; row < rows; ++row) {
    evaluator.evaluateRow(row);
    for (auto [result, node] : llvm::zip_equal(results, program.results))
      for (int64_t t = 0; t < steps; ++t)
        result.values.push_back(evaluator.evaluate(node, t).number);
  }
  return results;
}
