//===- Execute.cpp - Compiles, runs and checks one call -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace rlscan;
using namespace rlscan::test;

const Tensor &Execution::result(llvm::StringRef name) const {
  for (const auto &[candidate, tensor] : results)
    if (candidate == name)
      return tensor;
  llvm::reportFatalUsageError("no result '" + llvm::Twine(name) + "'");
}

static void run(TestRecipe &recipe, const Scenario &scenario, Call &call,
                const std::vector<PlacedOutput> &outputs, Executor &executor,
                Execution &execution) {
  for (auto [result, output] : llvm::zip_equal(call.results, outputs))
    result.second = output.tensor;
  execution.results = call.results;
  execution.problem = executor.run(recipe, call, scenario.isF64);
  for (auto [result, output] : llvm::zip_equal(call.results, outputs))
    if (std::string stray = output.findStrayWrite(); !stray.empty())
      execution.problem = result.first + ": " + stray;
}

Execution test::execute(TestRecipe &recipe, const Scenario &scenario,
                        const llvm::StringMap<Tensor> &inputs,
                        Executor &executor) {
  std::vector<PlacedInput> placed;
  llvm::StringMap<Tensor> given;
  for (auto [i, input] : llvm::enumerate(recipe.syntax().inputs)) {
    auto packed = inputs.find(input.id.name);
    if (packed == inputs.end())
      continue;
    bool atEnd = (i + scenario.seed) % 2 == 0;
    placed.emplace_back(packed->second, *scenario.inputs[i].placement, atEnd);
    given[input.id.name] = placed.back().tensor;
  }
  std::vector<PlacedOutput> outputs;
  for (const ArrayChoice &choice : scenario.results)
    outputs.emplace_back(choice.dtype, scenario.sizes(choice),
                         *choice.placement);

  Execution execution;
  llvm::Expected<Call> call = makeCall(recipe.estimator(scenario.isF64), given);
  if (!call) {
    execution.problem = llvm::toString(call.takeError());
    return execution;
  }
  run(recipe, scenario, *call, outputs, executor, execution);
  return execution;
}

std::vector<ReferenceResult>
test::reference(const TestRecipe &recipe, const Scenario &scenario,
                const llvm::StringMap<Tensor> &inputs) {
  llvm::StringMap<int64_t> axisSizes;
  for (const ast::Identifier &axis : recipe.syntax().axes)
    axisSizes[axis.name] = scenario.axisSize;
  return evaluateReference(recipe.syntax(), inputs, scenario.rows,
                           scenario.steps, axisSizes);
}
