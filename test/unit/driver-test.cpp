//===- driver-test.cpp - The runtime over a driver that fails -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: driver-test cuda|hip open|all|errors|threads|sweep
// RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the library; all but the first
// want the fake one.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaSymbols.h"
#include "runtime/device/Objects.h"
#include "runtime/hip/HipSymbols.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace rlscan::device;

/// Runs an expression that gives an Error, and returns if there is one.
#define TRY(expression)                                                        \
  do {                                                                         \
    if (Error error = (expression))                                            \
      return error;                                                            \
  } while (0)

static const char kernelText[] = "kernel";
static int32_t target; // whose driver

/// What the fake driver counts.
template <typename... Args>
static int fake(const char *function, Args... args) {
  const char *variable =
      target == RLSCAN_TARGET_HIP ? "RLSCAN_HIP_DRIVER" : "RLSCAN_CUDA_DRIVER";
  static void *library = dlopen(std::getenv(variable), RTLD_NOW | RTLD_LOCAL);
  auto *found =
      library ? reinterpret_cast<int (*)(Args...)>(dlsym(library, function))
              : nullptr;
  return found ? found(args...) : -1;
}

static void print(const Error &error) {
  std::printf("%s\n", error ? error.message.c_str() : "success");
}

//===----------------------------------------------------------------------===//
// Everything once
//===----------------------------------------------------------------------===//

static Error useDevice(const Device &device) {
  const DeviceProperties &properties = device.properties();
  std::printf("%s: %d, in hexadecimal %x, %d multiprocessors\n",
              properties.name.c_str(), properties.architecture,
              properties.architecture, properties.multiprocessors);
  return device.synchronize();
}

static Error useFunction(const Function &function) {
  FunctionResources resources;
  TRY(function.resources(resources));
  std::printf("%d registers, %d local, %d shared, %d threads\n",
              resources.registers, resources.localBytes,
              resources.staticSharedBytes, resources.maxThreadsPerBlock);
  int blocks = 0;
  TRY(function.occupancy(256, 65536, blocks));
  std::printf("%d blocks\n", blocks);
  return {};
}

static Error useBuffer(const Device &device, const Stream &stream) {
  Buffer none, buffer;
  TRY(Buffer::allocate(device, 0, none));
  TRY(none.fill(1, stream));
  TRY(none.copyFromHost(nullptr, 0, stream));
  TRY(Buffer::allocate(device, 6, buffer));
  TRY(buffer.fill('.', stream));
  TRY(buffer.copyFromHost("ab", 2, stream, 3));
  char text[7] = "";
  TRY(buffer.copyToHost(text, 6, stream));
  char piece[2] = "";
  TRY(buffer.copyToHost(piece, 1, stream, 4));
  std::printf("%s %s\n", text, piece);
  return {};
}

static Error useGraph(const Device &device, const Function &function,
                      const Stream &stream) {
  Event begin, end;
  TRY(Event::create(device, begin));
  TRY(Event::create(device, end));
  int argument = 0;
  void *params[] = {&argument};
  Graph graph;
  TRY(Graph::capture(
      stream,
      [&]() -> Error {
        TRY(launch(function, 3, 128, 0, stream, params));
        TRY(launch(function, 0, 128, 0, stream, params));
        return launch(function, 67108863, 64, 16, stream, params);
      },
      graph));
  TRY(begin.record(stream));
  TRY(graph.launch(stream));
  TRY(launch(function, 1, 32, 0, stream, params));
  TRY(end.record(stream));
  TRY(end.synchronize());
  double seconds = 0.0;
  TRY(Event::elapsed(begin, end, seconds));
  std::printf("%.1f us\n", seconds * 1e6);
  return stream.synchronize();
}

/// On the last device: it is not the one that is current by itself.
static Error useAll() {
  const char *devices = std::getenv("FAKE_DEVICES");
  Device device;
  TRY(Device::open(target, devices ? std::atoi(devices) - 1 : 0, device));
  TRY(useDevice(device));
  Stream stream;
  TRY(Stream::create(device, stream));
  Function function;
  {
    Module module;
    TRY(Module::load(device, kernelText, module));
    TRY(Function::get(module, "kernel", function));
  }
  TRY(useFunction(function));
  TRY(useBuffer(device, stream));
  return useGraph(device, function, stream);
}

static void printCounts() {
  std::printf("%d left, %d misuses\n", fake("fakeLive"), fake("fakeMisuses"));
}

//===----------------------------------------------------------------------===//
// What is wrong without a call that fails by itself
//===----------------------------------------------------------------------===//

static Error useWrongly() {
  Device device, other;
  TRY(Device::open(target, 0, device));
  print(Device::open(target, 1, other));
  print(Device::open(target, -1, other));
  Module module;
  print(Module::load(device, "bad text", module));
  TRY(Module::load(device, kernelText, module));
  Function function;
  print(Function::get(module, "missing", function));
  TRY(Function::get(module, "kernel", function));
  Stream stream;
  TRY(Stream::create(device, stream));
  print(launch(function, 2147483648, 32, 0, stream, nullptr));
  print(launch(function, -1, 32, 0, stream, nullptr));
  Buffer buffer;
  TRY(Buffer::allocate(device, 4, buffer));
  char bytes[8] = "";
  print(buffer.copyFromHost(bytes, 5, stream));
  print(buffer.copyToHost(bytes, 2, stream, 3));
  print(buffer.copyToHost(bytes, SIZE_MAX, stream, 2));
  Graph graph;
  print(Graph::capture(
      stream, [&]() -> Error { return stream.synchronize(); }, graph));
  // The stream is of use again.
  print(Graph::capture(stream, [&]() -> Error { return {}; }, graph));
  print(device.driver().check("cuTest", 12345));
  return {};
}

