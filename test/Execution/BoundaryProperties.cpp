//===- BoundaryProperties.cpp - What boundaries and gates keep out --------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Garbage
//===----------------------------------------------------------------------===//

/// NaN, infinities, a number near the largest, and 0xff in every byte.
static double garbage(Random &random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double allOnes;
  std::memset(&allOnes, 0xff, sizeof(allOnes));
  return random.pick<double>({std::numeric_limits<double>::quiet_NaN(),
                              infinity, -infinity, 3e38, allOnes});
}

static bool isReal(const TestRecipe &recipe, StringRef name) {
  return recipe.input(name).type == ast::TypeKind::Real &&
         recipe.input(name).kind != ast::InputKind::Param;
}

/// Whether an element is behind a boundary or has no weight, so that no result
/// may depend on it. Inputs of one name mean the same in every recipe.
static bool isUnread(const TestRecipe &recipe, const Arrays &inputs,
                     int64_t steps, StringRef name, ArrayRef<int64_t> index) {
  int64_t row = index[0], step = index.size() > 1 ? index[1] : 0;
  bool terminated = isSet(inputs, "terminated", row, step);
  bool ends = terminated || isSet(inputs, "truncated", row, step);
  auto action = [&] {
    return static_cast<int64_t>(inputs.lookup("action").read({row, step}));
  };
  if (name == "bootstrap")
    return terminated || !ends;
  if (name == "last_value")
    return isCut(recipe, inputs, row, steps - 1);
  if (name == "init")
    return inputs.lookup("beta").read(
               {row, runsForward(recipe) ? 0 : steps - 1}) == 0.0;
  if (name == "next_value")
    return ends;
  if (name == "next_target_prob")
    return terminated;
  if (name == "next_q")
    return terminated || inputs.lookup("next_target_prob").read(index) == 0.0;
  if (name == "target_prob") // next_target_prob is given
    return index[2] != action();
  if (name == "behavior_prob")
    return inputs.lookup("target_prob").read({row, step, action()}) == 0.0;
  return false;
}

static void unreadElementsDoNotCount(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  Arrays expected = lab.run(scenario, inputs);
  Random random = lab.random("garbage");
  Arrays all = copy(inputs);
  for (const auto &entry : inputs) {
    StringRef name = entry.getKey();
    if (!isReal(lab.recipe(), name))
      continue;
    Arrays changed = inputs;
    changed[name] = copy(entry.getValue());
    int64_t count = 0;
    forEachElement(entry.getValue().sizes, [&](ArrayRef<int64_t> index) {
      if (!isUnread(lab.recipe(), inputs, scenario.steps, name, index))
        return;
      double value = garbage(random);
      changed[name].write(index, value);
      all[name].write(index, value);
      ++count;
    });
    if (count > 0)
      lab.expectSame("garbage in " + name, lab.run(scenario, changed),
                     expected);
  }
  lab.expectSame("garbage everywhere", lab.run(scenario, all), expected);
}

//===----------------------------------------------------------------------===//
// The far side of a boundary
//===----------------------------------------------------------------------===//

/// In each row a boundary lies behind another step. What is on its far side,
/// where the carry comes from, becomes garbage; flags and indices are drawn
/// anew.
static void farSideDoesNotCount(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  Random random = lab.random("far side");
  std::vector<int64_t> boundaries;
  for (int64_t row = 0; row < scenario.rows; ++row) {
    boundaries.push_back(random.below(scenario.steps - 1));
    cut(lab.recipe(), inputs, row, boundaries.back());
  }
  bool isForward = runsForward(lab.recipe());
  auto isNear = [&](int64_t row, int64_t step) {
    return isForward == (step > boundaries[row]);
  };
  Scenario other = scenario;
  ++other.seed;
  Arrays changed = lab.inputs(other);
  for (const auto &entry : inputs) {
    StringRef name = entry.getKey();
    Tensor &tensor = changed[name];
    forEachElement(tensor.sizes, [&](ArrayRef<int64_t> index) {
      bool keeps = index.empty();
      if (index.size() > 1)
        keeps = isNear(index[0], index[1]) ||
                (name == "done" && index[1] == boundaries[index[0]]);
      if (keeps)
        tensor.write(index, entry.getValue().read(index));
      else if (isReal(lab.recipe(), name))
        tensor.write(index, garbage(random));
    });
  }
  Arrays expected = lab.run(scenario, inputs);
  Arrays found = lab.run(scenario, changed);
  for (const auto &entry : expected)
    lab.expectSame(entry.getKey(), found.lookup(entry.getKey()),
                   entry.getValue(), isNear);
}

