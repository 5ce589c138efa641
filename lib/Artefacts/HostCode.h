//===- HostCode.h - The code of a kind of call for a CPU --------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_HOSTCODE_H
#define RLSCAN_ARTEFACTS_HOSTCODE_H

#include "Artefacts/CallKinds.h"
#include "Artefacts/Targets.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace rlscan {

/// The arrays that a kernel takes, and the axes, by their names.
struct KernelSignature {
  std::vector<std::string> arguments, axes;
  bool isF64 = false;
};

/// A CPU's code: the two functions of docs/cpu.md.
struct HostCode {
  KernelSignature signature;
  std::unique_ptr<llvm::Module> module;
  std::string run, workspace; // names
};

/// Where objects are linked and run: for a CPU of x86-64.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Target &target);

/// Lowers a kernel of sweeps, which is used up. `symbol` names it.
llvm::Expected<HostCode> compileForCPU(mlir::ModuleOp sweeps,
                                       llvm::StringRef symbol,
                                       const Target &target,
                                       llvm::LLVMContext &context);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_HOSTCODE_H
