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

/// A type after a colon, left out where it is `usual`.
inline mlir::ParseResult parseTypeUnless(mlir::OpAsmParser &parser,
                                         mlir::Type usual, mlir::Type &type) {
  type = usual;
  if (failed(parser.parseOptionalColon()))
    return mlir::success();
  return parser.parseType(type);
}

inline void printTypeUnless(mlir::OpAsmPrinter &printer, mlir::Type usual,
                            mlir::Type type) {
  if (type != usual)
    printer << " : " << type;
}

inline mlir::ParseResult parseIndexType(mlir::OpAsmParser &parser,
                                        mlir::Type &type) {
  return parseTypeUnless(parser, parser.getBuilder().getIndexType(), type);
}

inline void printIndexType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::Type type) {
  printTypeUnless(printer, mlir::IndexType::get(op->getContext()), type);
}

inline mlir::ParseResult parseFlagType(mlir::OpAsmParser &parser,
                                       mlir::Type &type) {
  return parseTypeUnless(parser, parser.getBuilder().getI1Type(), type);
}

inline void printFlagType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::Type type) {
  printTypeUnless(printer, mlir::IntegerType::get(op->getContext(), 1), type);
}

} // namespace rlscan

#endif // DIALECTS_RLSCAN_OPASSEMBLY_H
