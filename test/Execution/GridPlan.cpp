//===- GridPlan.cpp - Which calls of a recipe are tried -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridPlan.h"
#include "Combination.h"
#include "Random.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;

static constexpr int64_t allSteps[] = {0, 1,  2,   3,    7,   8,
                                       9, 31, 100, 1000, 4097};
static constexpr int64_t allRows[] = {0, 1, 3, 17, 256};
static constexpr int64_t allAxisSizes[] = {1, 2, 4, 18};

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

namespace {

/// Which pairs of values have met.
class Pairs {
public:
  explicit Pairs(const Combination &choices) {
    for (size_t a = 0; a < factorCount; ++a)
      for (size_t b = 0; b < a; ++b)
        total += choices[a] * choices[b];
  }

  size_t countNew(const Combination &values) const {
    size_t count = 0;
    forEach(values, [&](auto pair) { count += !met.count(pair); });
    return count;
  }
  void add(const Combination &values) {
    forEach(values, [&](auto pair) { met.insert(pair); });
  }
  size_t count() const { return met.size(); }
  size_t all() const { return total; }

private:
  using Pair = std::array<unsigned, 4>;
  static void forEach(const Combination &values,
                      llvm::function_ref<void(Pair)> body) {
    for (unsigned a = 0; a < factorCount; ++a)
      for (unsigned b = 0; b < a; ++b)
        body({a, values[a], b, values[b]});
  }

  std::set<Pair> met;
  size_t total = 0;
};

} // namespace

/// Of a number of random combinations, always the one in which most pairs meet
/// for the first time.
static std::vector<Combination> pairwise(const Combination &choices,
                                         size_t most, Pairs &pairs,
                                         Random &random) {
  constexpr int candidates = 200;
  std::vector<Combination> list;
  while (list.size() < most && pairs.count() < pairs.all()) {
    Combination best = drawCombination(choices, random);
    for (int i = 0; i < candidates; ++i) {
      Combination other = drawCombination(choices, random);
      if (pairs.countNew(other) > pairs.countNew(best))
        best = other;
    }
    pairs.add(best);
    list.push_back(best);
  }
  return list;
}

/// All combinations of the first factors; results take turns.
static std::vector<Combination> product(const Combination &choices,
                                        Pairs &pairs, Random &random) {
  constexpr auto inputFactors = static_cast<size_t>(Factor::ResultTypes);
  std::vector<Combination> list;
  Combination values = {};
  while (true) {
    Combination whole = drawCombination(choices, random);
    std::copy_n(values.begin(), inputFactors, whole.begin());
    pairs.add(whole);
    list.push_back(whole);
    size_t factor = 0;
    while (factor < inputFactors && ++values[factor] == choices[factor])
      values[factor++] = 0;
    if (factor == inputFactors)
      return list;
  }
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Every shape in both packed layouts, on the same numbers.
static void addShapes(const TestRecipe &recipe, uint64_t seed, GridPlan &plan) {
  for (int64_t steps : allSteps)
    for (int64_t rows : allRows)
      for (Layout layout : {Layout::Steps, Layout::Rows}) {
        size_t combination = layout == Layout::Rows;
        Scenario scenario = plainScenario(recipe, rows, steps, layout);
        scenario.seed = seed + steps * 1000 + rows;
        plan.runs.push_back({scenario, combination});
      }
  plan.combinations = 2;
}

namespace {
/// Deals the shapes and axis sizes in turn, but for those that would take long.
class Shapes {
public:
  explicit Shapes(const TestRecipe &recipe)
      : hasAxis(!recipe.syntax().axes.empty()) {}

  void next(int64_t &rows, int64_t &steps, int64_t &axisSize) {
    do {
      // Their numbers are coprime: all meet.
      steps = allSteps[turn % std::size(allSteps)];
      rows = allRows[turn % std::size(allRows)];
      axisSize = allAxisSizes[turn / 3 % std::size(allAxisSizes)];
      ++turn;
    } while (rows * steps * (hasAxis ? axisSize : 1) > 80000);
  }

private:
  bool hasAxis;
  size_t turn = 0;
};
} // namespace

static void addCombinations(const TestRecipe &recipe,
                            ArrayRef<Combination> combinations, uint64_t seed,
                            GridPlan &plan) {
  constexpr int shapesEach = 3;
  Shapes shapes(recipe);
  size_t variant = 0;
  for (auto [i, values] : llvm::enumerate(combinations)) {
    Expansion expansion(recipe, values, seed + i);
    for (int j = 0; j < shapesEach; ++j, ++variant) {
      int64_t rows, steps, axisSize;
      shapes.next(rows, steps, axisSize);
      for (bool isAlike : {true, false})
        plan.runs.push_back(
            {expansion.make(rows, steps, axisSize,
                            isAlike ? std::optional(variant) : std::nullopt),
             plan.combinations});
    }
    ++plan.combinations;
  }
}

GridPlan test::planGrid(const TestRecipe &recipe, uint64_t seed, bool isFull) {
  constexpr size_t most = 64;
  Combination choices = choicesOf(recipe);
  Pairs pairs(choices);
  Random random(seed, "combinations");
  std::vector<Combination> combinations =
      isFull ? product(choices, pairs, random)
             : pairwise(choices, most, pairs, random);
  GridPlan plan;
  plan.pairs = pairs.count();
  plan.allPairs = pairs.all();
  addShapes(recipe, seed, plan);
  addCombinations(recipe, combinations, seed, plan);
  return plan;
}
