//===- Variants.h - Which code of a library fits a call ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CORE_VARIANTS_H
#define RLSCAN_RUNTIME_CORE_VARIANTS_H

#include "runtime/core/Call.h"

namespace rlscan::device {
class Device;
} // namespace rlscan::device

namespace rlscan::runtime {

/// What code is looked for.
struct Machine {
  int32_t target = RLSCAN_TARGET_CPU;
  /// Of a CPU: hostLevel().
  int32_t level = 0;
  /// Of which a variant has an image; null: of any.
  const device::Device *gpu = nullptr;
};

/// The variant for a call. A CPU's has the highest level up to `level`.
rlscan_status findVariant(const Call &call, const Machine &machine,
                          const rlscan_variant *&variant);
/// The same; null where there is none.
const rlscan_variant *bestVariant(const Call &call, const Machine &machine);

/// Whether there is code for a target at all.
rlscan_status checkTarget(const rlscan_estimator &estimator, int32_t target);
bool hasTarget(const rlscan_estimator &estimator, int32_t target);

/// Of x86-64; 0 on other machines.
int32_t hostLevel();

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_VARIANTS_H
