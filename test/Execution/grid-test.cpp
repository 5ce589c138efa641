//===- grid-test.cpp - Recipes on a grid of shapes, types and layouts -----===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// grid-test [--quick|--full] [--seed=N] [--only=RUN] RECIPE.rls...: runs each
// recipe on random data, stored in many ways, and compares it with the
// reference. GridPlan.h says what is tried, --full tries more.
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
  std::optional<size_t> only;
  std::vector<StringRef> recipes;
};

/// Runs the plan of one recipe.
class Grid {
public:
  Grid(TestRecipe &recipe, const Options &options, ThreadPool &pool)
      : recipe(recipe), options(options), pool(pool) {}

  bool run();

private:
  std::string runOne(const Scenario &scenario);
  void prepare(const Scenario &scenario);
  void report(size_t number, const Scenario &scenario, StringRef problem);

  TestRecipe &recipe;
  const Options &options;
  ThreadPool &pool;
  double used = 0.0; // of the tolerance

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
  prepare(scenario);
  Execution execution = execute(recipe, scenario, inputs, pool);
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
               << "\n  replay: grid-test" << (options.isFull ? " --full" : "")
               << " --seed=" << options.seed << " --only=" << number << ' '
               << recipe.path() << '\n';
}

bool Grid::run() {
  constexpr size_t most = 5; // failures
  auto begin = std::chrono::steady_clock::now();
  GridPlan plan = planGrid(recipe, options.seed, options.isFull);
  size_t runs = 0;
  // One failure of a combination is enough: the others are likely the same.
  std::set<size_t> failed;
  for (size_t i = 0; i < plan.runs.size() && failed.size() < most; ++i) {
    const auto &[scenario, combination] = plan.runs[i];
    if ((options.only && *options.only != i) || failed.count(combination))
      continue;
    std::string text =
        "run " + std::to_string(i) + ": " + describe(recipe, scenario);
    llvm::PrettyStackTraceString onCrash(text.c_str());
    std::string problem = runOne(scenario);
    ++runs;
    if (problem.empty())
      continue;
    failed.insert(combination);
    report(i, scenario, problem);
  }
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
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
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    size_t number;
    if (argument == "--full" || argument == "--quick")
      options.isFull = argument == "--full";
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
  return !options.recipes.empty();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  if (!parse(argc, argv, options)) {
    llvm::errs() << "usage: grid-test [--quick|--full] [--seed=N] [--only=RUN] "
                    "RECIPE.rls...\n";
    return 2;
  }
  ThreadPool pool(2);
  bool isGood = true;
  for (StringRef path : options.recipes) {
    std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
    isGood &= recipe && Grid(*recipe, options, pool).run();
  }
  return isGood ? 0 : 1;
}
