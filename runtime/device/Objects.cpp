//===- Objects.cpp - Devices, memory and kernels --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Objects.h"
#include "runtime/device/Context.h"

#include <utility>

using namespace rlscan::device;

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

Error Device::open(int32_t target, int ordinal, Device &result) {
  const Driver *driver = nullptr;
  if (Error error = Driver::open(target, driver))
    return error;
  int count = 0;
  if (Error error = driver->call(driver->functions().getDeviceCount, &count))
    return error;
  if (ordinal < 0 || ordinal >= count)
    return {"there is no GPU " + std::to_string(ordinal) + ", the driver has " +
            std::to_string(count)};
  auto context = std::make_shared<Context>(*driver, ordinal);
  if (Error error = context->retain())
    return error;
  if (Error error = context->readProperties())
    return error;
  result.shared = std::move(context);
  return {};
}

int Device::ordinal() const { return shared->ordinal; }
const DeviceProperties &Device::properties() const {
  return shared->properties;
}
const Driver &Device::driver() const { return shared->driver; }

Error Device::synchronize() const {
  return shared->call(shared->driver.functions().synchronizeDevice);
}

//===----------------------------------------------------------------------===//
// Module, Function
//===----------------------------------------------------------------------===//

Error Module::load(const Device &device, std::string image, Module &result) {
  const Driver &driver = device.driver();
  auto bytes = std::make_shared<const std::string>(std::move(image));
  auto load = [&](void **module) {
    return driver.load(bytes->c_str(), *module);
  };
  return Owned::make(device.context(), &Functions::unloadModule, load,
                     result.shared, driver.readsImages() ? bytes : nullptr);
}

Error Function::get(const Module &module, const std::string &name,
                    Function &result) {
  const Context &context = *module.shared->context;
  void *function = nullptr;
  auto get = [&] {
    return context.driver.make(function, context.driver.functions().getFunction,
                               &function, module.shared->handle, name.c_str());
  };
  if (Error error = context.with(get))
    return {error.message + ", kernel '" + name + "'", error.code};
  result.owner = module.shared;
  result.function = function;
  return {};
}

Error Function::resources(FunctionResources &result) const {
  const Context &context = *owner->context;
  const std::pair<FunctionAttribute, int *> attributes[] = {
      {FunctionAttribute::NumRegs, &result.registers},
      {FunctionAttribute::LocalSizeBytes, &result.localBytes},
      {FunctionAttribute::SharedSizeBytes, &result.staticSharedBytes},
      {FunctionAttribute::MaxThreadsPerBlock, &result.maxThreadsPerBlock}};
  return context.with([&]() -> Error {
    const Driver &driver = context.driver;
    for (const auto &[attribute, value] : attributes)
      if (Error error = driver.call(driver.functions().getFunctionAttribute,
                                    value, attribute, function))
        return error;
    return {};
  });
}

Error Function::occupancy(int blockThreads, size_t dynamicSharedBytes,
                          int &blocks) const {
  const Context &context = *owner->context;
  return context.call(context.driver.functions().getOccupancy, &blocks,
                      function, blockThreads, dynamicSharedBytes);
}

Error rlscan::device::launch(const Function &function, int64_t grid,
                             unsigned block, unsigned sharedBytes,
                             const Stream &stream, void **params) {
  const Context &context = *function.module()->context;
  int64_t most = context.driver.mostWorkgroups(block);
  if (grid < 0 || grid > most)
    return {"a launch of " + std::to_string(grid) + " blocks, at most " +
            std::to_string(most) + " are taken"};
  if (grid == 0)
    return {};
  return context.call(context.driver.functions().launchKernel,
                      function.handle(), static_cast<unsigned>(grid), 1, 1,
                      block, 1, 1, sharedBytes, stream.handle(), params,
                      nullptr);
}

//===----------------------------------------------------------------------===//
// Stream, Buffer, Event
//===----------------------------------------------------------------------===//

Error Stream::create(const Device &device, Stream &result) {
  const Driver &driver = device.driver();
  auto create = [&](void **stream) {
    return driver.make(*stream, driver.functions().createStream, stream,
                       streamNonBlocking);
  };
  return Owned::make(device.context(), &Functions::destroyStream, create,
                     result.shared);
}

void *Stream::handle() const { return shared->handle; }

