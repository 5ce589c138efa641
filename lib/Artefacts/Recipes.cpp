//===- Recipes.cpp - Recipes that artefacts are made from -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Recipes.h"
#include "RecipeToRecurrence/RowInputs.h"
#include "dialects/rlscan/RLScan.h"
#include "rlscan/Recipe.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rlscan;

static std::unique_ptr<llvm::MemoryBuffer> open(StringRef path) {
  if (path.consume_front("@")) {
    for (const auto &[name, text] : builtinRecipes())
      if (name == path)
        return llvm::MemoryBuffer::getMemBuffer(text, (name + ".rls").str());
    llvm::errs() << "error: there is no built-in recipe '" << path
                 << "'; --list-recipes has them all\n";
    return nullptr;
  }
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &message);
  if (!file)
    llvm::errs() << "error: " << message << '\n';
  return file;
}

/// Calls have to say of their rows what there is no code without.
static void require(ModuleOp module, StringRef name) {
  for (EstimatorOp estimator : module.getOps<EstimatorOp>()) {
    unsigned index = *estimator.findInput(name);
    estimator.setInput(index, estimator.getInput(index).withoutDefault());
  }
}

/// Prints why params of the estimator cannot be arrays.
static bool refuse(EstimatorOp estimator, StringRef name, const Twine &why) {
  llvm::errs() << "error: arrays: '" << name << "' of "
               << estimator.getSymName() << why << '\n';
  return false;
}

/// Whether no input stands for an array that has more values than it has.
static bool checkStandIns(EstimatorOp estimator) {
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    InputAttr input = estimator.getInput(i);
    auto name = dyn_cast_or_null<FlatSymbolRefAttr>(input.getDefaultValue());
    if (!name)
      continue;
    unsigned other = *estimator.findInput(name.getValue());
    if (estimator.getInput(other).getKind() > input.getKind())
      return refuse(estimator, name.getValue(),
                    " has more values than '" + input.getName().getValue() +
                        "', which it stands for: name both");
  }
  return true;
}

/// Makes params inputs like others, optional where they have a default. False,
/// after an error, where they cannot be.
static bool makeArrays(EstimatorOp estimator,
                       llvm::ArrayRef<ArrayParam> arrays) {
  for (const ArrayParam &array : arrays) {
    std::optional<unsigned> index = estimator.findInput(array.name);
    if (!index)
      continue;
    InputAttr input = estimator.getInput(*index);
    if (input.getKind() != InputKind::Param)
      return refuse(estimator, array.name, " is an array, not a param");
    estimator.setInput(
        *index,
        input.withStorage(input.getStorage(), input.getLayout(), array.kind));
  }
  return checkStandIns(estimator);
}

static OwningOpRef<ModuleOp> import(StringRef text, StringRef name,
                                    MLIRContext &context,
                                    const RecipeOptions &wanted, bool isF64) {
  const RowChoice &rows = wanted.rows;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                             llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  ImportOptions options;
  options.arithmeticF64 = isF64;
  options.withLengths = rows.lengths;
  options.withPackedRows = rows.packed;
  OwningOpRef<ModuleOp> module = importRecipe(sources, &context, options);
  if (module)
    for (EstimatorOp estimator : module->getOps<EstimatorOp>())
      if (!makeArrays(estimator, wanted.arrays))
        return nullptr;
  if (module && rows.lengths && !rows.full && !rows.packed)
    require(*module, lengthsName);
  if (module && rows.packed && !rows.full && !rows.lengths)
    require(*module, boundsName);
  return module;
}

std::unique_ptr<RecipeFile> RecipeFile::read(StringRef path,
                                             MLIRContext &context,
                                             const RecipeOptions &options,
                                             llvm::SourceMgr &sources) {
  std::unique_ptr<llvm::MemoryBuffer> file = open(path);
  if (!file)
    return nullptr;
  auto recipe = std::make_unique<RecipeFile>();
  recipe->name = llvm::sys::path::filename(file->getBufferIdentifier()).str();
  recipe->text = file->getBuffer().str();
  recipe->hash =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(recipe->text)),
                  /*LowerCase=*/true);
  std::string shown = file->getBufferIdentifier().str();
  recipe->f32 = import(recipe->text, shown, context, options, false);
  if (!recipe->f32)
    return nullptr;
  if (options.needsF64)
    recipe->f64 = import(recipe->text, shown, context, options, true);
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  return recipe;
}
