//===- CudaObjects.cpp - Modules, streams, memory, graphs -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaContext.h"
#include "runtime/cuda/CudaDriver.h"

#include <cstring>
#include <limits>
#include <utility>

using namespace rlscan::cuda;

//===----------------------------------------------------------------------===//
// Module, Function
//===----------------------------------------------------------------------===//

Error Module::load(const Device &device, std::string image, Module &result) {
  const Driver &driver = device.driver();
  // One byte more than the driver is told of, so that the text ends.
  constexpr size_t logBytes = 16384;
  std::string log(logBytes, '\0');
  // Which lines of a recipe code comes from is for profilers.
  JitOption options[] = {JitOption::ErrorLogBuffer,
                         JitOption::ErrorLogBufferSizeBytes,
                         JitOption::GenerateLineInfo};
  void *values[] = {log.data(), reinterpret_cast<void *>(logBytes - 1),
                    reinterpret_cast<void *>(1)};
  Error error = make(
      device.context(),
      [&](CUmodule *module) {
        return RLSCAN_CUDA_CALL(driver, cuModuleLoadDataEx, module,
                                image.c_str(), 3, options, values);
      },
      result.shared);
  if (!error)
    return {};
  log.resize(std::strlen(log.c_str()));
  while (!log.empty() && std::strchr(" \r\n", log.back()))
    log.pop_back();
  if (!log.empty())
    error.message += "\n" + log;
  return error;
}

Error Function::get(const Module &module, const std::string &name,
                    Function &result) {
  const Context &context = *module.shared->context;
  CUfunction function = nullptr;
  if (Error error = RLSCAN_CUDA_CALL_IN(context, cuModuleGetFunction, &function,
                                        module.shared->handle, name.c_str()))
    return {error.message + ", kernel '" + name + "'"};
  result.owner = module.shared;
  result.function = function;
  return {};
}

Error Function::setMaxDynamicShared(int bytes) const {
  const Context &context = *owner->context;
  return RLSCAN_CUDA_CALL_IN(context, cuFuncSetAttribute, function,
                             FunctionAttribute::MaxDynamicSharedSizeBytes,
                             bytes);
}

Error Function::resources(FunctionResources &result) const {
  const Context &context = *owner->context;
  const std::pair<FunctionAttribute, int *> attributes[] = {
      {FunctionAttribute::NumRegs, &result.registers},
      {FunctionAttribute::LocalSizeBytes, &result.localBytes},
      {FunctionAttribute::SharedSizeBytes, &result.staticSharedBytes},
      {FunctionAttribute::MaxThreadsPerBlock, &result.maxThreadsPerBlock}};
  return context.with([&]() -> Error {
    for (const auto &[attribute, value] : attributes)
      if (Error error = RLSCAN_CUDA_CALL(context.driver, cuFuncGetAttribute,
                                         value, attribute, function))
        return error;
    return {};
  });
}

Error Function::occupancy(int blockThreads, size_t dynamicSharedBytes,
                          int &blocks) const {
  const Context &context = *owner->context;
  return RLSCAN_CUDA_CALL_IN(
      context, cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, function,
      blockThreads, dynamicSharedBytes);
}

Error rlscan::cuda::launch(const Function &function, int64_t grid,
                           unsigned block, unsigned sharedBytes,
                           const Stream &stream, void **params) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (grid < 0 || grid > most)
    return {"a launch of " + std::to_string(grid) + " blocks, at most " +
            std::to_string(most) + " are taken"};
  if (grid == 0)
    return {};
  const Context &context = *function.module()->context;
  return RLSCAN_CUDA_CALL_IN(context, cuLaunchKernel, function.handle(),
                             static_cast<unsigned>(grid), 1, 1, block, 1, 1,
                             sharedBytes, stream.handle(), params, nullptr);
}

//===----------------------------------------------------------------------===//
// Stream, Buffer, Event
//===----------------------------------------------------------------------===//

Error Stream::create(const Device &device, Stream &result) {
  return make(
      device.context(),
      [&](CUstream *stream) {
        return RLSCAN_CUDA_CALL(device.driver(), cuStreamCreate, stream,
                                streamNonBlocking);
      },
      result.shared);
}

CUstream Stream::handle() const { return shared->handle; }

Error Stream::synchronize() const {
  const Context &context = *shared->context;
  return RLSCAN_CUDA_CALL_IN(context, cuStreamSynchronize, shared->handle);
}

