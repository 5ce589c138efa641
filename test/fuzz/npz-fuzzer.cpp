//===- npz-fuzzer.cpp - Arbitrary bytes as an archive of arrays -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target. Whatever the bytes, readNpz and readNpy end with tensors,
// every element of which can be read, or with a message.
//
//===----------------------------------------------------------------------===//

#include "Execution/Npz.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace rlscan;

static double sum;

static void readAll(const Tensor &tensor) {
  llvm::SmallVector<int64_t> index(tensor.rank());
  for (int64_t i = 0, e = tensor.numElements(); i < e; ++i) {
    sum += tensor.read(index);
    for (int64_t dim = tensor.rank() - 1; dim >= 0; --dim) {
      if (++index[dim] < tensor.sizes[dim])
        break;
      index[dim] = 0;
    }
  }
}

static void checkMessage(llvm::Error error) {
  if (llvm::toString(std::move(error)).empty())
    std::abort(); // refused without a word
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size))
    std::abort();
  std::string path = "/proc/self/fd/" + std::to_string(file);
  if (llvm::Expected<NamedTensors> tensors = readNpz(path))
    for (const auto &entry : *tensors)
      readAll(entry.second);
  else
    checkMessage(tensors.takeError());
  if (llvm::Expected<Tensor> tensor = readNpy(path))
    readAll(*tensor);
  else
    checkMessage(tensor.takeError());
  close(file);
  return 0;
}