//===----------------------------------------------------------------------===//
// NaN
//===----------------------------------------------------------------------===//

/// The steps that depend on step `k` of a row through the carry.
static std::pair<int64_t, int64_t> reach(const TestRecipe &recipe,
                                         const Arrays &inputs, int64_t row,
                                         int64_t k, int64_t steps) {
  int64_t first = k, last = k;
  if (runsForward(recipe))
    while (last + 1 < steps && !isCut(recipe, inputs, row, last))
      ++last;
  else
    while (first > 0 && !isCut(recipe, inputs, row, first - 1))
      --first;
  return {first, last};
}

/// A NaN at one step of each row reaches the steps that depend on it, and
/// leaves the bits of all others.
static void nanStaysInItsEpisode(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  Arrays expected = lab.run(scenario, inputs);
  Random random = lab.random("NaN");
  StringRef name = lab.recipe().hasInput("reward") ? "reward"
                   : lab.recipe().hasInput("x")    ? "x"
                                                   : "alpha";
  Arrays changed = inputs;
  changed[name] = copy(inputs[name]);
  std::vector<std::pair<int64_t, int64_t>> reached;
  std::vector<int64_t> where;
  for (int64_t row = 0; row < scenario.rows; ++row) {
    int64_t k = random.below(scenario.steps);
    where.push_back(k);
    changed[name].write({row, k}, std::numeric_limits<double>::quiet_NaN());
    reached.push_back(reach(lab.recipe(), inputs, row, k, scenario.steps));
  }
  Arrays found = lab.run(scenario, changed);
  for (const auto &entry : expected) {
    const Tensor &result = found[entry.getKey()];
    lab.expectSame(entry.getKey(), result, entry.getValue(),
                   [&](int64_t row, int64_t step) {
                     return step < reached[row].first ||
                            step > reached[row].second;
                   });
    for (int64_t row = 0; row < scenario.rows; ++row)
      if (!std::isnan(result.read({row, where[row]})))
        lab.fail(entry.getKey() + ": no NaN where the input has one");
  }
}

/// Where every step is a boundary, a NaN beyond the window and on the other
/// side of each changes nothing.
static void closedGatesAreExact(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  for (int64_t row = 0; row < scenario.rows; ++row)
    for (int64_t step = 0; step + 1 < scenario.steps; ++step)
      cut(lab.recipe(), inputs, row, step);
  Arrays expected = lab.run(scenario, inputs);
  // Every second step is NaN; the results of the others stay.
  Arrays changed = inputs;
  bool isForward = runsForward(lab.recipe());
  for (StringRef name : {"reward", "x", "alpha", "value"})
    if (lab.recipe().hasInput(name)) {
      changed[name] = copy(inputs[name]);
      for (int64_t row = 0; row < scenario.rows; ++row)
        for (int64_t step = isForward ? 0 : 1; step < scenario.steps; step += 2)
          changed[name].write({row, step},
                              std::numeric_limits<double>::quiet_NaN());
    }
  Arrays found = lab.run(scenario, changed);
  for (const auto &entry : expected)
    lab.expectSame(
        entry.getKey(), found.lookup(entry.getKey()), entry.getValue(),
        [&](int64_t, int64_t step) { return step % 2 == (isForward ? 1 : 0); });
}

std::vector<Property> test::boundaryProperties() {
  return {
      {"garbage that is not to be read changes nothing",
       unreadElementsDoNotCount,
       {}},
      {"garbage beyond a boundary changes nothing", farSideDoesNotCount, {}},
      {"a NaN stays in its episode", nanStaysInItsEpisode, {}},
      {"closed gates are exact", closedGatesAreExact, {}}};
}
