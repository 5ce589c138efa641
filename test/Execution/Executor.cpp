//===- Executor.cpp - What computes the results of a call -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "DeviceArrays.h"
#include "rlscan/Pipelines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <unistd.h>

using namespace rlscan;
using namespace rlscan::test;
using llvm::Error;
using llvm::Expected;

std::unique_ptr<Executor> Executor::make(const TargetOptions &options,
                                         unsigned threads) {
  if (options.simulated())
    return std::make_unique<SimExecutor>(options);
  if (!options.onDevice())
    return std::make_unique<HostExecutor>(threads);
  auto executor = std::make_unique<DeviceExecutor>(options);
  if (Error error = executor->open()) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return nullptr;
  }
  return executor;
}

std::string HostExecutor::run(TestRecipe &recipe, const Call &call,
                              bool isF64) {
  const HostKernel *kernel = recipe.kernel(call, isF64);
  if (!kernel)
    return "does not compile";
  kernel->run(arrays(call, *kernel), axisSizes(call, *kernel), call.rows,
              call.steps, pool);
  return {};
}

//===----------------------------------------------------------------------===//
// On a device
//===----------------------------------------------------------------------===//

Watchdog::Watchdog() {
  constexpr unsigned seconds = 120;
  std::signal(SIGALRM, [](int) { std::abort(); });
  alarm(seconds);
}

Watchdog::~Watchdog() { alarm(0); }

Error DeviceExecutor::open() {
  if (Error error =
          toError(device::Device::open(options.deviceTarget(), 0, device)))
    return error;
  Expected<std::string> chip = chipOf(device);
  if (!chip)
    return chip.takeError();
  target = {static_cast<unsigned>(device.properties().multiprocessors),
            subgroupSizeOf(*chip)};
  return toError(device::Stream::create(device, stream));
}

std::string DeviceExecutor::how() const {
  return schedule.empty() ? "" : ", schedule " + schedule;
}

Error DeviceExecutor::launchOnce(const DeviceKernel &kernel, const Call &call) {
  Expected<DeviceCall> copy = DeviceCall::make(call, kernel, device, stream);
  if (!copy)
    return copy.takeError();
  if (Error error = copy->launch(kernel, stream))
    return error;
  return copy->fetch(call, stream);
}

Error DeviceExecutor::launchTwice(const DeviceKernel &kernel, const Call &call,
                                  std::string &problem) {
  SavedResults fresh = saveResults(call);
  Expected<DeviceArrays> copy =
      DeviceArrays::make(call, kernel, device, stream);
  if (!copy)
    return copy.takeError();
  SavedResults first;
  for (bool isFirst : {true, false}) {
    if (!isFirst) {
      first = saveResults(call);
      restoreResults(call, fresh);
      if (Error error = copy->resetResults(stream))
        return error;
    }
    if (Error error = copy->launch(kernel, stream))
      return error;
    if (Error error = copy->fetchResults(stream))
      return error;
  }
  if (first != saveResults(call))
    problem = "a second launch gives other bits";
  Expected<bool> isIntact = copy->isGuardIntact(stream);
  if (!isIntact)
    return isIntact.takeError();
  if (!*isIntact)
    problem = "wrote behind the workspace";
  return Error::success();
}

/// A DeviceCall copies all between the elements, which may be gigabytes.
static bool isDense(const Call &call) {
  return llvm::none_of(call.results, [](const auto &result) {
    return Region(result.second).pieces.size() > 1;
  });
}

Error DeviceExecutor::launchAll(const DeviceKernel &kernel, const Call &call,
                                std::string &problem) {
  SavedResults fresh = saveResults(call), once;
  if (isDense(call)) {
    if (Error error = launchOnce(kernel, call))
      return error;
    once = saveResults(call);
    restoreResults(call, fresh);
  }
  if (Error error = launchTwice(kernel, call, problem))
    return error;
  if (problem.empty() && !once.empty() && once != saveResults(call))
    problem = "another copy of the arrays gives other bits";
  return Error::success();
}

std::string DeviceExecutor::run(TestRecipe &recipe, const Call &call,
                                bool isF64) {
  schedule.clear();
  EstimatorOp estimator = recipe.estimator(isF64);
  Expected<KernelChoice> choice = recipe.chooser().choose(
      estimator, isF64, call, {options, plan, turn}, target);
  if (!choice)
    return "does not compile: " + llvm::toString(choice.takeError());
  Expected<const DeviceKernel *> kernel =
      recipe.deviceKernels().get(estimator, *choice, [&](auto... what) {
        return DeviceKernel::compile(what..., device, recipe.passes());
      });
  if (!kernel)
    return "does not compile: " + llvm::toString(kernel.takeError());
  schedule = (*kernel)->schedule().getSuffix();
  llvm::PrettyStackTraceString onCrash(schedule.c_str());
  Watchdog watchdog;
  std::string problem;
  if (Error error = launchAll(**kernel, call, problem)) {
    isLost = static_cast<bool>(device.synchronize());
    return llvm::toString(std::move(error));
  }
  return problem;
}

//===----------------------------------------------------------------------===//
// In the simulator
//===----------------------------------------------------------------------===//

SimExecutor::SimExecutor(const TargetOptions &options)
    : options(options), device(*options.simulated()),
      plan(device.subgroupSize()) {}

std::string SimExecutor::how() const {
  return schedule.empty() ? "" : ", schedule " + schedule;
}

/// Where workgroups talk to each other, once more in another order, with a
/// workspace that is not zeroed in between.
Error SimExecutor::launchAll(const SimKernel &kernel, const Call &call,
                             std::string &problem) {
  SavedResults fresh = saveResults(call);
  Expected<SimCall> arrays = SimCall::make(call, kernel);
  if (!arrays)
    return arrays.takeError();
  Expected<sim::Traffic> traffic = arrays->launch(kernel);
  if (!traffic)
    return traffic.takeError();
  moved = *traffic;
  readers = kernel.readers();
  isLoop = kernel.schedule().getChain() == Chain::Loop;
  betweenSweeps = kernel.keepsWorkspace()
                      ? 0
                      : kernel.workspaceBytes(call.rows, call.steps);
  if (!kernel.keepsWorkspace())
    return Error::success();
  SavedResults first = saveResults(call);
  restoreResults(call, fresh);
  traffic = arrays->launch(kernel, ++seed);
  if (!traffic)
    return traffic.takeError();
  if (first != saveResults(call))
    problem = "another order of workgroups gives other bits";
  return Error::success();
}

std::string SimExecutor::run(TestRecipe &recipe, const Call &call, bool isF64) {
  schedule.clear();
  EstimatorOp estimator = recipe.estimator(isF64);
  Expected<KernelChoice> choice =
      recipe.chooser().choose(estimator, isF64, call, {options, plan, turn},
                              {device.multiprocessors, device.subgroupSize()});
  if (!choice)
    return "does not compile: " + llvm::toString(choice.takeError());
  schedule = choice->words;
  Expected<const SimKernel *> kernel =
      recipe.simKernels().get(estimator, *choice, [&](auto... what) {
        return SimKernel::compile(what..., device, recipe.passes());
      });
  if (!kernel)
    return "does not compile: " + llvm::toString(kernel.takeError());
  llvm::PrettyStackTraceString onCrash(schedule.c_str());
  std::string problem;
  if (Error error = launchAll(**kernel, call, problem))
    return llvm::toString(std::move(error));
  return problem;
}
