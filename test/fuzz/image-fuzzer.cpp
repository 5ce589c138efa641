//===- image-fuzzer.cpp - Arbitrary bytes as code that is packed ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target. The first two bytes are how much a library says that its
// image unpacks to; whatever the rest is, unpacking ends, and writes no more.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Inflate.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  size_t unpackedSize = data[0] | data[1] << 8;
  // In memory of exactly that size, so that one byte more is noticed.
  std::string packed(reinterpret_cast<const char *>(data) + 2, size - 2);
  std::string unpacked(unpackedSize, '\0');
  (void)rlscan::runtime::inflate(packed.data(), packed.size(), unpacked);
  return 0;
}
