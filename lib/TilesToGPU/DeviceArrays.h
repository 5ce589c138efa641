//===- DeviceArrays.h - Arrays as kernels reach them *- C++ -* ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOGPU_DEVICEARRAYS_H
#define RLSCAN_TILESTOGPU_DEVICEARRAYS_H

#include "TilesToGPU/ThreadBuilder.h"
#include "dialects/rlscan/RLScan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace rlscan {

/// An array argument or temporary in the code of a thread. Strides count
/// elements.
struct DeviceArray {
  ArrayType type;
  mlir::Value base, rowStride, stepStride, axisStride;
  mlir::Value number; // a param's value
  bool isTemporary = false;
  bool isOfWorkgroup = false; // in its memory, which has its rows alone
  /// Whether rows have an entry more than the window has steps, and so begin at
  /// any element.
  bool hasExtraStep = false;

  mlir::Type storage() const { return type.getStorage(); }
};

/// How many strides a function takes for an array; a param has none, and no
/// pointer either.
unsigned numStrides(ArrayType array);

/// What a kernel knows about its call.
struct DeviceCall {
  /// By argument, temporary or `rlscan.after`.
  llvm::DenseMap<mlir::Value, DeviceArray> arrays;
  llvm::StringMap<mlir::Value> axisSizes;
  mlir::Value rows, steps;
  mlir::Value workspace; // what temporaries and look-back keep in memory
};

/// The arguments of a device function for `kernel`, in order: a param's number;
/// the pointer and row stride of a row array; the pointer, row, step and (with
/// an axis) axis stride of a step array; then the rows, the steps, the size of
/// each axis in the order of the arrays, the workspace. docs/gpu.md has the
/// ABI.
struct DeviceSignature {
  llvm::SmallVector<mlir::Type> types;
  /// The arguments that are arrays nobody writes, and those that are outputs.
  llvm::SmallVector<unsigned> inputs, outputs;
  llvm::SmallVector<llvm::StringRef> axes;

  explicit DeviceSignature(KernelOp kernel);
};

/// Takes a function's arguments apart.
DeviceCall readArguments(ThreadBuilder &b, KernelOp kernel,
                         const DeviceSignature &signature,
                         mlir::Block::BlockArgListType arguments);

/// The element type in memory as ops see it, one value or a fragment.
mlir::Value fromStorage(ThreadBuilder &b, mlir::Value stored,
                        mlir::Type signal);
mlir::Value toStorage(ThreadBuilder &b, mlir::Value signal, mlir::Type storage);

} // namespace rlscan

#endif // RLSCAN_TILESTOGPU_DEVICEARRAYS_H
