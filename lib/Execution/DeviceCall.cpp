//===- DeviceCall.cpp - The arrays of a call on a GPU ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceCall.h"

using namespace rlscan;
using llvm::Error;
using llvm::Expected;

/// The copy starts as far from an aligned address as the tensor does.
Expected<DeviceCall::Array> DeviceCall::allocate(const Call &call,
                                                 const Tensor &tensor,
                                                 const device::Device &device) {
  constexpr size_t alignment = 256;
  Array array;
  std::tie(array.first, array.bytes) = extentOf(tensor);
  auto start = reinterpret_cast<uintptr_t>(tensor.data) + array.first;
  array.offset = start % alignment;
  if (Error error = toError(device::Buffer::allocate(
          device, array.bytes + array.offset, array.buffer)))
    return error;
  array.argument = argumentFor(
      call, tensor, array.buffer.address() + array.offset - array.first);
  return array;
}

Expected<DeviceCall> DeviceCall::make(const Call &call,
                                      const DeviceKernel &kernel,
                                      const device::Device &device,
                                      const device::Stream &stream) {
  if (Error error = checkPromises(call, kernel.schedule()))
    return error;
  DeviceCall made;
  made.rows = call.rows;
  made.steps = call.steps;
  llvm::StringMap<DeviceArgument> byName;
  for (const auto *list : {&call.inputs, &call.results}) {
    for (const auto &[name, tensor] : *list) {
      if (tensor.rank() == 0) {
        byName[name] = numberOf(tensor);
        continue;
      }
      Expected<Array> array = allocate(call, tensor, device);
      if (!array)
        return array.takeError();
      byName[name] = array->argument;
      if (Error error = toError(array->buffer.copyFromHost(
              tensor.data + array->first, array->bytes, stream, array->offset)))
        return error;
      made.arrays[name] = std::move(*array);
    }
  }
  for (const std::string &name : kernel.arguments())
    made.arguments.push_back(byName.lookup(name));
  for (const std::string &axis : kernel.axes())
    made.axisSizes.push_back(call.axisSizes.lookup(axis));
  if (Error error = toError(device::Buffer::allocate(
          device, kernel.workspaceBytes(call.rows, call.steps),
          made.workspace)))
    return error;
  if (made.workspace.size() > 0)
    if (Error error = toError(made.workspace.fill(0, stream)))
      return error;
  return made;
}

Error DeviceCall::launch(const DeviceKernel &kernel,
                         const device::Stream &stream) const {
  return kernel.launch(arguments, axisSizes, rows, steps, workspace.address(),
                       stream);
}

Error DeviceCall::fetch(const Call &call, const device::Stream &stream) const {
  for (const auto &[name, tensor] : call.results) {
    const Array &array = arrays.find(name)->second;
    if (Error error = toError(array.buffer.copyToHost(
            tensor.data + array.first, array.bytes, stream, array.offset)))
      return error;
  }
  return Error::success();
}
