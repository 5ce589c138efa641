//===- Objects.h - Arrays of Python's libraries -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_OBJECTS_H
#define RLSCAN_PYTHON_OBJECTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "Array.h"
#include "DLPack.h"
#include "TorchShim.h"

namespace rlscan::python {

/// The functions of an object's type; null where it has none.
const dlpack::ExchangeApi *exchangeApiOf(PyObject *object);

/// Reads arrays of any library: of PyTorch through its exchange functions, of
/// others through the buffer protocol (NumPy) or __dlpack__. Holds on to what
/// it has read.
class Reader {
public:
  enum Answer {
    Read,
    Failed,    // with an exception set
    Unreadable // only its own library can: a tensor without memory, a subclass
  };

  Answer read(PyObject *object, const char *name, bool isResult, Array &array);
  ~Reader();

private:
  Answer readTensor(const dlpack::Tensor &tensor, const char *name,
                    Array &array);
  Answer readBuffer(PyObject *object, const char *name, bool isResult,
                    int32_t dtype, Array &array);
  Answer readCapsule(PyObject *object, const char *name, Array &array);

  PyObject *owners[maxArguments];
  int ownerCount = 0;
  Py_buffer buffers[maxArguments];
  int bufferCount = 0;
};

/// Raises the failure as an exception of Python; always null.
PyObject *raise(const Failure &failure);

/// PyTorch's type of tensors, once there is one, and a function that counts the
/// modes which see operators.
void setTensorType(PyObject *type, PyObject *modeCounter);
bool isTensor(PyObject *object);
/// Whether operators have to go through PyTorch's dispatcher.
bool isSeenByModes();

/// A new array of a library. A tensor of PyTorch's becomes an object of
/// Python's when it is taken: once a kernel is launched there is time for it.
class NewArray {
public:
  NewArray() = default;
  NewArray(const NewArray &) = delete;
  NewArray &operator=(const NewArray &) = delete;
  ~NewArray();

  /// Of the same library as `like`, as the prototype says. `array` is that
  /// array, or is not given where object() has to be read. False with an
  /// exception.
  bool allocate(PyObject *like, const Array &prototype, Array &array);
  /// One that is there already, by a reference of its own; null with an
  /// exception.
  bool hold(PyObject *given);
  /// Null of what is not taken yet.
  PyObject *object() const { return held; }
  /// The reference, or null with an exception.
  PyObject *take();

private:
  PyObject *held = nullptr;
  torch::Tensor tensor = nullptr;
};

/// What makes arrays of a shape and strides: a function of Python's.
void setAllocator(PyObject *function);

/// An array of zero bytes of the same library, and where they are.
PyObject *allocateBytes(PyObject *like, const Array &prototype, size_t bytes,
                        void *&data);
void setByteAllocator(PyObject *function);

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_OBJECTS_H
