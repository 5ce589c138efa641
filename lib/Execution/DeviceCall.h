//===- DeviceCall.h - The arrays of a call on a GPU -------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_DEVICECALL_H
#define RLSCAN_EXECUTION_DEVICECALL_H

#include "Execution/CallArrays.h"
#include "Execution/DeviceKernel.h"

namespace rlscan {

/// A copy of a call's arrays in the memory of a device, with the same strides
/// and the same alignment.
class DeviceCall {
public:
  /// Copies the inputs, and what stands in the results' memory.
  static llvm::Expected<DeviceCall> make(const Call &call,
                                         const DeviceKernel &kernel,
                                         const device::Device &device,
                                         const device::Stream &stream);

  llvm::Error launch(const DeviceKernel &kernel,
                     const device::Stream &stream) const;
  /// Copies the results' memory back, once the stream has come to it.
  llvm::Error fetch(const Call &call, const device::Stream &stream) const;

private:
  struct Array {
    device::Buffer buffer;
    int64_t first = 0, bytes = 0; // of the tensor, from its data pointer
    size_t offset = 0;            // of these in the buffer
    DeviceArgument argument = {};
  };

  static llvm::Expected<Array> allocate(const Call &call, const Tensor &tensor,
                                        const device::Device &device);

  int64_t rows = 0, steps = 0;
  llvm::StringMap<Array> arrays;
  std::vector<DeviceArgument> arguments;
  std::vector<int64_t> axisSizes;
  device::Buffer workspace;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_DEVICECALL_H
