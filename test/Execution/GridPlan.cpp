//===- GridPlan.cpp - Which calls of a recipe are tried -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridPlan.h"
#include "Random.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;

static constexpr int64_t allSteps[] = {0, 1, 2, 3, 7, 8, 9, 31, 100, 1000, 4097};
static constexpr int64_t allRows[] = {0, 1, 3, 17, 256};
static constexpr int64_t allAxisSizes[] = {1, 2, 4, 18};

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

/// The values of factors, "any" standing for a choice for each array.
static constexpr DType realTypes[] = {DType::F32, DType::F64, DType::BF16,
                                      DType::F16};
enum RealChoice : unsigned { InF64 = 4, AnyReal, realChoices };
static constexpr DType flagTypes[] = {DType::Bool, DType::I32,  DType::I64,
                                      DType::F32,  DType::BF16, DType::F16,
                                      DType::F64};
enum FlagChoice : unsigned { AnyFlag = 5, flagChoices };
static constexpr DType indexTypes[] = {DType::I32, DType::I64};
enum ParamChoice : unsigned { AnyRank = 3, paramChoices };
static constexpr Layout layouts[] = {Layout::Steps, Layout::Rows,
                                     Layout::Strided};
enum LayoutChoice : unsigned { AnyLayout = 3, layoutChoices };
enum ResultChoice : unsigned { AnyResult = 4, resultChoices };

/// Kernels do not tell these apart.
static constexpr DType byteTypes[] = {DType::Bool, DType::U8, DType::I8};

static bool isOptional(const ast::Input &input) {
  return input.defaultValue && input.kind != ast::InputKind::Param;
}

/// How many values each factor has for this recipe.
static Combination choicesOf(const TestRecipe &recipe) {
  ArrayRef<ast::Input> inputs = recipe.syntax().inputs;
  auto hasType = [&](ast::TypeKind type) {
    return llvm::any_of(inputs, [&](auto &i) { return i.type == type; });
  };
  bool hasParams = llvm::any_of(
      inputs, [](auto &i) { return i.kind == ast::InputKind::Param; });
  return {1u << llvm::count_if(inputs, isOptional),
          realChoices,
          hasType(ast::TypeKind::Flag) ? flagChoices : 1u,
          hasType(ast::TypeKind::Index) ? 2u : 1u,
          hasParams ? paramChoices : 1u,
          layoutChoices,
          resultChoices + 0u,
          layoutChoices};
}

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

static Combination draw(const Combination &choices, Random &random) {
  Combination values;
  for (auto [value, count] : llvm::zip_equal(values, choices))
    value = random.below(count);
  return values;
}

