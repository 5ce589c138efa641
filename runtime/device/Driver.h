//===- Driver.h - A vendor's driver -----------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is done through the driver's library, which is opened when it is
// first asked for: a program that contains this runs where there is no driver.
// The virtual functions are all in which vendors differ.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_DRIVER_H
#define RLSCAN_RUNTIME_DEVICE_DRIVER_H

#include "rlscan/abi.h"
#include "runtime/device/Functions.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace rlscan::device {

/// What went wrong; without a message, nothing did.
struct [[nodiscard]] Error {
  std::string message;
  int code = 0; // the driver's; 0: it is not the driver that says so
  explicit operator bool() const { return !message.empty(); }
};

/// Of calls in a process that was forked off after a driver was opened: none of
/// them reaches it.
constexpr int forked = -1;
/// Of an image that never reaches a driver.
constexpr int damaged = -2;
bool isForked();
Error forkedError();

/// The codes of both vendors that tell what is wrong with an argument from what
/// is wrong with the device.
constexpr int invalidValue = 1, invalidContext = 201;

inline bool isUnknownAddress(const Error &error) {
  return error.code == invalidValue || error.code == invalidContext;
}

/// Whether the driver does not take the image, and may take another.
bool refusesImage(const Error &error);

/// Whether nothing that has to do with the device works any more.
inline bool isLasting(const Error &error) {
  return error.code == 700 || error.code == 702 ||
         (error.code >= 714 && error.code <= 719);
}

struct DeviceProperties {
  std::string name;
  /// Of the chip, as rlscan_image has it.
  int architecture = 0;
  int multiprocessors = 0;
};

/// What a vendor's library is called, and what to do where it is not as needed.
struct LibraryInfo {
  const char *variable;            // of the environment: names another library
  std::vector<const char *> files; // looked for in this order
  const char *install, *update;
};

/// Of memory: nobody told the driver of it; all devices reach it.
constexpr int32_t unknownMemory = -3, memoryOfAll = -4;

class Driver {
public:
  /// The driver of RLSCAN_TARGET_CUDA or RLSCAN_TARGET_HIP. Its library, or the
  /// one that the environment names, is opened the first time; later calls give
  /// the same outcome. May be called from any thread.
  static Error open(int32_t target, const Driver *&driver);

  /// Whether the library is in the process, opened by whomever: there is no
  /// memory of a device before.
  static bool isLoaded(int32_t target);

  /// For what the classes of Objects.h do not offer. No device is made current.
  const Functions &functions() const { return table; }

  /// Calls a function and checks what it returns: "cuMemAlloc failed:
  /// CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  template <typename Signature, typename... Args>
  Error call(const Entry<Signature> &entry, Args... args) const {
    if (isForked())
      return forkedError();
    return check(entry.name, entry.call(args...));
  }
  Error check(const char *name, int result) const;
  /// The same of a function that leaves a handle in `made`: there has to be
  /// one.
  template <typename Signature, typename... Args>
  Error make(void *const &made, const Entry<Signature> &entry,
             Args... args) const {
    if (isForked())
      return forkedError();
    int result = entry.call(args...);
    return checkMade(entry.name, result, made);
  }

  /// What version of its interface the driver has, in the vendor's numbers.
  int version() const { return interfaceVersion; }

  const int32_t target;

  /// A device's number in the driver, and what is made current to use it. Every
  /// context is released once.
  virtual Error retain(int ordinal, int &device, void *&context) const = 0;
  virtual void release(int device) const = 0;
  /// All but the name.
  virtual Error readProperties(int device,
                               DeviceProperties &properties) const = 0;

  /// Makes a context current to the thread and tells which was; that one is put
  /// back with leave() unless it is the same.
  virtual Error enter(void *context, void *&before) const = 0;
  virtual Error leave(void *before) const = 0;

  /// The context of a stream that is not a default one, and the number of a
  /// context's device.
  virtual Error contextOf(void *stream, void *&context) const = 0;
  virtual Error ordinalOf(void *context, int &ordinal) const = 0;

  /// The number of the device that has the memory, unknownMemory or
  /// memoryOfAll.
  virtual Error deviceOf(const void *address, int32_t &device) const = 0;

  /// `image` ends with a 0 byte. The message of a failure ends with what the
  /// driver's compiler says.
  virtual Error load(const char *image, void *&module) const = 0;
  /// Whether a module goes on reading its image once it is loaded.
  virtual bool readsImages() const = 0;

  /// The larger, the better the image is for the device; 0: it does not run.
  virtual int fitness(const rlscan_image &image,
                      const DeviceProperties &device) const = 0;
  /// What is wrong where it runs none of them.
  virtual std::string
  describeMisfit(const std::vector<const rlscan_image *> &images, int ordinal,
                 const DeviceProperties &device) const = 0;

  /// How many workgroups of so many threads a launch takes.
  virtual int64_t mostWorkgroups(int64_t threads) const = 0;

protected:
  Driver(int32_t target, LibraryInfo info)
      : target(target), info(std::move(info)) {}
  ~Driver() = default;

  /// Resolves the functions that only this vendor has.
  virtual void findOwn() = 0;
  /// Takes out what a call that failed has left for whoever asks next on the
  /// thread: who called has been told.
  virtual void forgetError() const {}
  template <typename Signature>
  void find(Entry<Signature> &entry, const char *name) {
    entry.name = name;
    entry.call = reinterpret_cast<Signature *>(findSymbol(name));
  }

private:
  std::string describe(const char *name, int result) const;
  Error checkMade(const char *name, int result, const void *made) const;
  void *openLibrary(int flags, std::string &why) const;
  void *findSymbol(const char *name);
  bool isInProcess();
  Error load();

  const LibraryInfo info;
  Functions table;
  int interfaceVersion = 0;
  void *library = nullptr;
  const char *missing = nullptr; // the first function that is not there
  std::once_flag opened;
  Error outcome;
  /// The loader searches its whole path for what is not there: it is asked
  /// again only after something was loaded.
  std::atomic<bool> isThere{false};
  std::atomic<unsigned long long> loadsThen{0};
};

/// Never destroyed: other objects may still need them while the process ends.
Driver &cudaDriver();
Driver &hipDriver();

/// "cuda", "hip".
const char *nameOf(int32_t target);

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_DRIVER_H
