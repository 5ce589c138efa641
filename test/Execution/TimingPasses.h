//===- TimingPasses.h - Kernels whose workgroups lag behind --- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_TIMINGPASSES_H
#define RLSCAN_TEST_EXECUTION_TIMINGPASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace rlscan::test {

/// Plants a fault: what is published of a state is rounded to f32, so that the
/// bits tell where a workgroup began to fold.
std::unique_ptr<mlir::Pass> createRoundStates();

/// Before each word that NVIDIA's threads publish, half of them sleep, for up
/// to 32 us: which ones, the word's address and the clock decide.
std::unique_ptr<mlir::Pass> createSleepBeforePublishing();

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_TIMINGPASSES_H
