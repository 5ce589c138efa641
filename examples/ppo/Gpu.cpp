//===- Gpu.cpp - Copies of arrays on a GPU --------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace {

/// The functions that are used, by the names that the driver exports.
struct Driver {
  int (*cuInit)(unsigned);
  int (*cuDeviceGet)(int *, int);
  int (*cuDevicePrimaryCtxRetain)(void **, int);
  int (*cuCtxPushCurrent_v2)(void *);
  int (*cuMemAlloc_v2)(uint64_t *, size_t);
  int (*cuMemcpyHtoDAsync_v2)(uint64_t, const void *, size_t, void *);
  int (*cuMemcpyDtoHAsync_v2)(void *, uint64_t, size_t, void *);
  int (*cuStreamCreate)(void **, unsigned);
  int (*cuStreamSynchronize)(void *);
  bool isOpen = false;

  Driver();
};

} // namespace

Driver::Driver() {
  const char *path = std::getenv("RLSCAN_CUDA_DRIVER");
  void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
  if (!library)
    return;
  isOpen = true;
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(library, name));
    isOpen &= function != nullptr;
  };
  find(cuInit, "cuInit");
  find(cuDeviceGet, "cuDeviceGet");
  find(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  find(cuCtxPushCurrent_v2, "cuCtxPushCurrent_v2");
  find(cuMemAlloc_v2, "cuMemAlloc_v2");
  find(cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync_v2");
  find(cuMemcpyDtoHAsync_v2, "cuMemcpyDtoHAsync_v2");
  find(cuStreamCreate, "cuStreamCreate");
  find(cuStreamSynchronize, "cuStreamSynchronize");
  int device = 0;
  isOpen = isOpen && cuInit(0) == 0 && cuDeviceGet(&device, 0) == 0;
}

static const Driver &driver() {
  static const Driver opened;
  return opened;
}

static void check(int code, const char *what) {
  if (code == 0)
    return;
  std::fprintf(stderr, "%s: error %d of the driver\n", what, code);
  std::exit(1);
}

bool Gpu::isThere() { return driver().isOpen; }

Gpu::Gpu() {
  void *context = nullptr;
  int device = 0;
  check(driver().cuDeviceGet(&device, 0), "device");
  check(driver().cuDevicePrimaryCtxRetain(&context, device), "context");
  check(driver().cuCtxPushCurrent_v2(context), "context");
  check(driver().cuStreamCreate(&queue, 1), "stream");
}

void *Gpu::place(const void *host, size_t bytes) {
  Copy &copy = copies[host];
  if (copy.address == 0) {
    copy.bytes = bytes;
    check(driver().cuMemAlloc_v2(&copy.address, bytes), "memory");
  }
  return reinterpret_cast<void *>(copy.address);
}

void Gpu::send() {
  for (const auto &[host, copy] : copies)
    check(driver().cuMemcpyHtoDAsync_v2(copy.address, host, copy.bytes, queue),
          "copy");
}

void Gpu::fetch(void *host) {
  const Copy &copy = copies[host];
  check(driver().cuMemcpyDtoHAsync_v2(host, copy.address, copy.bytes, queue),
        "copy");
}

void Gpu::wait() { check(driver().cuStreamSynchronize(queue), "wait"); }
