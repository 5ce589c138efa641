//===- Tensor.cpp - A strided array in host memory ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <cmath>
#include <cstring>

using namespace rlscan;
using llvm::APFloat;
using llvm::ArrayRef;

int64_t rlscan::byteWidth(DType dtype) {
  switch (dtype) {
  case DType::Bool:
  case DType::I8:
  case DType::U8:
    return 1;
  case DType::BF16:
  case DType::F16:
    return 2;
  case DType::F32:
  case DType::I32:
    return 4;
  case DType::F64:
  case DType::I64:
    return 8;
  }
  llvm_unreachable("unknown dtype");
}

llvm::StringRef rlscan::spelling(DType dtype) {
  switch (dtype) {
  case DType::F32:
    return "f32";
  case DType::F64:
    return "f64";
  case DType::BF16:
    return "bf16";
  case DType::F16:
    return "f16";
  case DType::Bool:
    return "bool";
  case DType::I8:
    return "i8";
  case DType::U8:
    return "u8";
  case DType::I32:
    return "i32";
  case DType::I64:
    return "i64";
  }
  llvm_unreachable("unknown dtype");
}

template <typename T> static T loadAs(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T> static void storeAs(char *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

static double loadHalf(const char *from, const llvm::fltSemantics &semantics) {
  return APFloat(semantics, llvm::APInt(16, loadAs<uint16_t>(from)))
      .convertToDouble();
}

static void storeHalf(char *to, double value,
                      const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  storeAs<uint16_t>(to, number.bitcastToAPInt().getZExtValue());
}

static double loadElement(DType dtype, const char *from) {
  switch (dtype) {
  case DType::F32:
    return loadAs<float>(from);
  case DType::F64:
    return loadAs<double>(from);
  case DType::BF16:
    return loadHalf(from, APFloat::BFloat());
  case DType::F16:
    return loadHalf(from, APFloat::IEEEhalf());
  case DType::Bool:
  case DType::U8:
    return loadAs<uint8_t>(from);
  case DType::I8:
    return loadAs<int8_t>(from);
  case DType::I32:
    return loadAs<int32_t>(from);
  case DType::I64:
    return static_cast<double>(loadAs<int64_t>(from));
  }
  llvm_unreachable("unknown dtype");
}

static void storeElement(DType dtype, char *to, double value) {
  switch (dtype) {
  case DType::F32:
    return storeAs<float>(to, static_cast<float>(value));
  case DType::F64:
    return storeAs<double>(to, value);
  case DType::BF16:
    return storeHalf(to, value, APFloat::BFloat());
  case DType::F16:
    return storeHalf(to, value, APFloat::IEEEhalf());
  case DType::Bool:
    return storeAs<uint8_t>(to, value != 0.0);
  case DType::I8:
    return storeAs<int8_t>(to, static_cast<int8_t>(value));
  case DType::U8:
    return storeAs<uint8_t>(to, static_cast<uint8_t>(value));
  case DType::I32:
    return storeAs<int32_t>(to, static_cast<int32_t>(value));
  case DType::I64:
    return storeAs<int64_t>(to, static_cast<int64_t>(value));
  }
  llvm_unreachable("unknown dtype");
}

int64_t Tensor::numElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

static constexpr int64_t alignment = 64;

/// The strides that store dimension order[0] slowest and order.back()
/// contiguous.
static llvm::SmallVector<int64_t, 3> packedStrides(ArrayRef<int64_t> sizes,
                                                   ArrayRef<int64_t> order) {
  llvm::SmallVector<int64_t, 3> strides(sizes.size());
  int64_t stride = 1;
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

static Tensor allocateInOrder(DType dtype, ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> order) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.sizes.assign(sizes.begin(), sizes.end());
  tensor.strides = packedStrides(sizes, order);
  int64_t bytes = tensor.numElements() * byteWidth(dtype) + alignment;
  tensor.storage = std::make_shared<std::vector<char>>(bytes);
  tensor.data = reinterpret_cast<char *>(llvm::alignTo(
      reinterpret_cast<uintptr_t>(tensor.storage->data()), alignment));
  return tensor;
}

Tensor Tensor::allocate(DType dtype, ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 3> order =
      llvm::to_vector<3>(llvm::seq<int64_t>(0, sizes.size()));
  return allocateInOrder(dtype, sizes, order);
}

char *Tensor::element(ArrayRef<int64_t> index) const {
  assert(index.size() == sizes.size() && "one index a dimension");
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip_equal(index, strides))
    offset += position * stride;
  return data + offset * byteWidth(dtype);
}

double Tensor::read(ArrayRef<int64_t> index) const {
  return loadElement(dtype, element(index));
}

void Tensor::write(ArrayRef<int64_t> index, double value) {
  storeElement(dtype, element(index), value);
}

Tensor Tensor::converted(DType newType, ArrayRef<int64_t> order) const {
  Tensor result = allocateInOrder(newType, sizes, order);
  llvm::SmallVector<int64_t, 3> index(sizes.size(), 0);
  for (int64_t count = numElements(); count > 0; --count) {
    result.write(index, read(index));
    for (int64_t dim = rank() - 1; dim >= 0 && ++index[dim] == sizes[dim];
         --dim)
      index[dim] = 0;
  }
  return result;
}
