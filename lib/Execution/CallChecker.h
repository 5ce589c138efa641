//===- CallChecker.h - What can be wrong with a call ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_CALLCHECKER_H
#define RLSCAN_EXECUTION_CALLCHECKER_H

#include "Execution/Call.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"

namespace rlscan {

struct IndexUses;

/// The type of one value of an input: f32 or f64, i1, or index.
mlir::Type elementOf(EstimatorOp estimator, unsigned input);

/// Compares the arrays of a call with the estimator and with each other.
class CallChecker {
public:
  CallChecker(EstimatorOp estimator, const llvm::StringMap<Tensor> &given)
      : estimator(estimator), given(given) {}

  /// The call without results, or all that is wrong with it.
  llvm::Expected<Call> run();

private:
  /// An array that others are compared with.
  struct Anchor {
    llvm::StringRef name;
    const Tensor *tensor = nullptr;
    /// Of the dimension of steps, or of tokens: what it has besides them.
    int64_t extra = 0;
  };

  void problem(const llvm::Twine &text) { problems.push_back(text.str()); }
  const Tensor *find(unsigned input) const;
  int64_t expectedRank(unsigned input) const;
  /// The dimension of steps, or of packed rows' tokens.
  unsigned stepDim() const { return isPacked() ? 0 : 1; }
  /// The steps, or the tokens, where an input says so.
  int64_t steps() const {
    return extent.tensor->sizes[stepDim()] - extent.extra;
  }
  /// What an input has in that dimension besides them.
  int64_t extraOf(unsigned input) const;
  /// Whether rows are packed one after the other, and how many there are, where
  /// that can be told.
  bool isPacked() const;
  std::optional<int64_t> packedRows() const;
  std::string packedRowsText() const;
  Tensor inCall(unsigned input, const Tensor &tensor) const;
  std::string expectedShape(unsigned input) const;

  void findAnchors();
  void checkNames();
  std::optional<Tensor> defaultNumber(unsigned input);
  void checkInput(unsigned input);
  bool checkType(unsigned input, const Tensor &tensor);
  bool checkShape(unsigned input, const Tensor &tensor);
  bool checkParamShape(unsigned input, const Tensor &tensor);
  bool checkDim(unsigned input, const Tensor &tensor, unsigned dim,
                const Anchor &anchor);
  bool checkSteps(unsigned input, const Tensor &tensor);
  void checkLengths();
  void checkBounds();
  void checkIndices(const IndexUses &uses);

  EstimatorOp estimator;
  const llvm::StringMap<Tensor> &given;
  std::vector<std::string> problems;
  /// Inputs that are present and fit.
  llvm::SmallDenseSet<unsigned> good;
  Anchor extent;
  llvm::StringMap<Anchor> axes;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_CALLCHECKER_H
