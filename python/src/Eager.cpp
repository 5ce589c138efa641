//===- Eager.cpp - A call with Python's arrays, at once -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eager.h"
#include "Call.h"
#include "Objects.h"

#include <memory>

using namespace rlscan::python;

namespace {

/// Of the host from the C++ library, of a GPU from the library of the arrays.
class WorkspaceOf final : public Workspace {
public:
  explicit WorkspaceOf(PyObject *like, const Array &prototype)
      : like(like), prototype(prototype) {}
  ~WorkspaceOf() { Py_XDECREF(array); }

  void *allocate(int32_t device, size_t bytes, Failure &failure) override {
    if (device == host) {
      onHost.reset(new char[bytes]);
      return onHost.get();
    }
    void *data = nullptr;
    PyGILState_STATE state = PyGILState_Ensure();
    array = allocateBytes(like, prototype, bytes, data);
    if (!array) {
      PyErr_Clear();
      fail(failure, Failure::Runtime,
           "cannot allocate " + std::to_string(bytes) +
               " bytes of workspace on " + deviceText(device));
    }
    PyGILState_Release(state);
    return data;
  }

private:
  PyObject *like;
  const Array &prototype;
  PyObject *array = nullptr;
  std::unique_ptr<char[]> onHost;
};

/// The arguments of one call as Python gives them.
class EagerCall {
public:
  EagerCall(Estimator &estimator, int64_t timeDim)
      : estimator(estimator), signature(estimator.signature()),
        call(estimator, timeDim) {}

  /// All arrays; results are new ones where `out` is None.
  Reader::Answer read(PyObject *const *inputs, PyObject *out) {
    Reader::Answer answer = readInputs(inputs);
    if (answer != Reader::Read)
      return answer;
    bool isPlanned = call.plan(failure) || refuse();
    return isPlanned && findResults(out) ? Reader::Read : Reader::Failed;
  }
  bool run();
  PyObject *take();
  PyObject *choice();

private:
  Reader::Answer readInputs(PyObject *const *inputs);
  bool findResults(PyObject *out);
  Reader::Answer readNumber(int argument, PyObject *number);
  Reader::Answer readArray(int argument, PyObject *object);
  bool needsGradient(PyObject *object);
  bool readResult(int argument, PyObject *object);
  bool refuse() { return raise(failure) != nullptr; }

  Estimator &estimator;
  const rlscan_estimator &signature;
  Call call;
  Reader reader;
  Failure failure;
  // Results are like the first real step input, or like any where none is real.
  PyObject *like = nullptr;
  bool isLikeReal = false;
  NewArray results[maxArguments];
  int resultCount = 0;
};

} // namespace

/// A number, or an array of one: on a GPU it is read when the kernel runs.
Reader::Answer EagerCall::readNumber(int argument, PyObject *number) {
  bool isReal = signature.arguments[argument].element == RLSCAN_REAL;
  if (!PyFloat_Check(number) && !PyLong_Check(number) &&
      exchangeApiOf(number)) {
    Array &array = call.arrays[argument];
    Reader::Answer answer =
        reader.read(number, estimator.names[argument].c_str(), false, array);
    if (answer != Reader::Read || array.device != host)
      return answer;
    array = Array();
  }
  if (isReal)
    call.setNumber(argument, PyFloat_AsDouble(number));
  else if (signature.arguments[argument].element == RLSCAN_FLAG)
    call.setNumber(argument, static_cast<int64_t>(PyObject_IsTrue(number)));
  else
    call.setNumber(argument, static_cast<int64_t>(PyLong_AsLongLong(number)));
  if (!PyErr_Occurred())
    return Reader::Read;
  PyErr_Format(PyExc_TypeError, "%s: expected a %s, got %R",
               estimator.names[argument].c_str(),
               isReal ? "number" : "flag or a whole number", Py_TYPE(number));
  return Reader::Failed;
}

/// Of PyTorch's tensors: results are targets, so that nothing flows back. The
/// caller of call() says so, unless gradients are off.
bool EagerCall::needsGradient(PyObject *object) {
  if (!exchangeApiOf(object))
    return false;
  static PyObject *name = PyUnicode_InternFromString("requires_grad");
  PyObject *needs = PyObject_GetAttr(object, name);
  if (!needs)
    PyErr_Clear();
  Py_XDECREF(needs);
  return needs == Py_True;
}

Reader::Answer EagerCall::readArray(int argument, PyObject *object) {
  const rlscan_argument &input = signature.arguments[argument];
  if (input.element == RLSCAN_REAL && needsGradient(object))
    return Reader::Unreadable;
  bool isReal = input.kind == RLSCAN_STEP && input.element == RLSCAN_REAL;
  if (!like || (isReal && !isLikeReal))
    like = object;
  isLikeReal |= isReal;
  return reader.read(object, estimator.names[argument].c_str(), false,
                     call.arrays[argument]);
}

Reader::Answer EagerCall::readInputs(PyObject *const *inputs) {
  for (int i = 0, e = estimator.inputCount(); i < e; ++i) {
    if (inputs[i] == Py_None && signature.arguments[i].is_optional &&
        signature.arguments[i].kind != RLSCAN_PARAM)
      continue;
    Reader::Answer answer = signature.arguments[i].kind == RLSCAN_PARAM
                                ? readNumber(i, inputs[i])
                                : readArray(i, inputs[i]);
    if (answer != Reader::Read)
      return answer;
  }
  return like && isTensor(like) && isSeenByModes() ? Reader::Unreadable
                                                   : Reader::Read;
}

