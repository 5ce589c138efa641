//===- property-test.cpp - What holds without an oracle -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// property-test [--seed=N] [--only=PROPERTY] RECIPE.rls...: prints a line for
// each property of each recipe. Some compare a recipe with others of its
// folder.
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

namespace {
struct Options {
  uint64_t seed = 1;
  StringRef only;
  std::vector<StringRef> recipes;
};
} // namespace

static bool runProperty(const Property &property, TestRecipe &recipe,
                        const Options &options) {
  std::string text = (recipe.name() + ": " + property.name).str();
  llvm::PrettyStackTraceString onCrash(text.c_str());
  Lab lab(recipe, options.seed);
  property.check(lab);
  bool holds = lab.failures().empty();
  llvm::outs() << (holds ? "PASS " : "FAIL ") << recipe.name() << ": "
               << property.name << '\n';
  constexpr size_t shown = 5;
  for (StringRef failure : lab.failures().take_front(shown))
    llvm::outs() << "  " << failure << '\n';
  if (!holds)
    llvm::outs() << "  replay: property-test --seed=" << options.seed
                 << " --only='" << property.name << "' " << recipe.path()
                 << '\n';
  return holds;
}

static bool runAll(TestRecipe &recipe, const Options &options) {
  bool isGood = true;
  for (const std::vector<Property> &list :
       {windowProperties(), boundaryProperties(), estimatorProperties(),
        storageProperties()})
    for (const Property &property : list) {
      bool applies = property.recipes.empty() ||
                     llvm::is_contained(property.recipes, recipe.name());
      if (applies && (options.only.empty() || options.only == property.name))
        isGood &= runProperty(property, recipe, options);
    }
  return isGood;
}

static bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument.consume_front("--seed=")) {
      if (argument.getAsInteger(10, options.seed))
        return false;
    } else if (argument.consume_front("--only="))
      options.only = argument;
    else
      options.recipes.push_back(argument);
  }
  return !options.recipes.empty();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  if (!parse(argc, argv, options)) {
    llvm::errs()
        << "usage: property-test [--seed=N] [--only=PROPERTY] RECIPE.rls...\n";
    return 2;
  }
  bool isGood = true;
  for (StringRef path : options.recipes) {
    std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
    isGood &= recipe && runAll(*recipe, options);
  }
  return isGood ? 0 : 1;
}