//===----------------------------------------------------------------------===//
// Every call fails
//===----------------------------------------------------------------------===//

namespace {
enum Outcome { Named = 0, Unnamed = 1, Left = 2, Misused = 4, Done = 8 };
} // namespace

/// Whoever destroys is not told, nor who is asked for what is current.
static bool isSilent(const std::string &name) {
  const char *const silent[] = {"Destroy",     "Unload", "Free",
                                "Release",     "Ctx",    "hipGetDevice",
                                "hipSetDevice"};
  for (const char *word : silent)
    if (name.find(word) != std::string::npos)
      return true;
  return false;
}

/// Has the N-th call of the function fail.
static int failCall(const std::string &name, int which) {
  setenv("FAKE_FAIL", (name + ":400:" + std::to_string(which)).c_str(), 1);
  // Only the message is of interest.
  FILE *standardOutput = fdopen(dup(1), "w");
  if (!std::freopen("/dev/null", "w", stdout))
    return Unnamed;
  Error error = useAll();
  if (fake("fakeCalls", name.c_str()) < which)
    return Done;
  if (which == 1)
    std::fprintf(standardOutput, "%s: %s\n", name.c_str(),
                 error ? error.message.c_str() : "success");
  std::fflush(standardOutput);
  std::string documented = name.substr(0, name.rfind("_v"));
  bool isHip = target == RLSCAN_TARGET_HIP;
  std::string failed = isHip ? " failed: hipError" : " failed: CUDA_ERROR_";
  bool named = error.message.rfind(documented + failed, 0) == 0;
  bool silent = !error && isSilent(name);
  int outcome = named || silent ? Named : Unnamed;
  // What cannot be put back is left as it is.
  if (fake("fakeLive") != 0 && name != "hipSetDevice")
    outcome |= Left;
  // Without a context, destroying is still tried.
  bool isEntering = name == "cuCtxPushCurrent_v2" || name == "hipSetDevice";
  if (fake("fakeMisuses") != 0 && !isEntering)
    outcome |= Misused;
  return outcome;
}

static int failCalls(const char *name) {
  int count = 0, bad = 0;
  for (;; ++count) {
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0)
      _exit(failCall(name, count + 1));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
      return 1;
    if (WEXITSTATUS(status) == Done)
      break;
    if (WEXITSTATUS(status) != Named) {
      std::printf("%s, call %d: outcome %d\n", name, count + 1,
                  WEXITSTATUS(status));
      ++bad;
    }
  }
  if (count == 0)
    std::printf("%s: not called\n", name);
  return bad;
}

static int sweep() {
  int bad = 0;
  bool isHip = target == RLSCAN_TARGET_HIP;
#define FAIL_COMMON(name, cuda, hip, ...)                                      \
  bad += failCalls(isHip ? #hip : #cuda);
#define FAIL_OWN(name, ...) bad += failCalls(#name);
  RLSCAN_DEVICE_FUNCTIONS(FAIL_COMMON)
  if (isHip) {
    RLSCAN_HIP_SYMBOLS(FAIL_OWN)
  } else {
    RLSCAN_CUDA_SYMBOLS(FAIL_OWN)
  }
#undef FAIL_COMMON
#undef FAIL_OWN
  std::printf("%d bad outcomes\n", bad);
  return bad != 0;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

static int openDriver() {
  const Driver *driver = nullptr;
  Error error = Driver::open(target, driver);
  print(error);
  if (driver)
    std::printf("version %d\n", driver->version());
  const Driver *again = nullptr;
  bool same =
      Driver::open(target, again).message == error.message && again == driver;
  return same ? 0 : 1;
}

static int openOnThreads() {
  std::vector<const Driver *> drivers(16, nullptr);
  std::vector<std::thread> threads;
  for (const Driver *&driver : drivers)
    threads.emplace_back([&driver] { (void)Driver::open(target, driver); });
  for (std::thread &thread : threads)
    thread.join();
  for (const Driver *driver : drivers)
    if (!driver || driver != drivers.front())
      return 1;
  std::printf(
      "opened %d times\n",
      fake("fakeCalls", target == RLSCAN_TARGET_HIP ? "hipInit" : "cuInit"));
  return 0;
}

int main(int argc, char **argv) {
  std::string vendor = argc == 3 ? argv[1] : "";
  std::string command = argc == 3 ? argv[2] : "";
  target = vendor == "hip" ? RLSCAN_TARGET_HIP : RLSCAN_TARGET_CUDA;
  if (command == "open")
    return openDriver();
  if (command == "threads")
    return openOnThreads();
  if (command == "sweep")
    return sweep();
  if (command != "all" && command != "errors") {
    std::fprintf(stderr, "usage: %s cuda|hip open|all|errors|threads|sweep\n",
                 argv[0]);
    return 2;
  }
  print(command == "all" ? useAll() : useWrongly());
  printCounts();
  return 0;
}
