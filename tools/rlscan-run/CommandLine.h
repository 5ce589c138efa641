//===- CommandLine.h - The options of rlscan-run ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUN_COMMANDLINE_H
#define RLSCAN_RUN_COMMANDLINE_H

#include "Run.h"

namespace rlscan {

/// Empty after reporting what is wrong with the command line. Exits after
/// --help and --version.
std::optional<RunOptions> parseCommandLine(int argc, char **argv);

} // namespace rlscan

#endif // RLSCAN_RUN_COMMANDLINE_H
