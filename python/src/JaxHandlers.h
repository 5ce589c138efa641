//===- JaxHandlers.h - Foreign functions for XLA ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_JAXHANDLERS_H
#define RLSCAN_PYTHON_JAXHANDLERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace rlscan::python {

/// jax_handler(slot, is_for_devices): a capsule for jax.ffi.
PyObject *jaxHandler(PyObject *module, PyObject *arguments);

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_JAXHANDLERS_H
