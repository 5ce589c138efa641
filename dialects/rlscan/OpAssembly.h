//===- OpAssembly.h - Custom directives of the ops' assembly ----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_RLSCAN_OPASSEMBLY_H
#define DIALECTS_RLSCAN_OPASSEMBLY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

namespace rlscan {

/// A signed offset in steps, printed as a bare number.
inline mlir::ParseResult parseOffset(mlir::OpAsmParser &parser,
                                     mlir::IntegerAttr &offset) {
  int64_t value;
  if (parser.parseInteger(value))
    return mlir::failure();
  mlir::Type type = mlir::IntegerType::get(parser.getContext(), 64,
                                           mlir::IntegerType::Signed);
  offset = mlir::IntegerAttr::get(type, value);
  return mlir::success();
}

inline void printOffset(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        mlir::IntegerAttr offset) {
  printer << offset.getValue().getSExtValue();
}

} // namespace rlscan

#endif // DIALECTS_RLSCAN_OPASSEMBLY_H
