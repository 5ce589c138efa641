//===- Tensor.h - A strided array in host memory ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_TENSOR_H
#define RLSCAN_EXECUTION_TENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rlscan {

/// The types in which a caller may store an array.
enum class DType : uint8_t { F32, F64, BF16, F16, Bool, I8, U8, I32, I64 };

/// The size of one element in bytes.
int64_t byteWidth(DType dtype);

/// "f32", "bool", ...: the spelling of command lines and messages.
llvm::StringRef spelling(DType dtype);

/// A strided view of host memory that it may share with other views (DLPack's
/// model). Strides count elements and may be zero or negative; `data` points at
/// the element with all indices zero. A scalar has no dimensions.
struct Tensor {
  DType dtype = DType::F32;
  llvm::SmallVector<int64_t, 3> sizes;
  llvm::SmallVector<int64_t, 3> strides;
  char *data = nullptr;
  /// Keeps the memory behind `data` alive.
  std::shared_ptr<std::vector<char>> storage;

  /// Memory of its own, zero-filled, aligned to 64 bytes, last dimension
  /// contiguous.
  static Tensor allocate(DType dtype, llvm::ArrayRef<int64_t> sizes);

  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t numElements() const;

  /// The element at `index` (one entry a dimension), by value. Reading a flag
  /// gives 0 or 1 only if that is what is stored.
  double read(llvm::ArrayRef<int64_t> index) const;
  /// Rounds to nearest even where the type is narrower than double.
  void write(llvm::ArrayRef<int64_t> index, double value);

  /// A new tensor with the same elements, of type `dtype`, whose dimensions are
  /// stored in `order`, slowest first ({0, 1} keeps rows together, {1, 0}
  /// steps).
  Tensor converted(DType dtype, llvm::ArrayRef<int64_t> order) const;

private:
  char *element(llvm::ArrayRef<int64_t> index) const;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_TENSOR_H
