//===- ThreadPool.cpp - Threads that share the rows of a call -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/ThreadPool.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace rlscan;

namespace {
struct Ranges {
  int64_t count, grain;
  llvm::function_ref<void(int64_t, int64_t)> body;
};
} // namespace

static void runRange(void *context, int64_t index) {
  const Ranges &ranges = *static_cast<const Ranges *>(context);
  int64_t begin = index * ranges.grain;
  ranges.body(begin, std::min(begin + ranges.grain, ranges.count));
}

void ThreadPool::parallelFor(int64_t count, int64_t grain,
                             llvm::function_ref<void(int64_t, int64_t)> body) {
  if (count <= 0)
    return;
  Ranges ranges = {count, grain, body};
  pool.run(llvm::divideCeil(count, grain), &runRange, &ranges);
}
