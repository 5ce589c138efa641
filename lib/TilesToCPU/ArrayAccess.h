//===- ArrayAccess.h - Vectors in and out of arrays -------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_ARRAYACCESS_H
#define RLSCAN_TILESTOCPU_ARRAYACCESS_H

#include "TilesToCPU/VectorBuilder.h"
#include "dialects/rlscan/RLScan.h"

namespace rlscan {

/// An array of the call: its base and its strides in elements, as values of the
/// generated function.
struct ArrayInfo {
  ArrayType type;
  mlir::Value base, rowStride, stepStride, axisStride;
  /// Params with one value a call: that value, as stored. Loaded once, at the
  /// start, where no store can come in between.
  mlir::Value scalar;
  /// Whether lanes that stand for no row have memory of their own.
  bool isPadded = false;

  mlir::Type storage() const { return type.getStorage(); }
  unsigned alignment() const;
};

/// The rows that the lanes of a vector stand for: row `first` + lane number.
struct RowGroup {
  mlir::Value first;  // i64
  mlir::Value number; // vector of i64: the row of each lane, clamped to the
                      // range of the call, so that any lane may be read
  mlir::Value mask;   // lanes that stand for a row; null: all do
};

/// Reads array[row, step] for each lane; `index`, of the lanes or the same for
/// all, is null where the array has no axis. Returns the elements as stored.
mlir::Value loadLanes(VectorBuilder &b, const ArrayInfo &array,
                      const RowGroup &rows, mlir::Value step,
                      mlir::Value index = {});

/// Writes elements, as they are stored, to array[row, step] for each lane that
/// stands for a row.
void storeLanes(VectorBuilder &b, const ArrayInfo &array, const RowGroup &rows,
                mlir::Value step, mlir::Value elements);

/// Converts vectors or scalars between what is stored and the type `signal`
/// of what is computed (a float, i1 or index).
mlir::Value fromStorage(VectorBuilder &b, mlir::Value stored,
                        mlir::Type signal);
mlir::Value toStorage(VectorBuilder &b, mlir::Value value,
                      mlir::Type storage);

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_ARRAYACCESS_H
