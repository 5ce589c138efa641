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
#include "Execution/Npz.h"
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
  llvm::handleAllErrors(std::move(errors),
                        [](const llvm::ErrorInfoBase &error) {
                          llvm::errs() << "error: " << error.message() << '\n';
                        });
}

/// A line for each result, with the first values of row 0.
static void printResults(const Call &call) {
  for (const auto &[name, tensor] : call.results) {
    llvm::outs() << name << " " << spelling(tensor.dtype) << " [" << call.rows
                 << ", " << call.steps << "]:";
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

namespace {

/// A call with the kernel that was compiled for it.
struct Launch {
  Call call;
  std::unique_ptr<HostKernel> kernel;
  double compileSeconds = 0.0;

  void run(ThreadPool &pool) const {
    kernel->run(arrays(call, *kernel), axisSizes(call, *kernel), call.rows,
                call.steps, pool);
  }
};

} // namespace

static Expected<Launch> prepare(const RunOptions &options,
                                EstimatorOp estimator) {
  Expected<llvm::StringMap<Tensor>> given = readInputs(options, estimator);
  if (!given)
    return given.takeError();
  Launch launch;
  Expected<Call> call =
      makeCall(estimator, *given, {options.dtype, options.layout});
  if (!call)
    return call.takeError();
  launch.call = std::move(*call);
  convertInputs(launch.call, estimator, options);
  auto begin = std::chrono::steady_clock::now();
  Expected<std::unique_ptr<HostKernel>> kernel = HostKernel::compile(
      estimator->getParentOfType<ModuleOp>(), estimator.getSymName(),
      bindings(launch.call, estimator));
  if (!kernel)
    return kernel.takeError();
  launch.kernel = std::move(*kernel);
  launch.compileSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return launch;
}

/// Writes the results; NumPy has no bf16, so those become f32.
static Error writeResults(StringRef path, const Call &call) {
  NamedTensors results = call.results;
  for (auto &[name, tensor] : results)
    if (tensor.dtype == DType::BF16)
      tensor = tensor.converted(DType::F32, {0, 1});
  return writeNpz(path, results);
}

/// Each array of the call counts once.
static int64_t bytesOf(const Call &call) {
  int64_t bytes = 0;
  for (const auto *arrays : {&call.inputs, &call.results})
    for (const auto &[name, tensor] : *arrays)
      bytes += tensor.rank() > 0 // params with one value are no traffic
                   ? tensor.numElements() * byteWidth(tensor.dtype)
                   : 0;
  return bytes;
}

static void runBench(const Launch &launch, ThreadPool &pool) {
  int64_t bytes = bytesOf(launch.call);
  const HostKernel &kernel = *launch.kernel;
  std::vector<HostArray> arguments = arrays(launch.call, kernel);
  std::vector<int64_t> sizes = axisSizes(launch.call, kernel);
  BenchResult result = benchmark(
      [&] {
        kernel.run(arguments, sizes, launch.call.rows, launch.call.steps, pool);
      },
      bytes, pool);
  llvm::outs() << llvm::format("compiled in %.0f ms\n",
                               launch.compileSeconds * 1e3);
  printTime("kernel: median ", result.kernelSeconds, bytes);
  llvm::outs() << " (" << bytes << " bytes, " << pool.size() << " threads, "
               << result.runs << " runs)\n";
  printTime("copy:   median ", result.copySeconds, bytes);
  llvm::outs() << llvm::format("\nkernel GB/s : copy GB/s = %.3f\n",
                               result.copySeconds / result.kernelSeconds);
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
  Expected<Launch> launch = prepare(options, estimator);
  if (!launch)
    return launch.takeError();
  ThreadPool pool(options.threads);
  launch->run(pool);
  if (options.check)
    if (Error error = checkAgainstReference(launch->call, estimator, sources,
                                            options.dtype == DType::F64))
      return error;
  if (!options.outputs.empty())
    if (Error error = writeResults(options.outputs, launch->call))
      return error;
  if (options.bench)
    runBench(*launch, pool);
  if (options.outputs.empty() && !options.check && !options.bench)
    printResults(launch->call);
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
