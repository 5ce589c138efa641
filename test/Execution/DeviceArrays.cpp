//===- DeviceArrays.cpp - A call's arrays with their guards ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceArrays.h"

#include "Execution/CallArrays.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace rlscan;
using namespace rlscan::test;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Host memory
//===----------------------------------------------------------------------===//

namespace {
/// The bytes from the first to the last element in memory.
struct Extent {
  explicit Extent(const Tensor &tensor);
  char *begin;
  int64_t bytes;
};
} // namespace

Extent::Extent(const Tensor &tensor) : begin(tensor.data), bytes(0) {
  if (tensor.numElements() == 0)
    return;
  int64_t width = byteWidth(tensor.dtype);
  bytes = width;
  for (auto [size, stride] : llvm::zip_equal(tensor.sizes, tensor.strides)) {
    int64_t reach = (size - 1) * stride * width;
    bytes += std::abs(reach);
    begin += std::min<int64_t>(reach, 0);
  }
}

static bool contains(const std::vector<char> &storage, const Extent &extent) {
  const char *begin = storage.data(), *end = begin + storage.size();
  return begin <= extent.begin && extent.begin + extent.bytes <= end;
}

Region::Region(const Tensor &tensor) {
  Extent extent(tensor);
  begin = extent.begin;
  bytes = extent.bytes;
  if (tensor.storage && contains(*tensor.storage, extent)) {
    begin = tensor.storage->data();
    bytes = tensor.storage->size();
    pieces.push_back({0, bytes});
  } else if (bytes > 0) {
    addPieces(tensor);
  }
}

/// Cuts where the stride is longest while there would be much between.
void Region::addPieces(const Tensor &tensor) {
  constexpr int64_t largest = 64 << 20;
  Extent extent(tensor);
  int64_t dense = tensor.numElements() * byteWidth(tensor.dtype);
  if (extent.bytes <= std::max(largest, 4 * dense)) {
    pieces.push_back({extent.begin - begin, extent.bytes});
    return;
  }
  int64_t widest = 0;
  for (int64_t dim = 1; dim < tensor.rank(); ++dim)
    if (std::abs(tensor.strides[dim]) > std::abs(tensor.strides[widest]))
      widest = dim;
  Tensor part = tensor;
  part.sizes[widest] = 1;
  for (int64_t i = 0; i < tensor.sizes[widest]; ++i) {
    addPieces(part);
    part.data += part.strides[widest] * byteWidth(tensor.dtype);
  }
}

std::vector<char> Region::save() const {
  std::vector<char> saved;
  for (const Piece &piece : pieces) {
    const char *from = begin + piece.offset;
    saved.insert(saved.end(), from, from + piece.bytes);
  }
  return saved;
}

void Region::restore(llvm::ArrayRef<char> saved) const {
  for (const Piece &piece : pieces) {
    std::memcpy(begin + piece.offset, saved.data(), piece.bytes);
    saved = saved.drop_front(piece.bytes);
  }
}

SavedResults test::saveResults(const Call &call) {
  SavedResults saved;
  for (const auto &[name, tensor] : call.results)
    saved.push_back(Region(tensor).save());
  return saved;
}

void test::restoreResults(const Call &call, const SavedResults &saved) {
  for (auto [result, bytes] : llvm::zip_equal(call.results, saved))
    Region(result.second).restore(bytes);
}

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

/// The copy is as far from an aligned address as the original.
Expected<DeviceArrays::Array>
DeviceArrays::allocate(const Call &call, const Tensor &tensor,
                       const device::Device &device) {
  constexpr uintptr_t alignment = 256;
  Array array{Region(tensor), device::Buffer()};
  array.shift = reinterpret_cast<uintptr_t>(array.region.begin) % alignment;
  if (Error error = toError(device::Buffer::allocate(
          device, array.region.bytes + array.shift, array.buffer)))
    return error;
  array.argument = argumentFor(call, tensor,
                               array.buffer.address() + array.shift +
                                   (tensor.data - array.region.begin));
  return array;
}

Error DeviceArrays::upload(const Array &array, const device::Stream &stream) {
  for (const Region::Piece &piece : array.region.pieces)
    if (Error error = toError(array.buffer.copyFromHost(
            array.region.begin + piece.offset, piece.bytes, stream,
            array.shift + piece.offset)))
      return error;
  return Error::success();
}

static constexpr char guard = 0x5a;
static constexpr int64_t guardBytes = 256;

/// Zeroed once, with a guard behind it.
Error DeviceArrays::makeWorkspace(int64_t bytes, const device::Device &device,
                                  const device::Stream &stream) {
  workspaceBytes = bytes;
  if (Error error = toError(
          device::Buffer::allocate(device, bytes + guardBytes, workspace)))
    return error;
  if (Error error = toError(workspace.fill(0, stream)))
    return error;
  std::vector<char> guards(guardBytes, guard);
  return toError(
      workspace.copyFromHost(guards.data(), guardBytes, stream, bytes));
}

Expected<bool> DeviceArrays::isGuardIntact(const device::Stream &stream) const {
  std::vector<char> found(guardBytes);
  if (Error error = toError(workspace.copyToHost(found.data(), guardBytes,
                                                 stream, workspaceBytes)))
    return error;
  return llvm::all_of(found, [](char byte) { return byte == guard; });
}

Expected<DeviceArrays> DeviceArrays::make(const Call &call,
                                          const DeviceKernel &kernel,
                                          const device::Device &device,
                                          const device::Stream &stream) {
  DeviceArrays made;
  made.rows = call.rows;
  made.steps = call.steps;
  llvm::StringMap<DeviceArgument> byName;
  for (const auto *list : {&call.inputs, &call.results})
    for (const auto &[name, tensor] : *list) {
      if (tensor.rank() == 0) {
        byName[name] = numberOf(tensor);
        continue;
      }
      Expected<Array> array = allocate(call, tensor, device);
      if (!array)
        return array.takeError();
      array->isResult = list == &call.results;
      if (Error error = upload(*array, stream))
        return error;
      byName[name] = array->argument;
      made.arrays.push_back(std::move(*array));
    }
  for (const std::string &name : kernel.arguments())
    made.arguments.push_back(byName.lookup(name));
  for (const std::string &axis : kernel.axes())
    made.axisSizes.push_back(call.axisSizes.lookup(axis));
  if (Error error = made.makeWorkspace(
          kernel.workspaceBytes(call.rows, call.steps), device, stream))
    return error;
  return made;
}

Error DeviceArrays::launch(const DeviceKernel &kernel,
                           const device::Stream &stream) {
  return kernel.launch(arguments, axisSizes, rows, steps, workspace.address(),
                       stream);
}

Error DeviceArrays::fetchResults(const device::Stream &stream) const {
  for (const Array &array : arrays)
    for (const Region::Piece &piece : array.region.pieces)
      if (array.isResult)
        if (Error error = toError(array.buffer.copyToHost(
                array.region.begin + piece.offset, piece.bytes, stream,
                array.shift + piece.offset)))
          return error;
  return Error::success();
}

Error DeviceArrays::resetResults(const device::Stream &stream) const {
  for (const Array &array : arrays)
    if (array.isResult)
      if (Error error = upload(array, stream))
        return error;
  return Error::success();
}
