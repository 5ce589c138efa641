//===- DeviceBench.cpp - Timing a kernel against its floor ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceBench.h"
#include "Execution/FloorKernel.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace rlscan;
using device::Error;

/// A graph takes at least this long, so that the events around it do not count.
static constexpr double graphSeconds = 500e-6;
static constexpr unsigned minLaunches = 20, maxLaunches = 1000;
static constexpr double warmUpSeconds = 0.05;
static constexpr double measureSeconds = 0.2; // for each of the two
static constexpr size_t minSamples = 7;
/// What the events tell apart.
static constexpr double leastSeconds = 1e-6;

namespace {

using Launch =
    llvm::function_ref<Error(unsigned set, const device::Stream &stream)>;

/// A stream and the events to time its work with.
class Stopwatch {
public:
  static Error create(const device::Device &device, Stopwatch &result) {
    if (Error error = device::Stream::create(device, result.stream))
      return error;
    if (Error error = device::Event::create(device, result.begin))
      return error;
    return device::Event::create(device, result.end);
  }

  /// The time that the device takes for the graph. It goes ahead of itself
  /// once, so that the device comes to the events with all of the work queued.
  Error time(const device::Graph &graph, double &seconds) const;

  device::Stream stream;

private:
  device::Event begin, end;
};

/// Many launches, over all sets in turn.
struct Series {
  device::Graph graph;
  unsigned launches = 0;
  std::vector<double> samples; // seconds a launch
};

/// Sets of buffers to read and to write, as large as the kernel's.
struct FloorMemory {
  static Error create(const device::Device &device, int64_t bytesRead,
                      int64_t bytesWritten, unsigned sets,
                      const device::Stream &stream, FloorMemory &result);

  device::Buffer source, target;
  uint64_t sourceStride = 0, targetStride = 0;
};

struct FloorKernel {
  static Error create(const device::Device &device, const FloorPlan &plan,
                      FloorKernel &result);
  Error launch(const FloorMemory &memory, unsigned set,
               const device::Stream &stream) const;

  FloorPlan plan;
  device::Function function;
};

} // namespace

static llvm::Error failure(const Error &error) {
  return llvm::createStringError(error.message);
}

