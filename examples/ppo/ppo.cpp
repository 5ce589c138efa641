//===- ppo.cpp - A trainer with compiled advantages -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// usage: ppo [--advantages=library|loop|gpu] [--updates=N] [--curve=FILE.svg]
//
//===----------------------------------------------------------------------===//

#include "Curve.h"
#include "Trainer.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {
struct Options {
  std::string advantages = "library", curve;
  int updates = 60;
};
} // namespace

static bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    std::string value =
        equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--advantages")
      options.advantages = value;
    else if (name == "--curve")
      options.curve = value;
    else if (name == "--updates")
      options.updates = std::atoi(value.c_str());
    else
      return false;
  }
  return options.updates > 0;
}

static std::unique_ptr<Advantages> choose(const std::string &name) {
  if (name == "loop")
    return makeLoop();
  if (name == "library")
    return makeLibrary();
  return name == "gpu" ? makeGpuLibrary() : nullptr;
}

int main(int argc, char **argv) {
  Options options;
  std::unique_ptr<Advantages> advantages;
  if (parse(argc, argv, options))
    advantages = choose(options.advantages);
  if (!advantages) {
    std::fprintf(stderr, "usage: ppo [--advantages=library|loop|gpu] "
                         "[--updates=N] [--curve=FILE.svg]; gpu needs one\n");
    return 2;
  }
  Trainer trainer(std::move(advantages), 1);
  std::vector<float> returns;
  constexpr int perUpdate = Trainer::rows * Trainer::steps;
  for (int i = 0; i < options.updates; ++i) {
    trainer.update(static_cast<float>(i) / static_cast<float>(options.updates));
    returns.push_back(trainer.meanReturn());
    std::printf("%6d steps: mean return %6.2f\n", (i + 1) * perUpdate,
                returns.back());
    std::fflush(stdout);
  }
  if (!options.curve.empty() &&
      !writeCurve(options.curve, returns, perUpdate)) {
    std::fprintf(stderr, "cannot write %s\n", options.curve.c_str());
    return 1;
  }
  return 0;
}
