//===- CudaDevices.h - The GPUs that calls run on ---------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CUDA_CUDADEVICES_H
#define RLSCAN_RUNTIME_CUDA_CUDADEVICES_H

#include "runtime/core/Call.h"
#include "runtime/cuda/CudaDriver.h"

namespace rlscan::cuda {

/// Keeps the text; the status for what a driver says.
rlscan_status failed(const Error &error);

/// GPU `ordinal`, kept open from the first time on. It is never closed: that
/// would call the driver while the process ends.
rlscan_status openDevice(int32_t ordinal, const Device *&device);

/// The GPU of the stream.
rlscan_status deviceOfStream(void *stream, const Device *&device);

/// The streams that name no context of their own: the default one, by its
/// numbers of old and of a thread.
bool isDefaultStream(const void *stream);

/// The number of the GPU whose memory the first array of the call is in, or
/// RLSCAN_DEVICE_CPU.
int32_t deviceOfMemory(const runtime::Call &call);

/// Whether every array of the call is in memory that the GPU reaches.
rlscan_status checkMemory(const runtime::Call &call, const Device &device);

} // namespace rlscan::cuda

#endif // RLSCAN_RUNTIME_CUDA_CUDADEVICES_H
