//===- Check.cpp - Results against the reference --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Reference/Reference.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace rlscan;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;

namespace {

/// How far a value may be from the reference x:
///   ofRow * (1 + max|x| of the row) + ofValue * |x|
struct Tolerance {
  double ofRow;
  /// Half a unit in the last place of what the result is stored as, where that
  /// is coarser than the arithmetic, and a little more.
  double ofValue;

  Tolerance(DType storage, bool isArithmeticF64)
      : ofRow(isArithmeticF64 ? 1e-12 : 1e-5),
        ofValue(storage == DType::BF16  ? 0x1.02p-8
                : storage == DType::F16 ? 0x1.02p-11
                                        : 0.0) {
    if (isArithmeticF64 && storage == DType::F32)
      ofValue = 0x1.02p-24;
  }

  std::string text() const;
};

/// What one result looks like beside its reference.
class Comparison {
public:
  Comparison(StringRef name, const Tensor &tensor, ArrayRef<double> reference,
             bool isArithmeticF64)
      : name(name), tensor(tensor), reference(reference),
        tolerance(tensor.dtype, isArithmeticF64) {}

  void run();
  void print() const;
  Error error() const;

private:
  void compare(int64_t row, int64_t step, double expected, double limit);
  bool overflows(double expected, double limit, double value) const;

  StringRef name;
  const Tensor &tensor;
  ArrayRef<double> reference;
  Tolerance tolerance;

  double absolute = 0.0, relative = 0.0;
  double used = 0.0; // of the tolerance
  int64_t failures = 0;
  std::string firstFailure;
};

} // namespace

static std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

std::string Tolerance::text() const {
  std::string text = number(ofRow) + " * (1 + max|x| of the row)";
  if (ofValue != 0.0)
    text += " + 2^" + std::to_string(std::ilogb(ofValue)) + " * |x|";
  return text;
}

/// Whether `value`, an infinity, is what the expected number rounds to.
bool Comparison::overflows(double expected, double limit, double value) const {
  Tensor stored = Tensor::allocate(tensor.dtype, {});
  stored.write({}, expected + std::copysign(limit, expected));
  return stored.read({}) == value;
}

void Comparison::compare(int64_t row, int64_t step, double expected,
                         double limit) {
  double value = tensor.read({row, step});
  limit += tolerance.ofValue * std::abs(expected);
  // NaN matches NaN, an infinity itself.
  bool isSame =
      value == expected || (std::isnan(value) && std::isnan(expected));
  if (!isSame && std::isinf(value) && std::isfinite(expected))
    isSame = overflows(expected, limit, value);
  if (isSame)
    return;
  double error = std::abs(value - expected);
  if (std::isnan(error))
    error = std::numeric_limits<double>::infinity();
  absolute = std::max(absolute, error);
  if (expected != 0.0 && std::isfinite(expected))
    relative = std::max(relative, error / std::abs(expected));
  used = std::max(used, error / limit);
  if (error <= limit)
    return;
  if (failures++ == 0)
    firstFailure = "[" + std::to_string(row) + ", " + std::to_string(step) +
                   "] is " + number(value) + ", the reference " +
                   number(expected) + ", the tolerance " + number(limit);
}

void Comparison::run() {
  int64_t rows = tensor.sizes[0], steps = tensor.sizes[1];
  for (int64_t row = 0; row < rows; ++row) {
    ArrayRef<double> expected = reference.slice(row * steps, steps);
    double largest = 0.0;
    for (double value : expected)
      if (std::isfinite(value))
        largest = std::max(largest, std::abs(value));
    for (int64_t step = 0; step < steps; ++step)
      compare(row, step, expected[step], tolerance.ofRow * (1.0 + largest));
  }
}

void Comparison::print() const {
  llvm::outs() << name << ": largest error "
               << llvm::format("%.2g absolute, %.2g relative; %.3g%%", absolute,
                               relative, 100.0 * used)
               << " of the tolerance, " << tolerance.text() << '\n';
}

Error Comparison::error() const {
  if (failures == 0)
    return Error::success();
  return llvm::createStringError(
      name + ": " + llvm::Twine(failures) + " of " +
      llvm::Twine(tensor.numElements()) +
      " values are past the tolerance, the first at " + firstFailure);
}

Error rlscan::checkResults(const Call &call, const ast::Estimator &estimator,
                           bool isArithmeticF64) {
  llvm::StringMap<Tensor> inputs;
  for (const auto &[name, tensor] : call.inputs)
    inputs[name] = tensor;
  std::vector<ReferenceResult> references = evaluateReference(
      estimator, inputs, call.rows, call.steps, call.axisSizes);
  Error errors = Error::success();
  for (const auto &[name, tensor] : call.results) {
    for (const ReferenceResult &reference : references) {
      if (reference.name != name)
        continue;
      Comparison comparison(name, tensor, reference.values, isArithmeticF64);
      comparison.run();
      comparison.print();
      errors = llvm::joinErrors(std::move(errors), comparison.error());
    }
  }
  return errors;
}
