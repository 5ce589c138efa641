//===- Call.cpp - One call of an estimator, checked -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/Call.h"
#include "Execution/CallChecker.h"

#include <cassert>

using namespace rlscan;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Making a call
//===----------------------------------------------------------------------===//

/// Kernels read a param that is one number as f64, a flag as a byte and an
/// index as i64.
static DType scalarType(mlir::Type element) {
  if (element.isInteger(1))
    return DType::Bool;
  return mlir::isa<mlir::IndexType>(element) ? DType::I64 : DType::F64;
}

static Tensor allocateResult(DType dtype, Layout layout, const Call &call) {
  if (layout == Layout::Steps)
    return Tensor::allocate(dtype, {call.rows, call.steps});
  Tensor tensor = Tensor::allocate(dtype, {call.steps, call.rows});
  std::swap(tensor.sizes[0], tensor.sizes[1]);
  std::swap(tensor.strides[0], tensor.strides[1]);
  return tensor;
}

/// What is contiguous. Where neighbours both ways are, the longer side counts.
static Layout layoutOf(const Tensor &tensor) {
  if (tensor.rank() == 1)
    return tensor.strides[0] == 1 ? Layout::Rows : Layout::Strided;
  if (tensor.rank() != 2)
    return Layout::Strided;
  bool rowsAdjoin = tensor.strides[0] == 1,
       stepsAdjoin = tensor.strides[1] == 1;
  if (rowsAdjoin && (!stepsAdjoin || tensor.sizes[1] == 1))
    return Layout::Rows;
  return stepsAdjoin ? Layout::Steps : Layout::Strided;
}

/// Fills in what the caller left open.
static CallOptions resolve(const CallOptions &options, const Call &call,
                           EstimatorOp estimator) {
  CallOptions resolved = options;
  for (const auto &[name, tensor] : call.inputs) {
    unsigned input = *estimator.findInput(name);
    // What lies along an axis in a packed call has no order of its own.
    bool isOfSteps = estimator.getInput(input).getKind() == InputKind::Step &&
                     !(call.isPacked && tensor.rank() == 1);
    if (!isOfSteps)
      continue;
    if (!resolved.resultLayout)
      resolved.resultLayout =
          layoutOf(tensor) == Layout::Rows ? Layout::Rows : Layout::Steps;
    if (!resolved.resultType &&
        mlir::isa<mlir::FloatType>(elementOf(estimator, input)))
      resolved.resultType = tensor.dtype;
  }
  return resolved;
}

Expected<Call> rlscan::makeCall(EstimatorOp estimator,
                                const llvm::StringMap<Tensor> &given,
                                const CallOptions &options) {
  Expected<Call> call = CallChecker(estimator, given).run();
  if (!call)
    return call;
  for (auto &[name, tensor] : call->inputs)
    if (tensor.rank() == 0)
      tensor = tensor.converted(
          scalarType(elementOf(estimator, *estimator.findInput(name))), {});
  CallOptions resolved = resolve(options, *call, estimator);
  for (unsigned i = 0, e = estimator.getNumResults(); i < e; ++i) {
    mlir::Type type = estimator.getResultTypes()[i];
    DType dtype = scalarType(type);
    if (mlir::isa<mlir::FloatType>(type))
      dtype =
          resolved.resultType.value_or(type.isF64() ? DType::F64 : DType::F32);
    call->results.emplace_back(
        estimator.getOutput(i).getName().getValue(),
        allocateResult(dtype, *resolved.resultLayout, *call));
  }
  return call;
}

//===----------------------------------------------------------------------===//
// For the kernel
//===----------------------------------------------------------------------===//

/// Any non-zero byte is a set flag, so that its sign does not matter.
static StringRef storageOf(DType dtype) {
  bool isByte = byteWidth(dtype) == 1;
  return isByte ? StringRef("i8") : spelling(dtype);
}

static std::string storedAs(StringRef name, const Tensor &tensor) {
  return (name + ":" + storageOf(tensor.dtype) + ":" +
          stringifyLayout(layoutOf(tensor)))
      .str();
}

std::vector<std::string> rlscan::bindings(const Call &call,
                                          EstimatorOp estimator) {
  std::vector<std::string> result;
  llvm::StringMap<Tensor> present;
  for (const auto &[name, tensor] : call.inputs)
    present[name] = tensor;
  // Last input first: a default may name an input above it, and that one can be
  // absent too.
  for (unsigned i = estimator.getNumArguments(); i-- > 0;) {
    StringRef name = estimator.getInput(i).getName().getValue();
    auto found = present.find(name);
    if (found == present.end()) {
      result.push_back((name + ":absent").str());
      continue;
    }
    const Tensor &tensor = found->second;
    bool isParam = estimator.getInput(i).getKind() == InputKind::Param;
    if (!isParam)
      result.push_back(storedAs(name, tensor));
    else if (tensor.rank() > 0)
      result.push_back(storedAs(name, tensor) +
                       (tensor.rank() == 1 ? ":row" : ":step"));
  }
  for (const auto &[name, tensor] : call.results)
    result.push_back(storedAs(name, tensor));
  return result;
}

static HostArray hostArray(const Call &call, const Tensor &tensor) {
  if (call.isPacked && tensor.rank() == 1) // a position of an axis
    return {tensor.data, 0, 0, tensor.strides[0]};
  auto stride = [&](int64_t dim) {
    return dim < tensor.rank() ? tensor.strides[dim] : 0;
  };
  return {tensor.data, stride(0), stride(1), stride(2)};
}

std::vector<HostArray> rlscan::arrays(const Call &call,
                                      const HostKernel &kernel) {
  llvm::StringMap<HostArray> byName;
  for (const auto &[name, tensor] : call.inputs)
    byName[name] = hostArray(call, tensor);
  for (const auto &[name, tensor] : call.results)
    byName[name] = hostArray(call, tensor);
  std::vector<HostArray> result;
  for (const std::string &name : kernel.arguments()) {
    assert(byName.contains(name) && "compiled for another call");
    result.push_back(byName.lookup(name));
  }
  return result;
}

std::vector<int64_t> rlscan::axisSizes(const Call &call,
                                       const HostKernel &kernel) {
  std::vector<int64_t> sizes;
  for (const std::string &axis : kernel.axes())
    sizes.push_back(call.axisSizes.lookup(axis));
  return sizes;
}
