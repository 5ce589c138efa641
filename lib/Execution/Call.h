//===- Call.h - One call of an estimator, checked ---------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_CALL_H
#define RLSCAN_EXECUTION_CALL_H

#include "Execution/HostKernel.h"
#include "Execution/Tensor.h"
#include "dialects/rlscan/RLScan.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rlscan {

/// The arrays of one call, known to fit the estimator and each other.
struct Call {
  /// The inputs that are present, in the estimator's order. A param that is one
  /// number is a scalar of type f64, bool or i64.
  std::vector<std::pair<std::string, Tensor>> inputs;
  /// The results, [rows, steps], not computed yet.
  std::vector<std::pair<std::string, Tensor>> results;
  int64_t rows = 0;
  int64_t steps = 0;
  /// Whether there is one row, in which those of the caller are packed: inputs
  /// [N] have as many as there are of these.
  bool isPacked = false;
  llvm::StringMap<int64_t> axisSizes;
};

/// What results are stored as. Left out: as the first step input is, in dtype
/// the first one of reals.
struct CallOptions {
  std::optional<DType> resultType;
  /// Steps or rows.
  std::optional<Layout> resultLayout;
};

/// Checks the arrays that are `given` by name and allocates the results. The
/// error lists everything that is wrong with the call, one ErrorInfo each.
llvm::Expected<Call> makeCall(EstimatorOp estimator,
                              const llvm::StringMap<Tensor> &given,
                              const CallOptions &options = {});

/// How the call stores its arrays: what `rlscan-specialize` takes.
std::vector<std::string> bindings(const Call &call, EstimatorOp estimator);

/// The arrays of the call in the order of kernel.arguments().
std::vector<HostArray> arrays(const Call &call, const HostKernel &kernel);

/// The sizes of the axes in the order of kernel.axes().
std::vector<int64_t> axisSizes(const Call &call, const HostKernel &kernel);

} // namespace rlscan

#endif // RLSCAN_EXECUTION_CALL_H
