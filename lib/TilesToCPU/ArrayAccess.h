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
  /// Which neighbours are neighbours in memory. For arguments the type says so;
  /// temporaries follow the kernel's arguments.
  Layout layout = Layout::Strided;
  /// Whether lanes that stand for no row have memory of their own.
  bool isPadded = false;

  /// What elements are in memory. bf16 is moved as an integer of the same bits:
  /// without instructions for it LLVM takes it through f32 and a library
  /// function that a process need not have, with them numbers below 2^-126
  /// become 0.
  mlir::Type storage() const;
  unsigned alignment() const;
};

/// The address of array[row, step] or array[row, step, index], where any of the
/// three may be one i64 or a vector of them; a vector of addresses if one is.
mlir::Value elementPointer(VectorBuilder &b, const ArrayInfo &array,
                           mlir::Value row, mlir::Value step,
                           mlir::Value index = {});

/// Reads or writes one element a lane at addresses of their own; a null mask
/// means all lanes.
mlir::Value gather(VectorBuilder &b, const ArrayInfo &array,
                   mlir::Value pointers, mlir::Value mask = {});
void scatter(VectorBuilder &b, const ArrayInfo &array, mlir::Value elements,
             mlir::Value pointers, mlir::Value mask = {});

/// Reads or writes neighbours in memory, from the address of lane 0 on.
mlir::Value loadAdjacent(VectorBuilder &b, const ArrayInfo &array,
                         mlir::Value pointer, mlir::Value mask = {});
void storeAdjacent(VectorBuilder &b, const ArrayInfo &array,
                   mlir::Value elements, mlir::Value pointer,
                   mlir::Value mask = {});

/// Converts vectors or scalars between what is stored and the type `signal`
/// of what is computed (a float, i1 or index).
mlir::Value fromStorage(VectorBuilder &b, mlir::Value stored,
                        mlir::Type signal);
mlir::Value toStorage(VectorBuilder &b, mlir::Value value, mlir::Type storage);

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_ARRAYACCESS_H
