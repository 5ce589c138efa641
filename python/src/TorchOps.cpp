//===- TorchOps.cpp - Operators of PyTorch, torch.ops.rlscan --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TorchOps.h"
#include "Call.h"
#include "Objects.h"
#include "TorchShim.h"

#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

using namespace rlscan::python;
using torch::Shim;
using torch::Value;

namespace {

/// Handles that are given up at the end, whatever happens.
class Handles {
public:
  ~Handles() {
    for (int i = 0; i < count; ++i)
      Shim::get().deleteTensor(handles[i]);
  }
  torch::Tensor own(torch::Tensor handle) { return handles[count++] = handle; }
  /// All of them are somebody else's from now on.
  void release() { count = 0; }

private:
  torch::Tensor handles[maxArguments + 1];
  int count = 0;
};

class TorchWorkspace final : public Workspace {
public:
  ~TorchWorkspace() {
    if (tensor)
      Shim::get().deleteTensor(tensor);
  }
  void *allocate(int32_t device, size_t bytes, Failure &failure) override;

private:
  torch::Tensor tensor = nullptr;
  std::unique_ptr<char[]> onHost;
};

/// An operator that is called: the stack has its inputs, then its results.
class BoxedCall {
public:
  BoxedCall(Estimator &estimator, Value *stack)
      : estimator(estimator), signature(estimator.signature()), stack(stack) {}

  void run(bool isOut);

private:
  void readInputs(Call &call);
  void readNumber(Call &call, int argument);
  void read(torch::Tensor tensor, int argument, Array &array);
  torch::Tensor makeResult(const Array &prototype);

  Estimator &estimator;
  const rlscan_estimator &signature;
  Value *stack;
  int next = 0;
  Handles inputs;
};

} // namespace

/// PyTorch passes exceptions of the standard library on to Python.
static void check(torch::Error error, const char *what) {
  if (error != 0)
    throw std::runtime_error(std::string("PyTorch cannot ") + what);
}

void *TorchWorkspace::allocate(int32_t device, size_t bytes, Failure &failure) {
  if (device == host) {
    onHost.reset(new char[bytes]);
    return onHost.get();
  }
  const Shim &shim = Shim::get();
  auto size = static_cast<int64_t>(bytes);
  int64_t stride = 1;
  void *data = nullptr;
  if (shim.emptyStrided(1, &size, &stride, shim.dtypes[RLSCAN_U8], shim.cuda,
                        device, &tensor) == 0 &&
      shim.zero(tensor) == 0 && shim.dataOf(tensor, &data) == 0)
    return data;
  fail(failure, Failure::Runtime,
       "cannot allocate " + std::to_string(bytes) + " bytes of workspace");
  return nullptr;
}

void BoxedCall::read(torch::Tensor tensor, int argument, Array &array) {
  const Shim &shim = Shim::get();
  int64_t rank = 0, *sizes = nullptr, *strides = nullptr;
  int32_t dtype = 0, type = 0, index = 0;
  check(shim.rankOf(tensor, &rank) | shim.sizesOf(tensor, &sizes) |
            shim.stridesOf(tensor, &strides) | shim.dtypeOf(tensor, &dtype) |
            shim.deviceTypeOf(tensor, &type) |
            shim.deviceIndexOf(tensor, &index) |
            shim.dataOf(tensor, &array.data),
        "say what a tensor is");
  const std::string &name = estimator.names[argument];
  if (rank > maxRank)
    throw std::runtime_error(name + ": more than 16 dimensions");
  array.rank = static_cast<int>(rank);
  std::memcpy(array.sizes, sizes, rank * sizeof *sizes);
  std::memcpy(array.strides, strides, rank * sizeof *strides);
  array.device = type == shim.cpu ? host : index;
  for (int i = RLSCAN_F32; i <= RLSCAN_I64; ++i)
    if (shim.dtypes[i] == dtype)
      array.dtype = i;
  if (array.dtype == RLSCAN_NONE)
    throw std::runtime_error(
        name + ": expected elements of type float16, bfloat16, float32, "
               "float64, bool, int8, uint8, int32 or int64");
}

void BoxedCall::readNumber(Call &call, int argument) {
  Value value = stack[next++];
  double real = 0.0;
  bool flag = false;
  int32_t element = signature.arguments[argument].element;
  if (element == RLSCAN_REAL) {
    std::memcpy(&real, &value, sizeof real);
    call.setNumber(argument, real);
  } else if (element == RLSCAN_FLAG) {
    std::memcpy(&flag, &value, sizeof flag);
    call.setNumber(argument, int64_t(flag));
  } else {
    call.setNumber(argument, static_cast<int64_t>(value));
  }
}

