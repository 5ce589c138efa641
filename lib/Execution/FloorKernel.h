//===- FloorKernel.h - The least time for some bytes ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel for NVIDIA GPUs that reads so many bytes and writes so many, in the
// way that memory is fastest, and computes next to nothing: what other kernels
// with the same traffic are measured against.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_FLOORKERNEL_H
#define RLSCAN_EXECUTION_FLOORKERNEL_H

#include <cstdint>
#include <string>

namespace rlscan {

/// A launch of the kernel. Memory is counted in words of 16 bytes. Every block
/// reads and writes a chunk of its own, both in proportion: block b the words
/// [b * chunk, (b + 1) * chunk) as far as there are any.
struct FloorPlan {
  static constexpr unsigned blockThreads = 256;
  static constexpr unsigned mostAccesses = 16;
  static constexpr unsigned wordBytes = 16;

  /// A thread reads or writes `accesses` words at most, whichever are more.
  static FloorPlan make(int64_t bytesRead, int64_t bytesWritten,
                        unsigned accesses);

  int64_t blocks = 0;
  uint64_t readWords = 0, writtenWords = 0; // in all
  uint32_t readChunk = 0, writtenChunk = 0; // a block
  unsigned reads = 0, writes = 0;           // a thread
};

constexpr const char *floorKernelName = "rlscan_floor";

/// PTX text. Parameters: the addresses to read and to write; the words of each
/// in all (u64); the words of each a block (u32). What is read is not looked at
/// but for one thing: a thread whose bits combine to 0x9e3779b9, which bytes
/// that are all alike never do, writes that to the first word.
std::string floorKernelText(unsigned reads, unsigned writes);

} // namespace rlscan

#endif // RLSCAN_EXECUTION_FLOORKERNEL_H
