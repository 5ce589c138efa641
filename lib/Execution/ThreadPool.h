//===- ThreadPool.h - Threads that share the rows of a call -----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_THREADPOOL_H
#define RLSCAN_EXECUTION_THREADPOOL_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace rlscan {

/// A fixed number of threads, the caller's among them, that run one loop at a
/// time. Kept for many calls: starting threads would cost more than a call.
class ThreadPool {
public:
  /// 0: as many threads as the machine has cores.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();

  unsigned size() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Runs body(begin, end) over [0, count) in pieces of `grain`, handed out in
  /// order to whichever thread is free. Returns when all are done.
  void parallelFor(int64_t count, int64_t grain,
                   llvm::function_ref<void(int64_t begin, int64_t end)> body);

private:
  struct Loop {
    int64_t count = 0;
    int64_t grain = 1;
    llvm::function_ref<void(int64_t, int64_t)> body;
    std::atomic<int64_t> next{0};
  };

  void work();
  static void drain(Loop &loop);

  std::mutex mutex;
  std::condition_variable start, done;
  Loop loop;
  uint64_t generation = 0;
  unsigned busy = 0;
  bool stopping = false;
  std::vector<std::thread> workers;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_THREADPOOL_H
