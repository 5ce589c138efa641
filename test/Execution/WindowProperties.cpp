//===- WindowProperties.cpp - Windows may be cut anywhere -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include <cmath>
#include <limits>

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

/// Where windows are cut: within a tile, between two, and near an end. No piece
/// is a single step, whose layout would be another.
static constexpr int64_t cuts[] = {2, 64, 100, 131};

/// Steps from..to-1, a view.
static Tensor slice(Tensor tensor, int64_t from, int64_t to) {
  if (tensor.rank() < 2)
    return tensor;
  tensor.data += from * tensor.strides[1] * byteWidth(tensor.dtype);
  tensor.sizes[1] = to - from;
  return tensor;
}

static Arrays slice(const Arrays &arrays, int64_t from, int64_t to) {
  Arrays parts;
  for (const auto &entry : arrays)
    parts[entry.getKey()] = slice(entry.getValue(), from, to);
  return parts;
}

static Scenario withSteps(Scenario scenario, int64_t steps) {
  scenario.steps = steps;
  return scenario;
}

/// The input that holds what is beyond the window; empty where there is none.
static StringRef beyond(const TestRecipe &recipe) {
  for (StringRef name : {"last_value", "seed", "init"})
    if (recipe.hasInput(name))
      return name;
  return {};
}

/// What the step beside the cut at `k` has to know of the steps on the other
/// side.
static double carried(const TestRecipe &recipe, const Arrays &inputs,
                      const Arrays &whole, int64_t row, int64_t k) {
  auto result = [&](StringRef name, int64_t step) {
    return whole.lookup(name).read({row, step});
  };
  StringRef name = recipe.name();
  if (name == "linear_scan_forward")
    return result("state", k - 1);
  if (name == "linear_scan_backward")
    return result("state", k);
  if (runsForward(recipe)) {
    StringRef only = name == "eligibility_trace" ? "trace" : "total";
    return isCut(recipe, inputs, row, k - 1) ? 0.0 : result(only, k - 1);
  }
  if (name != "gae")
    return result("target", k);
  // The correction, which decays by lambda, reaches the last TD error by way of
  // the value.
  double lambda = inputs.lookup("lambda").read({});
  return inputs.lookup("value").read({row, k}) +
         lambda * result("advantage", k);
}

/// V-Trace's correction takes the same way where lambda is 1 and both clips are
/// one.
static void prepareVTrace(Lab &lab, Arrays &inputs) {
  if (lab.name() != "vtrace")
    return;
  inputs["lambda"] = number(1.0);
  inputs["rho_bar"] = inputs["c_bar"] = number(0.8);
}

static void carryFeedsWindow(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  prepareVTrace(lab, inputs);
  Arrays whole = lab.run(scenario, inputs);
  for (int64_t k : cuts) {
    bool isForward = runsForward(lab.recipe());
    int64_t from = isForward ? k : 0, to = isForward ? scenario.steps : k;
    Arrays part = slice(inputs, from, to);
    part[beyond(lab.recipe())] = rowArray(scenario.rows, [&](int64_t row) {
      return carried(lab.recipe(), inputs, whole, row, k);
    });
    Arrays found = lab.run(withSteps(scenario, to - from), part);
    for (const auto &entry : slice(whole, from, to))
      lab.expectClose(entry.getKey() + " cut at " + llvm::Twine(k),
                      found.lookup(entry.getKey()), entry.getValue());
  }
}

/// The part on the far side of a boundary is not looked at, so that two windows
/// that meet there give what one does; what is beyond the first is NaN.
static void boundarySeparatesWindows(Lab &lab) {
  Scenario scenario = lab.scenario();
  StringRef edge = beyond(lab.recipe());
  bool isForward = runsForward(lab.recipe());
  bool hasWeights = lab.recipe().hasInput("beta");
  double nothing =
      isForward && !hasWeights ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  for (int64_t k : cuts) {
    Arrays inputs = lab.inputs(scenario);
    for (int64_t row = 0; row < scenario.rows; ++row)
      cut(lab.recipe(), inputs, row, k - 1);
    Arrays left = slice(inputs, 0, k), right = slice(inputs, k, scenario.steps);
    if (!edge.empty())
      (isForward ? right : left)[edge] =
          rowArray(scenario.rows, [&](int64_t) { return nothing; });
    Arrays whole = lab.run(scenario, inputs);
    lab.expectAlike("before " + llvm::Twine(k),
                    lab.run(withSteps(scenario, k), left), slice(whole, 0, k));
    lab.expectAlike("from " + llvm::Twine(k),
                    lab.run(withSteps(scenario, scenario.steps - k), right),
                    slice(whole, k, scenario.steps));
  }
}

std::vector<Property> test::windowProperties() {
  return {
      {"the carry, fed to the cut window, gives the whole",
       carryFeedsWindow,
       {"gae", "vtrace", "td_lambda", "discounted_return", "eligibility_trace",
        "episodic_prefix_sum", "linear_scan_forward", "linear_scan_backward"}},
      {"a boundary separates windows", boundarySeparatesWindows, {}}};
}
