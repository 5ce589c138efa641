//===- Devices.h - The GPUs that calls run on -------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_DEVICES_H
#define RLSCAN_RUNTIME_DEVICE_DEVICES_H

#include "runtime/core/Call.h"
#include "runtime/device/Objects.h"

namespace rlscan::device {

/// Of a vendor; and of all of them, who have a slot each in tables of devices.
constexpr int maxDevices = 64, numSlots = 2 * maxDevices;
int slotOf(const Device &device);

/// The status for what a driver says. The text is kept, with what to do where
/// that is known.
rlscan_status failed(const Error &error);
rlscan_status failed(const char *subject, const Error &error);

/// GPU `ordinal` of a vendor, kept open from the first time on. It is never
/// closed: that would call the driver while the process ends.
rlscan_status openDevice(int32_t target, int32_t ordinal,
                         const Device *&device);

/// Whose GPUs an estimator is for: RLSCAN_TARGET_CUDA or RLSCAN_TARGET_HIP. Of
/// one with code for both it is the vendor whose driver knows the memory of the
/// call (which may be null), else the one whose driver the process has opened,
/// else the one whose driver can be opened.
rlscan_status findVendor(const rlscan_estimator &estimator,
                         const runtime::Call *call, int32_t &target);

/// The GPU of the stream.
rlscan_status deviceOfStream(int32_t target, void *stream,
                             const Device *&device);

/// The streams that name no device of their own: the default one, by its
/// numbers of old and of a thread.
bool isDefaultStream(const void *stream);

/// The GPU whose memory the first array of the call is in; null: none that the
/// estimator has code for.
rlscan_status deviceOfMemory(const runtime::Call &call, const Device *&device);

/// Whether every array of the call is in memory that the GPU reaches.
rlscan_status checkMemory(const runtime::Call &call, const Device &device);

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_DEVICES_H
