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
// TargetOptions.h has the options for devices; --target=every is the CPU and
// both simulated devices, the latter with a schedule of their own each time.
// What fails is printed as it is and as small as it can be made.
//
//===----------------------------------------------------------------------===//

#include "Combination.h"
#include "RandomTrial.h"
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
static constexpr int64_t deviceSizes[] = {0,   1,   2,   15,   16,  17,  31,
                                          32,  33,  63,  64,   65,  127, 128,
                                          129, 257, 400, 1000, 1025};
static constexpr int64_t lengthsOfAxes[] = {1, 2, 3, 4, 5, 18};
/// What the reference evaluates in a moment.
static constexpr int64_t mostElements = 200000;

namespace {

/// Where all recipes run.
struct Target {
  TargetOptions options;
  std::unique_ptr<Executor> executor;
};

class RandomTest {
public:
  bool consume(StringRef argument, bool &isGood);
  bool open();
  /// Runs the recipe of one seed. Prints what is wrong.
  bool runSeed(uint64_t seed);
  bool isOver() const;

  double used = 0.0; // of the tolerance

private:
  Scenario drawScenario(Expansion &expansion, uint64_t seed, Random &random);
  bool report(const Trial &trial, const Target &target, StringRef problem,
              uint64_t seed);

  TargetOptions given;
  bool isEverywhere = false;
  std::vector<Target> targets;
};

} // namespace

bool RandomTest::consume(StringRef argument, bool &isGood) {
  if (argument != "--target=every")
    return given.consume(argument, isGood);
  isEverywhere = true;
  return true;
}

bool RandomTest::open() {
  std::vector<StringRef> names = {"cpu", "sim", "sim:wave64"};
  targets.resize(isEverywhere ? names.size() : 1);
  for (auto [i, target] : llvm::enumerate(targets)) {
    target.options = given;
    bool isGood = true;
    if (isEverywhere) {
      target.options.consume(("--target=" + names[i]).str(), isGood);
      target.options.consume("--schedules=all", isGood);
    }
    target.executor = Executor::make(target.options, 2);
    if (!target.executor)
      return false;
  }
  return true;
}

bool RandomTest::isOver() const {
  return llvm::any_of(targets, [](const Target &target) {
    return target.options.isOver() || !target.executor->isUsable();
  });
}

Scenario RandomTest::drawScenario(Expansion &expansion, uint64_t seed,
                                  Random &random) {
  bool onGPU = targets.back().options.onGPU();
  llvm::ArrayRef<int64_t> list(sizes);
  if (onGPU)
    list = deviceSizes;
  int64_t rows = random.pick<int64_t>(list);
  int64_t steps = std::min(random.pick<int64_t>(list), mostSteps(seed));
  int64_t axisSize = random.pick<int64_t>(lengthsOfAxes);
  if (rows * steps > mostElements)
    rows = mostElements / steps;
  return expansion.make(rows, steps, axisSize, /*variant=*/std::nullopt);
}

bool RandomTest::report(const Trial &trial, const Target &target,
                        StringRef problem, uint64_t seed) {
  std::string replay =
      isEverywhere ? " --target=every" : target.options.replay();
  llvm::outs() << "FAIL: " << problem
               << "\n  replay: random-test --count=1 --seed=" << seed << replay
               << '\n'
               << trial.text;
  if (!trial.executor)
    return false;
  Trial least = trial.shrink(problem);
  double unused = 0.0;
  llvm::outs() << "as small as it gets: N = " << least.scenario.rows
               << ", T = " << least.scenario.steps << ": " << least.run(unused)
               << '\n'
               << least.text;
  return false;
}

bool RandomTest::runSeed(uint64_t seed) {
  constexpr int shapes = 6;
  Trial trial;
  trial.text = generateRecipe(seed);
  std::string where = "seed " + std::to_string(seed) + ":\n" + trial.text;
  llvm::PrettyStackTraceString onCrash(where.c_str());
  std::unique_ptr<TestRecipe> recipe =
      TestRecipe::parse(llvm::MemoryBuffer::getMemBufferCopy(trial.text));
  if (!recipe)
    return report(trial, targets.front(), "refused", seed);
  Random random(seed, "shapes");
  Combination values = drawCombination(choicesOf(*recipe), random);
  Expansion expansion(*recipe, values, seed);
  for (int i = 0; i < shapes; ++i) {
    trial.scenario = drawScenario(expansion, seed, random);
    trial.turn = seed * shapes + i;
    for (Target &target : targets) {
      trial.executor = target.executor.get();
      std::string problem = trial.run(*recipe, used);
      if (!problem.empty())
        return report(trial, target,
                      problem + "\n  in " + describe(*recipe, trial.scenario) +
                          target.options.replay() + trial.executor->how(),
                      seed);
    }
  }
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  uint64_t count = 100, seed = 1;
  RandomTest test;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    bool isGood = true;
    if (test.consume(argument, isGood) && isGood)
      continue;
    isGood = argument.consume_front("--count=")
                 ? !argument.getAsInteger(10, count)
                 : argument.consume_front("--seed=") &&
                       !argument.getAsInteger(10, seed);
    if (isGood)
      continue;
    llvm::errs() << "usage: random-test [--count=N] [--seed=N] "
                    "[--target=every] "
                 << TargetOptions::usage << '\n';
    return 2;
  }
  if (!test.open())
    return 1;
  uint64_t failures = 0, done = 0;
  for (; done < count && !test.isOver(); ++done)
    failures += !test.runSeed(seed + done);
  if (done < count)
    llvm::outs() << "stopped after " << done << " of " << count
                 << " planned recipes\n";
  llvm::outs() << done << " recipes, " << failures << " failures, "
               << llvm::format("largest error %.3g of the tolerance\n",
                               test.used);
  return failures != 0;
}
