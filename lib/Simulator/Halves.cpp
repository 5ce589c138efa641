//===- Halves.cpp - Reals of 16 bits --------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/LaneOps.h"

#include <cmath>
#include <cstring>

using namespace rlscan;

namespace {
struct Format {
  int mantissa;      // bits
  int lowest;        // exponent of normal numbers
  uint16_t infinity; // bits
};
} // namespace

static constexpr Format bf16 = {7, -126, 0x7f80}, f16 = {10, -14, 0x7c00};

double sim::fromHalf(uint16_t bits, bool isBF16) {
  if (isBF16) {
    uint32_t word = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }
  const Format &format = f16;
  uint16_t magnitude = bits & 0x7fff;
  double value;
  if (magnitude >= format.infinity)
    value = magnitude == format.infinity ? INFINITY : NAN;
  else {
    int exponent = magnitude >> format.mantissa;
    int fraction = magnitude & ((1 << format.mantissa) - 1);
    if (exponent > 0)
      fraction += 1 << format.mantissa;
    value = std::ldexp(fraction, std::max(exponent, 1) - 1 + format.lowest -
                                     format.mantissa);
  }
  return bits & 0x8000 ? -value : value;
}

/// The nearest, ties to even, rounded once. The bits of numbers in order are
/// integers in order: a carry out of the fraction makes the next exponent.
uint16_t sim::toHalf(double value, bool isBF16) {
  const Format &format = isBF16 ? bf16 : f16;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return sign | format.infinity | 1 << (format.mantissa - 1);
  double magnitude = std::abs(value);
  if (std::isinf(value))
    return sign | format.infinity;
  if (magnitude == 0.0)
    return sign;
  int exponent = std::max(std::ilogb(magnitude), format.lowest);
  if (exponent > -format.lowest + 1)
    return sign | format.infinity;
  double units =
      std::nearbyint(std::ldexp(magnitude, format.mantissa - exponent));
  int bits =
      ((exponent - format.lowest) << format.mantissa) + static_cast<int>(units);
  return sign | std::min<int>(bits, format.infinity);
}
