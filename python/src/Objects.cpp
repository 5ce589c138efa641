//===- Objects.cpp - Arrays of Python's libraries -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include <cstring>
#include <string>

using namespace rlscan::python;

PyObject *rlscan::python::raise(const Failure &failure) {
  PyObject *kinds[] = {PyExc_ValueError, PyExc_TypeError, PyExc_RuntimeError};
  PyErr_SetString(kinds[failure.kind], failure.text.c_str());
  return nullptr;
}

//===----------------------------------------------------------------------===//
// DLPack
//===----------------------------------------------------------------------===//

static const dlpack::ExchangeApi *findExchangeApi(PyTypeObject *type) {
  PyObject *capsule = PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                             "__dlpack_c_exchange_api__");
  void *found = nullptr;
  if (capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
    found = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
  PyErr_Clear();
  Py_XDECREF(capsule);
  auto *api = static_cast<const dlpack::ExchangeApi *>(found);
  while (api && api->version.major > 1)
    api = api->previous;
  return api && api->version.major == 1 && api->view ? api : nullptr;
}

const dlpack::ExchangeApi *rlscan::python::exchangeApiOf(PyObject *object) {
  // The last type with, and the last without: a call has arrays of one or two.
  // Under the GIL; a type that is known here is held.
  static PyTypeObject *known[2] = {};
  static const dlpack::ExchangeApi *api = nullptr;
  PyTypeObject *type = Py_TYPE(object);
  if (type == known[0])
    return api;
  if (type == known[1])
    return nullptr;
  const dlpack::ExchangeApi *found = findExchangeApi(type);
  PyTypeObject *&place = known[found == nullptr];
  Py_INCREF(reinterpret_cast<PyObject *>(type));
  Py_XDECREF(reinterpret_cast<PyObject *>(place));
  place = type;
  if (found)
    api = found;
  return found;
}

static int32_t typeOf(const dlpack::DataType &type) {
  if (type.lanes != 1)
    return RLSCAN_NONE;
  switch (type.code << 8 | type.bits) {
  case dlpack::Float << 8 | 32:
    return RLSCAN_F32;
  case dlpack::Float << 8 | 64:
    return RLSCAN_F64;
  case dlpack::Float << 8 | 16:
    return RLSCAN_F16;
  case dlpack::Bfloat << 8 | 16:
    return RLSCAN_BF16;
  case dlpack::Bool << 8 | 8:
    return RLSCAN_BOOL;
  case dlpack::Int << 8 | 8:
    return RLSCAN_I8;
  case dlpack::UInt << 8 | 8:
    return RLSCAN_U8;
  case dlpack::Int << 8 | 32:
    return RLSCAN_I32;
  case dlpack::Int << 8 | 64:
    return RLSCAN_I64;
  default:
    return RLSCAN_NONE;
  }
}

static Reader::Answer unsupported(const char *name, const std::string &what) {
  PyErr_SetString(PyExc_TypeError, (std::string(name) + ": " + what).c_str());
  return Reader::Failed;
}

Reader::Answer Reader::readTensor(const dlpack::Tensor &tensor,
                                  const char *name, Array &array) {
  bool onHost = tensor.device.type == dlpack::Cpu ||
                tensor.device.type == dlpack::CudaHost;
  if (!onHost && tensor.device.type != dlpack::Cuda &&
      tensor.device.type != dlpack::Rocm)
    return Unreadable;
  if (tensor.ndim > maxRank)
    return unsupported(name, "more than 16 dimensions");
  array.dtype = typeOf(tensor.dtype);
  if (array.dtype == RLSCAN_NONE)
    return unsupported(
        name, "elements are stored as DLPack type " +
                  std::to_string(tensor.dtype.code) + " with " +
                  std::to_string(tensor.dtype.bits) +
                  " bits, expected a float of 16, 32 or 64 bits, bool, int8, "
                  "uint8, int32 or int64");
  array.data = static_cast<char *>(tensor.data) + tensor.byte_offset;
  array.device = onHost ? host : tensor.device.id;
  array.deviceType = tensor.device.type;
  array.rank = tensor.ndim;
  int64_t dense = 1;
  for (int dim = tensor.ndim; dim-- > 0;) {
    array.sizes[dim] = tensor.shape[dim];
    array.strides[dim] = tensor.strides ? tensor.strides[dim] : dense;
    dense *= tensor.shape[dim];
  }
  return Read;
}

