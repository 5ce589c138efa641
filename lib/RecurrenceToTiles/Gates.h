//===- Gates.h - Choices between a value and 0 ------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECURRENCETOTILES_GATES_H
#define RLSCAN_RECURRENCETOTILES_GATES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace rlscan {

/// `condition ? ifSet : ifClear` of reals, of which one may be null, which is a
/// 0. Gates within gates become one, so that a beta that is a constant or 0 can
/// be told as such.
mlir::Value chooseGated(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value condition, mlir::Value ifSet,
                        mlir::Value ifClear);

} // namespace rlscan

#endif // RLSCAN_RECURRENCETOTILES_GATES_H
