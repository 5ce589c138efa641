//===- RowChecks.cpp - Rows with lengths, and packed ones -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/CallChecker.h"
#include "RecipeToRecurrence/RowInputs.h"

using namespace rlscan;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

/// Each row has from 0 to all steps of the window.
void CallChecker::checkLengths() {
  std::optional<unsigned> input = estimator.findInput(lengthsName);
  if (!input || !good.contains(*input))
    return;
  const Tensor &lengths = *find(*input);
  int64_t steps = extent.tensor ? this->steps() : 0;
  for (int64_t row = 0; row < lengths.sizes[0]; ++row) {
    auto length = static_cast<int64_t>(lengths.read({row}));
    if (length >= 0 && length <= steps)
      continue;
    problem(lengthsName + ": " + Twine(length) + " at [" + Twine(row) +
            "] is not from 0 to the number of steps, " + Twine(steps));
    good.erase(*input);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Packed rows
//===----------------------------------------------------------------------===//

bool CallChecker::isPacked() const {
  EstimatorOp called = estimator;
  return called.findInput(boundsName) && given.contains(boundsName);
}

std::optional<int64_t> CallChecker::packedRows() const {
  const Tensor &bounds = given.find(boundsName)->second;
  if (bounds.rank() != 1 || bounds.sizes[0] < 1)
    return std::nullopt;
  return bounds.sizes[0] - 1;
}

std::string CallChecker::packedRowsText() const {
  std::optional<int64_t> rows = packedRows();
  return rows ? std::to_string(*rows) : "rows";
}

/// Rows follow each other from token 0 to the last one.
void CallChecker::checkBounds() {
  std::optional<unsigned> input = estimator.findInput(boundsName);
  if (given.contains(lengthsName))
    problem("lengths and cu_seqlens: rows are padded or packed, give one of "
            "the two");
  if (!good.contains(*input))
    return;
  const Tensor &bounds = *find(*input);
  auto bound = [&](int64_t row) {
    return static_cast<int64_t>(bounds.read({row}));
  };
  auto isWrong = [&](int64_t row, const Twine &what) {
    problem(boundsName + ": " + Twine(bound(row)) + " at [" + Twine(row) +
            "] is " + what);
  };
  int64_t rows = *packedRows();
  if (bound(0) != 0)
    return isWrong(0, "not 0");
  for (int64_t row = 1; row <= rows; ++row)
    if (bound(row) < bound(row - 1))
      return isWrong(row, "less than " + Twine(bound(row - 1)) + " before it");
  int64_t tokens = extent.tensor ? steps() : 0;
  if (bound(rows) != tokens)
    isWrong(rows, "not the number of tokens, " + Twine(tokens));
}

/// All tokens are one row of the call, and have its dimension. What rows have
/// one of keeps its shape.
Tensor CallChecker::inCall(unsigned input, const Tensor &tensor) const {
  EstimatorOp called = estimator;
  InputKind kind = called.getInput(input).getKind();
  bool isOfSteps = kind == InputKind::Step && extraOf(input) == 0;
  if (kind == InputKind::Param)
    isOfSteps =
        tensor.rank() == 1 && isPacked() && tensor.sizes[0] != packedRows();
  Tensor inCall = tensor;
  if (isPacked() && isOfSteps) {
    inCall.sizes.insert(inCall.sizes.begin(), 1);
    inCall.strides.insert(inCall.strides.begin(), 0);
  }
  return inCall;
}
