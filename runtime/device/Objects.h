//===- Objects.h - Devices, memory and kernels ------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Device, Module, Buffer... is a small value. Its copies are the same object
// of the driver, which is destroyed with the last of them; a value keeps alive
// what it needs, as a Function its Module. Default-constructed it is empty, and
// then only to be assigned to. Every call makes the right device current by
// itself and leaves the caller's as it was. Nothing is printed; a failure to
// destroy is not reported, because it tells of earlier work.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_OBJECTS_H
#define RLSCAN_RUNTIME_DEVICE_OBJECTS_H

#include "runtime/device/Driver.h"

#include <functional>
#include <memory>

namespace rlscan::device {

class Context;
class Owned;

/// A GPU; keeps its context, which it shares with other libraries.
class Device {
public:
  /// GPU `ordinal` of the driver of RLSCAN_TARGET_CUDA or RLSCAN_TARGET_HIP.
  static Error open(int32_t target, int ordinal, Device &result);

  int ordinal() const;
  const DeviceProperties &properties() const;
  const Driver &driver() const;

  /// Waits for all work in the context, whoever queued it.
  Error synchronize() const;

  const std::shared_ptr<const Context> &context() const { return shared; }

private:
  std::shared_ptr<const Context> shared;
};

/// Code on a device.
class Module {
public:
  /// `image` is PTX text, or the bytes of a cubin or a code object. The message
  /// of a failure ends with what the driver's compiler says.
  static Error load(const Device &device, std::string image, Module &result);

private:
  friend class Function;
  std::shared_ptr<const Owned> shared;
};

/// What a kernel takes, as the driver compiled it.
struct FunctionResources {
  int registers = 0;         // a thread
  int localBytes = 0;        // a thread: spills and local arrays
  int staticSharedBytes = 0; // a block
  int maxThreadsPerBlock = 0;
};

/// A kernel of a module.
class Function {
public:
  static Error get(const Module &module, const std::string &name,
                   Function &result);

  Error resources(FunctionResources &result) const;
  /// How many blocks fit one multiprocessor at a time.
  Error occupancy(int blockThreads, size_t dynamicSharedBytes,
                  int &blocks) const;

  void *handle() const { return function; }
  const std::shared_ptr<const Owned> &module() const { return owner; }

private:
  std::shared_ptr<const Owned> owner;
  void *function = nullptr;
};

/// A queue of work, on its own: it does not wait for the default stream.
class Stream {
public:
  static Error create(const Device &device, Stream &result);
  Error synchronize() const;
  void *handle() const;

private:
  friend class Graph;
  std::shared_ptr<const Owned> shared;
};

/// Queues `grid` blocks (1-d) of `block` threads; no blocks are no work.
/// `params` points at the arguments, which are copied.
Error launch(const Function &function, int64_t grid, unsigned block,
             unsigned sharedBytes, const Stream &stream, void **params);

/// Memory of a device. None is allocated for no bytes.
class Buffer {
public:
  static Error allocate(const Device &device, size_t bytes, Buffer &result);

  uint64_t address() const;
  size_t size() const { return bytes; }

  /// Queues a write of `value` to every byte.
  Error fill(uint8_t value, const Stream &stream) const;
  /// Copies in the order of the stream, and waits for it.
  Error copyFromHost(const void *source, size_t count, const Stream &stream,
                     size_t offset = 0) const;
  Error copyToHost(void *target, size_t count, const Stream &stream,
                   size_t offset = 0) const;

private:
  Error checkRange(size_t count, size_t offset) const;
  void *at(size_t offset) const;

  std::shared_ptr<const Owned> shared;
  size_t bytes = 0;
};

/// A mark in a stream, with the time when the device came to it.
class Event {
public:
  static Error create(const Device &device, Event &result);
  Error record(const Stream &stream) const;
  Error synchronize() const;
  /// Both events have to be over.
  static Error elapsed(const Event &begin, const Event &end, double &seconds);

private:
  std::shared_ptr<const Owned> shared;
};

/// Work that is queued as a whole.
class Graph {
public:
  /// What `body` queues on `stream` becomes the graph instead of being run;
  /// other threads and streams are not concerned. `body` must not wait for the
  /// stream. Functions and buffers that it uses have to outlive the graph.
  static Error capture(const Stream &stream, const std::function<Error()> &body,
                       Graph &result);
  Error launch(const Stream &stream) const;

private:
  std::shared_ptr<const Owned> shared;
};

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_OBJECTS_H
