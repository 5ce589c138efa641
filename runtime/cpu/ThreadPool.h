//===- ThreadPool.h - Threads that share a loop -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CPU_THREADPOOL_H
#define RLSCAN_RUNTIME_CPU_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <vector>

#include <pthread.h>
#include <sys/types.h>

namespace rlscan::runtime {

/// As many threads as the process may run on.
unsigned availableThreads();

/// A fixed number of threads, the caller's among them, that run one loop at a
/// time. Kept for many calls: starting threads would cost more than a call.
class ThreadPool {
public:
  using Body = void (*)(void *context, int64_t index);

  /// Where the system has no more threads, there are fewer.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Runs body(context, i) for i in 0..count-1, handed out in order to
  /// whichever thread is free. Returns when all are done. A second caller, or a
  /// process that was forked off, runs its loop alone.
  void run(int64_t count, Body body, void *context);

private:
  struct Loop {
    int64_t count = 0;
    Body body = nullptr;
    void *context = nullptr;
    std::atomic<int64_t> next{0};
  };

  static void *start(void *pool);
  void work();
  void drain();
  void share(int64_t count, Body body, void *context);

  pthread_mutex_t inUse = PTHREAD_MUTEX_INITIALIZER; // by a caller
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of what follows
  pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  Loop loop;
  uint64_t generation = 0;
  unsigned busy = 0;
  bool stopping = false;
  std::vector<pthread_t> workers;
  pid_t process;
};

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CPU_THREADPOOL_H
