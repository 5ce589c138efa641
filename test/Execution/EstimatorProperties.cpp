//===- EstimatorProperties.cpp - Estimators that are one another ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include <cmath>

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// What one recipe says of another
//===----------------------------------------------------------------------===//

/// Those of `inputs` that the recipe has.
static Arrays select(const TestRecipe &recipe, const Arrays &inputs) {
  Arrays chosen;
  for (const auto &entry : inputs)
    if (recipe.hasInput(entry.getKey()))
      chosen[entry.getKey()] = entry.getValue();
  return chosen;
}

static Tensor resultOf(Lab &lab, StringRef name, const Scenario &scenario,
                       const Arrays &inputs, StringRef result) {
  TestRecipe &recipe = lab.recipe(name);
  Scenario plain = plainScenario(recipe, scenario.rows, scenario.steps);
  return lab.run(recipe, plain, select(recipe, inputs)).lookup(result);
}

/// a + b.
static Tensor sum(const Scenario &scenario, const Tensor &a, const Tensor &b) {
  return stepArray(scenario, DType::F64, [&](int64_t row, int64_t step) {
    return a.read({row, step}) + b.read({row, step});
  });
}

/// The value of the state after step `step`, where the window and the episode
/// go on.
static double nextValue(const Arrays &inputs, int64_t row, int64_t step) {
  const Tensor value = inputs.lookup("value");
  return step + 1 < value.sizes[1] ? value.read({row, step + 1})
                                   : inputs.lookup("last_value").read({row});
}

/// reward + gamma * (the value that follows).
static double onStepTarget(const Arrays &inputs, int64_t row, int64_t step,
                           double next) {
  if (isSet(inputs, "truncated", row, step))
    next = inputs.lookup("bootstrap").read({row, step});
  if (isSet(inputs, "terminated", row, step))
    next = 0.0;
  return inputs.lookup("reward").read({row, step}) +
         inputs.lookup("gamma").read({}) * next;
}

static void lambdaZero(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  inputs["lambda"] = number(0.0);
  bool isGAE = lab.name() == "gae";
  Tensor expected =
      stepArray(scenario, DType::F64, [&](int64_t row, int64_t step) {
        double next = isGAE ? nextValue(inputs, row, step)
                            : inputs["next_value"].read({row, step});
        return onStepTarget(inputs, row, step, next);
      });
  lab.expectClose("target", lab.run(scenario, inputs).lookup("target"),
                  expected);
}

static void lambdaOne(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  inputs["lambda"] = number(1.0);
  Arrays found = lab.run(scenario, inputs);
  Tensor expected =
      resultOf(lab, "discounted_return", scenario, inputs, "target");
  lab.expectClose("target", found["target"], expected);
  if (lab.name() == "gae")
    lab.expectClose("advantage + value",
                    sum(scenario, found["advantage"], inputs["value"]),
                    expected);
}

/// Where V(s[t+1]) is what the recipe takes from its neighbour, the target of
/// GAE is the lambda-return.
static void isLambdaReturn(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  Tensor found = lab.run(scenario, inputs).lookup("target");
  inputs["next_value"] =
      stepArray(scenario, DType::F32, [&](int64_t row, int64_t step) {
        return nextValue(inputs, row, step);
      });
  lab.expectClose("target", found,
                  resultOf(lab, "td_lambda", scenario, inputs, "target"));
}

static void onPolicyIsGAE(Lab &lab) {
  for (double lambda : {1.0, 0.9}) {
    Scenario scenario = lab.scenario();
    Arrays inputs = lab.inputs(scenario);
    inputs["behavior_logp"] = inputs["target_logp"];
    inputs["rho_bar"] = inputs["c_bar"] = number(1.0);
    inputs["lambda"] = number(lambda);
    lab.expectClose("target", lab.run(scenario, inputs).lookup("target"),
                    resultOf(lab, "gae", scenario, inputs, "target"));
  }
}

/// With one action, taken with probability 1, Q is V.
static void oneActionIsGAE(Lab &lab) {
  Scenario scenario = lab.scenario();
  scenario.axisSize = 1;
  Arrays inputs = lab.inputs(scenario);
  auto one = [](int64_t, int64_t) { return 1.0; };
  Tensor ones = stepArray(scenario, DType::F32, one);
  inputs["behavior_prob"] = ones;
  ones.sizes.push_back(1);
  ones.strides.push_back(1);
  inputs["target_prob"] = inputs["next_target_prob"] = ones;
  inputs["c_bar"] = inputs["rho_bar"] = number(1.0);
  Random random = lab.random("one action");
  inputs["value"] = inputs["q"];
  inputs["bootstrap"] = stepArray(
      scenario, DType::F32, [&](auto...) { return random.between(-1, 1); });
  inputs["last_value"] =
      rowArray(scenario.rows, [&](auto) { return random.between(-1, 1); });
  Tensor next = stepArray(scenario, DType::F32, [&](int64_t row, int64_t step) {
    return isSet(inputs, "truncated", row, step)
               ? inputs["bootstrap"].read({row, step})
               : nextValue(inputs, row, step);
  });
  next.sizes.push_back(1);
  next.strides.push_back(1);
  inputs["next_q"] = next;
  Tensor found =
      lab.run(scenario, select(lab.recipe(), inputs)).lookup("target");
  lab.expectClose("target", found,
                  resultOf(lab, "gae", scenario, inputs, "target"));
}

