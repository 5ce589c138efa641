//===- Call.h - A call with arrays of any number of dimensions --*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_CALL_H
#define RLSCAN_PYTHON_CALL_H

#include "Estimator.h"

namespace rlscan::python {

/// Where a call gets its workspace from: zeroed, aligned to 16 bytes, valid
/// until the work that is queued when the call returns is done.
class Workspace {
public:
  virtual void *allocate(int32_t device, size_t bytes, Failure &failure) = 0;

protected:
  ~Workspace() = default;
};

/// What a call would run.
struct Choice {
  std::string variant, kernel;
  const char *layout = "";
  int64_t launches = 0, rows = 0, steps = 0, bytes = 0;
  size_t workspace = 0;
  std::vector<std::string> filled; // left out, read as zeros
};

/// One dimension of all arrays counts time, the others count rows. Step inputs
/// have the shape of the first of them, rows have it without the time; a
/// dimension of size 1 at the end may be there or not; an axis comes last.
class Call {
public:
  Call(Estimator &estimator, int64_t timeDim)
      : estimator(estimator), signature(estimator.signature()),
        timeDim(timeDim) {}

  /// In the order of the signature: inputs, then results.
  Array arrays[maxArguments];
  void setNumber(int argument, double number) { reals[argument] = number; }
  void setNumber(int argument, int64_t number) { wholes[argument] = number; }

  /// Checks the inputs. `prototype()` is then what results are like.
  bool plan(Failure &failure);
  const Array &prototype() const { return result; }
  int32_t device() const { return result.device; }

  /// Needs the results too. Queued on the stream, or done on return.
  bool run(void *stream, Workspace &workspace, Failure &failure);
  /// The code that it would run, nothing more.
  bool choose(Choice &choice, Failure &failure);

private:
  /// One dimension of rows, or several that are one in every array.
  struct Group {
    int64_t size;
    int64_t strides[maxArguments];
  };
  struct Launch;

  bool isStep(int argument) const {
    return signature.arguments[argument].kind == RLSCAN_STEP;
  }
  bool isRow(int argument) const {
    return signature.arguments[argument].kind == RLSCAN_ROW;
  }
  bool hasAxis(int argument) const {
    const rlscan_argument &input = signature.arguments[argument];
    return input.kind == RLSCAN_STEP && input.axis >= 0 && !input.extra_steps;
  }
  /// What it has besides the steps, or the tokens, in the dimension of time.
  int64_t extraOf(int argument) const {
    int64_t extra = signature.arguments[argument].extra_steps;
    return extra && isPacked() ? packedRows : extra;
  }
  bool isPacked() const { return packedRows >= 0; }
  int64_t steps() const {
    return arrays[anchor].sizes[timeDim] - extraOf(anchor);
  }
  /// What the anchor asks of an array's dimension.
  int64_t expectedSize(int argument, int dim) const {
    return dim == timeDim ? steps() + extraOf(argument)
                          : arrays[anchor].sizes[dim];
  }
  const std::string &nameOf(int argument) const {
    return estimator.names[argument];
  }
  bool findPacking(Failure &failure);
  bool findAnchors(Failure &failure);
  bool checkPackedRow(int argument, Failure &failure) const;
  bool align(int argument, Failure &failure);
  bool check(int argument, Failure &failure);
  bool misfit(int argument, Failure &failure) const;
  void orderResult();
  void group();
  bool overlapsItself(int argument, Failure &failure) const;
  bool checkResults(Failure &failure);
  uint32_t givenChoice() const;
  void describe(Choice &choice, const Launch &launch,
                const rlscan_choice &chosen);
  bool lacksRows(Failure &failure) const;
  int32_t typeOfZeros(int argument) const;
  void setShape(int argument, rlscan_tensor &tensor, bool isFilled) const;
  bool setArgument(Launch &launch, int number, Failure &failure);
  bool prepare(Launch &launch, const Table &made, Failure &failure);
  bool addWorkspace(Launch &launch, Workspace &workspace, Failure &failure);
  bool launchAll(Launch &launch, void *stream, Workspace &workspace,
                 Failure &failure);

  Estimator &estimator;
  const rlscan_estimator &signature;
  int64_t timeDim;
  int anchor = -1; // the step input that says the shape
  int typed = -1;  // the input that says the type of the results
  /// How many rows are packed in one dimension of tokens, or -1.
  int64_t packedRows = -1;
  Array result;
  double reals[maxArguments] = {};
  int64_t wholes[maxArguments] = {};
  /// Of each array in the anchor's dimensions, time and axis.
  int64_t strides[maxArguments][maxRank];
  int64_t axisSizes[maxArguments], axisStrides[maxArguments];
  Group groups[maxRank];
  int groupCount = 0, rowGroup = 0;
};

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_CALL_H
