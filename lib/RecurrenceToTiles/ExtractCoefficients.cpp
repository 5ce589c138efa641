//===- ExtractCoefficients.cpp - Recurrences to scans ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives alpha and beta of every recurrence. Each value of the region that
// depends on the carry is written as alpha + beta * carry, bottom up.
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/EquationPrinter.h"
#include "RecurrenceToTiles/Gates.h"
#include "rlscan/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace rlscan {
#define GEN_PASS_DEF_EXTRACTCOEFFICIENTS
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// alpha + beta * carry. A null coefficient is 0.
struct Affine {
  Value alpha, beta;
};

/// Derives the coefficients of one recurrence.
class Extraction {
public:
  explicit Extraction(RecurrenceOp recurrence)
      : recurrence(recurrence), builder(recurrence),
        carry(recurrence.getBody().getArgument(0)) {}

  /// Replaces the recurrence by a scan, or reports every sub-expression that is
  /// not affine.
  LogicalResult run();

private:
  FailureOr<Affine> derive(Operation *op);
  FailureOr<Affine> deriveProduct(arith::MulFOp op);
  FailureOr<Affine> deriveQuotient(arith::DivFOp op);
  FailureOr<Affine> deriveChoice(arith::SelectOp op);

  bool depends(Value value) const { return forms.contains(value); }
  Affine form(Value value) const;

  Value constant(double value, Location loc);
  Value orZero(Value value, Location loc);
  Value add(Value a, Value b, Location loc);
  Value subtract(Value a, Value b, Location loc);
  Value scaled(Value coefficient, Location loc,
               llvm::function_ref<Value(Value)> scale);
  Value multiply(Value coefficient, Value factor, bool isLeft, Location loc);
  Value divide(Value coefficient, Value divisor, Location loc);
  Value negate(Value a, Location loc);
  Value select(Value condition, Value ifSet, Value ifClear, Location loc) {
    return chooseGated(builder, loc, condition, ifSet, ifClear);
  }

  LogicalResult refuse(Operation *op, const Twine &what);

  RecurrenceOp recurrence;
  OpBuilder builder;
  Value carry;
  /// The values that depend on the carry. Where a form could not be derived an
  /// error was reported and the entry is empty.
  DenseMap<Value, Affine> forms;
};

} // namespace

//===----------------------------------------------------------------------===//
// Arithmetic on coefficients
//===----------------------------------------------------------------------===//

/// A free value is its own alpha. The 0 of a closed gate is a null one, so that
/// gates on the carry add nothing to alpha.
Affine Extraction::form(Value value) const {
  auto found = forms.find(value);
  if (found != forms.end())
    return found->second;
  if (matchPattern(value, m_PosZeroFloat()))
    return {};
  return {value, {}};
}

