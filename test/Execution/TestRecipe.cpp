//===- TestRecipe.cpp - A recipe, compiled as often as needed -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestRecipe.h"

#include "RecipeToRecurrence/Parser.h"
#include "rlscan/Recipe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;

TestRecipe::TestRecipe(llvm::raw_ostream &messages)
    : context(mlir::MLIRContext::Threading::DISABLED),
      handler(sources, &context, messages) {}

bool TestRecipe::import(std::unique_ptr<llvm::MemoryBuffer> text) {
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  ImportOptions doubles;
  doubles.arithmeticF64 = true;
  ImportOptions floats;
  doubles.withLengths = floats.withLengths = true;
  doubles.withPackedRows = floats.withPackedRows = true;
  inF32 = importRecipe(sources, &context, floats);
  inF64 = importRecipe(sources, &context, doubles);
  if (!inF32 || !inF64)
    return false;
  RecipeDiagnostics diagnostics(sources, &context);
  tree = parseRecipe(diagnostics);
  if (tree->estimators.size() != 1) {
    llvm::errs() << "error: expected one estimator in the file\n";
    return false;
  }
  addRowInput(tree->estimators.front(), lengthsName);
  return true;
}

std::unique_ptr<TestRecipe>
TestRecipe::parse(std::unique_ptr<llvm::MemoryBuffer> text,
                  llvm::raw_ostream &messages) {
  std::unique_ptr<TestRecipe> recipe(new TestRecipe(messages));
  return recipe->import(std::move(text)) ? std::move(recipe) : nullptr;
}

std::unique_ptr<TestRecipe> TestRecipe::load(llvm::StringRef path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      mlir::openInputFile(path, &message);
  if (!file) {
    llvm::errs() << "error: " << message << '\n';
    return nullptr;
  }
  std::unique_ptr<TestRecipe> recipe = parse(std::move(file));
  if (recipe)
    recipe->filePath = path.str();
  return recipe;
}

bool TestRecipe::hasInput(llvm::StringRef name) const {
  return llvm::any_of(syntax().inputs, [&](const ast::Input &input) {
    return input.id.name == name;
  });
}

const ast::Input &TestRecipe::input(llvm::StringRef name) const {
  return *llvm::find_if(syntax().inputs, [&](const ast::Input &input) {
    return input.id.name == name;
  });
}

EstimatorOp TestRecipe::estimator(bool isF64) const {
  mlir::ModuleOp module = isF64 ? inF64.get() : inF32.get();
  return *module.getOps<EstimatorOp>().begin();
}

const HostKernel *TestRecipe::kernel(const Call &call, bool isF64) {
  std::vector<std::string> stored = bindings(call, estimator(isF64));
  std::string key = (isF64 ? "f64 " : "f32 ") + llvm::join(stored, " ");
  auto found = kernels.find(key);
  if (found != kernels.end())
    return found->second.get();
  constexpr size_t most = 100;
  if (kernels.size() == most)
    kernels.clear();
  ++compiled;
  std::unique_ptr<HostKernel> &known = kernels[key];
  auto compiled =
      HostKernel::compile(isF64 ? *inF64 : *inF32, name(), stored, added);
  if (compiled) {
    known = std::move(*compiled);
    return known.get();
  }
  llvm::errs() << "error: " << llvm::toString(compiled.takeError())
               << "\nbindings: " << key << '\n';
  return nullptr;
}
