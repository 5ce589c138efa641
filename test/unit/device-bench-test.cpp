//===- device-bench-test.cpp - What the timing on a device runs -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: device-bench-test plans
//        device-bench-test text READS WRITES
//        device-bench-test time BYTES-READ BYTES-WRITTEN SETS
//
// The last wants the fake driver, by whose clock the kernel takes 10 us.
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceBench.h"
#include "Execution/FloorKernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <vector>

using namespace rlscan;
using llvm::errs;
using llvm::outs;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Do the kernel's threads come to every word once? Computes what it does.
static bool coversOnce(uint64_t words, uint32_t chunk, unsigned accesses,
                       int64_t blocks) {
  std::vector<uint8_t> visits(words, 0);
  for (int64_t block = 0; block < blocks; ++block) {
    int64_t begin = block * chunk;
    int64_t count = std::max<int64_t>(
        0, std::min<int64_t>(chunk, static_cast<int64_t>(words) - begin));
    for (int64_t i = 0; i < int64_t(accesses) * FloorPlan::blockThreads; ++i)
      if (i < count)
        ++visits[begin + i];
  }
  return llvm::all_of(visits, [](uint8_t count) { return count == 1; });
}

static bool isGood(int64_t read, int64_t written, unsigned accesses) {
  FloorPlan plan = FloorPlan::make(read, written, accesses);
  constexpr int64_t word = FloorPlan::wordBytes;
  return int64_t(plan.readWords) == (read + word - 1) / word &&
         int64_t(plan.writtenWords) == (written + word - 1) / word &&
         std::max(plan.reads, plan.writes) <= accesses &&
         coversOnce(plan.readWords, plan.readChunk, plan.reads, plan.blocks) &&
         coversOnce(plan.writtenWords, plan.writtenChunk, plan.writes,
                    plan.blocks);
}

static int checkPlans() {
  constexpr int64_t sizes[] = {
      0,     1,     16,     17,     4095,   4096,    4097,
      65535, 65537, 100003, 262144, 999983, 1 << 20, (1 << 20) + 16};
  int plans = 0, bad = 0;
  for (int64_t read : sizes)
    for (int64_t written : sizes)
      for (unsigned accesses = 1; accesses <= FloorPlan::mostAccesses;
           ++accesses, ++plans)
        if (!isGood(read, written, accesses)) {
          outs() << read << ' ' << written << ' ' << accesses << '\n';
          ++bad;
        }
  outs() << plans << " plans, " << bad << " bad\n";
  return bad != 0;
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

static device::Error prepare(device::Device &device,
                             device::Function &function) {
  if (device::Error error = device::Device::open(RLSCAN_TARGET_CUDA, 0, device))
    return error;
  device::Module module;
  if (device::Error error = device::Module::load(device, "kernel", module))
    return error;
  return device::Function::get(module, "kernel", function);
}

static int time(int64_t read, int64_t written, unsigned sets) {
  device::Device device;
  device::Function function;
  if (device::Error error = prepare(device, function)) {
    errs() << "error: " << error.message << '\n';
    return 1;
  }
  unsigned calls = 0, outOfTurn = 0;
  auto launch = [&](unsigned set, const device::Stream &stream) -> llvm::Error {
    outOfTurn += set != calls++ % sets;
    if (device::Error error =
            device::launch(function, 1, 32, 0, stream, nullptr))
      return llvm::createStringError(error.message);
    return llvm::Error::success();
  };
  llvm::Expected<DeviceBenchResult> result =
      benchmarkOnDevice(device, read, written, sets, launch);
  if (!result) {
    errs() << "error: " << llvm::toString(result.takeError()) << '\n';
    return 1;
  }
  outs() << llvm::format("kernel %.2f us, %.2f to %.2f, floor %.2f us\n",
                         result->kernelSeconds * 1e6, result->kernelMin * 1e6,
                         result->kernelMax * 1e6, *result->floorSeconds * 1e6)
         << result->launchesPerGraph << " launches over " << result->sets
         << " sets, " << outOfTurn << " out of turn\n";
  return 0;
}

int main(int argc, char **argv) {
  llvm::StringRef command = argc > 1 ? argv[1] : "";
  std::vector<int64_t> numbers(3, 0);
  for (int i = 2; i < argc && i < 5; ++i)
    if (llvm::StringRef(argv[i]).getAsInteger(10, numbers[i - 2]))
      command = "";
  if (command == "plans" && argc == 2)
    return checkPlans();
  if (command == "text" && argc == 4) {
    outs() << floorKernelText(numbers[0], numbers[1]);
    return 0;
  }
  if (command == "time" && argc == 5)
    return time(numbers[0], numbers[1], numbers[2]);
  errs() << "usage: device-bench-test plans|text|time NUMBERS\n";
  return 2;
}