Value Extraction::constant(double value, Location loc) {
  Type type = recurrence.getResult().getType();
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value Extraction::orZero(Value value, Location loc) {
  return value ? value : constant(0.0, loc);
}

static bool isOne(Value value) { return matchPattern(value, m_OneFloat()); }

Value Extraction::add(Value a, Value b, Location loc) {
  if (!a || !b)
    return a ? a : b;
  return arith::AddFOp::create(builder, loc, a, b);
}

Value Extraction::negate(Value a, Location loc) {
  return a ? arith::NegFOp::create(builder, loc, a) : Value();
}

Value Extraction::subtract(Value a, Value b, Location loc) {
  if (!b)
    return a;
  if (!a)
    return negate(b, loc);
  return arith::SubFOp::create(builder, loc, a, b);
}

/// Applies `scale` to a coefficient. Where it chooses between a value and 0 the
/// 0 stays what it is, an absent term, instead of being scaled: 0 * inf would
/// be NaN.
Value Extraction::scaled(Value coefficient, Location loc,
                         llvm::function_ref<Value(Value)> scale) {
  if (!coefficient || matchPattern(coefficient, m_PosZeroFloat()))
    return {};
  auto choice = coefficient.getDefiningOp<arith::SelectOp>();
  bool hasAbsent =
      choice && (matchPattern(choice.getTrueValue(), m_PosZeroFloat()) ||
                 matchPattern(choice.getFalseValue(), m_PosZeroFloat()));
  if (!hasAbsent)
    return scale(coefficient);
  return select(choice.getCondition(),
                scaled(choice.getTrueValue(), loc, scale),
                scaled(choice.getFalseValue(), loc, scale), loc);
}

/// In the order of the recipe: `isLeft` says on which side the factor stands.
Value Extraction::multiply(Value coefficient, Value factor, bool isLeft,
                           Location loc) {
  return scaled(coefficient, loc, [&](Value value) -> Value {
    if (isOne(value) || isOne(factor))
      return isOne(value) ? factor : value;
    return isLeft ? arith::MulFOp::create(builder, loc, factor, value)
                  : arith::MulFOp::create(builder, loc, value, factor);
  });
}

Value Extraction::divide(Value coefficient, Value divisor, Location loc) {
  return scaled(coefficient, loc, [&](Value value) -> Value {
    return arith::DivFOp::create(builder, loc, value, divisor);
  });
}

//===----------------------------------------------------------------------===//
// Derivation
//===----------------------------------------------------------------------===//

/// "advantage[t+1]", for messages.
static std::string carryText(Value carry) {
  return EquationPrinter().reference(carry);
}

LogicalResult Extraction::refuse(Operation *op, const Twine &what) {
  std::string subject = carryText(carry);
  std::string text = EquationPrinter().equation(op->getResult(0));
  InFlightDiagnostic error = op->emitError()
                             << "not affine in " << subject << ": " << what
                             << " in '" << text << "'";
  error.attachNote(recurrence.getLoc())
      << "a recurrence must read alpha + beta * " << subject
      << ", where alpha and beta are free of it: use sums, differences, "
         "products and quotients by values free of it, and choices between "
         "such forms on conditions free of it";
  return failure();
}

FailureOr<Affine> Extraction::deriveProduct(arith::MulFOp op) {
  Value left = op.getLhs(), right = op.getRhs();
  if (depends(left) && depends(right))
    return refuse(op, "a product of two values that depend on it");
  bool isLeft = depends(right);
  Value factor = isLeft ? left : right;
  Affine f = form(isLeft ? right : left);
  return Affine{multiply(f.alpha, factor, isLeft, op.getLoc()),
                multiply(f.beta, factor, isLeft, op.getLoc())};
}

FailureOr<Affine> Extraction::deriveQuotient(arith::DivFOp op) {
  if (depends(op.getRhs()))
    return refuse(op, "a quotient by a value that depends on it");
  Affine f = form(op.getLhs());
  return Affine{divide(f.alpha, op.getRhs(), op.getLoc()),
                divide(f.beta, op.getRhs(), op.getLoc())};
}

/// The condition is free of the carry: a comparison of it was refused before.
FailureOr<Affine> Extraction::deriveChoice(arith::SelectOp op) {
  Affine ifSet = form(op.getTrueValue()), ifClear = form(op.getFalseValue());
  return Affine{
      select(op.getCondition(), ifSet.alpha, ifClear.alpha, op.getLoc()),
      select(op.getCondition(), ifSet.beta, ifClear.beta, op.getLoc())};
}

/// The form of an op with an operand that depends on the carry.
FailureOr<Affine> Extraction::derive(Operation *op) {
  using Result = FailureOr<Affine>;
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp>([&](auto sum) -> Result {
        Affine a = form(sum.getLhs()), b = form(sum.getRhs());
        return Affine{add(a.alpha, b.alpha, loc), add(a.beta, b.beta, loc)};
      })
      .Case<arith::SubFOp>([&](auto difference) -> Result {
        Affine a = form(difference.getLhs()), b = form(difference.getRhs());
        return Affine{subtract(a.alpha, b.alpha, loc),
                      subtract(a.beta, b.beta, loc)};
      })
      .Case<arith::NegFOp>([&](auto negation) -> Result {
        Affine a = form(negation.getOperand());
        return Affine{negate(a.alpha, loc), negate(a.beta, loc)};
      })
      .Case<arith::MulFOp>([&](auto product) { return deriveProduct(product); })
      .Case<arith::DivFOp>(
          [&](auto quotient) { return deriveQuotient(quotient); })
      .Case<arith::SelectOp>([&](auto choice) { return deriveChoice(choice); })
      .Case<arith::CmpFOp>([&](auto) -> Result {
        return refuse(op, "a comparison of a value that depends on it");
      })
      .Default([&](Operation *) -> Result {
        return refuse(op, "a function of a value that depends on it");
      });
}

template <typename Container>
static bool usesAny(Operation &op, const Container &values) {
  bool found = false;
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      found |= values.contains(operand);
  });
  return found;
}

LogicalResult Extraction::run() {
  Location loc = recurrence.getLoc();
  forms[carry] = {{}, constant(1.0, loc)};
  bool isAffine = true;
  // Values of which an error was already reported are not looked at again.
  llvm::SmallDenseSet<Value> refused;
  Block &body = recurrence.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    if (!usesAny(op, forms)) {
      op.moveBefore(recurrence);
      continue;
    }
    bool isKnownBad = usesAny(op, refused);
    FailureOr<Affine> affine = failure();
    if (!isKnownBad)
      affine = derive(&op);
    isAffine &= succeeded(affine);
    for (Value result : op.getResults()) {
      forms[result] = succeeded(affine) ? *affine : Affine{};
      if (failed(affine))
        refused.insert(result);
    }
  }
  if (!isAffine)
    return failure();
  Affine result = form(cast<YieldOp>(body.getTerminator()).getValue());
  Value alpha = orZero(result.alpha, loc);
  if (result.beta)
    alpha = ScanOp::create(builder, loc, recurrence.getDirection(), alpha,
                           result.beta, recurrence.getInit());
  recurrence.getResult().replaceAllUsesWith(alpha);
  recurrence.erase();
  return success();
}

namespace {
struct ExtractCoefficients
    : rlscan::impl::ExtractCoefficientsBase<ExtractCoefficients> {
  void runOnOperation() override {
    SmallVector<RecurrenceOp> recurrences;
    getOperation().walk(
        [&](RecurrenceOp recurrence) { recurrences.push_back(recurrence); });
    for (RecurrenceOp recurrence : recurrences)
      if (failed(Extraction(recurrence).run()))
        signalPassFailure();
  }
};
} // namespace
