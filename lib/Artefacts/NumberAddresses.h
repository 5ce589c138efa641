//===- NumberAddresses.h - Numbers of a call that lie in memory -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_NUMBERADDRESSES_H
#define RLSCAN_ARTEFACTS_NUMBERADDRESSES_H

#include "dialects/rlscan/RLScan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallVector.h"

namespace rlscan {

/// Where the arguments of a device function for `kernel` are params' numbers.
llvm::SmallVector<unsigned> positionsOfNumbers(KernelOp kernel);

/// Adds an address behind each number of a device function. Where it is not
/// null, the number is read from there: a launch that is replayed then sees
/// what was written in between. Reals lie there as they are computed in.
void addNumberAddresses(mlir::gpu::GPUFuncOp function,
                        llvm::ArrayRef<unsigned> numbers, bool isF64);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_NUMBERADDRESSES_H
