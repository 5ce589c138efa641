//===- CallArrays.cpp - The arrays of a call as devices take them ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/CallArrays.h"
#include "RecipeToRecurrence/RowInputs.h"

#include <cstring>

using namespace rlscan;
using llvm::Error;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// What is known of a call
//===----------------------------------------------------------------------===//

/// Whether accesses of `access` steps are aligned wherever they start at a
/// multiple of it.
static bool allowsAccess(const Tensor &tensor, int64_t steps, unsigned access) {
  bool hasExtraStep = tensor.rank() == 2 && tensor.sizes[1] != steps;
  if (tensor.rank() != 2 || tensor.strides[1] != 1 || hasExtraStep)
    return true;
  auto address = reinterpret_cast<uintptr_t>(tensor.data);
  bool isAligned = address % (access * byteWidth(tensor.dtype)) == 0;
  return isAligned && (tensor.sizes[0] < 2 || tensor.strides[0] % access == 0);
}

static bool allTensors(const Call &call,
                       llvm::function_ref<bool(const Tensor &)> fits) {
  auto fitsEntry = [&](const auto &entry) { return fits(entry.second); };
  return llvm::all_of(call.inputs, fitsEntry) &&
         llvm::all_of(call.results, fitsEntry);
}

unsigned rlscan::accessOf(const Call &call) {
  unsigned access = 16;
  auto fits = [&](const Tensor &tensor) {
    return allowsAccess(tensor, call.steps, access);
  };
  while (access > 1 && (call.steps % access != 0 || !allTensors(call, fits)))
    access /= 2;
  return access;
}

/// Whether the steps of a row follow each other with `entries` each, and every
/// row begins and ends at a multiple of 16 bytes.
static bool isPacked(const Tensor &tensor, int64_t entries) {
  constexpr int64_t piece = 16;
  if (tensor.rank() != 3)
    return true;
  int64_t width = byteWidth(tensor.dtype), rows = tensor.sizes[0],
          steps = tensor.sizes[1];
  bool isTogether = (entries < 2 || tensor.strides[2] == 1) &&
                    (steps < 2 || tensor.strides[1] == entries);
  bool isAligned = reinterpret_cast<uintptr_t>(tensor.data) % piece == 0 &&
                   steps * entries * width % piece == 0 &&
                   (rows < 2 || tensor.strides[0] * width % piece == 0);
  return tensor.sizes[2] == entries && isTogether && isAligned;
}

unsigned rlscan::entriesOf(const Call &call) {
  constexpr int64_t most = 256;
  if (call.axisSizes.empty() || call.isPacked)
    return 0;
  int64_t entries = call.axisSizes.begin()->second;
  auto fits = [&](const Tensor &tensor) { return isPacked(tensor, entries); };
  return entries <= most && allTensors(call, fits) ? entries : 0;
}

DeviceKernelOptions rlscan::optionsFor(const Call &call) {
  DeviceKernelOptions options;
  options.rows = call.rows;
  options.steps = call.steps;
  options.access = accessOf(call);
  options.entries = entriesOf(call);
  for (const auto &[axis, size] : call.axisSizes)
    if (!isAxisOfCalls(axis))
      options.axis = std::max(options.axis, size);
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
// As arguments
//===----------------------------------------------------------------------===//

std::pair<int64_t, int64_t> rlscan::extentOf(const Tensor &tensor) {
  int64_t low = 0, high = 0, width = byteWidth(tensor.dtype);
  if (tensor.numElements() == 0)
    return {0, 0};
  for (int64_t dim = 0; dim < tensor.rank(); ++dim) {
    int64_t reach = (tensor.sizes[dim] - 1) * tensor.strides[dim] * width;
    (reach < 0 ? low : high) += reach;
  }
  return {low, high - low + width};
}

DeviceArgument rlscan::numberOf(const Tensor &tensor) {
  DeviceArgument argument = {};
  std::memcpy(&argument.address, tensor.data, byteWidth(tensor.dtype));
  return argument;
}

DeviceArgument rlscan::argumentFor(const Call &call, const Tensor &tensor,
                                   uint64_t address) {
  if (call.isPacked && tensor.rank() == 1) // a position of an axis
    return {address, 0, 0, tensor.strides[0]};
  auto stride = [&](int64_t dim) {
    return dim < tensor.rank() ? tensor.strides[dim] : 0;
  };
  return {address, stride(0), stride(1), stride(2)};
}

Error rlscan::checkPromises(const Call &call, ScheduleAttr schedule) {
  std::string words = schedule.getSuffix();
  unsigned access = accessOf(call), entries = entriesOf(call);
  if (schedule.getAccess() > access)
    return llvm::createStringError(
        "schedule " + words + " moves " + llvm::Twine(schedule.getAccess()) +
        " steps at a time, but sizes, strides and addresses of the call's "
        "arrays allow " +
        llvm::Twine(access));
  if (schedule.getEntries() && schedule.getEntries() != entries)
    return llvm::createStringError(
        "schedule " + words + " needs arrays with " +
        llvm::Twine(schedule.getEntries()) +
        " entries packed in rows of whole 16 bytes, but sizes, strides and "
        "addresses of the call's arrays allow " +
        llvm::Twine(entries));
  return Error::success();
}
