//===- RingReference.cpp - Recipes over integers modulo 2^32 --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingReference.h"
#include "RingArithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace rlscan;
using namespace rlscan::test;
using ast::Expr;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// Reals, flags (0 or 1) and indices are all whole numbers here, and a flag
/// times a real is a product like any other.
class Evaluator {
public:
  Evaluator(const ast::Estimator &estimator,
            const llvm::StringMap<Tensor> &inputs, const Scenario &scenario)
      : estimator(estimator), inputs(inputs), scenario(scenario) {
    for (const ast::Input &input : estimator.inputs)
      declared[input.id.name] = &input;
  }

  void evaluateRow(int64_t newRow);
  int32_t evaluate(const Expr &expr, int64_t t);
  int32_t nameAt(StringRef name, int64_t t);

private:
  int32_t read(const ast::Input &input, int64_t t, int64_t position);
  int32_t call(const Expr &expr, int64_t t);
  int32_t reduce(const Expr &expr, int64_t t);
  int32_t operand(const Expr &expr, unsigned i, int64_t t) {
    return evaluate(expr.operand(i), t);
  }

  const ast::Estimator &estimator;
  const llvm::StringMap<Tensor> &inputs;
  const Scenario &scenario;
  llvm::StringMap<const ast::Input *> declared;
  llvm::StringMap<std::vector<int32_t>> values; // of this row
  llvm::StringMap<int64_t> positions;           // of the reductions around
  int64_t row = 0;
};

} // namespace

static int32_t bitsOf(const Tensor &tensor, ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip_equal(index, tensor.strides))
    offset += position * stride;
  int32_t bits;
  std::memcpy(&bits, tensor.data + offset * byteWidth(tensor.dtype),
              sizeof(bits));
  return bits;
}

int32_t Evaluator::read(const ast::Input &input, int64_t t, int64_t position) {
  auto found = inputs.find(input.id.name);
  if (found == inputs.end()) { // left out
    const Expr &value = *input.defaultValue;
    return value.kind == Expr::Name
               ? read(*declared.lookup(value.name), t, position)
               : evaluate(value, t);
  }
  const Tensor &tensor = found->second;
  const int64_t all[] = {row, t, position};
  ArrayRef<int64_t> index(all, tensor.rank());
  if (input.type == ast::TypeKind::Real)
    return bitsOf(tensor, index);
  double value = tensor.read(index);
  return input.type == ast::TypeKind::Flag ? value != 0.0
                                           : static_cast<int32_t>(value);
}

int32_t Evaluator::nameAt(StringRef name, int64_t t) {
  if (auto found = values.find(name); found != values.end())
    return found->second[t];
  const ast::Input &input = *declared.lookup(name);
  return read(input, t, positions.lookup(input.axis.name));
}

int32_t Evaluator::call(const Expr &expr, int64_t t) {
  llvm::SmallVector<int32_t, 4> of;
  for (const Expr *argument : expr.operands)
    of.push_back(evaluate(*argument, t));
  if (expr.name == "min")
    return *std::min_element(of.begin(), of.end());
  if (expr.name == "max")
    return *std::max_element(of.begin(), of.end());
  if (expr.name == "clip")
    return std::min(std::max(of[0], of[1]), of[2]);
  if (expr.name == "abs")
    return ring::abs(of[0]);
  return ring::function(of[0], llvm::StringSwitch<uint32_t>(expr.name)
                                   .Case("exp", ring::expFactor)
                                   .Case("log", ring::logFactor)
                                   .Case("sqrt", ring::sqrtFactor));
}

int32_t Evaluator::reduce(const Expr &expr, int64_t t) {
  using Limits = std::numeric_limits<int32_t>;
  int32_t result = expr.name == "sum"   ? 0
                   : expr.name == "max" ? Limits::min()
                                        : Limits::max();
  for (int64_t i = 0; i < scenario.axisSize; ++i) {
    positions[expr.axis] = i;
    int32_t entry = operand(expr, 0, t);
    result = expr.name == "sum"   ? ring::add(result, entry)
             : expr.name == "max" ? std::max(result, entry)
                                  : std::min(result, entry);
  }
  return result;
}

