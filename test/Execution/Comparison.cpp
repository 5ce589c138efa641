//===- Comparison.cpp - Results beside the reference's --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace rlscan;
using namespace rlscan::test;

/// Half a unit in the last place of `value`, and a little more, where results
/// are stored with fewer bits than they are computed with.
static double halfUnit(DType storage, bool isF64, double value) {
  double size = std::abs(value);
  switch (storage) {
  case DType::BF16:
    return 0x1.02p-8 * size;
  case DType::F16: // below 2^-14 units no longer shrink
    return std::max(0x1.02p-11 * size, 0x1.02p-25);
  case DType::F32:
    return isF64 ? 0x1.02p-24 * size : 0.0;
  default:
    return 0.0;
  }
}

static double largestOf(llvm::ArrayRef<double> row) {
  double largest = 0.0;
  for (double value : row)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  return largest;
}

static bool isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Whether `want` is past what the storage holds, which is an infinity then.
static bool overflows(DType storage, double want, double limit, double value) {
  if (!std::isinf(value) || !std::isfinite(want))
    return false;
  Tensor stored = Tensor::allocate(storage, {});
  stored.write({}, want + std::copysign(limit, want));
  return stored.read({}) == value;
}

std::string test::compare(const ReferenceResult &expected, const Tensor &found,
                          const Tolerance &tolerance, double &used) {
  int64_t rows = found.sizes[0], steps = found.sizes[1];
  for (int64_t row = 0; row < rows; ++row) {
    llvm::ArrayRef<double> values(expected.values);
    values = values.slice(row * steps, steps);
    double ofRow = tolerance.ofRow * (1.0 + largestOf(values));
    for (int64_t step = 0; step < steps; ++step) {
      double value = found.read({row, step}), want = values[step];
      if (isSame(value, want))
        continue;
      double limit = ofRow + halfUnit(found.dtype, tolerance.isF64, want);
      if (overflows(found.dtype, want, limit, value))
        continue;
      double error = std::abs(value - want);
      if (error <= limit) {
        used = std::max(used, error / limit);
        continue;
      }
      std::string text;
      llvm::raw_string_ostream(text)
          << expected.name << '[' << row << ", " << step << "] is "
          << llvm::format("%.9g, expected %.9g, tolerance %.3g", value, want,
                          limit);
      return text;
    }
  }
  return {};
}
