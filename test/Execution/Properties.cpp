//===- Properties.cpp - What holds without an oracle ----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

TestRecipe &Lab::recipe(StringRef name) {
  std::unique_ptr<TestRecipe> &other = others[name.str()];
  if (other)
    return *other;
  llvm::SmallString<128> path = theRecipe.path();
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, name + ".rls");
  other = TestRecipe::load(path);
  if (!other)
    llvm::reportFatalUsageError("no recipe beside this one: " + Twine(path));
  return *other;
}

Scenario Lab::scenario() {
  Scenario scenario = plainScenario(theRecipe, 19, 133);
  scenario.seed = seed;
  return scenario;
}

Arrays Lab::inputs(const Scenario &scenario) {
  Arrays inputs = randomInputs(theRecipe, scenario);
  // Params decide which properties hold.
  for (auto [name, value] : std::initializer_list<std::pair<StringRef, double>>{
           {"gamma", 0.97},
           {"lambda", 0.9},
           {"starts_at", false},
           {"bootstrap_advantage", true}})
    if (theRecipe.hasInput(name))
      inputs[name] = number(value);
  return inputs;
}

Arrays Lab::run(TestRecipe &recipe, const Scenario &scenario,
                const Arrays &inputs, unsigned threads) {
  HostExecutor host(threads);
  Executor &used = executor ? *executor : host;
  Execution execution = execute(recipe, scenario, inputs, used);
  if (!execution.problem.empty())
    fail(execution.problem + " in " + describe(recipe, scenario) + used.how());
  Arrays results;
  for (const auto &[name, tensor] : execution.results)
    results[name] = tensor.converted(tensor.dtype, {0, 1});
  return results;
}

std::string Lab::run(const Call &call) {
  HostExecutor host(1);
  Executor &used = executor ? *executor : host;
  return used.run(theRecipe, call, /*isF64=*/false);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

void Lab::fail(const Twine &text) { problems.push_back(text.str()); }

static bool hasSameBits(double a, double b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0 ||
         (std::isnan(a) && std::isnan(b));
}

static std::string difference(const Twine &what, int64_t row, int64_t step,
                              double found, double expected) {
  std::string text;
  llvm::raw_string_ostream(text)
      << what << ": [" << row << ", " << step << "] is "
      << llvm::format("%.9g, expected %.9g", found, expected);
  return text;
}

void Lab::expectSame(const Twine &what, const Tensor &found,
                     const Tensor &expected, Where where) {
  for (int64_t row = 0; row < found.sizes[0]; ++row)
    for (int64_t step = 0; step < found.sizes[1]; ++step) {
      double a = found.read({row, step}), b = expected.read({row, step});
      if (where(row, step) && !hasSameBits(a, b))
        return fail(difference(what, row, step, a, b));
    }
}

void Lab::expectSame(const Twine &what, const Arrays &found,
                     const Arrays &expected) {
  for (const auto &entry : expected)
    expectSame(what + ", " + entry.getKey(), found.lookup(entry.getKey()),
               entry.getValue(), [](int64_t, int64_t) { return true; });
}

void Lab::expectAlike(const Twine &what, const Arrays &found,
                      const Arrays &expected) {
  if (!executor || !executor->ordersByPlace())
    return expectSame(what, found, expected);
  for (const auto &entry : expected)
    expectClose(what + ", " + entry.getKey(), found.lookup(entry.getKey()),
                entry.getValue());
}

void Lab::expectClose(const Twine &what, const Tensor &found,
                      const Tensor &expected) {
  for (int64_t row = 0; row < found.sizes[0]; ++row) {
    double largest = 0.0;
    for (int64_t step = 0; step < found.sizes[1]; ++step)
      largest = std::max(largest, std::abs(expected.read({row, step})));
    for (int64_t step = 0; step < found.sizes[1]; ++step) {
      double a = found.read({row, step}), b = expected.read({row, step});
      if (!(std::abs(a - b) <= 1e-5 * (1.0 + largest)))
        return fail(difference(what, row, step, a, b));
    }
  }
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Tensor test::number(double value) {
  Tensor tensor = Tensor::allocate(DType::F64, {});
  tensor.write({}, value);
  return tensor;
}

Tensor test::rowArray(int64_t rows,
                      llvm::function_ref<double(int64_t row)> value) {
  Tensor tensor = Tensor::allocate(DType::F32, {rows});
  for (int64_t row = 0; row < rows; ++row)
    tensor.write({row}, value(row));
  return tensor;
}

Tensor
test::stepArray(const Scenario &scenario, DType dtype,
                llvm::function_ref<double(int64_t row, int64_t step)> value) {
  Tensor tensor = Tensor::allocate(dtype, {scenario.rows, scenario.steps});
  for (int64_t row = 0; row < scenario.rows; ++row)
    for (int64_t step = 0; step < scenario.steps; ++step)
      tensor.write({row, step}, value(row, step));
  return tensor;
}

bool test::isSet(const Arrays &inputs, StringRef name, int64_t row,
                 int64_t step) {
  auto found = inputs.find(name);
  return found != inputs.end() && found->second.read({row, step}) != 0.0;
}

Tensor test::copy(const Tensor &tensor) {
  auto order = llvm::to_vector<3>(llvm::seq<int64_t>(0, tensor.rank()));
  return tensor.converted(tensor.dtype, order);
}

Arrays test::copy(const Arrays &arrays) {
  Arrays copies;
  for (const auto &entry : arrays)
    copies[entry.getKey()] = copy(entry.getValue());
  return copies;
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

bool test::runsForward(const TestRecipe &recipe) {
  StringRef name = recipe.name();
  return name == "eligibility_trace" || name == "episodic_prefix_sum" ||
         name == "linear_scan_forward";
}

/// The weight of a carry counts at the step that it arrives at.
static int64_t weightStep(const TestRecipe &recipe, int64_t step) {
  return runsForward(recipe) ? step + 1 : step;
}

bool test::isCut(const TestRecipe &recipe, const Arrays &inputs, int64_t row,
                 int64_t step) {
  for (StringRef flag : {"terminated", "truncated", "done"})
    if (isSet(inputs, flag, row, step))
      return true;
  auto beta = inputs.find("beta");
  if (beta == inputs.end())
    return false;
  int64_t at = weightStep(recipe, step);
  return at < beta->second.sizes[1] && beta->second.read({row, at}) == 0.0;
}

void test::cut(const TestRecipe &recipe, Arrays &inputs, int64_t row,
               int64_t step) {
  if (recipe.hasInput("beta"))
    return inputs["beta"].write({row, weightStep(recipe, step)}, 0.0);
  StringRef flag = recipe.hasInput("done") ? "done"
                   : (row + step) % 2 == 0 ? "terminated"
                                           : "truncated";
  inputs[flag].write({row, step}, 1.0);
}
