//===- FieldEvaluator.cpp - Estimators at a point of a field --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldEvaluator.h"

#include "Random.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace rlscan;
using namespace rlscan::test;
using namespace rlscan::test::field;

//===----------------------------------------------------------------------===//
// The field
//===----------------------------------------------------------------------===//

static uint64_t add(uint64_t a, uint64_t b) { return (a + b) % prime; }
static uint64_t negate(uint64_t a) { return (prime - a) % prime; }
static uint64_t multiply(uint64_t a, uint64_t b) { return a * b % prime; }

static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = multiply(base, base))
    if (exponent & 1)
      result = multiply(result, base);
  return result;
}

static uint64_t inverse(uint64_t a) { return power(a, prime - 2); }

/// A double is a whole number times a power of 2.
static uint64_t element(double value) {
  constexpr int digits = 53;
  int exponent = 0;
  double fraction = std::frexp(std::abs(value), &exponent);
  auto whole = static_cast<uint64_t>(std::ldexp(fraction, digits)) % prime;
  exponent -= digits;
  uint64_t scale = power(2, std::abs(exponent));
  uint64_t size = multiply(whole, exponent < 0 ? inverse(scale) : scale);
  return std::signbit(value) ? negate(size) : size;
}

//===----------------------------------------------------------------------===//
// Hashes
//===----------------------------------------------------------------------===//

static uint64_t hashText(StringRef text) { return Random(0, text).next(); }

uint64_t Evaluator::hash(uint64_t a, uint64_t b) const {
  return Random(Random(seed ^ a).next() + b).next();
}

uint64_t Evaluator::asType(uint64_t bits, Type type) const {
  if (isa<FloatType>(type))
    return bits % prime;
  return type.isInteger(1) ? bits >> 63 : bits;
}

/// What an op is apart from its operands, regions and place.
static uint64_t kindOf(Operation &op) {
  std::string text = op.getName().getStringRef().str();
  llvm::raw_string_ostream(text) << op.getAttrDictionary();
  return hashText(text);
}

//===----------------------------------------------------------------------===//
// Recurrences
//===----------------------------------------------------------------------===//

Location field::locationOf(Builder &builder, unsigned number) {
  return NameLoc::get(builder.getStringAttr(Twine(number)));
}

static unsigned numberOf(Operation *op) {
  unsigned number = 0;
  bool isBad =
      cast<NameLoc>(op->getLoc()).getName().strref().getAsInteger(10, number);
  assert(!isBad && "a recurrence without a number");
  (void)isBad;
  return number;
}

uint64_t Evaluator::neighbour(Operation *op, uint64_t which) {
  return hash(hash(hashText("neighbour"), numberOf(op)), which) % prime;
}

static uint64_t directionOf(Direction direction) {
  return hashText(stringifyDirection(direction));
}

uint64_t Evaluator::runRecurrence(RecurrenceOp op) {
  uint64_t y[3], at[3];
  for (int i = 0; i < 3; ++i) {
    y[i] = neighbour(op, i);
    at[i] = runRegion(op.getBody().front(), y[i]);
  }
  // (at1 - at0) * (y2 - y0) = (at2 - at0) * (y1 - y0) of a straight line.
  auto difference = [](uint64_t a, uint64_t b) { return add(a, negate(b)); };
  if (multiply(difference(at[1], at[0]), difference(y[2], y[0])) !=
      multiply(difference(at[2], at[0]), difference(y[1], y[0])))
    isCurved = numberOf(op);
  edges[numberOf(op)] = hash(directionOf(op.getDirection()), of(op.getInit()));
  return at[0];
}

uint64_t Evaluator::runScan(ScanOp op) {
  edges[numberOf(op)] = hash(directionOf(op.getDirection()), of(op.getInit()));
  return add(of(op.getAlpha()), multiply(of(op.getBeta()), neighbour(op, 0)));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

uint64_t Evaluator::runRegion(Block &block, uint64_t argument) {
  values[block.getArgument(0)] = argument;
  for (Operation &op : block.without_terminator())
    values[op.getResult(0)] = run(op);
  return of(block.getTerminator()->getOperand(0));
}

uint64_t Evaluator::runReduce(ReduceOp op) {
  constexpr uint64_t positions = 3;
  uint64_t kind = kindOf(*op.getOperation()), result = 0;
  for (uint64_t i = 0; i < positions; ++i) {
    uint64_t entry = runRegion(op.getBody().front(), i);
    result = op.getKind() == ReduceKind::Sum ? add(result, entry)
                                             : hash(hash(kind, result), entry);
  }
  return asType(result, op.getResult().getType());
}

static uint64_t constant(arith::ConstantOp op) {
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    if (number.getValue().isFinite())
      return element(number.getValueAsDouble());
  if (auto flag = dyn_cast<BoolAttr>(op.getValue()))
    return flag.getValue();
  if (auto whole = dyn_cast<IntegerAttr>(op.getValue()))
    return whole.getInt();
  return kindOf(*op.getOperation()) % prime;
}

/// Arithmetic of reals and of flags; nothing for other ops.
std::optional<uint64_t> Evaluator::runArithmetic(Operation &op) {
  auto left = [&] { return of(op.getOperand(0)); };
  auto right = [&] { return of(op.getOperand(1)); };
  bool isFlag = op.getResult(0).getType().isInteger(1);
  return llvm::TypeSwitch<Operation *, std::optional<uint64_t>>(&op)
      .Case<arith::ConstantOp>([&](auto number) { return constant(number); })
      .Case<arith::AddFOp>([&](auto) { return add(left(), right()); })
      .Case<arith::SubFOp>([&](auto) { return add(left(), negate(right())); })
      .Case<arith::NegFOp>([&](auto) { return negate(left()); })
      .Case<arith::MulFOp>([&](auto) { return multiply(left(), right()); })
      .Case<arith::DivFOp>(
          [&](auto) { return multiply(left(), inverse(right())); })
      .Case<arith::UIToFPOp>([&](auto) { return left() % prime; })
      .Case<arith::SelectOp>(
          [&](auto) { return left() ? right() : of(op.getOperand(2)); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](auto logic) -> std::optional<uint64_t> {
            if (!isFlag)
              return std::nullopt;
            if (isa<arith::AndIOp>(logic))
              return left() & right();
            return isa<arith::OrIOp>(logic) ? left() | right()
                                            : left() ^ right();
          })
      .Default([](Operation *) { return std::nullopt; });
}

/// A hash of the op and its operands.
uint64_t Evaluator::runOther(Operation &op) {
  if (op.getNumRegions() != 0)
    llvm::report_fatal_error("an op with a region that is not known");
  uint64_t result = kindOf(op);
  for (Value operand : op.getOperands())
    result = hash(result, of(operand));
  return asType(result, op.getResult(0).getType());
}

uint64_t Evaluator::run(Operation &op) {
  if (auto recurrence = dyn_cast<RecurrenceOp>(op))
    return runRecurrence(recurrence);
  if (auto scan = dyn_cast<ScanOp>(op))
    return runScan(scan);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return runReduce(reduce);
  if (std::optional<uint64_t> result = runArithmetic(op))
    return *result;
  return runOther(op);
}

std::vector<uint64_t> Evaluator::evaluate(EstimatorOp estimator) {
  Block &block = estimator.getBody().front();
  for (BlockArgument input : block.getArguments()) {
    uint64_t bits = hash(hashText("input"), input.getArgNumber());
    values[input] = asType(bits, input.getType());
  }
  for (Operation &op : block.without_terminator())
    values[op.getResult(0)] = run(op);
  std::vector<uint64_t> results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(of(result));
  return results;
}
