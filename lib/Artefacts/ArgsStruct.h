//===- ArgsStruct.h - The struct of a call in C -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_ARGSSTRUCT_H
#define RLSCAN_ARTEFACTS_ARGSSTRUCT_H

#include "Artefacts/CallKinds.h"

namespace rlscan {

/// A member for an input or a result.
struct ArgsMember {
  std::string name;       // in C; an input's own but for reserved words
  std::string numberName; // of a param: its number; `name` is where it may lie
  int32_t offset = 0;     // of the rlscan_tensor
  int32_t numberOffset = -1;
};

/// What the generated header declares and the tables describe.
struct ArgsStruct {
  std::vector<ArgsMember> members; // in the order of argumentNames
  int32_t size = 0;

  explicit ArgsStruct(EstimatorOp estimator);
};

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_ARGSSTRUCT_H
