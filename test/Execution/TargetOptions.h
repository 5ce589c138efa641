//===- TargetOptions.h - Where a test runs, and for how long -- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_TARGETOPTIONS_H
#define RLSCAN_TEST_EXECUTION_TARGETOPTIONS_H

#include "Execution/SimKernel.h"
#include "rlscan/abi.h"

#include <chrono>
#include <string>

namespace rlscan::test {

/// The options that every driver has:
///   --target=cpu|cuda|hip|sim|sim:wave64
///   --schedules=auto|all|WORDS  of a device: what the compiler chooses, one
///                               after the other of SchedulePlan.h, or this one
///   --limit-seconds=S           begin nothing new after so long
class TargetOptions {
public:
  /// Takes the argument if it is one of these. `isGood` becomes false where its
  /// value is not.
  bool consume(llvm::StringRef argument, bool &isGood);

  bool onDevice() const { return where != RLSCAN_TARGET_CPU; }
  /// RLSCAN_TARGET_CPU, ..._CUDA or ..._HIP.
  int32_t deviceTarget() const { return where; }
  const std::optional<SimDevice> &simulated() const { return simulator; }
  /// Whether kernels have schedules.
  bool onGPU() const { return onDevice() || simulator; }
  bool takesTurns() const { return schedules == "all"; }
  /// Words of a schedule, or empty.
  llvm::StringRef schedule() const;
  bool isOver() const;
  /// As it would stand on a command line, with a blank before each.
  std::string replay() const;

  static constexpr llvm::StringLiteral usage =
      "[--target=cpu|cuda|hip|sim|sim:wave64] [--schedules=auto|all|WORDS] "
      "[--resident=K] [--limit-seconds=S]";

private:
  int32_t where = RLSCAN_TARGET_CPU;
  std::optional<SimDevice> simulator;
  std::string target = "cpu", schedules = "auto", resident;
  double limit = 0.0; // none
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_TARGETOPTIONS_H
