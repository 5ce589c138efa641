//===- TorchOps.h - Operators of PyTorch, torch.ops.rlscan ------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_TORCHOPS_H
#define RLSCAN_PYTHON_TORCHOPS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace rlscan::python {

/// define_torch_op(slot, folder, name, schema, out_schema): registers an
/// estimator with PyTorch's dispatcher, and as `name_out` one that writes to
/// arrays it is given. `folder` has PyTorch's libraries, which are loaded.
PyObject *defineTorchOp(PyObject *module, PyObject *arguments);

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_TORCHOPS_H
