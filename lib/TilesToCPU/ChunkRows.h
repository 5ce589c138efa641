//===- ChunkRows.h - A chunk of many rows in an array -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_CHUNKROWS_H
#define RLSCAN_TILESTOCPU_CHUNKROWS_H

#include "TilesToCPU/ArrayAccess.h"

namespace rlscan {

/// `lanes` rows of one chunk in arrays whose steps are contiguous. Rows that do
/// not exist are read as the last one, and not written.
struct ChunkRows {
  mlir::Value firstRow, lastRow, validRows;
  mlir::Value firstStep; // of lane 0
  mlir::Value isWhole;   // whether all lanes are inside the window
  mlir::Value mask;      // lanes that are

  /// A vector for each row.
  llvm::SmallVector<mlir::Value> load(VectorBuilder &b,
                                      const ArrayInfo &array) const;
  void store(VectorBuilder &b, const ArrayInfo &array,
             llvm::ArrayRef<mlir::Value> rows) const;

private:
  llvm::SmallVector<mlir::Value> pointers(VectorBuilder &b,
                                          const ArrayInfo &array) const;
};

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_CHUNKROWS_H
