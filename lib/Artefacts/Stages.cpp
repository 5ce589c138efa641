//===- Stages.cpp - One stage of one kind of call -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Stages.h"
#include "KernelToBinary/KernelModule.h"
#include "rlscan/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

namespace {

struct StageInfo {
  Stage stage;
  StringRef word, suffix;
  bool isText;
  /// Whose targets have it.
  std::vector<Target::Kind> targets;
};

/// Makes the stages of one kind of call.
class StageMaker {
public:
  StageMaker(const RecipeFile &recipe, EstimatorOp estimator,
             const CompileOptions &options, const CallKind &kind)
      : recipe(recipe), estimator(estimator), options(options), kind(kind),
        symbol(symbolOf(estimator, options.prefix) + "_" + kind.name) {}

  Expected<std::string> make(Stage stage, const Target &target);

private:
  Expected<std::string> makeEarly(Stage stage);
  Expected<std::string> makeForCPU(Stage stage, ModuleOp sweeps,
                                   const Target &target);
  Expected<std::string> makeForDevice(Stage stage, ModuleOp sweeps,
                                      const Target &target);

  const RecipeFile &recipe;
  EstimatorOp estimator;
  const CompileOptions &options;
  const CallKind &kind;
  std::string symbol;
};

} // namespace

static llvm::ArrayRef<StageInfo> allStages() {
  const std::vector<Target::Kind> all = {Target::CPU, Target::Cuda,
                                         Target::Hip},
                                  gpus = {Target::Cuda, Target::Hip};
  static const StageInfo stages[] = {
      {Stage::MLIR, "mlir", "mlir", true, all},
      {Stage::Coefficients, "coefficients", "mlir", true, all},
      {Stage::Sweeps, "sweeps", "mlir", true, all},
      {Stage::LLVM, "llvm", "ll", true, {Target::CPU}},
      {Stage::Asm, "asm", "s", true, {Target::CPU, Target::Hip}},
      {Stage::Tiles, "tiles", "mlir", true, gpus},
      {Stage::GPU, "gpu", "mlir", true, gpus},
      {Stage::PTX, "ptx", "ptx", true, {Target::Cuda}},
      {Stage::Cubin, "cubin", "cubin", false, {Target::Cuda}},
      {Stage::Hsaco, "hsaco", "hsaco", false, {Target::Hip}}};
  return stages;
}

static const StageInfo &infoOf(Stage stage) {
  return *llvm::find_if(
      allStages(), [&](const StageInfo &info) { return info.stage == stage; });
}

std::optional<Stage> rlscan::parseStage(StringRef word) {
  for (const StageInfo &info : allStages())
    if (info.word == word)
      return info.stage;
  return std::nullopt;
}

bool rlscan::isText(Stage stage) { return infoOf(stage).isText; }

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  out << '\n';
  return text;
}

/// Before anything is specialised.
Expected<std::string> StageMaker::makeEarly(Stage stage) {
  const OwningOpRef<ModuleOp> &module =
      kind.storing.isF64() ? recipe.f64 : recipe.f32;
  OwningOpRef<ModuleOp> copy = module.get().clone();
  for (EstimatorOp other :
       llvm::make_early_inc_range(copy->getOps<EstimatorOp>()))
    if (other.getSymName() != estimator.getSymName())
      other.erase();
  PassManager passes(copy->getContext());
  if (stage == Stage::Coefficients)
    buildToScansPipeline(passes);
  if (failed(passes.run(*copy)))
    return llvm::createStringError("cannot compile '" + estimator.getSymName() +
                                   "'");
  return print(*copy);
}

Expected<std::string> StageMaker::makeForCPU(Stage stage, ModuleOp sweeps,
                                             const Target &target) {
  llvm::LLVMContext context;
  Expected<HostCode> code = compileForCPU(sweeps, symbol, target, context);
  if (!code)
    return code.takeError();
  if (stage == Stage::Asm)
    return emitCode(*code->module, /*isText=*/true);
  std::string text;
  llvm::raw_string_ostream out(text);
  code->module->print(out, nullptr);
  return text;
}

Expected<std::string> StageMaker::makeForDevice(Stage stage, ModuleOp sweeps,
                                                const Target &target) {
  auto shapes = chooseSchedules(sweeps, kind, target, options.device);
  if (!shapes)
    return shapes.takeError();
  if (stage == Stage::Tiles) {
    PassManager passes(sweeps.getContext());
    buildToTilesPipeline(passes, TileOptions());
    if (failed(passes.run(sweeps)))
      return llvm::createStringError("cannot schedule '" + symbol + "'");
    return print(sweeps);
  }
  std::vector<ScheduledKernel> kernels;
  if (Error error = lowerToGPU(sweeps, symbol, target, options.device, kernels))
    return error;
  if (stage == Stage::GPU)
    return print(sweeps);
  if (stage == Stage::Hsaco)
    return lowerToImage(sweeps, symbol, target);
  Expected<std::string> assembly = lowerToAssembly(sweeps, symbol, target);
  if (!assembly || stage == Stage::PTX || stage == Stage::Asm)
    return assembly;
  if (options.device.ptxas.empty())
    return llvm::createStringError(
        "a cubin needs NVIDIA's assembler: name it with --ptxas");
  return assemble(*assembly, target, options.device.ptxas);
}

Expected<std::string> StageMaker::make(Stage stage, const Target &target) {
  if (stage == Stage::MLIR || stage == Stage::Coefficients)
    return makeEarly(stage);
  Expected<OwningOpRef<ModuleOp>> sweeps = sweepsOf(recipe, estimator, kind);
  if (!sweeps)
    return sweeps.takeError();
  if (stage == Stage::Sweeps)
    return print(**sweeps);
  return target.kind == Target::CPU ? makeForCPU(stage, **sweeps, target)
                                    : makeForDevice(stage, **sweeps, target);
}

/// The first target that has the stage.
static const Target *targetOf(const StageInfo &info,
                              const CompileOptions &options) {
  for (const Target &target : options.targets)
    if (llvm::is_contained(info.targets, target.kind))
      return &target;
  return nullptr;
}

Expected<std::string> rlscan::emitStage(Stage stage, const RecipeFile &recipe,
                                        EstimatorOp estimator,
                                        const CompileOptions &options) {
  Expected<std::vector<CallKind>> kinds = callKinds(estimator, options.calls);
  if (!kinds)
    return kinds.takeError();
  const StageInfo &info = infoOf(stage);
  const Target *target = targetOf(info, options);
  if (!target)
    return llvm::createStringError(
        "--emit=" + info.word + " needs a target of " +
        llvm::join(llvm::map_range(info.targets, Target::word), " or "));
  return StageMaker(recipe, estimator, options, kinds->front())
      .make(stage, *target);
}

Error rlscan::dumpStages(const RecipeFile &recipe, EstimatorOp estimator,
                         const CompileOptions &options, StringRef folder) {
  std::string name = estimator.getSymName().str();
  std::vector<OutputFile> files = {{name + "-00-recipe.rls", recipe.text}};
  for (const StageInfo &info : allStages()) {
    bool isPossible =
        info.stage != Stage::Cubin || !options.device.ptxas.empty();
    if (!targetOf(info, options) || !isPossible)
      continue;
    Expected<std::string> bytes =
        emitStage(info.stage, recipe, estimator, options);
    if (!bytes)
      return bytes.takeError();
    std::string number;
    llvm::raw_string_ostream(number)
        << llvm::format("-%02d-", int(&info - allStages().data()) + 1);
    files.push_back(
        {name + number + info.word.str() + "." + info.suffix.str(), *bytes});
  }
  return writeFiles(folder, files);
}
