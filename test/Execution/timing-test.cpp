//===- timing-test.cpp - The same bits whatever comes first ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// timing-test TARGET SCHEDULE,... ROWSxSTEPS [OPTION...] RECIPE...: launches
// each recipe's kernel in a simulated device once in order and then with many
// seeds, each of which is another order of workgroups and of subgroups between
// barriers, and other accesses that take effect late. All have to give the same
// bits. Options: --seeds=N, --resident=K; --round-states plants a fault: what
// is published of a state is rounded to f32, so that it shows where a workgroup
// began to fold.
//
//===----------------------------------------------------------------------===//

#include "DeviceArrays.h"
#include "Execute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::test;

namespace {

/// Rounds each f64 that is split into words.
struct RoundStates : PassWrapper<RoundStates, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RoundStates)

  llvm::StringRef getArgument() const override { return "round-states"; }
  void runOnOperation() override {
    getOperation().walk([](LLVM::BitcastOp op) {
      Value state = op.getArg();
      if (!state.getType().isF64())
        return;
      OpBuilder b(op);
      Value rounded =
          arith::TruncFOp::create(b, op.getLoc(), b.getF32Type(), state);
      op.setOperand(
          arith::ExtFOp::create(b, op.getLoc(), b.getF64Type(), rounded));
    });
  }
};

/// Launches a kernel with many seeds.
class TimingExecutor : public Executor {
public:
  TimingExecutor(const TargetOptions &options, uint64_t seeds)
      : options(options), device(*options.simulated()), seeds(seeds),
        plan(device.subgroupSize()) {}

  std::string run(TestRecipe &recipe, const Call &call, bool isF64) override;
  uint64_t launches = 0;

private:
  llvm::Error launchAll(const SimKernel &kernel, const Call &call,
                        std::string &problem);

  const TargetOptions &options;
  SimDevice device;
  uint64_t seeds;
  SchedulePlan plan;
};

/// What is on the command line.
struct Arguments {
  TargetOptions options;
  SmallVector<llvm::StringRef> schedules, recipes;
  int64_t rows = 0, steps = 0;
  uint64_t seeds = 32;
  bool roundsStates = false;

  bool parse(ArrayRef<char *> words);
};

} // namespace

llvm::Error TimingExecutor::launchAll(const SimKernel &kernel, const Call &call,
                                      std::string &problem) {
  SavedResults fresh = saveResults(call);
  llvm::Expected<SimCall> arrays = SimCall::make(call, kernel);
  if (!arrays)
    return arrays.takeError();
  SavedResults first;
  for (uint64_t seed = 0; seed <= seeds && problem.empty(); ++seed) {
    restoreResults(call, fresh);
    auto order = seed ? std::optional<uint64_t>(seed) : std::nullopt;
    llvm::Expected<sim::Traffic> traffic = arrays->launch(kernel, order);
    if (!traffic)
      return traffic.takeError();
    ++launches;
    if (seed == 0)
      first = saveResults(call);
    else if (first != saveResults(call))
      problem = "seed " + std::to_string(seed) + " gives other bits";
  }
  return llvm::Error::success();
}

std::string TimingExecutor::run(TestRecipe &recipe, const Call &call,
                                bool isF64) {
  EstimatorOp estimator = recipe.estimator(isF64);
  llvm::Expected<KernelChoice> choice =
      recipe.chooser().choose(estimator, isF64, call, {options, plan, 0},
                              {device.multiprocessors, device.subgroupSize()});
  if (!choice)
    return "does not compile: " + llvm::toString(choice.takeError());
  llvm::Expected<const SimKernel *> kernel =
      recipe.simKernels().get(estimator, *choice, [&](auto... what) {
        return SimKernel::compile(what..., device, recipe.arithmetic());
      });
  if (!kernel)
    return "does not compile: " + llvm::toString(kernel.takeError());
  std::string problem;
  if (llvm::Error error = launchAll(**kernel, call, problem))
    return llvm::toString(std::move(error));
  return problem;
}

bool Arguments::parse(ArrayRef<char *> words) {
  if (words.size() < 4)
    return false;
  bool isGood = true;
  options.consume(("--target=" + llvm::Twine(words[0])).str(), isGood);
  llvm::StringRef(words[1]).split(schedules, ',');
  auto [first, second] = llvm::StringRef(words[2]).split('x');
  isGood &= options.simulated().has_value() && !first.getAsInteger(10, rows) &&
            !second.getAsInteger(10, steps);
  for (llvm::StringRef word : words.drop_front(3)) {
    if (word == "--round-states")
      roundsStates = true;
    else if (word.consume_front("--seeds="))
      isGood &= !word.getAsInteger(10, seeds);
    else if (!options.consume(word, isGood))
      recipes.push_back(word);
  }
  return isGood && !recipes.empty();
}

static std::string runRecipe(llvm::StringRef path, const Arguments &arguments,
                             uint64_t &launches) {
  std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
  if (!recipe)
    return "refused";
  if (arguments.roundsStates)
    recipe->replaceArithmetic([](OpPassManager &manager) {
      manager.addPass(std::make_unique<RoundStates>());
      buildToSimulatorPipeline(manager);
    });
  Scenario scenario = plainScenario(*recipe, arguments.rows, arguments.steps);
  llvm::StringMap<Tensor> inputs = randomInputs(*recipe, scenario);
  for (llvm::StringRef words : arguments.schedules) {
    TargetOptions options = arguments.options;
    bool isGood = true;
    options.consume(("--schedules=" + words).str(), isGood);
    TimingExecutor executor(options, arguments.seeds);
    Execution execution = execute(*recipe, scenario, inputs, executor);
    launches += executor.launches;
    if (!execution.problem.empty())
      return execution.problem + "\n  in " + describe(*recipe, scenario) +
             options.replay();
  }
  return {};
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Arguments arguments;
  if (!arguments.parse(ArrayRef(argv, argc).drop_front())) {
    llvm::errs() << "usage: timing-test sim|sim:wave64 SCHEDULE,... ROWSxSTEPS "
                    "[--seeds=N] [--resident=K] [--round-states] RECIPE...\n";
    return 2;
  }
  uint64_t launches = 0, failures = 0;
  for (llvm::StringRef path : arguments.recipes) {
    std::string problem = runRecipe(path, arguments, launches);
    if (!problem.empty())
      llvm::outs() << "FAIL: " << path << ": " << problem << '\n';
    failures += !problem.empty();
  }
  llvm::outs() << arguments.recipes.size() << " recipes, " << launches
               << " launches, " << failures << " failures\n";
  return failures != 0;
}
