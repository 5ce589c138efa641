//===- Compile.cpp - From recipes to artefacts ----------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Compile.h"
#include "KernelToBinary/KernelModule.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

SmallVector<EstimatorOp> rlscan::estimatorsOf(const RecipeFile &recipe) {
  return llvm::to_vector(recipe.f32.get().getOps<EstimatorOp>());
}

std::string rlscan::symbolOf(EstimatorOp estimator, StringRef prefix) {
  return (prefix + "_" + estimator.getSymName()).str();
}

Expected<OwningOpRef<ModuleOp>> rlscan::sweepsOf(const RecipeFile &recipe,
                                                 EstimatorOp estimator,
                                                 const CallKind &kind) {
  const OwningOpRef<ModuleOp> &module =
      kind.storing.isF64() ? recipe.f64 : recipe.f32;
  return makeSweeps(module.get(), estimator.getSymName(), kind.bindings);
}

namespace {

/// Compiles one estimator.
class EstimatorCompiler {
public:
  EstimatorCompiler(const RecipeFile &recipe, EstimatorOp estimator,
                    const CompileOptions &options)
      : recipe(recipe), options(options) {
    compiled.symbol = symbolOf(estimator, options.prefix);
    compiled.recipe = recipe.name;
    compiled.recipeHash = recipe.hash;
    compiled.estimator = estimator;
  }

  Error compile();
  Error emit(std::vector<OutputFile> &files);

private:
  Error compileKind(const CallKind &kind);
  Error compileHost(ModuleOp sweeps, const CallKind &kind,
                    const Target &target);
  Error compileDevice(ModuleOp sweeps, const CallKind &kind,
                      llvm::ArrayRef<Target> chips);

  const RecipeFile &recipe;
  const CompileOptions &options;
  llvm::LLVMContext context;
  CompiledEstimator compiled;
};

} // namespace

/// "tr_gae_f32_nt_cpu_x86_64_v3", "tr_gae_f32_nt_cuda", "tr_..._hip_gfx942".
static std::string variantName(StringRef symbol, const CallKind &kind,
                               StringRef target) {
  std::string name = (symbol + "_" + kind.name + "_" + target).str();
  for (char &c : name)
    if (c == '-' || c == ':')
      c = '_';
  return name;
}

Error EstimatorCompiler::compileHost(ModuleOp sweeps, const CallKind &kind,
                                     const Target &target) {
  CompiledVariant variant;
  variant.name = variantName(compiled.symbol, kind, target.text());
  Expected<HostCode> code =
      compileForCPU(sweeps, variant.name, target, context);
  if (!code)
    return code.takeError();
  variant.kind = kind;
  variant.target = target;
  variant.signature = code->signature;
  variant.host = std::move(*code);
  compiled.variants.push_back(std::move(variant));
  return Error::success();
}

Error EstimatorCompiler::compileDevice(ModuleOp sweeps, const CallKind &kind,
                                       llvm::ArrayRef<Target> chips) {
  CompiledVariant variant;
  const Target &first = chips.front();
  variant.name =
      variantName(compiled.symbol, kind,
                  first.kind == Target::Cuda ? "cuda" : first.text());
  Expected<DeviceCode> code =
      compileForDevice(sweeps, variant.name, kind, chips, options.device);
  if (!code)
    return code.takeError();
  variant.kind = kind;
  variant.target = first;
  variant.signature = code->signature;
  variant.device = std::move(*code);
  compiled.variants.push_back(std::move(variant));
  return Error::success();
}

Error EstimatorCompiler::compileKind(const CallKind &kind) {
  Expected<OwningOpRef<ModuleOp>> sweeps =
      sweepsOf(recipe, compiled.estimator, kind);
  if (!sweeps)
    return sweeps.takeError();
  // NVIDIA's chips share the kernels; AMD's differ in what they have of
  // registers and threads.
  std::vector<SmallVector<Target>> devices;
  SmallVector<Target> cuda;
  for (const Target &target : options.targets) {
    if (target.kind == Target::Cuda)
      cuda.push_back(target);
    if (target.kind == Target::Hip)
      devices.push_back({target});
    if (target.kind != Target::CPU)
      continue;
    OwningOpRef<ModuleOp> copy = sweeps->get().clone();
    if (Error error = compileHost(*copy, kind, target))
      return error;
  }
  if (!cuda.empty())
    devices.insert(devices.begin(), cuda);
  for (const SmallVector<Target> &chips : devices) {
    OwningOpRef<ModuleOp> copy = sweeps->get().clone();
    if (Error error = compileDevice(*copy, kind, chips))
      return error;
  }
  return Error::success();
}

Error EstimatorCompiler::compile() {
  constexpr size_t mostArguments = 32;
  if (argumentNames(compiled.estimator).size() > mostArguments)
    return llvm::createStringError(
        "'" + compiled.estimator.getSymName() + "' has " +
        llvm::Twine(argumentNames(compiled.estimator).size()) +
        " inputs and results, a library takes at most " +
        llvm::Twine(mostArguments));
  Expected<std::vector<CallKind>> kinds =
      callKinds(compiled.estimator, options.calls);
  if (!kinds)
    return kinds.takeError();
  for (const CallKind &kind : *kinds)
    if (Error error = compileKind(kind))
      return error;
  return Error::success();
}

Error EstimatorCompiler::emit(std::vector<OutputFile> &files) {
  const Emission &emission = options.emission;
  const std::string &symbol = compiled.symbol;
  std::vector<std::string> names;
  auto add = [&](std::string name, std::string bytes) {
    names.push_back(name);
    files.push_back({std::move(name), std::move(bytes)});
  };
  if (emission.header)
    add(symbol + ".h", writeHeader(compiled));
  if (emission.library || emission.shared || emission.object) {
    std::unique_ptr<llvm::Module> module = linkLibrary(compiled, context);
    std::string object = emitCode(*module, /*isText=*/false);
    if (emission.library) {
      Expected<std::string> archive = makeArchive(symbol + ".o", object);
      if (!archive)
        return archive.takeError();
      add("lib" + symbol + ".a", std::move(*archive));
    }
    if (emission.shared) {
      std::string name = "lib" + symbol + ".so";
      Expected<std::string> library = linkShared(name, object);
      if (!library)
        return library.takeError();
      add(name, std::move(*library));
    }
    if (emission.object)
      add(symbol + ".o", std::move(object));
  }
  if (emission.manifest)
    files.push_back({symbol + ".json", writeManifest(compiled, names)});
  return Error::success();
}

Error rlscan::compileEstimator(const RecipeFile &recipe, EstimatorOp estimator,
                               const CompileOptions &options,
                               std::vector<OutputFile> &files) {
  EstimatorCompiler compiler(recipe, estimator, options);
  if (Error error = compiler.compile())
    return error;
  return compiler.emit(files);
}
