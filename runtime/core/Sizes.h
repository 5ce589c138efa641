//===- Sizes.h - Numbers of rows, steps and bytes ---------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A caller's sizes may be any numbers. None of what is computed of them wraps
// around.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CORE_SIZES_H
#define RLSCAN_RUNTIME_CORE_SIZES_H

#include <cstddef>
#include <cstdint>

namespace rlscan::runtime {

/// Of rows times steps, and of packed rows: more than any memory has bytes,
/// and the sum of two is still a number.
constexpr int64_t mostSteps = int64_t(1) << 61;

/// What a product or a sum is that no number can be.
constexpr int64_t tooMuch = INT64_MAX;

/// Of numbers that are not negative.
inline int64_t productOf(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? tooMuch : product;
}

inline int64_t sumOf(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? tooMuch : sum;
}

inline int64_t divideCeil(int64_t number, int64_t by) {
  return number / by + (number % by != 0);
}

/// A caller's number of bytes.
inline int64_t bytesOf(size_t size) {
  return size > static_cast<size_t>(INT64_MAX) ? INT64_MAX
                                               : static_cast<int64_t>(size);
}

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_SIZES_H
