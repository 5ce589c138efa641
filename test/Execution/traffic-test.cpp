//===- traffic-test.cpp - What kernels move in the simulator --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// traffic-test --target=sim|sim:wave64 [--schedules=WORDS] [--layout=nt|tn]
// RECIPE.rls...:
// runs each recipe in both memory orders on a few shapes, with the compiler's
// choice of a schedule, and compares what it loads with the inputs' size.
//
// Held to the bound are the pieces of 32 bytes that come from memory, those
// that workgroups fetch, and those that they store. Where rows are together and
// an array has a byte a step, workgroups of few rows share such pieces: they
// fetch more, but not from memory. Where rows are longer than a workgroup
// holds, each sweep reads what it needs once, and what one sweep leaves for the
// next is stored once and loaded once.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

namespace {
struct Shape {
  int64_t rows, steps;
};
} // namespace

/// Of each kind that schedules tell apart: short and long rows, few and many.
static constexpr Shape shapes[] = {{512, 32},  {512, 128}, {128, 512},
                                   {64, 2048}, {4, 32768}, {2048, 64}};
static constexpr double bound = 1.05;

/// One call. False where it moves too much.
static bool runShape(TestRecipe &recipe, const Shape &shape, Layout layout,
                     SimExecutor &executor) {
  Scenario scenario = plainScenario(recipe, shape.rows, shape.steps, layout);
  llvm::StringMap<Tensor> inputs = randomInputs(recipe, scenario);
  Execution execution = execute(recipe, scenario, inputs, executor);
  if (!execution.problem.empty()) {
    llvm::outs() << "FAIL: " << execution.problem << '\n';
    return false;
  }
  int64_t read = 0, written = 0;
  bool isShared = false; // whether workgroups share pieces
  for (auto &entry : inputs) {
    if (entry.second.rank() == 0)
      continue;
    int64_t width = byteWidth(entry.second.dtype);
    read +=
        entry.second.numElements() * width * executor.timesRead(entry.first());
    isShared |= layout == Layout::Rows && width == 1;
  }
  for (auto &[name, tensor] : execution.results)
    written += tensor.numElements() * byteWidth(tensor.dtype);
  const sim::Traffic &traffic = executor.traffic();
  int64_t stored = traffic.stores.sectors * sim::Traffic::sectorBytes;
  int64_t left =
      std::clamp<int64_t>(stored - written, 0, executor.bytesBetweenSweeps());
  read += left;
  written += left;
  auto share = [](int64_t sectors, int64_t bytes) {
    return static_cast<double>(sectors * sim::Traffic::sectorBytes) / bytes;
  };
  double loads = share(traffic.loads.missed, read),
         fetched = share(traffic.loads.fetched, read),
         stores = share(traffic.stores.sectors, written);
  bool isGood = loads <= bound && stores <= bound;
  isGood &= isShared || fetched <= bound;
  llvm::outs() << (isGood ? "pass " : "FAIL ")
               << llvm::format("%5d x %5d ", int(shape.rows), int(shape.steps))
               << (layout == Layout::Rows ? "tn" : "nt")
               << llvm::format(
                      ": loads %.3f of the inputs (%.3f fetched, %.3f "
                      "requested), stores %.3f of the results, %.2f shuffles "
                      "a step",
                      loads, fetched, share(traffic.loads.sectors, read),
                      stores,
                      static_cast<double>(traffic.shuffles) *
                          executor.subgroupSize() / (shape.rows * shape.steps))
               << executor.how();
  if (left)
    llvm::outs() << ", with " << left << " bytes between sweeps";
  llvm::outs() << '\n';
  return isGood;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  TargetOptions options;
  bool isGood = true;
  std::vector<StringRef> paths;
  std::vector<Layout> layouts = {Layout::Steps, Layout::Rows};
  for (StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    if (options.consume(argument, isGood))
      continue;
    if (argument == "--layout=nt" || argument == "--layout=tn")
      layouts = {argument.ends_with("nt") ? Layout::Steps : Layout::Rows};
    else
      paths.push_back(argument);
  }
  if (!isGood || paths.empty() || !options.simulated()) {
    llvm::errs() << "usage: traffic-test --target=sim|sim:wave64 "
                    "[--schedules=WORDS] [--layout=nt|tn] RECIPE.rls...\n";
    return 2;
  }
  SimExecutor executor(options);
  for (StringRef path : paths) {
    std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
    if (!recipe)
      return 1;
    llvm::outs() << recipe->name() << '\n';
    for (const Shape &shape : shapes)
      for (Layout layout : layouts) {
        // A step of a few rows is less than a sector, whoever stores it.
        if (layout == Layout::Rows &&
            shape.rows * sizeof(float) < sim::Traffic::sectorBytes)
          continue;
        isGood &= runShape(*recipe, shape, layout, executor);
      }
  }
  return isGood ? 0 : 1;
}
