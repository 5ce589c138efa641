//===- Inflate.h - Unpacks what zlib has packed -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CORE_INFLATE_H
#define RLSCAN_RUNTIME_CORE_INFLATE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace rlscan::runtime {

/// Reads a stream of zlib's (RFC 1950) into `result`, which has the size of
/// what was packed. False where the stream is damaged, has another size, or
/// does not end where the memory does.
bool inflate(const void *stream, size_t size, std::string &result);

/// The checksum that ends a stream: Adler-32.
uint32_t adlerOf(const std::string &bytes);

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_INFLATE_H
