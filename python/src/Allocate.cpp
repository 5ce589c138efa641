//===- Allocate.cpp - New arrays of Python's libraries --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "TorchShim.h"

using namespace rlscan::python;

static PyObject *allocator = nullptr, *byteAllocator = nullptr;

void rlscan::python::setAllocator(PyObject *function) {
  Py_INCREF(function);
  Py_XDECREF(allocator);
  allocator = function;
}

void rlscan::python::setByteAllocator(PyObject *function) {
  Py_INCREF(function);
  Py_XDECREF(byteAllocator);
  byteAllocator = function;
}

static PyTypeObject *tensorType = nullptr;
static PyObject *modeCounter = nullptr;

void rlscan::python::setTensorType(PyObject *type, PyObject *counter) {
  Py_INCREF(type);
  Py_INCREF(counter);
  tensorType = reinterpret_cast<PyTypeObject *>(type);
  modeCounter = counter;
}

bool rlscan::python::isTensor(PyObject *object) {
  return tensorType && (Py_TYPE(object) == tensorType ||
                        PyType_IsSubtype(Py_TYPE(object), tensorType));
}

bool rlscan::python::isSeenByModes() {
  PyObject *count = PyObject_CallNoArgs(modeCounter);
  bool isSeen = !count || PyLong_AsLong(count) != 0;
  PyErr_Clear();
  Py_XDECREF(count);
  return isSeen;
}

static bool isRowMajor(const Array &array) {
  int64_t dense = 1;
  for (int dim = array.rank; dim-- > 0;) {
    if (array.sizes[dim] > 1 && array.strides[dim] != dense)
      return false;
    dense *= array.sizes[dim] > 1 ? array.sizes[dim] : 1;
  }
  return true;
}

/// By PyTorch's own functions: the exchange functions below make each tensor
/// twice. Null where that is not possible.
static torch::Tensor makeTensor(const Array &prototype, Array &made) {
  const torch::Shim &shim = torch::Shim::get();
  torch::Tensor tensor = nullptr;
  bool onHost = prototype.device == host;
  if (!shim.wrap ||
      shim.emptyStrided(prototype.rank, prototype.sizes, prototype.strides,
                        shim.dtypes[prototype.dtype],
                        onHost ? shim.cpu : shim.cuda,
                        onHost ? 0 : prototype.device, &tensor) != 0)
    return nullptr;
  made = prototype;
  if (shim.dataOf(tensor, &made.data) == 0)
    return tensor;
  shim.deleteTensor(tensor);
  return nullptr;
}

static dlpack::DataType typeOf(int32_t dtype) {
  switch (dtype) {
  case RLSCAN_F64:
    return {dlpack::Float, 64, 1};
  case RLSCAN_F16:
    return {dlpack::Float, 16, 1};
  case RLSCAN_BF16:
    return {dlpack::Bfloat, 16, 1};
  default:
    return {dlpack::Float, 32, 1};
  }
}

static void setError(void *, const char *, const char *message) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyErr_SetString(PyExc_RuntimeError, message);
  PyGILState_Release(state);
}

static PyObject *allocateTensor(const dlpack::ExchangeApi &api,
                                const Array &prototype) {
  dlpack::Tensor like = {};
  bool onHost = prototype.device == host;
  like.device = {onHost ? int32_t(dlpack::Cpu) : prototype.deviceType,
                 onHost ? 0 : prototype.device};
  like.ndim = prototype.rank;
  like.dtype = typeOf(prototype.dtype);
  like.shape = const_cast<int64_t *>(prototype.sizes);
  dlpack::VersionedTensor *made = nullptr;
  void *object = nullptr;
  if (api.allocate(&like, &made, nullptr, setError) != 0 ||
      api.toObject(made, &object) != 0)
    return nullptr;
  return static_cast<PyObject *>(object);
}

static PyObject *tupleOf(const int64_t *numbers, int count) {
  PyObject *tuple = PyTuple_New(count);
  for (int i = 0; tuple && i < count; ++i)
    PyTuple_SetItem(tuple, i, PyLong_FromLongLong(numbers[i]));
  return tuple;
}

/// What the library of `like` makes by an exchange function, or the allocator.
static PyObject *makeObject(PyObject *like, const Array &prototype) {
  const dlpack::ExchangeApi *api = exchangeApiOf(like);
  if (api && isRowMajor(prototype))
    return allocateTensor(*api, prototype);
  PyObject *sizes = tupleOf(prototype.sizes, prototype.rank);
  PyObject *strides = tupleOf(prototype.strides, prototype.rank);
  PyObject *made = nullptr;
  if (sizes && strides)
    made =
        PyObject_CallFunctionObjArgs(allocator, like, sizes, strides, nullptr);
  Py_XDECREF(sizes);
  Py_XDECREF(strides);
  return made;
}

bool NewArray::allocate(PyObject *like, const Array &prototype, Array &array) {
  if (isTensor(like))
    tensor = makeTensor(prototype, array);
  if (tensor)
    return true;
  array.rank = -1;
  held = makeObject(like, prototype);
  return held;
}

bool NewArray::hold(PyObject *given) {
  held = given;
  return held;
}

PyObject *NewArray::take() {
  PyObject *taken = tensor ? torch::Shim::get().wrap(*tensor) : held;
  if (!tensor)
    held = nullptr;
  return taken;
}

NewArray::~NewArray() {
  if (tensor)
    torch::Shim::get().deleteTensor(tensor);
  Py_XDECREF(held);
}

PyObject *rlscan::python::allocateBytes(PyObject *like, const Array &prototype,
                                        size_t bytes, void *&data) {
  PyObject *made = PyObject_CallFunction(
      byteAllocator, "OnO", like, static_cast<Py_ssize_t>(bytes),
      prototype.device == host ? Py_True : Py_False);
  if (!made)
    return nullptr;
  Reader reader;
  Array array;
  if (reader.read(made, "workspace", true, array) != Reader::Read) {
    Py_DECREF(made);
    return nullptr;
  }
  data = array.data;
  return made;
}
