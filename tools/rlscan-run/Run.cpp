//===- Run.cpp - One run of rlscan-run ------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "Check.h"
#include "Coefficients.h"
#include "Execution/Bench.h"
#include "Execution/DeviceBench.h"
#include "Execution/DeviceCall.h"
#include "Execution/Npz.h"
#include "Execution/SimKernel.h"
#include "Execution/ThreadPool.h"
#include "Inputs.h"
#include "RecipeToRecurrence/Parser.h"
#include "rlscan/Recipe.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// What is printed
//===----------------------------------------------------------------------===//

static void report(Error errors) {
  // What was found out before the error stands before it.
  llvm::outs().flush();
  llvm::handleAllErrors(
      std::move(errors), [](const sim::Fault &fault) { fault.emit(); },
      [](const llvm::ErrorInfoBase &error) {
        llvm::errs() << "error: " << error.message() << '\n';
      });
}

/// A line for each result, with the first values of row 0.
static void printResults(const Call &call) {
  for (const auto &[name, tensor] : call.results) {
    llvm::outs() << name << " " << spelling(tensor.dtype) << " [";
    if (!call.isPacked)
      llvm::outs() << call.rows << ", ";
    llvm::outs() << call.steps << "]:";
    constexpr int64_t shown = 6;
    int64_t count = call.rows > 0 ? std::min(call.steps, shown) : 0;
    for (int64_t step = 0; step < count; ++step)
      llvm::outs() << llvm::format(" %.6g", tensor.read({0, step}));
    llvm::outs() << (count < call.steps && count > 0 ? " ...\n" : "\n");
  }
}

static void printTime(StringRef what, double seconds, int64_t bytes) {
  llvm::outs() << what
               << llvm::format("%.2f us, %.2f GB/s", seconds * 1e6,
                               bytes / seconds * 1e-9);
}

//===----------------------------------------------------------------------===//
// Running a call
//===----------------------------------------------------------------------===//

/// The arrays of the command line, checked and stored as it asks for.
static Expected<Call> readCall(const RunOptions &options,
                               EstimatorOp estimator) {
  Expected<llvm::StringMap<Tensor>> given = readInputs(options, estimator);
  if (!given)
    return given.takeError();
  Expected<Call> call =
      makeCall(estimator, *given, {options.dtype, options.layout});
  if (call)
    convertInputs(*call, estimator, options);
  return call;
}

namespace {

/// Where a call runs.
class Target {
public:
  virtual ~Target() = default;
  /// Computes the results of the call.
  virtual Error run(const Call &call) = 0;
  /// Times the call, once it has run, and prints.
  virtual Error bench(const Call &call) = 0;
};

class HostTarget : public Target {
public:
  HostTarget(const RunOptions &options, EstimatorOp estimator)
      : estimator(estimator), pool(options.threads) {}
  Error run(const Call &call) override;
  Error bench(const Call &call) override;

private:
  EstimatorOp estimator;
  ThreadPool pool;
  std::unique_ptr<HostKernel> kernel;
  double compileSeconds = 0.0;
};

class DeviceTarget : public Target {
public:
  DeviceTarget(const RunOptions &options, EstimatorOp estimator)
      : options(options), estimator(estimator) {}
  Error run(const Call &call) override;
  Error bench(const Call &call) override;

private:
  const RunOptions &options;
  EstimatorOp estimator;
  device::Device device;
  device::Stream stream;
  std::unique_ptr<DeviceKernel> kernel;
  double compileSeconds = 0.0;
};

class SimTarget : public Target {
public:
  SimTarget(const RunOptions &options, EstimatorOp estimator)
      : options(options), estimator(estimator) {}
  Error run(const Call &call) override;
  Error bench(const Call &call) override {
    llvm_unreachable("the command line refuses it");
  }

private:
  const RunOptions &options;
  EstimatorOp estimator;
};

} // namespace

static double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

Error HostTarget::run(const Call &call) {
  auto begin = std::chrono::steady_clock::now();
  Expected<std::unique_ptr<HostKernel>> compiled =
      HostKernel::compile(estimator->getParentOfType<ModuleOp>(),
                          estimator.getSymName(), bindings(call, estimator));
  if (!compiled)
    return compiled.takeError();
  kernel = std::move(*compiled);
  compileSeconds = secondsSince(begin);
  kernel->run(arrays(call, *kernel), axisSizes(call, *kernel), call.rows,
              call.steps, pool);
  return Error::success();
}

static void printCompileTime(double seconds) {
  llvm::outs() << llvm::format("compiled in %.0f ms\n", seconds * 1e3);
}

