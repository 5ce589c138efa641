//===- ThreadPool.cpp - Threads that share a loop -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/ThreadPool.h"

#include "rlscan/runtime.h"

#include <csignal>

#include <sched.h>
#include <unistd.h>

using namespace rlscan::runtime;

unsigned rlscan::runtime::availableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<unsigned>(online) : 1;
}

void *ThreadPool::start(void *pool) {
  static_cast<ThreadPool *>(pool)->work();
  return nullptr;
}

/// Signals are for the program's own threads.
ThreadPool::ThreadPool(unsigned threads) : process(getpid()) {
  workers.reserve(threads); // may throw
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (unsigned i = 1; i < threads; ++i) {
    pthread_t worker;
    if (pthread_create(&worker, nullptr, &ThreadPool::start, this) != 0)
      break;
    workers.push_back(worker);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ThreadPool::~ThreadPool() {
  pthread_mutex_lock(&mutex);
  stopping = true;
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&begun);
  for (pthread_t worker : workers)
    pthread_join(worker, nullptr);
}

void ThreadPool::drain() {
  while (true) {
    int64_t index = loop.next.fetch_add(1, std::memory_order_relaxed);
    if (index >= loop.count)
      return;
    loop.body(loop.context, index);
  }
}

void ThreadPool::work() {
  uint64_t seen = 0;
  pthread_mutex_lock(&mutex);
  while (true) {
    while (!stopping && generation == seen)
      pthread_cond_wait(&begun, &mutex);
    if (stopping)
      break;
    seen = generation;
    pthread_mutex_unlock(&mutex);
    drain();
    pthread_mutex_lock(&mutex);
    if (--busy == 0)
      pthread_cond_signal(&done);
  }
  pthread_mutex_unlock(&mutex);
}

void ThreadPool::share(int64_t count, Body body, void *context) {
  pthread_mutex_lock(&mutex);
  loop.count = count;
  loop.body = body;
  loop.context = context;
  loop.next.store(0, std::memory_order_relaxed);
  busy = static_cast<unsigned>(workers.size());
  ++generation;
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&begun);
  drain();
  pthread_mutex_lock(&mutex);
  while (busy != 0)
    pthread_cond_wait(&done, &mutex);
  pthread_mutex_unlock(&mutex);
}

void ThreadPool::run(int64_t count, Body body, void *context) {
  bool isShared = count > 1 && !workers.empty() && getpid() == process &&
                  pthread_mutex_trylock(&inUse) == 0;
  if (isShared) {
    share(count, body, context);
    pthread_mutex_unlock(&inUse);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    body(context, i);
}

//===----------------------------------------------------------------------===//
// The two that callers may name
//===----------------------------------------------------------------------===//

static void runAlone(const rlscan_parallel *, int64_t count,
                     ThreadPool::Body body, void *context) {
  for (int64_t i = 0; i < count; ++i)
    body(context, i);
}

/// Never destroyed: a thread may still be in a call while the process ends.
static void runOnThreads(const rlscan_parallel *, int64_t count,
                         ThreadPool::Body body, void *context) {
  static ThreadPool &pool = *new ThreadPool(availableThreads());
  pool.run(count, body, context);
}

const rlscan_parallel rlscan_serial = {&runAlone, nullptr, 1};
const rlscan_parallel rlscan_threads = {&runOnThreads, nullptr, 0};
