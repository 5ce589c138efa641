//===- RandomTrial.cpp - One call of one random recipe --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomTrial.h"
#include "Shrinker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Expressions of random terms may cancel: with the contract's 1e-5, 3 of 971
/// recipes had errors of up to 1.34 of the tolerance.
static Tolerance tolerance(bool isF64) { return {isF64 ? 1e-10 : 1e-4, isF64}; }

std::string Trial::run(TestRecipe &recipe, double &used) const {
  llvm::StringMap<Tensor> inputs = randomInputs(recipe, scenario);
  executor->setTurn(turn);
  Execution execution = execute(recipe, scenario, inputs, *executor);
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

static std::unique_ptr<TestRecipe> parseQuietly(StringRef text) {
  return TestRecipe::parse(llvm::MemoryBuffer::getMemBufferCopy(text),
                           llvm::nulls());
}

std::string Trial::run(double &used) const {
  std::unique_ptr<TestRecipe> recipe = parseQuietly(text);
  return recipe ? run(*recipe, used) : "refused";
}

//===----------------------------------------------------------------------===//
// Shrinking
//===----------------------------------------------------------------------===//

namespace {
/// Makes smaller trials of one that failed.
class TrialShrinker {
public:
  TrialShrinker(Trial trial, StringRef problem);
  Trial run();

private:
  bool isOver() const { return std::chrono::steady_clock::now() > end; }
  bool fails(const Trial &trial) const;
  bool fit(Trial &trial) const;
  bool shrinkText();
  bool shrinkWindow();

  Trial best;
  std::string kind;
  /// Of the trial that failed first, by name.
  llvm::StringMap<ArrayChoice> inputs, results;
  std::chrono::steady_clock::time_point end =
      std::chrono::steady_clock::now() + std::chrono::minutes(1);
};
} // namespace

/// A wrong number, or how the message begins.
static StringRef kindOf(StringRef problem) {
  constexpr size_t beginning = 16;
  return problem.contains(", expected ") ? "a number"
                                         : problem.take_front(beginning);
}

TrialShrinker::TrialShrinker(Trial trial, StringRef problem)
    : best(std::move(trial)), kind(kindOf(problem)) {
  std::unique_ptr<TestRecipe> recipe = parseQuietly(best.text);
  for (auto [input, choice] :
       llvm::zip_equal(recipe->syntax().inputs, best.scenario.inputs))
    inputs[input.id.name] = choice;
  for (auto [result, choice] :
       llvm::zip_equal(recipe->syntax().results, best.scenario.results))
    results[result.id.name] = choice;
}

/// Gives the inputs and results that are left what they had.
bool TrialShrinker::fit(Trial &trial) const {
  std::unique_ptr<TestRecipe> recipe = parseQuietly(trial.text);
  if (!recipe)
    return false;
  trial.scenario.inputs.clear();
  trial.scenario.results.clear();
  for (const ast::Input &input : recipe->syntax().inputs)
    trial.scenario.inputs.push_back(inputs.lookup(input.id.name));
  for (const ast::Result &result : recipe->syntax().results)
    trial.scenario.results.push_back(results.lookup(result.id.name));
  return true;
}

bool TrialShrinker::fails(const Trial &trial) const {
  double used = 0.0;
  return !isOver() && kindOf(trial.run(used)) == kind;
}

bool TrialShrinker::shrinkText() {
  std::string smaller = test::shrink(best.text, [&](StringRef text) {
    Trial trial = best;
    trial.text = text.str();
    return !isOver() && fit(trial) && fails(trial);
  });
  bool isSmaller = smaller != best.text;
  best.text = smaller;
  fit(best);
  return isSmaller;
}

bool TrialShrinker::shrinkWindow() {
  bool isSmaller = false;
  for (int64_t Scenario::*side : {&Scenario::rows, &Scenario::steps})
    for (int64_t step = best.scenario.*side; step > 0;) {
      Trial trial = best;
      trial.scenario.*side -= step;
      if (fails(trial)) {
        best = trial;
        isSmaller = true;
        step = std::min(step, best.scenario.*side);
      } else {
        step /= 2;
      }
    }
  return isSmaller;
}

Trial TrialShrinker::run() {
  bool isSmaller = true;
  while (isSmaller && !isOver()) {
    isSmaller = shrinkWindow();
    isSmaller |= shrinkText();
  }
  return best;
}

Trial Trial::shrink(StringRef problem) const {
  return TrialShrinker(*this, problem).run();
}
