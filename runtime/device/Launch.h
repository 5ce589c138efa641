//===- Launch.h - A call on a GPU -------------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_LAUNCH_H
#define RLSCAN_RUNTIME_DEVICE_LAUNCH_H

#include "runtime/core/Call.h"
#include "runtime/device/Objects.h"

namespace rlscan::device {

/// Loads every variant that the GPU runs.
rlscan_status prepareAll(const rlscan_estimator &estimator,
                         const Device &device);
/// Loads the variant that the call needs.
rlscan_status prepareFor(const runtime::Call &call, const Device &device);

/// Queues the call on the stream.
rlscan_status launchOnDevice(const runtime::Call &call, const Device &device,
                             void *stream);

/// Queues what a struct of these bytes launched before, in `status` whether it
/// could. False where it did not: then nothing is done.
bool launchAgain(const rlscan_estimator &estimator, const void *args,
                 void *stream, rlscan_status &status);

/// The kernel that suits the call best, and its workspace.
rlscan_status chooseOnDevice(const runtime::Call &call, const Device &device,
                             rlscan_choice &choice);

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_LAUNCH_H
