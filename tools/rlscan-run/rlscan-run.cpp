//===- rlscan-run.cpp - Compile a recipe and run it -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

int main(int argc, char **argv) {
  constexpr int failure = 1, wrongUsage = 2;
  std::optional<rlscan::RunOptions> options =
      rlscan::parseCommandLine(argc, argv);
  if (!options)
    return wrongUsage;
  return rlscan::run(*options) ? 0 : failure;
}
