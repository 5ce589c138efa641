//===- ThreadPool.cpp - Threads that share the rows of a call -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/ThreadPool.h"

#include <algorithm>

using namespace rlscan;

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < threads; ++i)
    workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  start.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::drain(Loop &loop) {
  while (true) {
    int64_t begin = loop.next.fetch_add(loop.grain, std::memory_order_relaxed);
    if (begin >= loop.count)
      return;
    loop.body(begin, std::min(begin + loop.grain, loop.count));
  }
}

void ThreadPool::work() {
  uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    start.wait(lock, [&] { return stopping || generation != seen; });
    if (stopping)
      return;
    seen = generation;
    lock.unlock();
    drain(loop);
    lock.lock();
    if (--busy == 0)
      done.notify_one();
  }
}

void ThreadPool::parallelFor(int64_t count, int64_t grain,
                             llvm::function_ref<void(int64_t, int64_t)> body) {
  if (count <= 0)
    return;
  if (workers.empty() || count <= grain)
    return body(0, count);
  {
    std::lock_guard<std::mutex> lock(mutex);
    loop.count = count;
    loop.grain = grain;
    loop.body = body;
    loop.next.store(0, std::memory_order_relaxed);
    busy = static_cast<unsigned>(workers.size());
    ++generation;
  }
  start.notify_all();
  drain(loop);
  std::unique_lock<std::mutex> lock(mutex);
  done.wait(lock, [&] { return busy == 0; });
}
