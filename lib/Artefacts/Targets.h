//===- Targets.h - What code is made for ------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_TARGETS_H
#define RLSCAN_ARTEFACTS_TARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace rlscan {

/// A kind of CPU, or a kind of GPU.
struct Target {
  enum Kind { CPU, Cuda, Hip };
  Kind kind = CPU;
  /// "x86-64-v3", "sm_90", "gfx942".
  std::string chip;
  /// Of x86-64: 1 to 4. Of GPUs as rlscan_image has it: 90, 0x942.
  int number = 1;
  /// Whether the PTX is for every GPU, and no machine code goes with it.
  bool isPortable = false;

  /// "cpu:x86-64-v3".
  std::string text() const;
  /// "cpu", "cuda", "hip".
  static llvm::StringRef word(Kind kind);
  /// f32 values that a vector register of the CPU holds.
  unsigned lanes() const;
};

/// The targets that an item of --target names, such as `cpu` (two levels),
/// `hip` (four chips), `cuda:sm_90` or `cuda:ptx`.
llvm::Expected<std::vector<Target>> parseTarget(llvm::StringRef text);

void listTargets(llvm::raw_ostream &out);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_TARGETS_H
