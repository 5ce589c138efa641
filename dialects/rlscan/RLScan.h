//===- RLScan.h - The rlscan dialect ----------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_RLSCAN_RLSCAN_H
#define DIALECTS_RLSCAN_RLSCAN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "dialects/rlscan/RLScanDialect.h.inc"

#include "dialects/rlscan/RLScanEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rlscan/RLScanAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/rlscan/RLScanTypes.h.inc"

namespace rlscan {
class ReturnOp;
} // namespace rlscan

#define GET_OP_CLASSES
#include "dialects/rlscan/RLScanOps.h.inc"

#endif // DIALECTS_RLSCAN_RLSCAN_H
