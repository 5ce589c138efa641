//===- Bench.cpp - Timing a kernel against a copy -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/Bench.h"
#include "Execution/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

using namespace rlscan;
using llvm::function_ref;

/// One timing covers at least this much, so that the clock's own cost and
/// resolution do not count.
static constexpr double sampleSeconds = 200e-6;
static constexpr double warmUpSeconds = 0.05;
static constexpr double measureSeconds = 0.5; // for each of the two
static constexpr size_t minSamples = 7;

static double timeOf(function_ref<void()> body, int64_t repeats) {
  auto begin = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < repeats; ++i)
    body();
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  return elapsed.count();
}

/// Runs until caches, pages and clock frequency have settled; returns how often
/// to run for one sample.
static int64_t warmUp(function_ref<void()> body) {
  double total = 0.0, fastest = 1e9;
  while (total < warmUpSeconds) {
    double seconds = timeOf(body, 1);
    total += seconds;
    fastest = std::min(fastest, seconds);
  }
  // A body may be too short for the clock to see.
  double repeats = sampleSeconds / std::max(fastest, 1e-9);
  return std::max<int64_t>(1, static_cast<int64_t>(repeats));
}

static double median(std::vector<double> samples) {
  auto middle = samples.begin() + samples.size() / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

BenchResult rlscan::benchmark(function_ref<void()> kernel, int64_t bytes,
                              ThreadPool &pool) {
  int64_t half = bytes / 2;
  // Written, so that every page is there.
  std::vector<char> source(half, 1), target(half, 2);
  constexpr int64_t leastPiece = 1 << 16;
  int64_t piece = std::max<int64_t>(leastPiece, half / (4 * pool.size()));
  auto copy = [&] {
    pool.parallelFor(half, piece, [&](int64_t begin, int64_t end) {
      std::memcpy(target.data() + begin, source.data() + begin, end - begin);
    });
  };
  int64_t kernelRepeats = warmUp(kernel), copyRepeats = warmUp(copy);
  std::vector<double> kernelSamples, copySamples;
  double total = 0.0;
  while (total < 2 * measureSeconds || kernelSamples.size() < minSamples) {
    kernelSamples.push_back(timeOf(kernel, kernelRepeats));
    copySamples.push_back(timeOf(copy, copyRepeats));
    total += kernelSamples.back() + copySamples.back();
  }
  return {median(kernelSamples) / kernelRepeats,
          median(copySamples) / copyRepeats,
          static_cast<int64_t>(kernelSamples.size()) * kernelRepeats};
}
