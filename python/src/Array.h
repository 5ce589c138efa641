//===- Array.h - An array of a caller's, whatever its library ---*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_ARRAY_H
#define RLSCAN_PYTHON_ARRAY_H

#include "rlscan/abi.h"

#include <string>

namespace rlscan::python {

constexpr int maxArguments = 32;
constexpr int maxRank = 16;
/// The place of arrays that are in memory of the host.
constexpr int32_t host = RLSCAN_DEVICE_CPU;

/// What went wrong, as a kind of Python's exceptions.
struct Failure {
  enum Kind { Value, Type, Runtime };
  Kind kind = Runtime;
  std::string text;
};

/// Records a failure; false, for the caller to return.
bool fail(Failure &failure, Failure::Kind kind, std::string text);

/// Any number of dimensions, in the caller's order. Strides count elements.
struct Array {
  void *data = nullptr;
  int32_t dtype = RLSCAN_NONE;
  int32_t device = host;
  int32_t deviceType = 0; // a GPU's, as DLPack counts them
  int rank = -1;          // not given
  int64_t sizes[maxRank];
  int64_t strides[maxRank];

  bool isGiven() const { return rank >= 0; }
};

/// "[4, 7]".
std::string shapeText(const Array &array);
/// "cpu", "cuda:1".
std::string deviceText(int32_t device);
int64_t byteWidth(int32_t dtype);

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_ARRAY_H
