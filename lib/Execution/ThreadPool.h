//===- ThreadPool.h - Threads that share the rows of a call -----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_THREADPOOL_H
#define RLSCAN_EXECUTION_THREADPOOL_H

#include "runtime/cpu/ThreadPool.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace rlscan {

/// The runtime's threads, by ranges.
class ThreadPool {
public:
  /// 0: as many threads as the process may run on.
  explicit ThreadPool(unsigned threads = 0)
      : pool(threads ? threads : runtime::availableThreads()) {}

  unsigned size() const { return pool.size(); }

  /// Runs body(begin, end) over [0, count) in pieces of `grain`, handed out in
  /// order to whichever thread is free. Returns when all are done.
  void parallelFor(int64_t count, int64_t grain,
                   llvm::function_ref<void(int64_t begin, int64_t end)> body);

private:
  runtime::ThreadPool pool;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_THREADPOOL_H
