//===- Run.h - One run of rlscan-run ----------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUN_RUN_H
#define RLSCAN_RUN_RUN_H

#include "Execution/SimKernel.h"
#include "dialects/rlscan/RLScan.h"
#include "rlscan/abi.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rlscan {

/// The command line. Empty and absent: not given.
struct RunOptions {
  std::string recipe;
  std::string estimator;
  std::string inputs;                                          // X.npz
  std::string outputs;                                         // Y.npz
  std::vector<std::pair<std::string, std::string>> inputFiles; // name, x.npy
  std::vector<std::pair<std::string, std::string>> params;     // name, value
  std::optional<DType> dtype;
  std::optional<Layout> layout;
  int32_t target = RLSCAN_TARGET_CPU; // or ..._CUDA, ..._HIP
  std::optional<SimDevice> simulated; // instead of the target
  std::optional<uint64_t> order;      // of the simulator's workgroups
  bool traffic = false;
  std::string schedule;
  unsigned threads = 0; // 0: all
  bool check = false;
  bool bench = false;
  bool printCoefficients = false;

  bool hasInputs() const {
    return !inputs.empty() || !inputFiles.empty() || !params.empty();
  }
};

/// Does what the options ask for. False after reporting what went wrong.
bool run(const RunOptions &options);

} // namespace rlscan

#endif // RLSCAN_RUN_RUN_H
