//===- Reference.cpp - The serial reference -------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Resolver has looked up every name once. What is left is to walk the
// Nodes: for each row, each equation in the order of the file, each step.
//
//===----------------------------------------------------------------------===//

#include "Reference/Reference.h"
#include "Reference/Resolver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace rlscan;
using namespace rlscan::reference;
using ast::Expr;
using ast::TypeKind;
using llvm::ArrayRef;

namespace {

/// A value at one row and step: a real, a flag (0 or 1), or an index (a whole
/// number). A real behind a closed gate is 0 and, as a factor, makes the whole
/// product 0, whatever the other factors hold.
struct Value {
  double number = 0.0;
  bool isGatedOff = false; // then the number is 0
};

/// A row of the caller: where its values are in the arrays.
struct Row {
  int64_t number = 0; // of what has a value a row
  int64_t stored = 0; // of what has a value a row and step
  int64_t firstStep = 0, steps = 0;
  int64_t firstExtra = 0; // of packed inputs that have an extra step
};

class Evaluator {
public:
  Evaluator(const Program &program, int64_t steps)
      : program(program), positions(program.axisSizes.size()),
        values(program.rules.size(), std::vector<Value>(steps)) {}

  /// Evaluates every equation at every step of a row.
  void evaluateRow(const Row &row);

  Value evaluate(const Node &node, int64_t t);

private:
  Value read(const Source &source, int64_t t, int64_t position) const;
  Value evaluateName(const Node &node, int64_t t) const;
  Value evaluateProduct(const Node &node, int64_t t);
  Value evaluateWithoutCarry(const Node &node, int64_t t);
  void evaluateWindow(const Rule &rule, std::vector<Value> &ofRule);
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
  Row row;
  bool isCarryCut = false;                // see evaluateWithoutCarry
  bool isWindowEmpty = false;             // see evaluateWindow
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
    int64_t rank = source.tensor->rank();
    int64_t ofRow = rank == 1 ? row.number : row.stored;
    if (rank == 1 && source.hasExtraStep)
      ofRow = row.firstExtra + t;
    const int64_t index[] = {ofRow, row.firstStep + t, position};
    stored = source.tensor->read(ArrayRef(index, rank));
  }
  // NaN is set, -0.0 is clear.
  return source.type == TypeKind::Flag ? flag(stored != 0.0) : Value{stored};
}

/// An equation's value keeps its gate under its name.
Value Evaluator::evaluateName(const Node &node, int64_t t) const {
  if (node.isStep)
    return {static_cast<double>(t)};
  if (!node.isInput)
    return values[node.slot][t];
  const Source &source = program.sources[node.slot];
  bool isAlong = source.axis < positions.size();
  return read(source, t, isAlong ? positions[source.axis] : 0);
}

/// An index outside the axis is clamped to it. An empty axis has no entry.
Value Evaluator::evaluatePick(const Node &node, int64_t t) {
  const Source &source = program.sources[node.slot];
  int64_t size = program.axisSizes[source.axis];
  if (size == 0)
    return {0.0};
  double last = static_cast<double>(size - 1);
  double index = std::clamp(number(node, 0, t), 0.0, last);
  return read(source, t, static_cast<int64_t>(index));
}

/// A flag is a gate: set, it leaves the other factor as it is; clear, it closes
/// the product. Otherwise IEEE arithmetic, but for the carry of a recurrence: a
/// factor of exactly 0 cuts it, whatever it holds, and leaves what stands
/// beside it.
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
  if (cutsLeft)
    a = evaluateWithoutCarry(left, t);
  if (cutsRight)
    b = evaluateWithoutCarry(right, t);
  return {a.number * b.number};
}

/// With 0 for the carry.
Value Evaluator::evaluateWithoutCarry(const Node &node, int64_t t) {
  bool wasCut = std::exchange(isCarryCut, true);
  Value value = evaluate(node, t);
  isCarryCut = wasCut;
  return value;
}

