//===- BigCall.cpp - More elements than 32 bits count ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BigCall.h"
#include "Execute.h"
#include "Random.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace rlscan;
using namespace rlscan::test;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// A prime.
static constexpr int64_t tableLength = 1'000'003;

/// How far a step's result is looked for: what is farther away has no weight
/// that shows, discounts of 0.99 and less being what they are.
static constexpr int64_t reach = 4096;

/// Episodes of some hundred steps.
static Tensor makeTable(const ast::Input &input, DType dtype) {
  Random random(1, input.id.name);
  Tensor table = Tensor::allocate(dtype, {tableLength});
  bool isFlag = input.type == ast::TypeKind::Flag;
  for (int64_t i = 0; i < tableLength; ++i)
    table.write({i}, isFlag ? random.chance(0.005) : random.between(-1.0, 1.0));
  return table;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static Tensor packed(DType dtype, const BigShape &shape) {
  bool swaps = shape.isTimeMajor;
  Tensor tensor = Tensor::allocate(dtype, {swaps ? shape.steps : shape.rows,
                                           swaps ? shape.rows : shape.steps});
  tensor.sizes = {shape.rows, shape.steps};
  tensor.strides = {shape.rowStride(), shape.stepStride()};
  return tensor;
}

/// Arrays of the same layouts and alignment, for what only these decide. Params
/// and what is optional and has no flag is left out.
llvm::StringMap<Tensor> BigCall::smallInputs() const {
  BigShape small = shape;
  small.rows = std::min<int64_t>(shape.rows, 4);
  small.steps = 64 + shape.steps % 16;
  llvm::StringMap<Tensor> given;
  for (const ast::Input &input : recipe.syntax().inputs) {
    if (input.isOfCalls)
      continue;
    bool isFlag = input.type == ast::TypeKind::Flag;
    if (input.kind == ast::InputKind::Row)
      given[input.id.name] = Tensor::allocate(DType::F32, {small.rows});
    else if (input.kind == ast::InputKind::Step &&
             (isFlag || !input.defaultValue))
      given[input.id.name] = packed(isFlag ? DType::U8 : DType::BF16, small);
  }
  return given;
}

Expected<Call> BigCall::smallCall() const {
  CallOptions options;
  options.resultType = DType::F32;
  options.resultLayout = shape.isTimeMajor ? Layout::Rows : Layout::Steps;
  return makeCall(recipe.estimator(/*isF64=*/false), smallInputs(), options);
}

Error BigCall::compile(const Call &call, StringRef schedule) {
  EstimatorOp estimator = recipe.estimator(/*isF64=*/false);
  DeviceKernelOptions options = optionsFor(call);
  options.schedule = schedule.str();
  options.rows = shape.rows;
  options.steps = shape.steps;
  Expected<std::unique_ptr<DeviceKernel>> compiled = DeviceKernel::compile(
      estimator->getParentOfType<mlir::ModuleOp>(), estimator.getSymName(),
      bindings(call, estimator), options, device);
  if (!compiled)
    return compiled.takeError();
  kernel = std::move(*compiled);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The arrays
//===----------------------------------------------------------------------===//

Error BigCall::addArray(StringRef name, const Tensor &like, bool isInput) {
  Array array = {name.str(),  like.dtype,
                 like.rank(), like.rank() == 1 ? shape.rows : shape.elements(),
                 Tensor(),    device::Buffer()};
  size_t bytes = array.elements * byteWidth(array.dtype);
  if (Error error =
          toError(device::Buffer::allocate(device, bytes, array.buffer)))
    return error;
  if (isInput) {
    array.table = makeTable(recipe.input(name), like.dtype);
    if (Error error = fill(array))
      return error;
  } else if (Error error = toError(array.buffer.fill(0xff, stream))) {
    return error;
  }
  (isInput ? inputs : results).push_back(std::move(array));
  return Error::success();
}

/// Several tables at once: the same bytes again and again.
Error BigCall::fill(const Array &array) const {
  constexpr int64_t tables = 32;
  int64_t width = byteWidth(array.dtype), once = tableLength * width;
  std::vector<char> block(tables * once);
  for (int64_t i = 0; i < tables; ++i)
    std::memcpy(block.data() + i * once, array.table.data, once);
  int64_t all = array.elements * width, size = block.size();
  for (int64_t offset = 0; offset < all; offset += size)
    if (Error error = toError(array.buffer.copyFromHost(
            block.data(), std::min(size, all - offset), stream, offset)))
      return error;
  return Error::success();
}

Error BigCall::launch() {
  int64_t bytes = kernel->workspaceBytes(shape.rows, shape.steps);
  if (Error error = toError(device::Buffer::allocate(device, bytes, workspace)))
    return error;
  if (bytes > 0)
    if (Error error = toError(workspace.fill(0, stream)))
      return error;
  llvm::StringMap<DeviceArgument> byName;
  for (const auto *list : {&inputs, &results})
    for (const Array &array : *list)
      byName[array.name] = {array.buffer.address(),
                            array.rank == 1 ? 1 : shape.rowStride(),
                            array.rank == 1 ? 0 : shape.stepStride(), 0};
  for (const auto &[name, tensor] : params)
    std::memcpy(&byName[name].address, tensor.data, byteWidth(tensor.dtype));
  std::vector<DeviceArgument> arguments;
  for (const std::string &name : kernel->arguments())
    arguments.push_back(byName.lookup(name));
  Watchdog watchdog;
  if (Error error = kernel->launch(arguments, /*axisSizes=*/{}, shape.rows,
                                   shape.steps, workspace.address(), stream))
    return error;
  return toError(stream.synchronize());
}

Error BigCall::run(StringRef schedule) {
  Expected<Call> call = smallCall();
  if (!call)
    return call.takeError();
  if (Error error = compile(*call, schedule))
    return error;
  for (const auto *list : {&call->inputs, &call->results})
    for (const auto &[name, tensor] : *list) {
      if (tensor.rank() == 0)
        params.emplace_back(name, tensor);
      else if (Error error = addArray(name, tensor, list == &call->inputs))
        return error;
    }
  return launch();
}

//===----------------------------------------------------------------------===//
// Looking at the results
//===----------------------------------------------------------------------===//

Expected<int64_t> BigCall::countUnwritten() const {
  constexpr int64_t blockSize = 16 << 20;
  std::vector<uint32_t> block(blockSize);
  int64_t count = 0;
  for (const Array &array : results)
    for (int64_t offset = 0; offset < array.elements; offset += blockSize) {
      int64_t size = std::min(blockSize, array.elements - offset);
      if (Error error = toError(
              array.buffer.copyToHost(block.data(), size * sizeof(uint32_t),
                                      stream, offset * sizeof(uint32_t))))
        return std::move(error);
      count += std::count(block.begin(), block.begin() + size, ~uint32_t(0));
    }
  return count;
}

/// A copy for each element where they are apart.
Error BigCall::read(const Array &array, int64_t row, int64_t first,
                    Tensor &values) const {
  int64_t width = byteWidth(array.dtype), steps = values.numElements();
  int64_t together = shape.stepStride() == 1 ? steps : 1;
  for (int64_t i = 0; i < steps; i += together) {
    int64_t offset = row * shape.rowStride() + (first + i) * shape.stepStride();
    if (Error error = toError(array.buffer.copyToHost(
            values.data + i * width, together * width, stream, offset * width)))
      return error;
  }
  return Error::success();
}

/// The inputs of a part of a row.
llvm::StringMap<Tensor> BigCall::slice(int64_t row, int64_t first,
                                       int64_t count) const {
  llvm::StringMap<Tensor> given;
  for (const Array &array : inputs) {
    bool isRow = array.rank == 1;
    Tensor part = isRow ? Tensor::allocate(array.dtype, {1})
                        : Tensor::allocate(array.dtype, {1, count});
    int64_t width = byteWidth(array.dtype);
    for (int64_t i = 0; i < part.numElements(); ++i) {
      int64_t offset =
          isRow ? row
                : row * shape.rowStride() + (first + i) * shape.stepStride();
      std::memcpy(part.data + i * width,
                  array.table.data + offset % tableLength * width, width);
    }
    given[array.name] = part;
  }
  return given;
}

Expected<std::string> BigCall::check(int64_t row, int64_t first, int64_t count,
                                     double &used) const {
  int64_t from = std::max<int64_t>(first - reach, 0);
  int64_t to = std::min(first + count + reach, shape.steps);
  std::vector<ReferenceResult> expected =
      evaluateReference(recipe.syntax(), slice(row, from, to - from),
                        /*rows=*/1, to - from, /*axisSizes=*/{});
  for (auto [result, array] : llvm::zip_equal(expected, results)) {
    Tensor found = Tensor::allocate(array.dtype, {1, count});
    if (Error error = read(array, row, first, found))
      return std::move(error);
    auto begin = result.values.begin() + (first - from);
    ReferenceResult part = {result.name, result.type, {begin, begin + count}};
    std::string problem =
        compare(part, found, Tolerance::contract(/*isF64=*/false), used);
    if (!problem.empty())
      return "from [" + std::to_string(row) + ", " + std::to_string(first) +
             "] on: " + problem;
  }
  return std::string();
}