/// The recipe as alpha and beta of the bare recurrence.
static void isLinearScan(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario), coefficients;
  bool isForward = runsForward(lab.recipe());
  double decay = 1.0;
  for (StringRef name : {"gamma", "lambda"})
    if (lab.recipe().hasInput(name))
      decay *= inputs[name].read({});
  auto isGone = [&](int64_t row, int64_t step) {
    if (isForward)
      return step > 0 && isCut(lab.recipe(), inputs, row, step - 1);
    return isCut(lab.recipe(), inputs, row, step);
  };
  coefficients["alpha"] =
      stepArray(scenario, DType::F32, [&](int64_t row, int64_t step) {
        return isForward ? inputs["x"].read({row, step})
                         : onStepTarget(inputs, row, step, 0.0);
      });
  coefficients["beta"] =
      stepArray(scenario, DType::F32, [&](int64_t row, int64_t step) {
        return isGone(row, step) ? 0.0 : decay;
      });
  coefficients["init"] = inputs[isForward ? "seed" : "last_value"];
  Tensor expected =
      resultOf(lab, isForward ? "linear_scan_forward" : "linear_scan_backward",
               scenario, coefficients, "state");
  Arrays found = lab.run(scenario, inputs);
  lab.expectClose(found.begin()->getKey(), found.begin()->getValue(), expected);
}

//===----------------------------------------------------------------------===//
// Long rows
//===----------------------------------------------------------------------===//

/// Rewards of 0.1 and nothing else, so that sums have a closed form. Discounts
/// are `gamma`, everything else is 1 or absent.
static Arrays constantInputs(Lab &lab, const Scenario &scenario, double gamma) {
  Arrays inputs;
  for (auto [input, choice] :
       llvm::zip_equal(lab.recipe().syntax().inputs, scenario.inputs)) {
    if (!choice.isPresent)
      continue;
    StringRef name = input.id.name;
    bool isOne = name == "beta" || name == "lambda" ||
                 name.ends_with("_prob") || name.ends_with("_bar");
    bool isTenth = name == "reward" || name == "x" || name == "alpha";
    Tensor tensor = Tensor::allocate(choice.dtype, scenario.sizes(choice));
    double value = name == "gamma" ? gamma : isOne ? 1.0 : isTenth ? 0.1 : 0.0;
    forEachElement(tensor.sizes, [&](llvm::ArrayRef<int64_t> index) {
      tensor.write(index, value);
    });
    inputs[name] = tensor;
  }
  return inputs;
}

/// Compares all results with total(number of steps that count up to here).
static void expectTotals(Lab &lab, const Scenario &scenario,
                         const Arrays &inputs,
                         llvm::function_ref<double(int64_t)> total) {
  bool isForward = runsForward(lab.recipe());
  Tensor expected =
      stepArray(scenario, DType::F64, [&](int64_t row, int64_t step) {
        return total(isForward ? step + 1 : scenario.steps - step);
      });
  for (const auto &entry : lab.run(scenario, inputs))
    lab.expectClose(entry.getKey(), entry.getValue(), expected);
}

static Scenario longScenario(Lab &lab) {
  Scenario scenario = plainScenario(lab.recipe(), 2, lab.longRow());
  scenario.axisSize = 1;
  return scenario;
}

static void sumsOverLongRows(Lab &lab) {
  Scenario scenario = longScenario(lab);
  expectTotals(lab, scenario, constantInputs(lab, scenario, 1.0),
               [](int64_t count) { return count * double(0.1f); });
}

static void alternatesOverLongRows(Lab &lab) {
  Scenario scenario = longScenario(lab);
  Arrays inputs = constantInputs(lab, scenario, 1.0);
  inputs["beta"] =
      stepArray(scenario, DType::F32, [](int64_t, int64_t) { return -1.0; });
  expectTotals(lab, scenario, inputs, [](int64_t count) {
    return count % 2 == 0 ? 0.0 : double(0.1f);
  });
}

/// A discount so near to 1 that rounding it to f32 would show: the horizon is
/// 100,000 steps. Where betas are rounded it is one that needs no rounding,
/// with a horizon of 1024.
static void discountsOverLongRows(Lab &lab) {
  const double gamma = lab.roundsBetas() ? 1.0 - 0x1p-10 : 1.0 - 1e-5;
  Scenario scenario = longScenario(lab);
  expectTotals(lab, scenario, constantInputs(lab, scenario, gamma),
               [=](int64_t count) {
                 return double(0.1f) * -std::expm1(count * std::log(gamma)) /
                        (1.0 - gamma);
               });
}

std::vector<Property> test::estimatorProperties() {
  return {
      {"lambda = 0 looks one step ahead", lambdaZero, {"gae", "td_lambda"}},
      {"lambda = 1 is the discounted return", lambdaOne, {"gae", "td_lambda"}},
      {"the target is the lambda-return", isLambdaReturn, {"gae"}},
      {"on policy it is GAE", onPolicyIsGAE, {"vtrace"}},
      {"with one action it is GAE", oneActionIsGAE, {"retrace"}},
      {"it is a linear scan",
       isLinearScan,
       {"discounted_return", "eligibility_trace", "episodic_prefix_sum"}},
      {"sums over long rows", sumsOverLongRows, {}},
      {"alternating signs over long rows",
       alternatesOverLongRows,
       {"linear_scan_forward", "linear_scan_backward"}},
      {"a discount near 1 over long rows",
       discountsOverLongRows,
       {"gae", "vtrace", "retrace", "td_lambda", "discounted_return",
        "eligibility_trace"}},
  };
}
