//===- Estimator.h - A compiled estimator, known at run time ----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PYTHON_ESTIMATOR_H
#define RLSCAN_PYTHON_ESTIMATOR_H

#include "Array.h"

#include <mutex>
#include <vector>

namespace rlscan::python {

/// A shared library of rlscan-compile's, and what it has: code for the host or
/// for devices.
struct Library {
  std::string path, symbol;
  bool isForDevices;
};

struct Table {
  const rlscan_estimator *estimator;
  /// Of each of its arguments, which one of the signature's it is.
  std::vector<int> places;
  /// The choices of optional arrays that there is code for, a bit an argument
  /// of the signature.
  std::vector<uint32_t> choices;
};

/// Whether calls choose to give an argument.
inline bool isChosen(const rlscan_argument &argument) {
  return argument.kind != RLSCAN_PARAM &&
         (argument.is_optional || argument.role != RLSCAN_PLAIN);
}

/// An estimator and the libraries that have its code. Those for devices are
/// opened with the first call for one.
class Estimator {
public:
  using Tables = std::vector<Table>;

  bool open(std::vector<Library> libraries, Failure &failure);

  /// For the host or for devices, in the order of the libraries.
  bool tables(bool isForDevices, const Tables *&found, Failure &failure);

  /// The arguments. Of those that say where rows end a library may lack some.
  const rlscan_estimator &signature() const { return *widest; }

  /// Results come after the inputs.
  int inputCount() const;

  std::string name;
  /// Of the arguments, as Python has them.
  std::vector<std::string> names;
  /// A bit for each argument that is all zeros where it is left out.
  uint32_t isZeroIfAbsent = 0;
  /// A bit for each that says where rows end: lengths, cu_seqlens.
  uint32_t ofRows = 0;

private:
  bool add(const Library &library, Tables &tables, Failure &failure);
  bool findPlaces(Table &table, Failure &failure) const;

  std::vector<Library> forDevices;
  Tables host, device;
  const rlscan_estimator *widest = nullptr;
  std::mutex mutex;
};

/// Estimators have numbers, which are given once and kept.
constexpr int maxEstimators = 128;
Estimator *estimatorAt(int slot);
/// -1 where there is no room.
int keep(Estimator *estimator);

} // namespace rlscan::python

#endif // RLSCAN_PYTHON_ESTIMATOR_H
