//===- rlscan-compile.cpp - Compile recipes to libraries ------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Reproducer.h"
#include "CommandLine.h"
#include "rlscan/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace rlscan;
using llvm::Error;

namespace {
enum ExitCode { Done = 0, Failed = 1, WrongUsage = 2, Internal = 3 };
} // namespace

static ExitCode report(Error error) {
  ExitCode code = error.isA<InternalError>() ? Internal : Failed;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return code;
}

/// What is wrong with the names of options, once the recipes are known.
static Error checkOptions(llvm::ArrayRef<EstimatorOp> estimators,
                          const CommandLineOptions &options) {
  llvm::StringSet<> names;
  for (EstimatorOp estimator : estimators)
    if (!names.insert(estimator.getSymName()).second)
      return llvm::createStringError("two estimators are called '" +
                                     estimator.getSymName() + "'");
  for (const ArrayParam &array : options.arrays)
    if (llvm::none_of(estimators, [&](EstimatorOp estimator) {
          return estimator.findInput(array.name).has_value();
        }))
      return llvm::createStringError("arrays: no estimator has a param '" +
                                     array.name + "'");
  return checkNames(estimators, options.compile.calls);
}

/// One estimator: files that are written once all are compiled.
static Error compileOne(const RecipeFile &recipe, EstimatorOp estimator,
                        const CommandLineOptions &options,
                        std::vector<OutputFile> &files) {
  if (!options.dumpFolder.empty())
    if (Error error =
            dumpStages(recipe, estimator, options.compile, options.dumpFolder))
      return error;
  if (!options.stage)
    return compileEstimator(recipe, estimator, options.compile, files);
  llvm::Expected<std::string> bytes =
      emitStage(*options.stage, recipe, estimator, options.compile);
  if (!bytes)
    return bytes.takeError();
  files.push_back({"", std::move(*bytes)});
  return Error::success();
}

static Error write(const std::vector<OutputFile> &files,
                   const CommandLineOptions &options) {
  if (!options.stage)
    return writeFiles(options.output, files);
  std::string all;
  for (const OutputFile &file : files)
    all += file.bytes;
  return writeOutput(options.output, all, isText(*options.stage));
}

static ExitCode compile(const CommandLineOptions &options) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  RecipeOptions imported;
  imported.rows = options.rows;
  imported.arrays = options.arrays;
  imported.needsF64 =
      llvm::any_of(options.compile.calls.storings,
                   [](const Storing &storing) { return storing.isF64(); });
  std::vector<std::unique_ptr<RecipeFile>> recipes;
  llvm::SmallVector<EstimatorOp> estimators;
  bool isGood = true;
  for (const std::string &path : options.recipes) {
    recipes.push_back(RecipeFile::read(path, context, imported, sources));
    isGood &= recipes.back() != nullptr;
    if (recipes.back())
      estimators.append(estimatorsOf(*recipes.back()));
  }
  if (!isGood)
    return Failed;
  if (Error error = checkOptions(estimators, options))
    return report(std::move(error));
  std::vector<OutputFile> files;
  for (const std::unique_ptr<RecipeFile> &recipe : recipes)
    for (EstimatorOp estimator : estimatorsOf(*recipe))
      if (Error error = compileOne(*recipe, estimator, options, files))
        return report(std::move(error));
  if (Error error = write(files, options))
    return report(std::move(error));
  return Done;
}

/// MLIR looks for NVIDIA's toolkit where these point, and complains where it is
/// not. Nothing of it is needed.
static void forgetToolkit() {
  for (const char *name : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    unsetenv(name);
}

int main(int argc, char **argv) {
  forgetToolkit();
  std::optional<CommandLineOptions> options = parseCommandLine(argc, argv);
  if (!options)
    return WrongUsage;
  return options->isList ? Done : compile(*options);
}
