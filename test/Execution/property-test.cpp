//===- property-test.cpp - What holds without an oracle -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// property-test [--seed=N] [--only=PROPERTY] [--turn=N] [--random=N]
// RECIPE.rls...: prints a line for each property of each recipe, and of as many
// random ones, whose seeds count on from the one that is given. Some compare a
// recipe with others of its folder. TargetOptions.h has the options for
// devices; where schedules take turns, each property is tried with a few, from
// the turn on that is given.
//
//===----------------------------------------------------------------------===//

#include "Properties.h"
#include "RecipeGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

namespace {
struct Options {
  uint64_t seed = 1;
  StringRef only;
  size_t turn = 0;
  uint64_t random = 0; // recipes
  TargetOptions target;
  std::vector<StringRef> recipes;
};
} // namespace

/// `device` is null on the CPU.
static bool runProperty(const Property &property, TestRecipe &recipe,
                        const Options &options, size_t turn, Executor *device) {
  std::string text = (recipe.name() + ": " + property.name).str();
  llvm::PrettyStackTraceString onCrash(text.c_str());
  Lab lab(recipe, options.seed, device);
  if (device)
    device->setTurn(turn);
  property.check(lab);
  bool holds = lab.failures().empty();
  llvm::outs() << (holds ? "PASS " : "FAIL ") << recipe.name() << ": "
               << property.name << (device ? device->how() : "") << '\n';
  constexpr size_t shown = 5;
  for (StringRef failure : lab.failures().take_front(shown))
    llvm::outs() << "  " << failure << '\n';
  if (!holds)
    llvm::outs() << "  replay: property-test" << options.target.replay()
                 << " --turn=" << turn << " --seed=" << options.seed
                 << " --only='" << property.name << "' "
                 << (options.random ? "--random=1" : recipe.path()) << '\n';
  return holds;
}

/// Those that are about the recipe and asked for.
static std::vector<Property> chosenProperties(const TestRecipe &recipe,
                                              const Options &options) {
  std::vector<Property> chosen;
  for (const std::vector<Property> &list :
       {windowProperties(), boundaryProperties(), isolationProperties(),
        packedProperties(), estimatorProperties(), storageProperties()})
    for (const Property &property : list) {
      bool applies = property.recipes.empty() ||
                     llvm::is_contained(property.recipes, recipe.name());
      if (applies && (options.only.empty() || options.only == property.name))
        chosen.push_back(property);
    }
  return chosen;
}

static bool runAll(TestRecipe &recipe, const Options &options,
                   Executor *device) {
  std::vector<Property> properties = chosenProperties(recipe, options);
  size_t rounds = options.target.takesTurns() && options.only.empty() ? 4 : 1;
  size_t all = rounds * properties.size(), done = 0;
  bool isGood = true;
  for (; done < all && !options.target.isOver(); ++done) {
    if (device && !device->isUsable())
      break;
    isGood &= runProperty(properties[done % properties.size()], recipe, options,
                          options.turn + done, device);
  }
  if (done < all)
    llvm::outs() << recipe.name() << ": stopped after " << done << " of " << all
                 << " planned properties\n";
  return isGood;
}

static bool parse(int argc, char **argv, Options &options) {
  bool isGood = true;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (options.target.consume(argument, isGood))
      continue;
    if (argument.consume_front("--seed=")) {
      if (argument.getAsInteger(10, options.seed))
        return false;
    } else if (argument.consume_front("--turn=")) {
      if (argument.getAsInteger(10, options.turn))
        return false;
    } else if (argument.consume_front("--random=")) {
      if (argument.getAsInteger(10, options.random))
        return false;
    } else if (argument.consume_front("--only="))
      options.only = argument;
    else
      options.recipes.push_back(argument);
  }
  return isGood && (options.random || !options.recipes.empty());
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  if (!parse(argc, argv, options)) {
    llvm::errs() << "usage: property-test [--seed=N] [--only=PROPERTY] "
                    "[--turn=N] [--random=N] "
                 << TargetOptions::usage << " RECIPE.rls...\n";
    return 2;
  }
  std::unique_ptr<Executor> device;
  if (options.target.onGPU()) {
    device = Executor::make(options.target, 1);
    if (!device)
      return 1;
  }
  bool isGood = true;
  for (StringRef path : options.recipes) {
    std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
    isGood &= recipe && runAll(*recipe, options, device.get());
  }
  for (uint64_t i = 0; i < options.random; ++i) {
    Options one = options;
    one.seed = options.seed + i;
    one.turn = options.turn + i;
    std::unique_ptr<TestRecipe> recipe = TestRecipe::parse(
        llvm::MemoryBuffer::getMemBufferCopy(generateRecipe(one.seed)));
    isGood &= recipe && runAll(*recipe, one, device.get());
  }
  return isGood ? 0 : 1;
}