Reader::Answer Reader::readCapsule(PyObject *object, const char *name,
                                   Array &array) {
  PyObject *capsule = PyObject_CallMethod(object, "__dlpack__", nullptr);
  if (!capsule)
    return Failed;
  owners[ownerCount++] = capsule; // frees the tensor: it keeps its name
  if (PyCapsule_IsValid(capsule, "dltensor"))
    return readTensor(static_cast<dlpack::ManagedTensor *>(
                          PyCapsule_GetPointer(capsule, "dltensor"))
                          ->tensor,
                      name, array);
  if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
    return readTensor(static_cast<dlpack::VersionedTensor *>(
                          PyCapsule_GetPointer(capsule, "dltensor_versioned"))
                          ->tensor,
                      name, array);
  return unsupported(name, "__dlpack__ gave no tensor");
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static int32_t typeOf(const Py_buffer &buffer) {
  const char *format = buffer.format ? buffer.format : "B";
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  if (std::strlen(format) != 1)
    return RLSCAN_NONE;
  if (*format == 'l' || *format == 'q')
    return buffer.itemsize == 8 ? RLSCAN_I64 : RLSCAN_I32;
  const char formats[] = "fde?bBi";
  const int32_t types[] = {RLSCAN_F32, RLSCAN_F64, RLSCAN_F16, RLSCAN_BOOL,
                           RLSCAN_I8,  RLSCAN_U8,  RLSCAN_I32};
  const char *found = std::strchr(formats, *format);
  return found ? types[found - formats] : int32_t(RLSCAN_NONE);
}

Reader::Answer Reader::readBuffer(PyObject *object, const char *name,
                                  bool isResult, int32_t dtype, Array &array) {
  Py_buffer &buffer = buffers[bufferCount];
  int flags = isResult ? PyBUF_RECORDS : PyBUF_RECORDS_RO;
  if (PyObject_GetBuffer(object, &buffer, flags) != 0)
    return Failed;
  ++bufferCount;
  array.dtype = dtype != RLSCAN_NONE ? dtype : typeOf(buffer);
  if (array.dtype == RLSCAN_NONE)
    return unsupported(name, std::string("elements are stored as '") +
                                 (buffer.format ? buffer.format : "B") +
                                 "', expected float16, float32, float64, bool, "
                                 "int8, uint8, int32 or int64");
  if (buffer.ndim > maxRank)
    return unsupported(name, "more than 16 dimensions");
  array.data = buffer.buf;
  array.device = host;
  array.rank = buffer.ndim;
  for (int dim = 0; dim < buffer.ndim; ++dim) {
    array.sizes[dim] = buffer.shape[dim];
    array.strides[dim] = buffer.strides[dim] / buffer.itemsize;
    if (buffer.strides[dim] % buffer.itemsize != 0 && buffer.shape[dim] > 1)
      return unsupported(name, "its strides are no multiples of an element");
  }
  return Read;
}

/// ml_dtypes' bfloat16, which buffers have no format for.
static PyObject *bitsOfBfloat16(PyObject *object) {
  PyErr_Clear();
  PyObject *dtype = PyObject_GetAttrString(object, "dtype");
  PyObject *name = dtype ? PyObject_GetAttrString(dtype, "name") : nullptr;
  bool isBfloat = name && PyUnicode_Check(name) &&
                  PyUnicode_CompareWithASCIIString(name, "bfloat16") == 0;
  Py_XDECREF(dtype);
  Py_XDECREF(name);
  PyErr_Clear();
  return isBfloat ? PyObject_CallMethod(object, "view", "s", "uint16")
                  : nullptr;
}

//===----------------------------------------------------------------------===//
// Any
//===----------------------------------------------------------------------===//

Reader::Answer Reader::read(PyObject *object, const char *name, bool isResult,
                            Array &array) {
  if (const dlpack::ExchangeApi *api = exchangeApiOf(object)) {
    dlpack::Tensor tensor;
    if (api->view(object, &tensor) == 0)
      return readTensor(tensor, name, array);
    PyErr_Clear();
    return Unreadable;
  }
  if (PyObject_HasAttrString(object, "aval"))
    return Unreadable; // JAX's, which are never written to
  if (PyObject_CheckBuffer(object)) {
    Answer answer = readBuffer(object, name, isResult, RLSCAN_NONE, array);
    if (answer == Read || bufferCount == maxArguments)
      return answer;
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *bits = bitsOfBfloat16(object);
    if (!bits) {
      PyErr_Restore(type, value, trace);
      return Failed;
    }
    Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
    owners[ownerCount++] = bits;
    return readBuffer(bits, name, isResult, RLSCAN_BF16, array);
  }
  if (PyObject_HasAttrString(object, "__dlpack__"))
    return readCapsule(object, name, array);
  PyErr_Format(PyExc_TypeError,
               "%s: expected an array of NumPy, PyTorch, JAX or of another "
               "library that has __dlpack__, got %R",
               name, Py_TYPE(object));
  return Failed;
}

Reader::~Reader() {
  for (int i = 0; i < bufferCount; ++i)
    PyBuffer_Release(&buffers[i]);
  for (int i = 0; i < ownerCount; ++i)
    Py_DECREF(owners[i]);
}
