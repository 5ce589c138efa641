//===- RLScanOps.td - Every op of the dialect, for TableGen -*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_OPS_TD
#define RLSCAN_OPS_TD

include "dialects/rlscan/RecurrenceOps.td"
include "dialects/rlscan/TileOps.td"
include "dialects/rlscan/FragmentOps.td"

#endif // RLSCAN_OPS_TD
