//===- Gpu.h - Copies of arrays on a GPU ------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXAMPLES_PPO_GPU_H
#define RLSCAN_EXAMPLES_PPO_GPU_H

#include <cstddef>
#include <cstdint>
#include <map>

/// Memory and a stream of the first GPU, by NVIDIA's driver, which is opened
/// when it is needed.
class Gpu {
public:
  static bool isThere();

  Gpu();

  /// Where the copy of an array of the host is; allocated the first time.
  void *place(const void *host, size_t bytes);
  /// Queues copies of all arrays to the GPU, of one back, and waits.
  void send();
  void fetch(void *host);
  void wait();
  void *stream() const { return queue; }

private:
  struct Copy {
    uint64_t address = 0;
    size_t bytes = 0;
  };

  std::map<const void *, Copy> copies;
  void *queue = nullptr;
};

#endif // RLSCAN_EXAMPLES_PPO_GPU_H
