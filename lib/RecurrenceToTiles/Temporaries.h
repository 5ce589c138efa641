//===- Temporaries.h - What sweeps leave for later ones ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECURRENCETOTILES_TEMPORARIES_H
#define RLSCAN_RECURRENCETOTILES_TEMPORARIES_H

#include "dialects/rlscan/RLScan.h"

namespace rlscan {

/// Whether all that reads the array stands where the sweep that writes it ends:
/// a value a row is enough.
bool isReadAtEndOnly(TemporaryOp temporary);

/// Bytes of a row and step that sweeps of the kernel leave for later ones,
/// without what one value a row is enough for.
int64_t temporaryBytes(KernelOp kernel);

/// Whether a tile of the schedule is a row, and a workgroup's own memory has
/// room for all that sweeps leave of it, beside what is on its way between
/// lanes and groups.
bool keepsTemporaries(KernelOp kernel, ScheduleAttr schedule);

} // namespace rlscan

#endif // RLSCAN_RECURRENCETOTILES_TEMPORARIES_H
