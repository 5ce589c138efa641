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

/// Around the sizes of tiles, and long ones.
static constexpr int64_t deviceSteps[] = {
    128, 1,  4097, 0,   33, 1000, 131073, 8,    127,     3,
    31,  64, 2,    129, 16, 9,    65536,  4096, 1000003, 7};
static constexpr int64_t deviceRows[] = {100, 1, 4096, 3, 31, 0, 2};
static constexpr int64_t simulatorSteps[] = {128, 1, 33,  0,   8, 127, 3,
                                             31,  9, 257, 130, 2, 64};
static constexpr int64_t simulatorRows[] = {5, 1, 40, 3, 0, 2};

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

static constexpr int shapesEach = 3; // of a combination

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
  /// The numbers of steps and rows are coprime: all meet.
  Shapes(const TestRecipe &recipe, ArrayRef<int64_t> allSteps,
         ArrayRef<int64_t> allRows, int64_t most)
      : allSteps(allSteps), allRows(allRows), most(most),
        hasAxis(!recipe.syntax().axes.empty()) {}

  void next(int64_t &rows, int64_t &steps, int64_t &axisSize) {
    do {
      steps = allSteps[turn % allSteps.size()];
      rows = allRows[turn % allRows.size()];
      axisSize = allAxisSizes[turn / 3 % std::size(allAxisSizes)];
      ++turn;
    } while (rows * steps * (hasAxis ? axisSize : 1) > most);
  }

private:
  ArrayRef<int64_t> allSteps, allRows;
  int64_t most; // elements
  bool hasAxis;
  size_t turn = 0;
};
} // namespace

static void addCombinations(const TestRecipe &recipe,
                            ArrayRef<Combination> combinations, uint64_t seed,
                            GridPlan &plan) {
  Shapes shapes(recipe, allSteps, allRows, 80000);
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

static std::vector<Combination> planCombinations(const TestRecipe &recipe,
                                                 uint64_t seed, bool isFull,
                                                 GridPlan &plan) {
  constexpr size_t most = 64;
  Combination choices = choicesOf(recipe);
  Pairs pairs(choices);
  Random random(seed, "combinations");
  std::vector<Combination> combinations =
      isFull ? product(choices, pairs, random)
             : pairwise(choices, most, pairs, random);
  plan.pairs = pairs.count();
  plan.allPairs = pairs.all();
  return combinations;
}

GridPlan test::planGrid(const TestRecipe &recipe, uint64_t seed, bool isFull) {
  GridPlan plan;
  std::vector<Combination> combinations =
      planCombinations(recipe, seed, isFull, plan);
  addShapes(recipe, seed, plan);
  addCombinations(recipe, combinations, seed, plan);
  return plan;
}

//===----------------------------------------------------------------------===//
// The plan for a device
//===----------------------------------------------------------------------===//

namespace {
/// The shapes of a plan, and the most elements that are tried.
struct Sizes {
  ArrayRef<int64_t> steps, rows; // their numbers are coprime: all meet
  int64_t mostOfShape, mostOfCombination;
  int combinationShapes; // of each
};
} // namespace

/// Runs on the same numbers, or with the same kernel.
using Unit = std::vector<GridRun>;

/// Every shape that the reference does in a second, in both packed layouts.
static std::vector<Unit> deviceShapes(const TestRecipe &recipe,
                                      const Sizes &sizes, uint64_t seed) {
  int64_t most = sizes.mostOfShape / (recipe.syntax().axes.empty() ? 1 : 2);
  std::vector<Unit> units;
  for (size_t i = 0; i < sizes.steps.size() * sizes.rows.size(); ++i) {
    int64_t steps = sizes.steps[i % sizes.steps.size()];
    int64_t rows = sizes.rows[i % sizes.rows.size()];
    if (rows * steps > most)
      continue;
    Unit unit;
    for (Layout layout : {Layout::Steps, Layout::Rows}) {
      Scenario scenario = plainScenario(recipe, rows, steps, layout);
      scenario.seed = seed + steps * 1000 + rows;
      unit.push_back({scenario, /*combination=*/0});
    }
    units.push_back(unit);
  }
  return units;
}

/// The first shape of every combination comes first.
static std::vector<Unit> deviceCombinations(const TestRecipe &recipe,
                                            const Sizes &sizes,
                                            ArrayRef<Combination> combinations,
                                            uint64_t seed) {
  Shapes shapes(recipe, sizes.steps, sizes.rows, sizes.mostOfCombination);
  std::vector<Expansion> expansions;
  for (auto [i, values] : llvm::enumerate(combinations))
    expansions.emplace_back(recipe, values, seed + i);
  std::vector<Unit> units;
  for (int j = 0; j < sizes.combinationShapes; ++j)
    for (Expansion &expansion : expansions) {
      int64_t rows, steps, axisSize;
      shapes.next(rows, steps, axisSize);
      Unit unit;
      for (bool isAlike : {true, false})
        unit.push_back({expansion.make(rows, steps, axisSize,
                                       isAlike ? std::optional(units.size())
                                               : std::nullopt),
                        /*combination=*/0});
      units.push_back(unit);
    }
  return units;
}

static GridPlan planSized(const TestRecipe &recipe, const Sizes &sizes,
                          uint64_t seed, bool isFull) {
  GridPlan plan;
  std::vector<Combination> combinations =
      planCombinations(recipe, seed, isFull, plan);
  plan.combinations = combinations.size() + 2;
  std::vector<Unit> lists[] = {
      deviceShapes(recipe, sizes, seed),
      deviceCombinations(recipe, sizes, combinations, seed)};
  size_t taken[] = {0, 0}, all = lists[0].size() + lists[1].size();
  // From both lists, as much of each as of the other.
  for (size_t turn = 0; turn < all; ++turn) {
    bool second = taken[0] * lists[1].size() > taken[1] * lists[0].size();
    for (GridRun &run : lists[second][taken[second]++]) {
      // A failure says nothing of other shapes, layouts and schedules.
      run.combination = plan.runs.size();
      run.turn = turn + (seed - 1) * all;
      plan.runs.push_back(run);
    }
  }
  return plan;
}

GridPlan test::planDeviceGrid(const TestRecipe &recipe, uint64_t seed,
                              bool isFull) {
  return planSized(recipe,
                   {deviceSteps, deviceRows, 2'200'000, 200'000, shapesEach},
                   seed, isFull);
}

GridPlan test::planSimulatorGrid(const TestRecipe &recipe, uint64_t seed,
                                 bool isFull) {
  return planSized(recipe, {simulatorSteps, simulatorRows, 6'000, 6'000, 1},
                   seed, isFull);
}
