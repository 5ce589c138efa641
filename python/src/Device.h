//===- Device.h - What calls on a GPU need beside the runtime ---*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_DEVICE_H
#define RLSCAN_PYTHON_DEVICE_H

#include "Array.h"

#include "runtime/device/Functions.h"

namespace rlscan::python {

/// While it lives, this thread may load code and allocate although a stream is
/// being captured into a graph.
class RelaxedCapture {
public:
  RelaxedCapture();
  ~RelaxedCapture();

private:
  device::CaptureMode mode = device::CaptureMode::Relaxed; // then what it was
};

/// 16 bytes of zeros in memory of the host or of a GPU; null after a failure.
void *zerosOn(int32_t device, Failure &failure);

/// Queues the zeroing of memory of a GPU.
bool zeroOn(int32_t device, void *data, size_t bytes, void *stream,
            Failure &failure);

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_DEVICE_H