static double median(std::vector<double> samples) {
  auto middle = samples.begin() + samples.size() / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

Error Stopwatch::time(const device::Graph &graph, double &seconds) const {
  if (Error error = graph.launch(stream))
    return error;
  if (Error error = begin.record(stream))
    return error;
  if (Error error = graph.launch(stream))
    return error;
  if (Error error = end.record(stream))
    return error;
  if (Error error = end.synchronize())
    return error;
  return device::Event::elapsed(begin, end, seconds);
}

static Error capture(const Stopwatch &watch, unsigned sets, unsigned launches,
                     Launch launch, Series &result) {
  result.launches = launches;
  auto body = [&]() -> Error {
    for (unsigned i = 0; i < launches; ++i)
      if (Error error = launch(i % sets, watch.stream))
        return error;
    return {};
  };
  return device::Graph::capture(watch.stream, body, result.graph);
}

/// Runs until clocks and caches have settled.
static Error warmUp(const Stopwatch &watch, const device::Graph &graph,
                    double &seconds) {
  for (double total = 0.0; total < warmUpSeconds;
       total += 2 * std::max(seconds, leastSeconds))
    if (Error error = watch.time(graph, seconds))
      return error;
  return {};
}

/// A warm series that takes long enough to be timed as a whole.
static Error prepare(const Stopwatch &watch, unsigned sets, Launch launch,
                     Series &result) {
  // Once outside of a graph: what is loaded or set up at first is by then.
  for (unsigned set = 0; set < sets; ++set)
    if (Error error = launch(set, watch.stream))
      return error;
  if (Error error = watch.stream.synchronize())
    return error;
  unsigned launches = llvm::alignTo(minLaunches, sets);
  if (Error error = capture(watch, sets, launches, launch, result))
    return error;
  double seconds = 0.0;
  if (Error error = warmUp(watch, result.graph, seconds))
    return error;
  if (seconds >= graphSeconds)
    return {};
  double wanted = launches * graphSeconds / std::max(seconds, leastSeconds);
  unsigned more = static_cast<unsigned>(std::min<double>(wanted, maxLaunches));
  more = std::max<unsigned>(launches, llvm::alignTo(more, sets));
  if (Error error = capture(watch, sets, more, launch, result))
    return error;
  return watch.time(result.graph, seconds);
}

static Error sample(const Stopwatch &watch, Series &series, double &seconds) {
  if (Error error = watch.time(series.graph, seconds))
    return error;
  series.samples.push_back(seconds / series.launches);
  return {};
}

Error FloorMemory::create(const device::Device &device, int64_t bytesRead,
                          int64_t bytesWritten, unsigned sets,
                          const device::Stream &stream, FloorMemory &result) {
  result.sourceStride = llvm::alignTo(std::max<int64_t>(bytesRead, 1), 256);
  result.targetStride = llvm::alignTo(std::max<int64_t>(bytesWritten, 1), 256);
  if (Error error = device::Buffer::allocate(device, sets * result.sourceStride,
                                             result.source))
    return error;
  if (Error error = device::Buffer::allocate(device, sets * result.targetStride,
                                             result.target))
    return error;
  constexpr uint8_t anyValue = 0x3f;
  return result.source.fill(anyValue, stream);
}

Error FloorKernel::create(const device::Device &device, const FloorPlan &plan,
                          FloorKernel &result) {
  result.plan = plan;
  device::Module module;
  if (Error error = device::Module::load(
          device, floorKernelText(plan.reads, plan.writes), module))
    return error;
  return device::Function::get(module, floorKernelName, result.function);
}

Error FloorKernel::launch(const FloorMemory &memory, unsigned set,
                          const device::Stream &stream) const {
  FloorPlan copy = plan;
  uint64_t source = memory.source.address() + set * memory.sourceStride;
  uint64_t target = memory.target.address() + set * memory.targetStride;
  void *params[] = {&source,         &target,
                    &copy.readWords, &copy.writtenWords,
                    &copy.readChunk, &copy.writtenChunk};
  return device::launch(function, plan.blocks, FloorPlan::blockThreads, 0,
                        stream, params);
}

/// The different ways to move so many bytes.
static std::vector<FloorPlan> floorPlans(int64_t bytesRead,
                                         int64_t bytesWritten) {
  std::vector<FloorPlan> plans;
  for (unsigned accesses = 1; accesses <= FloorPlan::mostAccesses;
       accesses *= 2) {
    FloorPlan plan = FloorPlan::make(bytesRead, bytesWritten, accesses);
    if (plans.empty() || plan.blocks != plans.back().blocks)
      plans.push_back(plan);
  }
  return plans;
}

/// Which way is fastest depends on the device and on the bytes: all are tried.
static Error prepareFloor(const device::Device &device, const Stopwatch &watch,
                          const std::vector<FloorPlan> &plans,
                          const FloorMemory &memory, unsigned sets,
                          FloorKernel &kernel, Series &result) {
  double fastest = 0.0;
  for (const FloorPlan &plan : plans) {
    FloorKernel candidate;
    if (Error error = FloorKernel::create(device, plan, candidate))
      return error;
    auto launch = [&](unsigned set, const device::Stream &stream) {
      return candidate.launch(memory, set, stream);
    };
    Series series;
    if (Error error = prepare(watch, sets, launch, series))
      return error;
    double seconds = 0.0;
    constexpr unsigned tries = 5;
    for (unsigned i = 0; i < tries; ++i)
      if (Error error = sample(watch, series, seconds))
        return error;
    double time = median(std::exchange(series.samples, {}));
    if (result.launches == 0 || time < fastest) {
      fastest = time;
      kernel = std::move(candidate);
      result = std::move(series);
    }
  }
  return {};
}

/// In turns, so that what changes with time changes for all of them.
static Error measure(const Stopwatch &watch, llvm::ArrayRef<Series *> series) {
  double total = 0.0;
  while (series[0]->samples.size() < minSamples ||
         total < series.size() * measureSeconds) {
    double round = 0.0;
    for (Series *each : series) {
      double seconds = 0.0;
      if (Error error = sample(watch, *each, seconds))
        return error;
      round += seconds;
    }
    total += std::max(round, leastSeconds);
  }
  return {};
}

llvm::Expected<DeviceBenchResult> rlscan::benchmarkOnDevice(
    const device::Device &device, int64_t bytesRead, int64_t bytesWritten,
    unsigned sets,
    llvm::function_ref<llvm::Error(unsigned, const device::Stream &)> launch) {
  auto launchKernel = [&](unsigned set, const device::Stream &stream) -> Error {
    return {llvm::toString(launch(set, stream))};
  };
  sets = std::max(sets, 1u);
  Stopwatch watch;
  if (Error error = Stopwatch::create(device, watch))
    return failure(error);
  Series kernel, floor;
  if (Error error = prepare(watch, sets, launchKernel, kernel))
    return failure(error);
  FloorMemory memory;
  FloorKernel floorKernel;
  llvm::SmallVector<Series *> series = {&kernel};
  if (device.driver().target == RLSCAN_TARGET_CUDA) {
    if (Error error = FloorMemory::create(device, bytesRead, bytesWritten, sets,
                                          watch.stream, memory))
      return failure(error);
    std::vector<FloorPlan> plans = floorPlans(bytesRead, bytesWritten);
    if (Error error = prepareFloor(device, watch, plans, memory, sets,
                                   floorKernel, floor))
      return failure(error);
    series.push_back(&floor);
  }
  if (Error error = measure(watch, series))
    return failure(error);

  auto [least, most] =
      std::minmax_element(kernel.samples.begin(), kernel.samples.end());
  DeviceBenchResult result;
  result.kernelSeconds = median(kernel.samples);
  result.kernelMin = *least;
  result.kernelMax = *most;
  if (!floor.samples.empty())
    result.floorSeconds = median(floor.samples);
  result.launchesPerGraph = static_cast<int>(kernel.launches);
  result.sets = static_cast<int>(sets);
  return result;
}