bool EagerCall::readResult(int argument, PyObject *object) {
  Reader::Answer answer = reader.read(object, estimator.names[argument].c_str(),
                                      true, call.arrays[argument]);
  if (answer == Reader::Unreadable)
    PyErr_Format(PyExc_TypeError, "out: %s is no plain array but %R",
                 estimator.names[argument].c_str(), Py_TYPE(object));
  return answer == Reader::Read;
}

/// Those that are given, or new ones.
bool EagerCall::findResults(PyObject *out) {
  int first = estimator.inputCount();
  int count = signature.argument_count - first;
  bool isTuple = PyTuple_Check(out) || PyList_Check(out);
  if (out != Py_None && isTuple && PySequence_Size(out) != count) {
    PyErr_Format(PyExc_ValueError, "out: expected %d arrays, got %zd", count,
                 PySequence_Size(out));
    return false;
  }
  if (out != Py_None && !isTuple && count != 1) {
    PyErr_Format(PyExc_TypeError, "out: expected a tuple of %d arrays, got %R",
                 count, Py_TYPE(out));
    return false;
  }
  for (int i = 0; i < count; ++i) {
    NewArray &result = results[resultCount++];
    Array &array = call.arrays[first + i];
    bool isThere = out == Py_None
                       ? result.allocate(like, call.prototype(), array)
                       : result.hold(isTuple ? PySequence_GetItem(out, i)
                                             : Py_NewRef(out));
    if (!isThere)
      return false;
    if (!array.isGiven() && !readResult(first + i, result.object()))
      return false;
  }
  return true;
}

bool EagerCall::run() {
  void *stream = nullptr;
  const dlpack::ExchangeApi *api = exchangeApiOf(like);
  if (call.device() != host) {
    if (!api) {
      PyErr_SetString(PyExc_TypeError,
                      "arrays of this library are taken on the CPU only");
      return false;
    }
    if (api->currentStream(call.prototype().deviceType, call.device(),
                           &stream) != 0)
      return false;
  }
  WorkspaceOf workspace(like, call.prototype());
  bool isDone;
  Py_BEGIN_ALLOW_THREADS;
  isDone = call.run(stream, workspace, failure);
  Py_END_ALLOW_THREADS;
  return isDone || refuse();
}

PyObject *EagerCall::take() {
  if (resultCount == 1)
    return results[0].take();
  PyObject *taken = PyTuple_New(resultCount);
  for (int i = 0; taken && i < resultCount; ++i) {
    PyObject *result = results[i].take();
    if (!result)
      Py_CLEAR(taken);
    else
      PyTuple_SetItem(taken, i, result);
  }
  return taken;
}

PyObject *EagerCall::choice() {
  Choice chosen;
  if (!call.choose(chosen, failure))
    return raise(failure);
  PyObject *filled = PyList_New(0);
  for (const std::string &name : chosen.filled) {
    PyObject *text = PyUnicode_FromString(name.c_str());
    PyList_Append(filled, text);
    Py_XDECREF(text);
  }
  return Py_BuildValue("{s:s,s:s,s:s,s:L,s:L,s:L,s:L,s:n,s:N}", "variant",
                       chosen.variant.c_str(), "kernel", chosen.kernel.c_str(),
                       "layout", chosen.layout, "launches",
                       (long long)chosen.launches, "rows",
                       (long long)chosen.rows, "steps", (long long)chosen.steps,
                       "bytes", (long long)chosen.bytes, "workspace",
                       (Py_ssize_t)chosen.workspace, "filled", filled);
}

/// The estimator of a call, or null with an exception.
static Estimator *check(PyObject *const *arguments, Py_ssize_t count,
                        int64_t &timeDim) {
  Estimator *estimator =
      count >= 3 ? estimatorAt(static_cast<int>(PyLong_AsLong(arguments[0])))
                 : nullptr;
  if (!estimator) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError, "expected (slot, time_dim, out, ...)");
    return nullptr;
  }
  timeDim = PyLong_AsLongLong(arguments[1]);
  if (timeDim == -1 && PyErr_Occurred())
    return nullptr;
  int inputs = estimator->inputCount();
  if (count - 3 == inputs)
    return estimator;
  PyErr_Format(PyExc_TypeError, "%s: expected %d inputs, got %zd",
               estimator->name.c_str(), inputs, count - 3);
  return nullptr;
}

PyObject *rlscan::python::call(PyObject *, PyObject *const *arguments,
                               Py_ssize_t count) {
  int64_t timeDim = 0;
  Estimator *estimator = check(arguments, count, timeDim);
  if (!estimator)
    return nullptr;
  EagerCall eager(*estimator, timeDim);
  Reader::Answer answer = eager.read(arguments + 3, arguments[2]);
  if (answer == Reader::Unreadable)
    return Py_NewRef(Py_NotImplemented);
  return answer == Reader::Read && eager.run() ? eager.take() : nullptr;
}

PyObject *rlscan::python::choose(PyObject *, PyObject *const *arguments,
                                 Py_ssize_t count) {
  int64_t timeDim = 0;
  Estimator *estimator = check(arguments, count, timeDim);
  if (!estimator)
    return nullptr;
  EagerCall eager(*estimator, timeDim);
  Reader::Answer answer = eager.read(arguments + 3, Py_None);
  if (answer == Reader::Unreadable)
    return Py_NewRef(Py_NotImplemented);
  return answer == Reader::Read ? eager.choice() : nullptr;
}
