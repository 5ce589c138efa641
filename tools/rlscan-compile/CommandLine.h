//===- CommandLine.h - The options of rlscan-compile ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TOOLS_RLSCANCOMPILE_COMMANDLINE_H
#define RLSCAN_TOOLS_RLSCANCOMPILE_COMMANDLINE_H

#include "Artefacts/Compile.h"
#include "Artefacts/Stages.h"

#include <optional>
#include <string>
#include <vector>

namespace rlscan {

/// A command line that makes sense.
struct CommandLineOptions {
  std::vector<std::string> recipes;
  CompileOptions compile;
  RowChoice rows;
  std::vector<ArrayParam> arrays;
  /// One stage instead of artefacts.
  std::optional<Stage> stage;
  std::string output, dumpFolder;
  /// Nothing is compiled.
  bool isList = false;
};

/// Nothing after an error, which is printed.
std::optional<CommandLineOptions> parseCommandLine(int argc, char **argv);

} // namespace rlscan

#endif // RLSCAN_TOOLS_RLSCANCOMPILE_COMMANDLINE_H
