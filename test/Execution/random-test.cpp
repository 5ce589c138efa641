//===- random-test.cpp - Random recipes beside the reference --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// random-test [--count=N] [--seed=N] [OPTIONS]: generates recipes, compiles
// each for a random combination of types and layouts and compares it with the
// reference on several shapes. A recipe that is refused is a failure.
// TargetOptions.h has the options for devices.
//
//===----------------------------------------------------------------------===//

#include "Combination.h"
#include "Execute.h"
#include "RecipeGenerator.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

/// Around the sizes of vectors and tiles.
static constexpr int64_t sizes[] = {0, 1, 2, 15, 16, 17, 33, 64, 65, 100};
static constexpr int64_t deviceSizes[] = {0,  1,  2,   15,  16,  17,  33,
                                          64, 65, 127, 128, 257, 400, 1025};
static constexpr int64_t lengthsOfAxes[] = {2, 3, 5};

/// An expression may make the errors of its operands somewhat larger.
static Tolerance tolerance(bool isF64) { return {isF64 ? 1e-10 : 1e-4, isF64}; }

/// What is wrong, or nothing.
static std::string compareWithReference(TestRecipe &recipe,
                                        const Scenario &scenario,
                                        Executor &executor, double &used) {
  llvm::StringMap<Tensor> inputs = randomInputs(recipe, scenario);
  Execution execution = execute(recipe, scenario, inputs, executor);
  if (!execution.problem.empty())
    return execution.problem;
  for (const ReferenceResult &result : reference(recipe, scenario, inputs)) {
    std::string problem = compare(result, execution.result(result.name),
                                  tolerance(scenario.isF64), used);
    if (!problem.empty())
      return problem;
  }
  return {};
}

/// Runs the recipe of one seed. Prints what is wrong.
static bool runSeed(uint64_t seed, const TargetOptions &options,
                    Executor &executor, double &used) {
  constexpr int shapes = 6;
  std::string text = generateRecipe(seed);
  std::string where = "seed " + std::to_string(seed) + ":\n" + text;
  llvm::PrettyStackTraceString onCrash(where.c_str());
  std::string problem = "refused";
  std::unique_ptr<TestRecipe> recipe =
      TestRecipe::parse(llvm::MemoryBuffer::getMemBufferCopy(text));
  if (recipe) {
    Random random(seed, "shapes");
    Combination values = drawCombination(choicesOf(*recipe), random);
    Expansion expansion(*recipe, values, seed);
    problem.clear();
    llvm::ArrayRef<int64_t> list = options.onGPU()
                                       ? llvm::ArrayRef<int64_t>(deviceSizes)
                                       : llvm::ArrayRef<int64_t>(sizes);
    for (int i = 0; i < shapes && problem.empty(); ++i) {
      int64_t rows = random.pick<int64_t>(list);
      int64_t steps = random.pick<int64_t>(list);
      int64_t axisSize = random.pick<int64_t>(lengthsOfAxes);
      Scenario scenario =
          expansion.make(rows, steps, axisSize, /*variant=*/std::nullopt);
      executor.setTurn(seed * shapes + i);
      problem = compareWithReference(*recipe, scenario, executor, used);
      if (!problem.empty())
        problem += "\n  in " + describe(*recipe, scenario) + executor.how();
    }
  }
  if (problem.empty())
    return true;
  llvm::outs() << "FAIL: " << problem
               << "\n  replay: random-test --count=1 --seed=" << seed
               << options.replay() << '\n'
               << text;
  return false;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  uint64_t count = 100, seed = 1;
  TargetOptions options;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    bool isGood = true;
    if (options.consume(argument, isGood) && isGood)
      continue;
    isGood = argument.consume_front("--count=")
                 ? !argument.getAsInteger(10, count)
                 : argument.consume_front("--seed=") &&
                       !argument.getAsInteger(10, seed);
    if (isGood)
      continue;
    llvm::errs() << "usage: random-test [--count=N] [--seed=N] "
                 << TargetOptions::usage << '\n';
    return 2;
  }
  std::unique_ptr<Executor> executor = Executor::make(options, 2);
  if (!executor)
    return 1;
  uint64_t failures = 0, done = 0;
  double used = 0.0;
  for (; done < count && !options.isOver() && executor->isUsable(); ++done)
    failures += !runSeed(seed + done, options, *executor, used);
  if (done < count)
    llvm::outs() << "stopped after " << done << " of " << count
                 << " planned recipes\n";
  llvm::outs() << done << " recipes, " << failures << " failures, "
               << llvm::format("largest error %.3g of the tolerance\n", used);
  return failures != 0;
}
