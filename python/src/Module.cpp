//===- Module.cpp - The module rlscan._core -------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Against Python's limited interface, so that one file serves all versions from
// 3.11 on; no array library is needed to build it or to load it.

#include "Eager.h"
#include "Estimator.h"
#include "JaxHandlers.h"
#include "Objects.h"
#include "TorchOps.h"

#include <dlfcn.h>
#include <memory>

using namespace rlscan::python;

/// A list of (path, symbol, is_for_devices).
static bool readLibraries(PyObject *list, std::vector<Library> &libraries) {
  for (Py_ssize_t i = 0, e = PyList_Size(list); i < e; ++i) {
    const char *path = nullptr, *symbol = nullptr;
    int isForDevices = 0;
    if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ssp", &path, &symbol,
                          &isForDevices))
      return false;
    libraries.push_back({path, symbol, isForDevices != 0});
  }
  return !PyErr_Occurred();
}

static bool readNames(PyObject *tuple, std::vector<std::string> &names) {
  for (Py_ssize_t i = 0, e = PyTuple_Size(tuple); i < e; ++i) {
    Py_ssize_t size = 0;
    const char *name =
        PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), &size);
    if (!name)
      return false;
    names.emplace_back(name, size);
  }
  return !PyErr_Occurred();
}

/// register(name, names, is_zero_if_absent, libraries): the estimator's number.
static PyObject *registerEstimator(PyObject *, PyObject *arguments) {
  const char *name = nullptr;
  PyObject *names = nullptr, *list = nullptr;
  unsigned int isZeroIfAbsent = 0;
  auto estimator = std::make_unique<Estimator>();
  std::vector<Library> libraries;
  if (!PyArg_ParseTuple(arguments, "sOIO", &name, &names, &isZeroIfAbsent,
                        &list) ||
      !readNames(names, estimator->names) || !readLibraries(list, libraries))
    return nullptr;
  estimator->name = name;
  estimator->isZeroIfAbsent = isZeroIfAbsent;
  Failure failure;
  if (!estimator->open(std::move(libraries), failure))
    return raise(failure);
  int slot = keep(estimator.get());
  if (slot < 0) {
    PyErr_Format(PyExc_RuntimeError, "more than %d estimators", maxEstimators);
    return nullptr;
  }
  estimator.release();
  return PyLong_FromLong(slot);
}

/// prepare(slot, device): loads all of an estimator's code to a GPU.
static PyObject *prepare(PyObject *, PyObject *arguments) {
  int slot = 0, device = 0;
  if (!PyArg_ParseTuple(arguments, "ii", &slot, &device))
    return nullptr;
  Estimator *estimator = estimatorAt(slot);
  const Estimator::Tables *tables = nullptr;
  Failure failure;
  if (!estimator || !estimator->tables(device >= 0, tables, failure))
    return raise(failure);
  rlscan_status status = RLSCAN_OK;
  Py_BEGIN_ALLOW_THREADS;
  for (const Table &table : *tables)
    if (status == RLSCAN_OK)
      status = rlscan_prepare(table.estimator, device);
  Py_END_ALLOW_THREADS;
  if (status == RLSCAN_OK)
    Py_RETURN_NONE;
  PyErr_SetString(PyExc_RuntimeError, rlscan_last_error());
  return nullptr;
}

/// set_allocators(like, bytes): see Objects.h.
static PyObject *setAllocators(PyObject *, PyObject *arguments) {
  PyObject *like = nullptr, *bytes = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &like, &bytes))
    return nullptr;
  setAllocator(like);
  setByteAllocator(bytes);
  Py_RETURN_NONE;
}

/// set_tensor_type(type, count_modes): see Objects.h.
static PyObject *setTensorType(PyObject *, PyObject *arguments) {
  PyObject *type = nullptr, *counter = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO", &type, &counter))
    return nullptr;
  rlscan::python::setTensorType(type, counter);
  Py_RETURN_NONE;
}

template <typename Function> static PyCFunction method(Function *function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(function));
}

static PyMethodDef methods[] = {
    {"call", method(call), METH_FASTCALL, nullptr},
    {"choose", method(choose), METH_FASTCALL, nullptr},
    {"register", registerEstimator, METH_VARARGS, nullptr},
    {"prepare", prepare, METH_VARARGS, nullptr},
    {"set_allocators", setAllocators, METH_VARARGS, nullptr},
    {"set_tensor_type", ::setTensorType, METH_VARARGS, nullptr},
    {"define_torch_op", defineTorchOp, METH_VARARGS, nullptr},
    {"jax_handler", jaxHandler, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 "_core",
                                 "The functions behind rlscan.",
                                 -1,
                                 methods,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};

PyMODINIT_FUNC PyInit__core() {
  // Compiled estimators look for the runtime's functions among those of all.
  dlopen("librlscan.so." RLSCAN_SONAME, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  PyObject *module = PyModule_Create(&definition);
  if (module)
    PyModule_AddStringConstant(module, "version", RLSCAN_VERSION);
  return module;
}
