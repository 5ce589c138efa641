//===- CleanUp.h - Less cleaning up between passes, or more -----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_CLEANUP_H
#define RLSCAN_TEST_EXECUTION_CLEANUP_H

#include "mlir/IR/MLIRContext.h"

namespace rlscan::test {

/// Whether `canonicalize` and `cse` run where pipelines have them, nowhere, or
/// after every pass over a module. No result may depend on it.
enum class CleanUp { AsIs, None, Often };

/// For all passes of the context from now on; once a context.
void setCleanUp(mlir::MLIRContext &context, CleanUp cleanUp);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_CLEANUP_H
