//===- Driver.cpp - A vendor's driver -------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Driver.h"

#include <algorithm>
#include <cstdlib>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

using namespace rlscan::device;

static Driver &driverOf(int32_t target) {
  return target == RLSCAN_TARGET_HIP ? hipDriver() : cudaDriver();
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

static std::atomic<bool> wasForked{false};

/// What a driver has of threads, memory and locks stays with the process that
/// opened it.
static void watchForks() {
  static std::once_flag watched;
  std::call_once(watched, [] {
    pthread_atfork(nullptr, nullptr, [] { wasForked.store(true); });
  });
}

bool rlscan::device::isForked() {
  return wasForked.load(std::memory_order_relaxed);
}

Error rlscan::device::forkedError() {
  return {"this process was forked off after the driver of a GPU was opened, "
          "which does not survive that: start it anew ('spawn') or fork before "
          "the first call; for arrays of the host set device to "
          "RLSCAN_DEVICE_CPU",
          forked};
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

static const char *toldBy(const char *variable) {
  const char *told = std::getenv(variable);
  return told && *told ? told : nullptr;
}

/// Null where there is none of them; `why` tells of the first.
void *Driver::openLibrary(int flags, std::string &why) const {
  const char *told = toldBy(info.variable);
  std::vector<const char *> files = info.files;
  if (told)
    files = {told};
  for (const char *file : files) {
    if (void *found = dlopen(file, flags))
      return found;
    const char *error = dlerror();
    if (why.empty() && error)
      why = error;
  }
  return nullptr;
}

/// How many libraries the process has ever loaded.
static unsigned long long countLoads() {
  unsigned long long loads = 0;
  auto read = [](dl_phdr_info *info, size_t, void *result) {
    *static_cast<unsigned long long *>(result) = info->dlpi_adds;
    return 1; // any of them knows
  };
  dl_iterate_phdr(read, &loads);
  return loads;
}

bool Driver::isInProcess() {
  if (isThere.load(std::memory_order_acquire))
    return true;
  // Counted before it is looked for: what is loaded meanwhile counts anew.
  unsigned long long loads = countLoads();
  if (loads == loadsThen.load(std::memory_order_acquire))
    return false;
  std::string why;
  bool isFound = openLibrary(RTLD_NOW | RTLD_NOLOAD, why) != nullptr;
  if (isFound) // kept: it stays
    isThere.store(true, std::memory_order_release);
  else
    loadsThen.store(loads, std::memory_order_release);
  return isFound;
}

bool Driver::isLoaded(int32_t target) { return driverOf(target).isInProcess(); }

void *Driver::findSymbol(const char *name) {
  void *found = dlsym(library, name);
  if (!found && !missing)
    missing = name;
  return found;
}

/// The library that others in the process have opened is the one to use, by
/// whichever of its names. It is never closed: drivers have threads and exit
/// handlers of their own.
Error Driver::load() {
  const char *told = toldBy(info.variable);
  std::string file = told ? told : info.files.front(), ignored, why;
  library = openLibrary(RTLD_NOW | RTLD_NOLOAD, ignored);
  if (!library)
    library = openLibrary(RTLD_NOW | RTLD_LOCAL, why);
  if (!library)
    return {file + " cannot be opened (" + why + "); " + info.install};
  bool isCuda = target == RLSCAN_TARGET_CUDA;
#define RLSCAN_DEVICE_FIND(name, cuda, hip, ...)                               \
  find(table.name, isCuda ? #cuda : #hip);
  RLSCAN_DEVICE_FUNCTIONS(RLSCAN_DEVICE_FIND)
#undef RLSCAN_DEVICE_FIND
  findOwn();
  if (missing)
    return {file + " has no " + missing + "; " + info.update};
  watchForks();
  if (Error error = call(table.initialize, 0))
    return error;
  return call(table.getVersion, &interfaceVersion);
}

Error Driver::open(int32_t target, const Driver *&driver) {
  Driver &wanted = driverOf(target);
  std::call_once(wanted.opened, [&] { wanted.outcome = wanted.load(); });
  driver = wanted.outcome ? nullptr : &wanted;
  return wanted.outcome;
}

bool rlscan::device::refusesImage(const Error &error) {
  // Invalid image, no binary for the device, invalid PTX, no compiler for it,
  // unsupported version of it; no memory is none of them.
  constexpr int codes[] = {200, 209, 218, 221, 222, 223};
  return std::find(std::begin(codes), std::end(codes), error.code) !=
         std::end(codes);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

const char *rlscan::device::nameOf(int32_t target) {
  return target == RLSCAN_TARGET_HIP ? "hip" : "cuda";
}

/// A function's documented name: without the version of its binary interface.
static std::string documentedName(const char *call) {
  std::string name = call;
  size_t suffix = name.rfind("_v");
  return suffix == std::string::npos ? name : name.substr(0, suffix);
}

std::string Driver::describe(const char *call, int result) const {
  const char *name = nullptr, *text = nullptr;
  if (table.getErrorName.call(result, &name) != success || !name)
    return documentedName(call) + " failed: error " + std::to_string(result);
  std::string message = documentedName(call) + " failed: " + name;
  if (table.getErrorText.call(result, &text) == success && text)
    message += std::string(" (") + text + ")";
  return message;
}

Error Driver::check(const char *call, int result) const {
  if (result == success)
    return {};
  std::string message = describe(call, result);
  forgetError();
  return {message, result};
}

Error Driver::checkMade(const char *call, int result, const void *made) const {
  if (result != success || made)
    return check(call, result);
  return {documentedName(call) + " failed: no error, and a null handle; " +
          info.update};
}
