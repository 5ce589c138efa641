//===- RingArithmetic.h - Kernels over integers modulo 2^32 --- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the ring of integers modulo 2^32 sums and products are exact in any order,
// so that a kernel gives the same bits whatever its schedule, and one wrong
// term shows in all of them. The bits of an f32 are the element; the lowering
// knows nothing of it.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_RINGARITHMETIC_H
#define RLSCAN_TEST_EXECUTION_RINGARITHMETIC_H

#include "mlir/Pass/PassManager.h"

#include <cstdint>

namespace rlscan::test::ring {

/// The element that a number of a recipe stands for: whole numbers themselves,
/// infinities the ends of the order, anything else something else.
int32_t number(double value);

int32_t add(int32_t a, int32_t b);
int32_t subtract(int32_t a, int32_t b);
int32_t multiply(int32_t a, int32_t b);
/// By the odd number next to `b`, so that there is an inverse.
int32_t divide(int32_t a, int32_t b);
int32_t abs(int32_t a);

/// Functions are others, which tell their arguments apart.
constexpr uint32_t expFactor = 0x9e3779b1, logFactor = 0x85ebca6b,
                   sqrtFactor = 0xc2b2ae35;
int32_t function(int32_t a, uint32_t factor);

/// Replaces the arithmetic on reals in what the lowering made.
void addPasses(mlir::OpPassManager &manager);

} // namespace rlscan::test::ring

#endif // RLSCAN_TEST_EXECUTION_RINGARITHMETIC_H