Error HostTarget::bench(const Call &call) {
  int64_t bytes = bytesRead(call) + bytesWritten(call);
  std::vector<HostArray> arguments = arrays(call, *kernel);
  std::vector<int64_t> sizes = axisSizes(call, *kernel);
  BenchResult result = benchmark(
      [&] { kernel->run(arguments, sizes, call.rows, call.steps, pool); },
      bytes, pool);
  printCompileTime(compileSeconds);
  printTime("kernel: median ", result.kernelSeconds, bytes);
  llvm::outs() << " (" << bytes << " bytes, " << pool.size() << " threads, "
               << result.runs << " runs)\n";
  printTime("copy:   median ", result.copySeconds, bytes);
  llvm::outs() << llvm::format("\nkernel GB/s : copy GB/s = %.3f\n",
                               result.copySeconds / result.kernelSeconds);
  return Error::success();
}

Error DeviceTarget::run(const Call &call) {
  if (Error error = toError(device::Device::open(options.target, 0, device)))
    return error;
  if (Error error = toError(device::Stream::create(device, stream)))
    return error;
  auto begin = std::chrono::steady_clock::now();
  DeviceKernelOptions wanted = optionsFor(call);
  wanted.schedule = options.schedule;
  Expected<std::unique_ptr<DeviceKernel>> compiled = DeviceKernel::compile(
      estimator->getParentOfType<ModuleOp>(), estimator.getSymName(),
      bindings(call, estimator), wanted, device);
  if (!compiled)
    return compiled.takeError();
  kernel = std::move(*compiled);
  compileSeconds = secondsSince(begin);
  Expected<DeviceCall> copy = DeviceCall::make(call, *kernel, device, stream);
  if (!copy)
    return copy.takeError();
  if (Error error = copy->launch(*kernel, stream))
    return error;
  return copy->fetch(call, stream);
}

/// The sets of arrays that the timing takes turns with are more than a cache
/// holds.
Error DeviceTarget::bench(const Call &call) {
  constexpr int64_t beyondCache = 260 << 20;
  int64_t read = bytesRead(call), written = bytesWritten(call);
  unsigned sets = 1 + beyondCache / std::max<int64_t>(read + written, 1 << 16);
  std::vector<DeviceCall> copies;
  for (unsigned set = 0; set < sets; ++set) {
    Expected<DeviceCall> copy = DeviceCall::make(call, *kernel, device, stream);
    if (!copy)
      return copy.takeError();
    copies.push_back(std::move(*copy));
  }
  Expected<DeviceBenchResult> result =
      benchmarkOnDevice(device, read, written, sets,
                        [&](unsigned set, const device::Stream &queue) {
                          return copies[set].launch(*kernel, queue);
                        });
  if (!result)
    return result.takeError();
  device::FunctionResources resources;
  if (Error error = toError(kernel->function().resources(resources)))
    return error;
  printCompileTime(compileSeconds);
  llvm::outs() << "schedule " << kernel->schedule().getSuffix() << ": "
               << resources.registers << " registers, " << resources.localBytes
               << " bytes of local memory\n";
  int64_t bytes = read + written;
  printTime("kernel: median ", result->kernelSeconds, bytes);
  llvm::outs() << llvm::format(" (%.2f to %.2f us, ", result->kernelMin * 1e6,
                               result->kernelMax * 1e6)
               << bytes << " bytes)\n";
  if (!result->floorSeconds)
    return Error::success();
  printTime("floor:  median ", *result->floorSeconds, bytes);
  llvm::outs() << llvm::format("\nfloor time : kernel time = %.3f\n",
                               *result->floorSeconds / result->kernelSeconds);
  return Error::success();
}

/// Of inputs and results, each array once.
static void printTraffic(const sim::Traffic &traffic, const Call &call,
                         const SimKernel &kernel) {
  llvm::outs() << "schedule " << kernel.schedule().getSuffix() << '\n'
               << "inputs: " << bytesRead(call) << " bytes\n"
               << "results: " << bytesWritten(call) << " bytes\n";
  traffic.print(llvm::outs());
}

Error SimTarget::run(const Call &call) {
  DeviceKernelOptions wanted = optionsFor(call);
  wanted.schedule = options.schedule;
  Expected<std::unique_ptr<SimKernel>> kernel = SimKernel::compile(
      estimator->getParentOfType<ModuleOp>(), estimator.getSymName(),
      bindings(call, estimator), wanted, *options.simulated);
  if (!kernel)
    return kernel.takeError();
  Expected<SimCall> arrays = SimCall::make(call, **kernel);
  if (!arrays)
    return arrays.takeError();
  Expected<sim::Traffic> traffic = arrays->launch(**kernel, options.order);
  if (!traffic)
    return traffic.takeError();
  if (options.traffic)
    printTraffic(*traffic, call, **kernel);
  return Error::success();
}

