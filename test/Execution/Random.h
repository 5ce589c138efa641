//===- Random.h - The same random numbers on every machine ---- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_RANDOM_H
#define RLSCAN_TEST_EXECUTION_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace rlscan::test {

/// SplitMix64. A test that fails is replayed from its seed, so the numbers must
/// not depend on a library.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  /// Independent streams for the parts of one test.
  Random(uint64_t seed, llvm::StringRef stream) : state(seed) {
    for (char c : stream)
      state = next() ^ static_cast<unsigned char>(c);
  }

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// 0 to count - 1.
  int64_t below(int64_t count) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(count));
  }

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

  bool chance(double probability) { return between(0.0, 1.0) < probability; }

  template <typename T> const T &pick(llvm::ArrayRef<T> list) {
    return list[below(static_cast<int64_t>(list.size()))];
  }

private:
  uint64_t state;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_RANDOM_H