/// A quotient by x is a product with 1 / x, so that an infinite divisor cuts
/// the carry.
Value Evaluator::evaluateQuotient(const Node &node, int64_t t) {
  Value numerator = evaluate(node.operands[0], t);
  double divisor = number(node, 1, t);
  if (numerator.isGatedOff)
    return gatedOff;
  if (node.operands[0].dependsOnCarry && std::isinf(divisor))
    numerator = evaluateWithoutCarry(node.operands[0], t);
  return {numerator.number / divisor};
}

/// The whole operand at the neighbouring step, or the other value, at this
/// step, where there is no neighbour. A gate does not outlive the shift.
Value Evaluator::evaluateShift(const Node &node, int64_t t) {
  if (node.isCarry && isCarryCut)
    return {0.0};
  int64_t neighbour = t + node.offset;
  bool isStored = node.operands.size() == 1;
  if (isStored)
    return evaluate(node.operands[0], neighbour);
  bool isInside = 0 <= neighbour && neighbour < row.steps &&
                  !(node.isCarry && isWindowEmpty);
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
  case Expr::Remainder: // of counts, which are exact
    return {std::fmod(std::max(number(node, 0, t), 0.0),
                      std::max(number(node, 1, t), 1.0))};
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
/// Over one step the init stands for the neighbour, everywhere; over one step
/// more that is the value so far.
void Evaluator::evaluateWindow(const Rule &rule, std::vector<Value> &ofRule) {
  isWindowEmpty = true;
  for (unsigned i = 0; i < rule.window; ++i) {
    std::vector<Value> longer(ofRule.size());
    for (int64_t t = 0; t < row.steps; ++t)
      longer[t] = {evaluate(rule.value, t).number};
    ofRule = std::move(longer);
    isWindowEmpty = false;
  }
}

void Evaluator::evaluateRow(const Row &newRow) {
  row = newRow;
  for (auto [rule, ofRule] : llvm::zip_equal(program.rules, values)) {
    if (rule.window > 0) {
      evaluateWindow(rule, ofRule);
      continue;
    }
    for (int64_t i = 0; i < row.steps; ++i) {
      int64_t t = rule.carryOffset > 0 ? row.steps - 1 - i : i;
      ofRule[t] = evaluate(rule.value, t);
      if (rule.carryOffset != 0)
        ofRule[t].isGatedOff = false;
    }
  }
}

/// The rows that the caller means.
static std::vector<Row> rowsOf(const llvm::StringMap<Tensor> &inputs,
                               int64_t rows, int64_t steps) {
  auto lengths = inputs.find(lengthsName), bounds = inputs.find(boundsName);
  auto read = [](const Tensor &tensor, int64_t row) {
    return static_cast<int64_t>(tensor.read({row}));
  };
  std::vector<Row> list;
  if (bounds != inputs.end()) {
    const Tensor &ends = bounds->second;
    for (int64_t row = 0; row + 1 < ends.sizes[0]; ++row) {
      int64_t first = read(ends, row);
      list.push_back({row, 0, first, read(ends, row + 1) - first, first + row});
    }
    return list;
  }
  for (int64_t row = 0; row < rows; ++row)
    list.push_back(
        {row, row, 0,
         lengths == inputs.end() ? steps : read(lengths->second, row)});
  return list;
}

std::vector<ReferenceResult> rlscan::evaluateReference(
    const ast::Estimator &estimator, const llvm::StringMap<Tensor> &inputs,
    int64_t rows, int64_t steps, const llvm::StringMap<int64_t> &axisSizes) {
  Program program = resolve(estimator, inputs, axisSizes);
  std::vector<ReferenceResult> results;
  for (auto [result, node] :
       llvm::zip_equal(estimator.results, program.results))
    results.push_back({result.id.name.str(), node.type, {}});
  Evaluator evaluator(program, steps);
  for (ReferenceResult &result : results)
    result.values.resize(rows * steps);
  for (const Row &row : rowsOf(inputs, rows, steps)) {
    evaluator.evaluateRow(row);
    for (auto [result, node] : llvm::zip_equal(results, program.results))
      for (int64_t t = 0; t < row.steps; ++t)
        result.values[row.stored * steps + row.firstStep + t] =
            evaluator.evaluate(node, t).number;
  }
  return results;
}
