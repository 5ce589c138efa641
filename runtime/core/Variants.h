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

namespace rlscan::runtime {

/// The variant for a call on a target. A CPU's has the highest level up to
/// `level`; a GPU's has images.
rlscan_status findVariant(const Call &call, int32_t target, int32_t level,
                          const rlscan_variant *&variant);

/// Whether there is code for a target at all.
rlscan_status checkTarget(const rlscan_estimator &estimator, int32_t target);
bool hasTarget(const rlscan_estimator &estimator, int32_t target);

/// Of x86-64; 0 on other machines.
int32_t hostLevel();

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_VARIANTS_H
