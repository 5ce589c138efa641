//===- grid-test.cpp - Recipes on a grid of shapes, types and layouts -----===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// grid-test [OPTIONS] RECIPE.rls...:
// runs each recipe on random data, stored in many ways, and compares it with
// the reference. GridPlan.h says what is tried, --full tries more;
// TargetOptions.h has the options for devices. --no-compare only compiles and
// launches, for a driver that computes nothing; --device-plan has the CPU do
// what is planned for devices.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "GridPlan.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <set>

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

namespace {

struct Options {
  bool isFull = false;
  uint64_t seed = 1;
  bool isVerbose = false, compares = true, hasDevicePlan = false;
  std::optional<size_t> only;
  std::vector<StringRef> recipes;
  TargetOptions target;
};

/// Runs the plan of one recipe.
class Grid {
public:
  Grid(TestRecipe &recipe, const Options &options, Executor &executor)
      : recipe(recipe), options(options), executor(executor) {}

  bool run();

private:
  bool isOver() const;
  void runNumber(size_t number, const GridRun &run);
  std::string runOne(const Scenario &scenario);
  void prepare(const Scenario &scenario);
  void report(size_t number, const Scenario &scenario, StringRef problem);

  TestRecipe &recipe;
  const Options &options;
  Executor &executor;
  double used = 0.0; // of the tolerance
  size_t runs = 0;
  /// One failure of a combination is enough: the others are likely the same.
  std::set<size_t> failed;

  /// Those of the last scenario: the next often has the same numbers, stored
  /// differently, and the reference takes longer than the kernel.
  std::string key;
  llvm::StringMap<Tensor> inputs;
  std::vector<ReferenceResult> expected;
};

} // namespace

void Grid::prepare(const Scenario &scenario) {
  std::string newKey = numbersKey(scenario);
  if (key == newKey)
    return;
  key = newKey;
  inputs = randomInputs(recipe, scenario);
  expected = reference(recipe, scenario, inputs);
}

/// What is wrong, or nothing.
std::string Grid::runOne(const Scenario &scenario) {
  if (options.compares)
    prepare(scenario);
  else
    inputs = randomInputs(recipe, scenario);
  Execution execution = execute(recipe, scenario, inputs, executor);
  if (!execution.problem.empty())
    return execution.problem;
  for (const ReferenceResult &result : expected) {
    std::string problem = compare(result, execution.result(result.name),
                                  Tolerance::contract(scenario.isF64), used);
    if (!problem.empty())
      return problem;
  }
  return {};
}

void Grid::report(size_t number, const Scenario &scenario, StringRef problem) {
  llvm::outs() << "FAIL: " << problem << "\n  in " << describe(recipe, scenario)
               << executor.how() << "\n  replay: grid-test"
               << (options.isFull ? " --full" : "") << options.target.replay()
               << " --seed=" << options.seed << " --only=" << number << ' '
               << recipe.path() << '\n';
}

/// Runs one and reports what is wrong.
void Grid::runNumber(size_t number, const GridRun &run) {
  std::string text =
      "run " + std::to_string(number) + ": " + describe(recipe, run.scenario);
  llvm::PrettyStackTraceString onCrash(text.c_str());
  executor.setTurn(run.turn);
  std::string problem = runOne(run.scenario);
  ++runs;
  if (options.isVerbose)
    llvm::outs() << text << executor.how() << '\n';
  if (problem.empty())
    return;
  failed.insert(run.combination);
  report(number, run.scenario, problem);
  llvm::outs().flush();
}

bool Grid::isOver() const {
  constexpr size_t most = 5; // failures
  return failed.size() >= most || options.target.isOver() ||
         !executor.isUsable();
}

bool Grid::run() {
  auto begin = std::chrono::steady_clock::now();
  bool isLarge = options.hasDevicePlan || options.target.onDevice();
  auto planner = isLarge                      ? planDeviceGrid
                 : options.target.simulated() ? planSimulatorGrid
                                              : planGrid;
  GridPlan plan = planner(recipe, options.seed, options.isFull);
  size_t i = 0;
  for (; i < plan.runs.size() && !isOver(); ++i) {
    bool isChosen = !options.only || *options.only == i;
    if (isChosen && !failed.count(plan.runs[i].combination))
      runNumber(i, plan.runs[i]);
  }
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  if (i < plan.runs.size())
    llvm::outs() << recipe.name() << ": stopped after " << i << " of "
                 << plan.runs.size() << " planned runs\n";
  llvm::outs() << recipe.name()
               << llvm::format(": %zu runs of %zu kernels in %.1f s, %zu "
                               "combinations with %zu of %zu pairs, largest "
                               "error %.3g of the tolerance",
                               runs, recipe.compilations(), seconds.count(),
                               plan.combinations, plan.pairs, plan.allPairs,
                               used)
               << (failed.empty() ? "\n" : ", FAILED\n");
  return failed.empty();
}

static bool parse(int argc, char **argv, Options &options) {
  bool isGood = true;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    size_t number;
    if (options.target.consume(argument, isGood))
      continue;
    if (argument == "--full" || argument == "--quick")
      options.isFull = argument == "--full";
    else if (argument == "--verbose")
      options.isVerbose = true;
    else if (argument == "--device-plan")
      options.hasDevicePlan = true;
    else if (argument == "--no-compare")
      options.compares = false;
    else if (argument.consume_front("--seed=")) {
      if (argument.getAsInteger(10, options.seed))
        return false;
    } else if (argument.consume_front("--only=")) {
      if (argument.getAsInteger(10, number))
        return false;
      options.only = number;
    } else
      options.recipes.push_back(argument);
  }
  return isGood && !options.recipes.empty();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  if (!parse(argc, argv, options)) {
    llvm::errs() << "usage: grid-test [--quick|--full] [--seed=N] [--only=RUN] "
                    "[--verbose] [--no-compare] [--device-plan] "
                 << TargetOptions::usage << " RECIPE.rls...\n";
    return 2;
  }
  std::unique_ptr<Executor> executor = Executor::make(options.target, 2);
  if (!executor)
    return 1;
  bool isGood = true;
  for (StringRef path : options.recipes) {
    std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
    isGood &= recipe && Grid(*recipe, options, *executor).run();
  }
  return isGood ? 0 : 1;
}
