//===- Call.h - One call of a compiled estimator, checked -------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CORE_CALL_H
#define RLSCAN_RUNTIME_CORE_CALL_H

#include "rlscan/abi.h"

namespace rlscan::runtime {

constexpr int maxArguments = 32;
/// As many axes as there can be arrays along one.
constexpr int maxAxes = maxArguments;

/// The arrays of a call, known to fit the estimator and each other.
class Call {
public:
  explicit Call(const rlscan_estimator &estimator) : estimator(estimator) {}

  /// Reads the struct of a call and checks it. Only what depends on a device,
  /// or on the code that the library has, is left.
  rlscan_status read(const void *args);

  const rlscan_args_head &head() const {
    return *reinterpret_cast<const rlscan_args_head *>(args);
  }
  const rlscan_tensor &tensor(int argument) const {
    return *reinterpret_cast<const rlscan_tensor *>(
        args + estimator.arguments[argument].offset);
  }
  /// Whether an array, or a param's number in memory, is given.
  bool isGiven(int argument) const {
    const rlscan_tensor &array = tensor(argument);
    return array.data || array.rank != 0;
  }
  /// What a param is in the struct: the bits of a double, of a byte (0 or 1),
  /// of an int64_t.
  uint64_t number(int argument) const;

  const rlscan_estimator &estimator;
  /// What the struct has of an array, as kernels see it: packed rows are one
  /// row, and what each has one of lies along an axis.
  rlscan_tensor view(int argument) const;

  /// Packed: one row, and a step for each token.
  int64_t rows = 0, steps = 0;
  /// How many rows are packed in one, or -1 where none are.
  int64_t packedRows = -1;
  bool isPacked() const { return packedRows >= 0; }
  int64_t axisSizes[maxAxes] = {};
  /// As rlscan_variant has it.
  uint64_t storage[2] = {};
  /// Whether the steps (the rows) of all arrays [rows, steps] are neighbours in
  /// memory.
  bool stepsAdjoin = true, rowsAdjoin = true;
  /// The steps that one access may move: the largest power of two up to 16 that
  /// divides the number of steps and the strides of rows of arrays whose steps
  /// adjoin, and that their addresses are aligned to.
  int access = 16;
  /// What every axis has of entries where they are packed: a step's side by
  /// side, the next step's after them, in rows that begin and end at multiples
  /// of 16 bytes. 0 where they are not.
  int64_t entries = 0;

  /// Whether it is an array of a step that has an inner axis.
  static bool hasAxis(const rlscan_argument &argument) {
    return argument.kind == RLSCAN_STEP && argument.axis >= 0 &&
           argument.extra_steps == 0;
  }
  /// What it has besides steps, or besides tokens where rows are packed.
  int64_t extraOf(const rlscan_argument &argument) const {
    return argument.extra_steps && isPacked() ? packedRows
                                              : argument.extra_steps;
  }

private:
  rlscan_status checkHead(const void *given);
  rlscan_status findPacking();
  bool takesExtent(int argument, int64_t size) const;
  rlscan_status findSizes();
  int expectedRank(const rlscan_argument &argument) const;
  rlscan_status checkNumber(int argument);
  rlscan_status checkMissing(int argument);
  rlscan_status checkType(int argument);
  rlscan_status checkRank(int argument);
  rlscan_status checkSizes(int argument);
  rlscan_status checkSteps(int argument);
  rlscan_status checkPackedSizes(int argument);
  rlscan_status checkSize(int argument, int dim, int64_t size, int anchor);
  rlscan_status checkAddress(int argument);
  rlscan_status checkCount();
  rlscan_status check(int argument);
  void note(int argument);
  void notePacking(const rlscan_tensor &array);

  const char *args = nullptr;
  int extentAnchor = -1;
  int axisAnchors[maxAxes];
  uint64_t accessBits = 0;
  bool hasPackedEntries = true;
};

/// Whether the estimator was compiled for this runtime.
rlscan_status checkAbi(const rlscan_estimator &estimator);

/// 4 bits of rlscan_variant::storage.
inline int storageOf(const uint64_t storage[2], int argument) {
  return storage[argument / 16] >> (argument % 16 * 4) & 15;
}

/// Whether no dimension is 0.
bool hasElements(const rlscan_tensor &array);

/// Each array is within what can be memory, and no result shares it with an
/// input, another result or itself.
rlscan_status checkRanges(const Call &call);

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_CALL_H
