//===- CudaContext.h - Contexts and who owns what in them -------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CUDA_CUDACONTEXT_H
#define RLSCAN_RUNTIME_CUDA_CUDACONTEXT_H

#include "runtime/cuda/CudaDriver.h"

#include <utility>

/// Calls a function of the driver and checks what it returns.
#define RLSCAN_CUDA_CALL(driver, name, ...)                                    \
  (driver).check(#name, (driver).symbols().name(__VA_ARGS__))

/// The same, with a context current.
#define RLSCAN_CUDA_CALL_IN(context, name, ...)                                \
  (context).with(                                                              \
      [&] { return RLSCAN_CUDA_CALL((context).driver, name, __VA_ARGS__); })

namespace rlscan::cuda {

/// A device and its primary context, retained.
class Context {
public:
  Context(const Driver &driver, int ordinal)
      : driver(driver), ordinal(ordinal) {}
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() {
    if (handle)
      driver.symbols().cuDevicePrimaryCtxRelease_v2(device);
  }

  Error retain();

  Error push() const {
    return RLSCAN_CUDA_CALL(driver, cuCtxPushCurrent_v2, handle);
  }
  Error pop() const {
    CUcontext popped = nullptr;
    return RLSCAN_CUDA_CALL(driver, cuCtxPopCurrent_v2, &popped);
  }

  /// What `call` returns, which is run with the context current.
  template <typename Call> Error with(Call call) const {
    if (Error error = push())
      return error;
    Error error = call();
    Error after = pop();
    return error ? error : after;
  }

  CUcontext native() const { return handle; }

  const Driver &driver;
  const int ordinal;
  DeviceProperties properties;

private:
  Error readProperties();

  CUdevice device = 0;
  CUcontext handle = nullptr;
};

inline void destroy(const Symbols &table, CUmodule module) {
  table.cuModuleUnload(module);
}
inline void destroy(const Symbols &table, CUdeviceptr address) {
  table.cuMemFree_v2(address);
}
inline void destroy(const Symbols &table, CUstream stream) {
  table.cuStreamDestroy_v2(stream);
}
inline void destroy(const Symbols &table, CUevent event) {
  table.cuEventDestroy_v2(event);
}
inline void destroy(const Symbols &table, CUgraphExec exec) {
  table.cuGraphExecDestroy(exec);
}

/// One object of the driver and the context that it is of.
template <typename Handle> class Owned {
public:
  explicit Owned(std::shared_ptr<const Context> context)
      : context(std::move(context)) {}
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() {
    if (!handle)
      return;
    bool current = !context->push();
    // Tried in any case: most handles know their context.
    destroy(context->driver.symbols(), handle);
    if (current)
      (void)context->pop();
  }

  const std::shared_ptr<const Context> context;
  Handle handle = {};
};

/// Takes over the handle that `create(&handle)` makes.
template <typename Handle, typename Create>
Error make(const std::shared_ptr<const Context> &context, Create create,
           std::shared_ptr<const Owned<Handle>> &result) {
  auto owned = std::make_shared<Owned<Handle>>(context);
  Error error = context->with([&]() -> Error {
    Handle handle = {};
    if (Error error = create(&handle))
      return error;
    owned->handle = handle;
    return {};
  });
  if (!error)
    result = std::move(owned);
  return error;
}

} // namespace rlscan::cuda

#endif // RLSCAN_RUNTIME_CUDA_CUDACONTEXT_H
