//===- Context.h - Contexts and who owns what in them -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_CONTEXT_H
#define RLSCAN_RUNTIME_DEVICE_CONTEXT_H

#include "runtime/device/Driver.h"

#include <atomic>
#include <memory>
#include <utility>

namespace rlscan::device {

/// A device and what is made current to use it, retained.
class Context {
public:
  Context(const Driver &driver, int ordinal)
      : driver(driver), ordinal(ordinal) {}
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() {
    if (handle)
      driver.release(device);
  }

  Error retain() { return driver.retain(ordinal, device, handle); }
  Error readProperties() {
    char name[256] = "";
    if (Error error = driver.call(driver.functions().getDeviceName, name,
                                  int(sizeof name) - 1, device))
      return error;
    properties.name = name;
    return driver.readProperties(device, properties);
  }

  Error enter(void *&before) const {
    return note(driver.enter(handle, before));
  }
  Error leave(void *before) const {
    return before == handle ? Error() : note(driver.leave(before));
  }

  /// What `run` returns, which is run with the context current. What was
  /// current is put back even if it throws.
  template <typename Run> Error with(Run run) const {
    Entered entered = {*this};
    if (Error error = enter(entered.before))
      return error;
    entered.isInside = true;
    Error error = note(run());
    entered.isInside = false;
    Error after = leave(entered.before);
    return error ? error : after;
  }

  /// Calls a function of the driver with the context current.
  template <typename Signature, typename... Args>
  Error call(const Entry<Signature> &entry, Args... args) const {
    return with([&] { return driver.call(entry, args...); });
  }

  void *native() const { return handle; }

  /// After an error that lasts nothing is called in vain.
  bool isLost() const { return lost.load(std::memory_order_relaxed); }
  Error note(Error error) const {
    if (isLasting(error))
      lost.store(true, std::memory_order_relaxed);
    return error;
  }

  const Driver &driver;
  const int ordinal;
  DeviceProperties properties;

private:
  struct Entered {
    const Context &context;
    void *before = nullptr;
    bool isInside = false;
    ~Entered() {
      if (isInside)
        (void)context.leave(before);
    }
  };

  int device = 0;
  void *handle = nullptr;
  mutable std::atomic<bool> lost{false};
};

/// One object of the driver and the context that it is of.
class Owned {
public:
  using Destroy = Entry<int(void *)> Functions::*;

  Owned(std::shared_ptr<const Context> context, Destroy destroy)
      : context(std::move(context)), destroy(destroy) {}
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() {
    void *before = nullptr;
    bool isCurrent = handle && !context->isLost() && !context->enter(before);
    if (!handle || context->isLost())
      return;
    // Tried in any case: most handles know their context.
    (void)context->note(
        context->driver.call(context->driver.functions().*destroy, handle));
    if (isCurrent)
      (void)context->leave(before);
  }

  /// Takes over the handle that `create(&handle)` makes. `kept` is what the
  /// driver reads as long as the object is there.
  template <typename Create>
  static Error make(const std::shared_ptr<const Context> &context,
                    Destroy destroy, Create create,
                    std::shared_ptr<const Owned> &result,
                    std::shared_ptr<const std::string> kept = nullptr) {
    auto owned = std::make_shared<Owned>(context, destroy);
    owned->kept = std::move(kept);
    Error error = context->with([&]() -> Error {
      void *handle = nullptr;
      if (Error error = create(&handle))
        return error;
      owned->handle = handle;
      return {};
    });
    if (!error)
      result = std::move(owned);
    return error;
  }

  const std::shared_ptr<const Context> context;
  void *handle = nullptr;

private:
  const Destroy destroy;
  std::shared_ptr<const std::string> kept;
};

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_CONTEXT_H
