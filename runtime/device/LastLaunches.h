//===- LastLaunches.h - What calls of a thread launched ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_LASTLAUNCHES_H
#define RLSCAN_RUNTIME_DEVICE_LASTLAUNCHES_H

#include "runtime/core/DeviceGrid.h"
#include "runtime/device/Modules.h"

namespace rlscan::device {

/// All that a launch takes but the stream.
struct KernelLaunch {
  const Device *device;
  void *function;
  int64_t grid;
  int32_t threads;
  runtime::DeviceArguments arguments;
};

/// A call whose struct has the bytes of one that was checked and launched is
/// right as well and launches the same: a trainer's calls have their arrays
/// where those of the iteration before were. A thread's last ones are kept.
class LastLaunches {
public:
  static LastLaunches &ofThread();

  /// What the struct launched the last time; null where it did not, or the code
  /// was released since.
  KernelLaunch *find(const rlscan_estimator &estimator, const void *args);
  /// For a call that names its GPU: where others run may change.
  void add(const rlscan_estimator &estimator, const void *args, int variant,
           const LoadedVariant &loaded, const KernelLaunch &launch);

private:
  static constexpr size_t most = 1024;
  struct Entry {
    const rlscan_estimator *estimator;
    uint64_t loaded; // its number
    int variant;
    alignas(rlscan_args_head) char args[most];
    KernelLaunch launch;
  };
  static constexpr int bits = 3;

  /// Calls that take turns have their results in other places.
  Entry &entryOf(const rlscan_estimator &estimator, const char *args);

  Entry entries[1 << bits];
};

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_LASTLAUNCHES_H