static std::unique_ptr<Target> makeTarget(const RunOptions &options,
                                          EstimatorOp estimator) {
  if (options.target != RLSCAN_TARGET_CPU)
    return std::make_unique<DeviceTarget>(options, estimator);
  if (options.simulated)
    return std::make_unique<SimTarget>(options, estimator);
  return std::make_unique<HostTarget>(options, estimator);
}

/// Writes the results; NumPy has no bf16, so those become f32.
static Error writeResults(StringRef path, const Call &call) {
  NamedTensors results = call.results;
  for (auto &[name, tensor] : results) {
    if (tensor.dtype == DType::BF16)
      tensor = tensor.converted(DType::F32, {0, 1});
    if (call.isPacked) { // as the inputs are
      tensor.sizes.erase(tensor.sizes.begin());
      tensor.strides.erase(tensor.strides.begin());
    }
  }
  return writeNpz(path, results);
}

/// The importer has accepted the recipe: it parses.
static Error checkAgainstReference(const Call &call, EstimatorOp estimator,
                                   const llvm::SourceMgr &sources,
                                   bool isArithmeticF64) {
  RecipeDiagnostics diagnostics(sources, estimator.getContext());
  std::unique_ptr<ast::Recipe> recipe = parseRecipe(diagnostics);
  auto tree = llvm::find_if(recipe->estimators, [&](const auto &candidate) {
    return candidate.id.name == estimator.getSymName();
  });
  return checkResults(call, *tree, isArithmeticF64);
}

static Error runCall(const RunOptions &options, EstimatorOp estimator,
                     const llvm::SourceMgr &sources) {
  Expected<Call> call = readCall(options, estimator);
  if (!call)
    return call.takeError();
  std::unique_ptr<Target> target = makeTarget(options, estimator);
  if (Error error = target->run(*call))
    return error;
  if (options.check)
    if (Error error = checkAgainstReference(*call, estimator, sources,
                                            options.dtype == DType::F64))
      return error;
  if (!options.outputs.empty())
    if (Error error = writeResults(options.outputs, *call))
      return error;
  if (options.bench)
    return target->bench(*call);
  if (options.outputs.empty() && !options.check)
    printResults(*call);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The recipe
//===----------------------------------------------------------------------===//

/// The estimator of that name, or the only one.
static Expected<EstimatorOp> chooseEstimator(ModuleOp module, StringRef name) {
  std::vector<StringRef> names;
  for (EstimatorOp estimator : module.getOps<EstimatorOp>()) {
    names.push_back(estimator.getSymName());
    if (estimator.getSymName() == name)
      return estimator;
  }
  if (name.empty() && names.size() == 1)
    return *module.getOps<EstimatorOp>().begin();
  std::string list = llvm::join(names, ", ");
  if (!name.empty())
    return llvm::createStringError("no estimator '" + name +
                                   "' in the recipe: it has " + list);
  if (names.empty())
    return llvm::createStringError("the recipe has no estimator");
  return llvm::createStringError("the recipe has several estimators, " + list +
                                 ": choose one with --estimator=NAME");
}

/// With a name, those of the one estimator alone.
static LogicalResult printCoefficientsOf(ModuleOp module, StringRef name) {
  OwningOpRef<ModuleOp> copy(module.clone());
  for (EstimatorOp estimator :
       llvm::make_early_inc_range(copy->getOps<EstimatorOp>()))
    if (!name.empty() && estimator.getSymName() != name)
      estimator.erase();
  return printCoefficients(*copy);
}

bool rlscan::run(const RunOptions &options) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options.recipe, &message);
  if (!file) {
    llvm::errs() << "error: " << message << '\n';
    return false;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  MLIRContext context(MLIRContext::Threading::DISABLED);
  // Messages are for readers of the recipe, not of the IR.
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler handler(sources, &context);
  ImportOptions importOptions;
  importOptions.arithmeticF64 = options.dtype == DType::F64;
  importOptions.withLengths = importOptions.withPackedRows = true;
  OwningOpRef<ModuleOp> module = importRecipe(sources, &context, importOptions);
  if (!module)
    return false;
  bool printOnly = options.printCoefficients && !options.hasInputs();
  Expected<EstimatorOp> estimator = chooseEstimator(*module, options.estimator);
  // Coefficients can be printed of all.
  if (!estimator && !(printOnly && options.estimator.empty())) {
    report(estimator.takeError());
    return false;
  }
  llvm::consumeError(estimator.takeError());
  if (options.printCoefficients &&
      failed(printCoefficientsOf(*module, options.estimator)))
    return false;
  if (printOnly)
    return true;
  Error error = runCall(options, *estimator, sources);
  bool isGood = !error;
  report(std::move(error));
  return isGood;
}
