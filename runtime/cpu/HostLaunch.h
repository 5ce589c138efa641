//===- HostLaunch.h - A call on the CPU -------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CPU_HOSTLAUNCH_H
#define RLSCAN_RUNTIME_CPU_HOSTLAUNCH_H

#include "runtime/core/Call.h"

namespace rlscan::runtime {

/// The rows of a piece of work: whole vectors, several pieces for each thread
/// so that a slow one does not hold up the rest, and wide enough to read runs
/// of memory.
int64_t grainOf(int64_t rows, int64_t threads);

/// Computes the results, on the calling thread and on those of
/// `head().parallel`.
rlscan_status launchOnHost(const Call &call, const rlscan_variant &variant);

/// The bytes of workspace with which no thread waits.
int64_t hostWorkspaceSize(const Call &call, const rlscan_variant &variant);

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CPU_HOSTLAUNCH_H
