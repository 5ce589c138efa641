//===- Optimize.h - LLVM's part of the optimisations ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_KERNELTOBINARY_OPTIMIZE_H
#define RLSCAN_KERNELTOBINARY_OPTIMIZE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace rlscan {

/// LLVM's optimisations for code that is vectors already.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace rlscan

#endif // RLSCAN_KERNELTOBINARY_OPTIMIZE_H