/// Of the schema: arrays that are needed, arrays that are not, params.
void BoxedCall::readInputs(Call &call) {
  int count = estimator.inputCount();
  for (bool isOptional : {false, true})
    for (int i = 0; i < count; ++i) {
      const rlscan_argument &input = signature.arguments[i];
      if (input.kind == RLSCAN_PARAM || input.is_optional != isOptional)
        continue;
      Value value = stack[next++];
      if (isOptional) {
        auto *given = reinterpret_cast<Value *>(value);
        if (!given)
          continue;
        value = *given;
        delete given;
      }
      read(inputs.own(reinterpret_cast<torch::Tensor>(value)), i,
           call.arrays[i]);
    }
  for (int i = 0; i < count; ++i)
    if (signature.arguments[i].kind == RLSCAN_PARAM)
      readNumber(call, i);
}

torch::Tensor BoxedCall::makeResult(const Array &prototype) {
  const Shim &shim = Shim::get();
  bool onHost = prototype.device == host;
  torch::Tensor made = nullptr;
  check(shim.emptyStrided(prototype.rank, prototype.sizes, prototype.strides,
                          shim.dtypes[prototype.dtype],
                          onHost ? shim.cpu : shim.cuda,
                          onHost ? 0 : prototype.device, &made),
        "allocate a result");
  return made;
}

void BoxedCall::run(bool isOut) {
  // The dimension of time comes after the inputs, results after that.
  auto timeDim = static_cast<int64_t>(stack[estimator.inputCount()]);
  auto call = std::make_unique<Call>(estimator, timeDim);
  readInputs(*call);
  ++next;
  Failure failure;
  if (!call->plan(failure))
    throw std::runtime_error(failure.text);
  Handles results;
  torch::Tensor made[maxArguments];
  int first = estimator.inputCount(), end = signature.argument_count;
  for (int i = first; i < end; ++i) {
    made[i] = isOut ? reinterpret_cast<torch::Tensor>(stack[next++])
                    : makeResult(call->prototype());
    read(results.own(made[i]), i, call->arrays[i]);
  }
  void *stream = nullptr;
  const Shim &shim = Shim::get();
  if (call->device() != host)
    check(!shim.currentStream || shim.currentStream(call->device(), &stream),
          "say which stream is current");
  TorchWorkspace workspace;
  if (!call->run(stream, workspace, failure))
    throw std::runtime_error(failure.text);
  if (isOut)
    return;
  for (int i = first; i < end; ++i)
    stack[i - first] = reinterpret_cast<Value>(made[i]);
  results.release();
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

// A kernel is a function alone: one for each number of an estimator.
template <int slot, bool isOut>
static void boxed(Value *stack, uint64_t, uint64_t) {
  BoxedCall(*estimatorAt(slot), stack).run(isOut);
}

template <bool isOut, int... slots>
static torch::Kernel *kernelOf(int slot, std::integer_sequence<int, slots...>) {
  static torch::Kernel *const kernels[] = {&boxed<slots, isOut>...};
  return kernels[slot];
}

static torch::Library implementationFor(const char *key) {
  torch::Library library = nullptr;
  check(Shim::get().newImplementation("rlscan", key, "rlscan", 0, &library),
        "make a library of operators");
  return library;
}

static void define(int slot, const std::string &name, const char *schema,
                   const char *outSchema) {
  const Shim &shim = Shim::get();
  static torch::Library fragment = nullptr;
  if (!fragment)
    check(shim.newFragment("rlscan", "rlscan", 0, &fragment),
          "make a library of operators");
  static const torch::Library implementations[] = {implementationFor("CPU"),
                                                   implementationFor("CUDA")};
  std::make_integer_sequence<int, maxEstimators> slots;
  std::string outName = name + "_out";
  check(shim.define(fragment, schema), schema);
  check(shim.define(fragment, outSchema), outSchema);
  for (torch::Library library : implementations) {
    check(shim.implement(library, name.c_str(), kernelOf<false>(slot, slots)),
          "implement an operator");
    check(shim.implement(library, outName.c_str(), kernelOf<true>(slot, slots)),
          "implement an operator");
  }
}

PyObject *rlscan::python::defineTorchOp(PyObject *, PyObject *arguments) {
  int slot = 0;
  const char *folder, *name, *schema, *outSchema;
  if (!PyArg_ParseTuple(arguments, "issss", &slot, &folder, &name, &schema,
                        &outSchema))
    return nullptr;
  static const std::string missing = Shim::open(folder);
  if (!missing.empty())
    return raise({Failure::Runtime,
                  "this PyTorch has no function " + missing +
                      ": torch.ops.rlscan needs version 2.9 or later"});
  if (!estimatorAt(slot))
    return raise({Failure::Value, "no such estimator"});
  try {
    define(slot, name, schema, outSchema);
  } catch (const std::exception &error) {
    return raise({Failure::Runtime, error.what()});
  }
  Py_RETURN_NONE;
}
