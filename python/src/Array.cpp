//===- Array.cpp - An array of a caller's, whatever its library -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Array.h"

using namespace rlscan::python;

bool rlscan::python::fail(Failure &failure, Failure::Kind kind,
                          std::string text) {
  failure.kind = kind;
  failure.text = std::move(text);
  return false;
}

std::string rlscan::python::shapeText(const Array &array) {
  std::string text = "[";
  for (int i = 0; i < array.rank; ++i)
    text += (i ? ", " : "") + std::to_string(array.sizes[i]);
  return text + "]";
}

std::string rlscan::python::deviceText(int32_t device) {
  return device == host ? "cpu" : "cuda:" + std::to_string(device);
}

int64_t rlscan::python::byteWidth(int32_t dtype) {
  switch (dtype) {
  case RLSCAN_F64:
  case RLSCAN_I64:
    return 8;
  case RLSCAN_F32:
  case RLSCAN_I32:
    return 4;
  case RLSCAN_BF16:
  case RLSCAN_F16:
    return 2;
  default:
    return 1;
  }
}
