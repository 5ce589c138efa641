//===- Eager.h - A call with Python's arrays, at once -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_EAGER_H
#define RLSCAN_PYTHON_EAGER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace rlscan::python {

/// call(slot, time_dim, out, *inputs), inputs in the order of the recipe, None
/// where one is left out: a result, or a tuple of them. NotImplemented where an
/// input is no plain array, or needs a gradient.
PyObject *call(PyObject *module, PyObject *const *arguments, Py_ssize_t count);

/// choose(slot, time_dim, None, *inputs): what call() would run, a dictionary.
PyObject *choose(PyObject *module, PyObject *const *arguments,
                 Py_ssize_t count);

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_EAGER_H
