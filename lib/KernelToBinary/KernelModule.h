//===- KernelModule.h - The kernel of one kind of call ----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_KERNELTOBINARY_KERNELMODULE_H
#define RLSCAN_KERNELTOBINARY_KERNELMODULE_H

#include "dialects/rlscan/RLScan.h"
#include "rlscan/abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rlscan {

/// Estimator `name` of a level-1 `module`, which is left as it is, alone in a
/// module of its own, as a kernel of sweeps for calls with these `bindings`
/// (see the pass `rlscan-specialize`). Fails after reporting through the
/// context's diagnostics.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
makeSweeps(mlir::ModuleOp module, llvm::StringRef name,
           llvm::ArrayRef<std::string> bindings);

/// The names of a kernel's arrays and of the axes along which some of them run.
void readSignature(KernelOp kernel, std::vector<std::string> &arguments,
                   std::vector<std::string> &axes);

/// How a kernel of tiles is launched; without a name and shapes.
rlscan_kernel describeLaunch(KernelOp kernel);

/// Whether a kernel of sweeps computes in f64.
bool computesInF64(KernelOp kernel);

} // namespace rlscan

#endif // RLSCAN_KERNELTOBINARY_KERNELMODULE_H
