//===- Inputs.cpp - The arrays and params of a run ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "Execution/Npz.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace rlscan;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static Error readArchive(StringRef path, EstimatorOp estimator,
                         llvm::StringMap<Tensor> &given) {
  Expected<NamedTensors> arrays = readNpz(path);
  if (!arrays)
    return arrays.takeError();
  std::vector<std::string> unread;
  for (auto &[name, tensor] : *arrays) {
    if (estimator.findInput(name))
      given[name] = std::move(tensor);
    else
      unread.push_back(name);
  }
  // A misspelt optional input would otherwise pass for an absent one.
  if (!unread.empty())
    llvm::errs() << "note: not read by " << estimator.getSymName() << ": "
                 << llvm::join(unread, ", ") << '\n';
  return Error::success();
}

static Tensor scalar(DType dtype, double value) {
  Tensor tensor = Tensor::allocate(dtype, {});
  tensor.write({}, value);
  return tensor;
}

/// The value of a param of type `type`.
static Expected<Tensor> parseValue(StringRef text, mlir::Type type) {
  if (type.isInteger(1)) {
    bool isSet = text == "true" || text == "1";
    if (isSet || text == "false" || text == "0")
      return scalar(DType::Bool, isSet);
    return llvm::createStringError("expected true or false, got '" + text +
                                   "'");
  }
  int64_t position;
  if (mlir::isa<mlir::IndexType>(type)) {
    if (!text.getAsInteger(10, position))
      return scalar(DType::I64, static_cast<double>(position));
    return llvm::createStringError("expected a whole number, got '" + text +
                                   "'");
  }
  double number;
  if (!text.getAsDouble(number))
    return scalar(DType::F64, number);
  return llvm::createStringError("expected a number, got '" + text + "'");
}

static Error readParam(StringRef name, StringRef text, EstimatorOp estimator,
                       llvm::StringMap<Tensor> &given) {
  std::optional<unsigned> input = estimator.findInput(name);
  if (!input) {
    // makeCall says which names there are.
    given[name] = scalar(DType::F64, 0.0);
    return Error::success();
  }
  InputKind kind = estimator.getInput(*input).getKind();
  if (kind != InputKind::Param)
    return llvm::createStringError("--param " + name + ": '" + name +
                                   "' is a " + stringifyInputKind(kind) +
                                   " input: give an array, --input " + name +
                                   "=FILE.npy");
  Expected<Tensor> value =
      parseValue(text, estimator.getArgumentTypes()[*input]);
  if (!value)
    return llvm::createStringError("--param " + name + ": " +
                                   llvm::toString(value.takeError()));
  given[name] = *value;
  return Error::success();
}

Expected<llvm::StringMap<Tensor>> rlscan::readInputs(const RunOptions &options,
                                                     EstimatorOp estimator) {
  llvm::StringMap<Tensor> given;
  Error errors = options.inputs.empty()
                     ? Error::success()
                     : readArchive(options.inputs, estimator, given);
  // The more particular option wins over the archive.
  for (const auto &[name, path] : options.inputFiles) {
    if (Expected<Tensor> array = readNpy(path))
      given[name] = *array;
    else
      errors = llvm::joinErrors(std::move(errors), array.takeError());
  }
  for (const auto &[name, text] : options.params)
    errors = llvm::joinErrors(std::move(errors),
                              readParam(name, text, estimator, given));
  if (errors)
    return errors;
  return given;
}

/// The dimensions of a tensor, slowest first, as --layout wants them or as they
/// are.
static llvm::SmallVector<int64_t, 3>
dimensionOrder(const Tensor &tensor, std::optional<Layout> layout) {
  auto order = llvm::to_vector<3>(llvm::seq<int64_t>(0, tensor.rank()));
  if (!layout)
    llvm::stable_sort(order, [&](int64_t a, int64_t b) {
      return std::abs(tensor.strides[a]) > std::abs(tensor.strides[b]);
    });
  else if (*layout == Layout::Rows && tensor.rank() > 1)
    std::swap(order[0], order[1]);
  return order;
}

void rlscan::convertInputs(Call &call, EstimatorOp estimator,
                           const RunOptions &options) {
  if (!options.dtype && !options.layout)
    return;
  for (auto &[name, tensor] : call.inputs) {
    // Single numbers are stored as kernels read them.
    if (tensor.rank() == 0)
      continue;
    mlir::Type type = estimator.getArgumentTypes()[*estimator.findInput(name)];
    if (auto along = mlir::dyn_cast<AlongType>(type))
      type = along.getElement();
    DType dtype = tensor.dtype;
    if (mlir::isa<mlir::FloatType>(type))
      dtype = options.dtype.value_or(dtype);
    tensor = tensor.converted(dtype, dimensionOrder(tensor, options.layout));
  }
}
