//===- DeviceCall.cpp - The arrays of a call on a GPU ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceCall.h"

#include <cstring>

using namespace rlscan;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// What is known of a call
//===----------------------------------------------------------------------===//

/// Whether accesses of `access` elements along dimension `dim` are aligned
/// wherever they start at a multiple of it.
static bool allowsAccess(const Tensor &tensor, int64_t dim, unsigned access) {
  if (tensor.rank() != 2 || tensor.strides[dim] != 1)
    return true;
  int64_t other = 1 - dim;
  auto address = reinterpret_cast<uintptr_t>(tensor.data);
  bool isAligned = address % (access * byteWidth(tensor.dtype)) == 0;
  return isAligned &&
         (tensor.sizes[other] < 2 || tensor.strides[other] % access == 0);
}

static unsigned largestAccess(const Call &call, int64_t dim, unsigned most) {
  int64_t size = dim == 0 ? call.rows : call.steps;
  auto fits = [&](unsigned access) {
    if (size % access != 0)
      return false;
    for (const auto *tensors : {&call.inputs, &call.results})
      for (const auto &[name, tensor] : *tensors)
        if (!allowsAccess(tensor, dim, access))
          return false;
    return true;
  };
  unsigned access = most;
  while (access > 1 && !fits(access))
    access /= 2;
  return access;
}

unsigned rlscan::accessOf(const Call &call) {
  return largestAccess(call, /*dim=*/1, 16);
}

unsigned rlscan::rowAccessOf(const Call &call) {
  return largestAccess(call, /*dim=*/0, 8);
}

DeviceKernelOptions rlscan::optionsFor(const Call &call) {
  DeviceKernelOptions options;
  options.rows = call.rows;
  options.steps = call.steps;
  options.access = accessOf(call);
  for (const auto &entry : call.axisSizes)
    options.axis = std::max(options.axis, entry.second);
  return options;
}

static int64_t
bytesOf(const std::vector<std::pair<std::string, Tensor>> &list) {
  int64_t bytes = 0;
  for (const auto &[name, tensor] : list)
    if (tensor.rank() > 0)
      bytes += tensor.numElements() * byteWidth(tensor.dtype);
  return bytes;
}

int64_t rlscan::bytesRead(const Call &call) { return bytesOf(call.inputs); }
int64_t rlscan::bytesWritten(const Call &call) { return bytesOf(call.results); }

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The bytes that a tensor's elements lie in, from its data pointer.
static std::pair<int64_t, int64_t> extent(const Tensor &tensor) {
  int64_t low = 0, high = 0, width = byteWidth(tensor.dtype);
  if (tensor.numElements() == 0)
    return {0, 0};
  for (int64_t dim = 0; dim < tensor.rank(); ++dim) {
    int64_t reach = (tensor.sizes[dim] - 1) * tensor.strides[dim] * width;
    (reach < 0 ? low : high) += reach;
  }
  return {low, high - low + width};
}

static DeviceArgument number(const Tensor &tensor) {
  DeviceArgument argument = {};
  std::memcpy(&argument.address, tensor.data, byteWidth(tensor.dtype));
  return argument;
}

/// The copy starts as far from an aligned address as the tensor does.
Expected<DeviceCall::Array> DeviceCall::allocate(const Tensor &tensor,
                                                 const cuda::Device &device) {
  constexpr size_t alignment = 256;
  Array array;
  std::tie(array.first, array.bytes) = extent(tensor);
  auto start = reinterpret_cast<uintptr_t>(tensor.data) + array.first;
  array.offset = start % alignment;
  if (Error error = toError(cuda::Buffer::allocate(
          device, array.bytes + array.offset, array.buffer)))
    return error;
  auto stride = [&](int64_t dim) {
    return dim < tensor.rank() ? tensor.strides[dim] : 0;
  };
  array.argument = {array.buffer.address() + array.offset - array.first,
                    stride(0), stride(1), stride(2)};
  return array;
}

/// What the schedule takes for granted about the arrays.
static Error checkPromises(const Call &call, ScheduleAttr schedule) {
  auto refuse = [&](unsigned moved, StringRef what, unsigned allowed) {
    return llvm::createStringError(
        "schedule " + schedule.getSuffix() + " moves " + llvm::Twine(moved) +
        " " + what +
        " at a time, but sizes, strides and addresses of the "
        "call's arrays allow " +
        llvm::Twine(allowed));
  };
  if (schedule.getAccess() > accessOf(call))
    return refuse(schedule.getAccess(), "steps", accessOf(call));
  if (schedule.getRowsPerThread() > rowAccessOf(call))
    return refuse(schedule.getRowsPerThread(), "rows", rowAccessOf(call));
  return Error::success();
}

Expected<DeviceCall> DeviceCall::make(const Call &call,
                                      const DeviceKernel &kernel,
                                      const cuda::Device &device,
                                      const cuda::Stream &stream) {
  if (Error error = checkPromises(call, kernel.schedule()))
    return error;
  DeviceCall made;
  made.rows = call.rows;
  made.steps = call.steps;
  llvm::StringMap<DeviceArgument> byName;
  for (const auto *list : {&call.inputs, &call.results}) {
    for (const auto &[name, tensor] : *list) {
      if (tensor.rank() == 0) {
        byName[name] = number(tensor);
        continue;
      }
      Expected<Array> array = allocate(tensor, device);
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
  if (Error error = toError(cuda::Buffer::allocate(
          device, kernel.workspaceBytes(call.rows, call.steps),
          made.workspace)))
    return error;
  if (made.workspace.size() > 0)
    if (Error error = toError(made.workspace.fill(0, stream)))
      return error;
  return made;
}

Error DeviceCall::launch(const DeviceKernel &kernel,
                         const cuda::Stream &stream) const {
  return kernel.launch(arguments, axisSizes, rows, steps, workspace.address(),
                       stream);
}

Error DeviceCall::fetch(const Call &call, const cuda::Stream &stream) const {
  for (const auto &[name, tensor] : call.results) {
    const Array &array = arrays.find(name)->second;
    if (Error error = toError(array.buffer.copyToHost(
            tensor.data + array.first, array.bytes, stream, array.offset)))
      return error;
  }
  return Error::success();
}
