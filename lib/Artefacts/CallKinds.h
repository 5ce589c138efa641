//===- CallKinds.h - The kinds of calls that code is made for ---*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_CALLKINDS_H
#define RLSCAN_ARTEFACTS_CALLKINDS_H

#include "dialects/rlscan/RLScan.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rlscan {

/// How a call stores its arrays: reals as `type`, but for those named.
struct Storing {
  std::string type; // f32, f64, bf16, f16
  std::vector<std::pair<std::string, std::string>> others;

  bool isF64() const { return type == "f64"; }
};

/// An item of --io: TYPE or TYPE+NAME:TYPE...
llvm::Expected<Storing> parseStoring(llvm::StringRef text);

/// An item of --layout: nt, tn or strided.
llvm::Expected<Layout> parseLayout(llvm::StringRef text);
/// "nt", "tn", "strided".
llvm::StringRef layoutWord(Layout layout);

/// What is asked for: every combination.
struct CallChoice {
  std::vector<Storing> storings;
  std::vector<Layout> layouts;
  /// Items of --present, "all" among them: sets of optional inputs.
  std::vector<std::string> present;
};

/// One kind of call of an estimator.
struct CallKind {
  /// What its names end in: "f32_nt", "bf16_tn_truncated_bootstrap".
  std::string name;
  Storing storing;
  Layout layout = Layout::Strided;
  std::vector<std::string> present;
  /// What `rlscan-specialize` takes.
  std::vector<std::string> bindings;
  /// How each input and result is stored: "f32", "i8", "" where it is absent,
  /// "number" for a param.
  std::vector<std::string> stored;
};

/// The inputs, and then the results.
llvm::SmallVector<llvm::StringRef> argumentNames(EstimatorOp estimator);
/// The optional inputs that are arrays.
llvm::SmallVector<llvm::StringRef> optionalInputs(EstimatorOp estimator);
/// The type of one value of an argument: a real, i1 or index.
mlir::Type signalType(EstimatorOp estimator, unsigned argument);
/// The axis of an input, or empty.
llvm::StringRef axisName(EstimatorOp estimator, unsigned argument);

/// Names that no estimator has are not an error here: see checkNames.
llvm::Expected<std::vector<CallKind>> callKinds(EstimatorOp estimator,
                                                const CallChoice &choice);

/// Every name of --io and --present is that of an array of some estimator.
llvm::Error checkNames(llvm::ArrayRef<EstimatorOp> estimators,
                       const CallChoice &choice);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_CALLKINDS_H
