//===- HostJIT.h - LLVM dialect to code in this process ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_KERNELTOBINARY_HOSTJIT_H
#define RLSCAN_KERNELTOBINARY_HOSTJIT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace rlscan {

/// How many f32 values a vector register of this CPU holds.
unsigned hostVectorLanes();

/// Optimises a module in the LLVM dialect for this CPU and loads it.
llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
compileForHost(mlir::ModuleOp module);

} // namespace rlscan

#endif // RLSCAN_KERNELTOBINARY_HOSTJIT_H