Error Stream::synchronize() const {
  const Context &context = *shared->context;
  return context.call(context.driver.functions().synchronizeStream,
                      shared->handle);
}

Error Buffer::allocate(const Device &device, size_t bytes, Buffer &result) {
  const Driver &driver = device.driver();
  Buffer buffer;
  buffer.bytes = bytes;
  auto create = [&](void **address) {
    return driver.make(*address, driver.functions().allocate, address, bytes);
  };
  if (bytes != 0)
    if (Error error = Owned::make(device.context(), &Functions::free, create,
                                  buffer.shared))
      return {error.message + ", " + std::to_string(bytes) + " bytes",
              error.code};
  result = std::move(buffer);
  return {};
}

uint64_t Buffer::address() const {
  return shared ? reinterpret_cast<uint64_t>(shared->handle) : 0;
}

Error Buffer::checkRange(size_t count, size_t offset) const {
  if (offset <= bytes && count <= bytes - offset)
    return {};
  return {"a copy of " + std::to_string(count) + " bytes at offset " +
          std::to_string(offset) + " of a buffer of " + std::to_string(bytes)};
}

void *Buffer::at(size_t offset) const {
  return static_cast<char *>(shared->handle) + offset;
}

Error Buffer::fill(uint8_t value, const Stream &stream) const {
  if (bytes == 0)
    return {};
  const Context &context = *shared->context;
  return context.call(context.driver.functions().fill, shared->handle, value,
                      bytes, stream.handle());
}

Error Buffer::copyFromHost(const void *source, size_t count,
                           const Stream &stream, size_t offset) const {
  if (Error error = checkRange(count, offset))
    return error;
  if (count == 0)
    return {};
  const Context &context = *shared->context;
  if (Error error = context.call(context.driver.functions().copyToDevice,
                                 at(offset), source, count, stream.handle()))
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
  if (Error error = context.call(context.driver.functions().copyToHost, target,
                                 at(offset), count, stream.handle()))
    return error;
  return stream.synchronize();
}

Error Event::create(const Device &device, Event &result) {
  const Driver &driver = device.driver();
  auto create = [&](void **event) {
    return driver.make(*event, driver.functions().createEvent, event,
                       eventDefault);
  };
  return Owned::make(device.context(), &Functions::destroyEvent, create,
                     result.shared);
}

Error Event::record(const Stream &stream) const {
  const Context &context = *shared->context;
  return context.call(context.driver.functions().recordEvent, shared->handle,
                      stream.handle());
}

Error Event::synchronize() const {
  const Context &context = *shared->context;
  return context.call(context.driver.functions().synchronizeEvent,
                      shared->handle);
}

Error Event::elapsed(const Event &begin, const Event &end, double &seconds) {
  const Context &context = *begin.shared->context;
  float milliseconds = 0.0f;
  Error error =
      context.call(context.driver.functions().getElapsedTime, &milliseconds,
                   begin.shared->handle, end.shared->handle);
  seconds = milliseconds * 1e-3;
  return error;
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

/// The graph of what `body` queues; to be destroyed also after an error.
static Error record(const Driver &driver, void *stream,
                    const std::function<Error()> &body, void *&graph) {
  if (Error error = driver.call(driver.functions().beginCapture, stream,
                                CaptureMode::ThreadLocal))
    return error;
  Error failed = body();
  // Ended in any case, or the stream would stay as it is.
  Error ended =
      driver.make(graph, driver.functions().endCapture, stream, &graph);
  return failed ? failed : ended;
}

Error Graph::capture(const Stream &stream, const std::function<Error()> &body,
                     Graph &result) {
  const std::shared_ptr<const Context> &context = stream.shared->context;
  const Driver &driver = context->driver;
  void *graph = nullptr;
  auto instantiate = [&](void **exec) {
    if (Error error = record(driver, stream.handle(), body, graph))
      return error;
    return driver.make(*exec, driver.functions().instantiateGraph, exec, graph,
                       0ull);
  };
  Error error =
      Owned::make(context, &Functions::destroyExec, instantiate, result.shared);
  if (graph)
    (void)driver.call(driver.functions().destroyGraph, graph);
  return error;
}

Error Graph::launch(const Stream &stream) const {
  const Context &context = *shared->context;
  return context.call(context.driver.functions().launchGraph, shared->handle,
                      stream.handle());
}