/// Of a number of random combinations, always the one in which most pairs meet
/// for the first time.
static std::vector<Combination> pairwise(const Combination &choices,
                                         size_t most, Pairs &pairs,
                                         Random &random) {
  constexpr int candidates = 200;
  std::vector<Combination> list;
  while (list.size() < most && pairs.count() < pairs.all()) {
    Combination best = draw(choices, random);
    for (int i = 0; i < candidates; ++i) {
      Combination other = draw(choices, random);
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
    Combination whole = draw(choices, random);
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
// From a combination to runs
//===----------------------------------------------------------------------===//

namespace {

/// The runs of one combination, all by the same kernel.
class Expansion {
public:
  Expansion(const TestRecipe &recipe, const Combination &values,
            uint64_t seed)
      : recipe(recipe), values(values), random(seed),
        base(plainScenario(recipe, 0, 0)) {
    chooseInputs();
    chooseResults();
  }

  /// `variant` chooses the placement of all arrays alike, where they have it;
  /// without it, each has its own.
  Scenario make(int64_t rows, int64_t steps, std::optional<size_t> variant);

private:
  unsigned value(Factor factor) const {
    return values[static_cast<size_t>(factor)];
  }
  void chooseInputs();
  void chooseResults();
  DType chooseType(ast::TypeKind type);
  Layout chooseLayout(Factor factor);
  const Placement *place(ArrayRef<Placement> list, const Scenario &scenario,
                         std::optional<size_t> variant);

  const TestRecipe &recipe;
  Combination values;
  Random random;
  Scenario base;
  std::vector<Layout> inputLayouts, resultLayouts;
};

} // namespace

DType Expansion::chooseType(ast::TypeKind type) {
  switch (type) {
  case ast::TypeKind::Real:
    if (value(Factor::Reals) == InF64)
      return DType::F64;
    return value(Factor::Reals) == AnyReal ? random.pick(ArrayRef(realTypes))
                                           : realTypes[value(Factor::Reals)];
  case ast::TypeKind::Flag:
    return value(Factor::Flags) == AnyFlag ? random.pick(ArrayRef(flagTypes))
                                           : flagTypes[value(Factor::Flags)];
  case ast::TypeKind::Index:
    return indexTypes[value(Factor::Indices)];
  }
  llvm_unreachable("unknown type");
}

Layout Expansion::chooseLayout(Factor factor) {
  return value(factor) == AnyLayout ? random.pick(ArrayRef(layouts))
                                    : layouts[value(factor)];
}

void Expansion::chooseInputs() {
  unsigned reals = value(Factor::Reals), optional = 0;
  base.isF64 = reals == InF64 || (reals == AnyReal && random.chance(0.5));
  for (auto [input, choice] :
       llvm::zip_equal(recipe.syntax().inputs, base.inputs)) {
    if (isOptional(input))
      choice.isPresent = value(Factor::Subset) >> optional++ & 1;
    if (input.kind == ast::InputKind::Param) {
      unsigned rank = value(Factor::Params);
      choice.rank = rank == AnyRank ? random.below(3) : rank;
    }
    if (input.kind != ast::InputKind::Param || choice.rank > 0)
      choice.dtype = chooseType(input.type);
    inputLayouts.push_back(chooseLayout(Factor::Layouts));
  }
}

void Expansion::chooseResults() {
  for (ArrayChoice &choice : base.results) {
    unsigned type = value(Factor::ResultTypes);
    choice.dtype = type == AnyResult ? random.pick(ArrayRef(realTypes))
                                     : realTypes[type];
    resultLayouts.push_back(chooseLayout(Factor::ResultLayouts));
  }
}

const Placement *Expansion::place(ArrayRef<Placement> list,
                                  const Scenario &scenario,
                                  std::optional<size_t> variant) {
  const Placement *chosen =
      variant ? &list[*variant % list.size()] : &random.pick(list);
  // Where one side is 1, packed arrays are of both layouts, and which kernel
  // they get is not for this combination to say: the second is padded.
  bool isPacked = chosen->spacing == 1 && chosen->padding == 0 &&
                  !chosen->reversesRows && !chosen->reversesSteps &&
                  !chosen->repeats();
  bool isThin = scenario.rows <= 1 || scenario.steps <= 1;
  return isPacked && isThin && list.size() > 2 ? &list[1] : chosen;
}

Scenario Expansion::make(int64_t rows, int64_t steps,
                         std::optional<size_t> variant) {
  Scenario scenario = base;
  scenario.rows = rows;
  scenario.steps = steps;
  scenario.seed = random.next();
  for (auto [choice, layout] :
       llvm::zip_equal(scenario.inputs, inputLayouts)) {
    choice.placement =
        place(placements(layout, choice.rank), scenario, variant);
    if (choice.dtype == DType::Bool && choice.rank > 0)
      choice.dtype = random.pick(ArrayRef(byteTypes));
  }
  for (auto [choice, layout] :
       llvm::zip_equal(scenario.results, resultLayouts))
    choice.placement = place(outputPlacements(layout), scenario, variant);
  return scenario;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Every shape in both packed layouts, on the same numbers.
static void addShapes(const TestRecipe &recipe, uint64_t seed,
                      GridPlan &plan) {
  for (int64_t steps : allSteps)
    for (int64_t rows : allRows)
      for (Layout layout : {Layout::Steps, Layout::Rows}) {
        Scenario scenario = plainScenario(recipe, rows, steps, layout);
        scenario.seed = seed + steps * 1000 + rows;
        plan.runs.push_back(scenario);
      }
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
      for (bool isAlike : {true, false}) {
        plan.runs.push_back(expansion.make(
            rows, steps, isAlike ? std::optional(variant) : std::nullopt));
        plan.runs.back().axisSize = axisSize;
      }
    }
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
  plan.combinations = combinations.size();
  plan.pairs = pairs.count();
  plan.allPairs = pairs.all();
  addShapes(recipe, seed, plan);
  addCombinations(recipe, combinations, seed, plan);
  return plan;
}