Error Buffer::allocate(const Device &device, size_t bytes, Buffer &result) {
  Buffer buffer;
  buffer.bytes = bytes;
  if (bytes != 0)
    if (Error error = make(
            device.context(),
            [&](CUdeviceptr *address) {
              return RLSCAN_CUDA_CALL(device.driver(), cuMemAlloc_v2, address,
                                      bytes);
            },
            buffer.shared))
      return {error.message + ", " + std::to_string(bytes) + " bytes"};
  result = std::move(buffer);
  return {};
}

CUdeviceptr Buffer::address() const { return shared ? shared->handle : 0; }

Error Buffer::checkRange(size_t count, size_t offset) const {
  if (offset <= bytes && count <= bytes - offset)
    return {};
  return {"a copy of " + std::to_string(count) + " bytes at offset " +
          std::to_string(offset) + " of a buffer of " + std::to_string(bytes)};
}

Error Buffer::fill(uint8_t value, const Stream &stream) const {
  if (bytes == 0)
    return {};
  const Context &context = *shared->context;
  return RLSCAN_CUDA_CALL_IN(context, cuMemsetD8Async, shared->handle, value,
                             bytes, stream.handle());
}

Error Buffer::copyFromHost(const void *source, size_t count,
                           const Stream &stream, size_t offset) const {
  if (Error error = checkRange(count, offset))
    return error;
  if (count == 0)
    return {};
  const Context &context = *shared->context;
  if (Error error = RLSCAN_CUDA_CALL_IN(context, cuMemcpyHtoDAsync_v2,
                                        shared->handle + offset, source, count,
                                        stream.handle()))
    return error;
  return stream.synchronize();
}

Error Buffer::copyToHost(void *target, size_t count, const Stream &stream,
                         size_t offset) const {
  if (Error error = checkRange(count, offset))
    return error;
  if (count == 0)
    return {};
  const Context &context = *shared->context;
  if (Error error =
          RLSCAN_CUDA_CALL_IN(context, cuMemcpyDtoHAsync_v2, target,
                              shared->handle + offset, count, stream.handle()))
    return error;
  return stream.synchronize();
}

Error Event::create(const Device &device, Event &result) {
  return make(
      device.context(),
      [&](CUevent *event) {
        return RLSCAN_CUDA_CALL(device.driver(), cuEventCreate, event,
                                eventDefault);
      },
      result.shared);
}

Error Event::record(const Stream &stream) const {
  const Context &context = *shared->context;
  return RLSCAN_CUDA_CALL_IN(context, cuEventRecord, shared->handle,
                             stream.handle());
}

Error Event::synchronize() const {
  const Context &context = *shared->context;
  return RLSCAN_CUDA_CALL_IN(context, cuEventSynchronize, shared->handle);
}

Error Event::elapsed(const Event &begin, const Event &end, double &seconds) {
  const Context &context = *begin.shared->context;
  float milliseconds = 0.0f;
  Error error = RLSCAN_CUDA_CALL_IN(context, cuEventElapsedTime, &milliseconds,
                                    begin.shared->handle, end.shared->handle);
  seconds = milliseconds * 1e-3;
  return error;
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

/// The graph of what `body` queues; to be destroyed also after an error.
static Error record(const Driver &driver, CUstream stream,
                    const std::function<Error()> &body, CUgraph &graph) {
  if (Error error = RLSCAN_CUDA_CALL(driver, cuStreamBeginCapture_v2, stream,
                                     CaptureMode::ThreadLocal))
    return error;
  Error failed = body();
  // Ended in any case, or the stream would stay as it is.
  Error ended = RLSCAN_CUDA_CALL(driver, cuStreamEndCapture, stream, &graph);
  return failed ? failed : ended;
}

Error Graph::capture(const Stream &stream, const std::function<Error()> &body,
                     Graph &result) {
  const std::shared_ptr<const Context> &context = stream.shared->context;
  const Driver &driver = context->driver;
  CUgraph graph = nullptr;
  auto instantiate = [&](CUgraphExec *exec) {
    if (Error error = record(driver, stream.handle(), body, graph))
      return error;
    return RLSCAN_CUDA_CALL(driver, cuGraphInstantiateWithFlags, exec, graph,
                            0);
  };
  Error error = make(context, instantiate, result.shared);
  if (graph)
    driver.symbols().cuGraphDestroy(graph);
  return error;
}

Error Graph::launch(const Stream &stream) const {
  const Context &context = *shared->context;
  return RLSCAN_CUDA_CALL_IN(context, cuGraphLaunch, shared->handle,
                             stream.handle());
}
