//===- CallArrays.h - The arrays of a call as devices take them -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_CALLARRAYS_H
#define RLSCAN_EXECUTION_CALLARRAYS_H

#include "Execution/Call.h"
#include "Execution/TiledKernel.h"

namespace rlscan {

/// The steps that one access may move, given how the call stores its arrays:
/// the largest power of two up to 16 that divides the number of steps and the
/// rows' strides, and that every address of contiguous steps is aligned to.
unsigned accessOf(const Call &call);

/// The entries of every axis where the call stores them packed: a step's side
/// by side, the next step's after them, and rows at multiples of 16 bytes. 0
/// where it does not, or there is no axis, or it has more than 256 entries.
unsigned entriesOf(const Call &call);

/// What a kernel for the call is compiled for, with the compiler's choice of a
/// schedule.
DeviceKernelOptions optionsFor(const Call &call);

/// The bytes that a call has to read and to write: each array once.
int64_t bytesRead(const Call &call);
int64_t bytesWritten(const Call &call);

/// The bytes that a tensor's elements lie in: the first, from its data pointer,
/// and how many.
std::pair<int64_t, int64_t> extentOf(const Tensor &tensor);

/// A param's argument, and that of an array of the call whose first element,
/// with all indices 0, is at `address`.
DeviceArgument numberOf(const Tensor &tensor);
DeviceArgument argumentFor(const Call &call, const Tensor &tensor,
                           uint64_t address);

/// Whether the call keeps what the schedule takes for granted.
llvm::Error checkPromises(const Call &call, ScheduleAttr schedule);

} // namespace rlscan

#endif // RLSCAN_EXECUTION_CALLARRAYS_H