int32_t Evaluator::evaluate(const Expr &expr, int64_t t) {
  auto of = [&](unsigned i) { return operand(expr, i, t); };
  switch (expr.kind) {
  case Expr::Number:
  case Expr::Boolean:
    return ring::number(expr.number);
  case Expr::Name:
    return nameAt(expr.name, t);
  case Expr::Negate:
    return ring::subtract(0, of(0));
  case Expr::Not:
    return !of(0);
  case Expr::Add:
    return ring::add(of(0), of(1));
  case Expr::Subtract:
    return ring::subtract(of(0), of(1));
  case Expr::Multiply:
    return ring::multiply(of(0), of(1));
  case Expr::Remainder:
    llvm_unreachable("no recipe of the ring has one");
  case Expr::Divide:
    return ring::divide(of(0), of(1));
  case Expr::And:
    return of(0) & of(1);
  case Expr::Or:
    return of(0) | of(1);
  case Expr::Less:
    return of(0) < of(1);
  case Expr::LessEqual:
    return of(0) <= of(1);
  case Expr::Greater:
    return of(0) > of(1);
  case Expr::GreaterEqual:
    return of(0) >= of(1);
  case Expr::Equal:
    return of(0) == of(1);
  case Expr::NotEqual:
    return of(0) != of(1);
  case Expr::Select:
    return of(0) ? of(1) : of(2);
  case Expr::Call:
    return call(expr, t);
  case Expr::Shift: {
    int64_t next = t + expr.offset;
    if (expr.operands.size() == 1)
      return operand(expr, 0, next);
    bool isInside = 0 <= next && next < scenario.steps;
    return isInside ? operand(expr, 0, next) : of(1);
  }
  case Expr::Pick: {
    int64_t last = scenario.axisSize - 1;
    return read(*declared.lookup(expr.operand(0).name), t,
                std::clamp<int64_t>(of(1), 0, last));
  }
  case Expr::Reduce:
    return reduce(expr, t);
  }
  llvm_unreachable("unknown expression");
}

/// Whether the equation takes its own value at the next step.
static bool isBackward(const Expr &expr, StringRef name) {
  bool isOwn = expr.kind == Expr::Shift && expr.offset > 0 &&
               expr.operand(0).kind == Expr::Name &&
               expr.operand(0).name == name;
  return isOwn || llvm::any_of(expr.operands, [&](const Expr *operand) {
           return isBackward(*operand, name);
         });
}

void Evaluator::evaluateRow(int64_t newRow) {
  row = newRow;
  values.clear();
  for (const ast::Equation &equation : estimator.equations) {
    bool isReversed = isBackward(*equation.value, equation.id.name);
    values[equation.id.name].assign(scenario.steps, 0);
    for (int64_t i = 0; i < scenario.steps; ++i) {
      int64_t t = isReversed ? scenario.steps - 1 - i : i;
      int32_t value = evaluate(*equation.value, t);
      values[equation.id.name][t] = value;
    }
  }
}

llvm::StringMap<std::vector<int32_t>>
test::ring::evaluate(const ast::Estimator &estimator,
                     const llvm::StringMap<Tensor> &inputs,
                     const Scenario &scenario) {
  llvm::StringMap<std::vector<int32_t>> results;
  Evaluator evaluator(estimator, inputs, scenario);
  for (int64_t row = 0; row < scenario.rows; ++row) {
    evaluator.evaluateRow(row);
    for (const ast::Result &result : estimator.results)
      for (int64_t t = 0; t < scenario.steps; ++t)
        results[result.id.name].push_back(
            result.value ? evaluator.evaluate(*result.value, t)
                         : evaluator.nameAt(result.id.name, t));
  }
  return results;
}
