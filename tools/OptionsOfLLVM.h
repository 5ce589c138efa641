//===- OptionsOfLLVM.h - A tool's options are its own -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TOOLS_OPTIONSOFLLVM_H
#define RLSCAN_TOOLS_OPTIONSOFLLVM_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

#include <vector>

namespace rlscan {

/// LLVM registers options for its passes in every program. None is of use to
/// users of these tools, and one is called as ours, `threads`. To be called
/// before a tool makes its own; `--help` and `--version` stay.
inline void removeOptionsOfLLVM() {
  std::vector<llvm::cl::Option *> theirs;
  for (const auto &entry : llvm::cl::getRegisteredOptions())
    if (llvm::none_of(entry.second->Categories,
                      [](llvm::cl::OptionCategory *group) {
                        return group->getName() == "Generic Options";
                      }))
      theirs.push_back(entry.second);
  for (llvm::cl::Option *option : theirs)
    option->removeArgument();
}

} // namespace rlscan

#endif // RLSCAN_TOOLS_OPTIONSOFLLVM_H
