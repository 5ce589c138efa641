//===- Bench.h - Timing a kernel against a copy -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_BENCH_H
#define RLSCAN_EXECUTION_BENCH_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace rlscan {

class ThreadPool;

/// Medians of the time that one run takes.
struct BenchResult {
  double kernelSeconds = 0.0;
  double copySeconds = 0.0;
  int64_t runs = 0; // of the kernel
};

/// Times `kernel`, which reads and writes `bytes` bytes of memory in all, and
/// in turns with it a plain copy that moves as many: half of them read, half
/// written, split over the threads of `pool`.
BenchResult benchmark(llvm::function_ref<void()> kernel, int64_t bytes,
                      ThreadPool &pool);

} // namespace rlscan

#endif // RLSCAN_EXECUTION_BENCH_H
