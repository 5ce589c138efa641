//===- timing-test.cpp - The same bits whatever comes first ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// timing-test TARGET SCHEDULE,... ROWSxSTEPS [OPTION...] RECIPE...: launches
// each recipe's kernel again and again; all launches have to give the same
// bits. A simulated device has once its own order, then that of many seeds,
// each of which is another order of workgroups and of subgroups between
// barriers, and other accesses that take effect late. NVIDIA's devices have the
// kernel as it is, then one whose threads sleep before they publish
// (TimingPasses.h). Options: --seeds=N, as many launches of each; --resident=K,
// of a simulated device; --round-states plants a fault.
//
//===----------------------------------------------------------------------===//

#include "DeviceArrays.h"
#include "Execute.h"
#include "TimingPasses.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::test;
using llvm::Error;
using llvm::Expected;

namespace {

/// The results of launches, which have to be those of the first.
class Launches {
public:
  explicit Launches(uint64_t &count) : count(count) {}

  /// Whether the call's results, which are dense, are as they were before.
  bool agree(const Call &call) {
    ++count;
    if (first.empty())
      first = elements(call);
    return first == elements(call);
  }

private:
  static SavedResults elements(const Call &call) {
    SavedResults saved;
    for (const auto &[name, tensor] : call.results)
      saved.emplace_back(tensor.data,
                         tensor.data +
                             tensor.numElements() * byteWidth(tensor.dtype));
    return saved;
  }

  uint64_t &count;
  SavedResults first;
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

/// In the simulator or on a device.
template <typename Base, typename Kernel> class Timing : public Base {
public:
  Timing(const TargetOptions &options, uint64_t times, uint64_t &count)
      : Base(options), times(times), launches(count) {}

protected:
  Error launchAll(const Kernel &kernel, const Call &call,
                  std::string &problem) override;

private:
  uint64_t times;
  Launches launches;
};
using SimTiming = Timing<SimExecutor, SimKernel>;
using DeviceTiming = Timing<DeviceExecutor, DeviceKernel>;

} // namespace

template <>
Error SimTiming::launchAll(const SimKernel &kernel, const Call &call,
                           std::string &problem) {
  SavedResults fresh = saveResults(call);
  Expected<SimCall> arrays = SimCall::make(call, kernel);
  if (!arrays)
    return arrays.takeError();
  for (uint64_t seed = 0; seed <= times && problem.empty(); ++seed) {
    restoreResults(call, fresh);
    auto order = seed ? std::optional<uint64_t>(seed) : std::nullopt;
    Expected<sim::Traffic> traffic = arrays->launch(kernel, order);
    if (!traffic)
      return traffic.takeError();
    if (!launches.agree(call))
      problem = "seed " + std::to_string(seed) + " gives other bits";
  }
  return Error::success();
}

template <>
Error DeviceTiming::launchAll(const DeviceKernel &kernel, const Call &call,
                              std::string &problem) {
  SavedResults fresh = saveResults(call);
  Expected<DeviceArrays> arrays =
      DeviceArrays::make(call, kernel, device, stream);
  if (!arrays)
    return arrays.takeError();
  for (uint64_t i = 0; i < times && problem.empty(); ++i) {
    Watchdog watchdog;
    restoreResults(call, fresh);
    if (Error error = arrays->resetResults(stream))
      return error;
    if (Error error = arrays->launch(kernel, stream))
      return error;
    if (Error error = arrays->fetchResults(stream))
      return error;
    if (!launches.agree(call))
      problem = "launch " + std::to_string(i) + " gives other bits";
  }
  return Error::success();
}

bool Arguments::parse(ArrayRef<char *> words) {
  if (words.size() < 4)
    return false;
  bool isGood = true;
  options.consume(("--target=" + llvm::Twine(words[0])).str(), isGood);
  llvm::StringRef(words[1]).split(schedules, ',');
  auto [first, second] = llvm::StringRef(words[2]).split('x');
  isGood &=
      (options.simulated() || options.deviceTarget() == RLSCAN_TARGET_CUDA) &&
      !first.getAsInteger(10, rows) && !second.getAsInteger(10, steps);
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

/// The recipe, whose kernels are made to sleep or not, and get the fault.
static std::unique_ptr<TestRecipe> load(llvm::StringRef path, bool roundsStates,
                                        bool sleeps) {
  std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
  if (recipe)
    recipe->setPasses([=](OpPassManager &manager) {
      if (roundsStates)
        manager.addPass(createRoundStates());
      if (sleeps)
        manager.addPass(createSleepBeforePublishing());
    });
  return recipe;
}

/// The recipe's kernel, which gets the fault or not; what gives other bits.
static std::string runKernel(llvm::StringRef path, const Arguments &arguments,
                             bool sleeps, Executor &executor) {
  std::unique_ptr<TestRecipe> recipe =
      load(path, arguments.roundsStates, sleeps);
  if (!recipe)
    return "refused";
  Scenario scenario = plainScenario(*recipe, arguments.rows, arguments.steps);
  Execution execution =
      execute(*recipe, scenario, randomInputs(*recipe, scenario), executor);
  if (execution.problem.empty())
    return {};
  return execution.problem + "\n  in " + describe(*recipe, scenario) +
         executor.how() + (sleeps ? ", threads sleep" : "");
}

static std::string runSchedule(llvm::StringRef path,
                               const TargetOptions &options,
                               const Arguments &arguments, uint64_t &count) {
  if (options.simulated()) {
    SimTiming simulated(options, arguments.seeds, count);
    return runKernel(path, arguments, /*sleeps=*/false, simulated);
  }
  DeviceTiming device(options, arguments.seeds, count);
  if (Error error = device.open())
    return llvm::toString(std::move(error));
  std::string problem = runKernel(path, arguments, /*sleeps=*/false, device);
  return problem.empty() ? runKernel(path, arguments, /*sleeps=*/true, device)
                         : problem;
}

static std::string runRecipe(llvm::StringRef path, const Arguments &arguments,
                             uint64_t &count) {
  for (llvm::StringRef words : arguments.schedules) {
    TargetOptions options = arguments.options;
    bool isGood = true;
    options.consume(("--schedules=" + words).str(), isGood);
    std::string problem = runSchedule(path, options, arguments, count);
    if (!problem.empty())
      return problem;
  }
  return {};
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Arguments arguments;
  if (!arguments.parse(ArrayRef(argv, argc).drop_front())) {
    llvm::errs() << "usage: timing-test cuda|sim|sim:wave64 SCHEDULE,... "
                    "ROWSxSTEPS [--seeds=N] [--resident=K] "
                    "[--round-states] RECIPE...\n";
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
