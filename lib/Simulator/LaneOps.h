//===- LaneOps.h - Operations on the lanes of a subgroup --------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_LANEOPS_H
#define RLSCAN_SIMULATOR_LANEOPS_H

#include "Simulator/Machine.h"

#include "llvm/ADT/bit.h"

namespace rlscan::sim {

/// Calls `body` with each lane of the mask.
template <typename Body> void forEachLane(Mask mask, Body body) {
  for (; mask; mask &= mask - 1)
    body(static_cast<unsigned>(llvm::countr_zero(mask)));
}

/// The lanes whose flag, a byte, is set.
Mask maskOf(const uint8_t *flags, unsigned lanes);

/// What computes an operation whose elements do not depend on each other, for
/// all lanes, also those that are not active: these have no effects. Null where
/// the operation is none.
Handler elementHandler(mlir::Operation *op);

/// Between 16 bits and wider reals.
double fromHalf(uint16_t bits, bool isBF16);
uint16_t toHalf(double value, bool isBF16);

// Movement.cpp: values as they are. `number` is said where it counts.
Outcome copyElements(Subgroup &s, const Instruction &i);  // count * width bytes
Outcome spreadElement(Subgroup &s, const Instruction &i); // to `number` copies
Outcome castBits(Subgroup &s, const Instruction &i); // number: the new width
Outcome addNumber(Subgroup &s, const Instruction &i);
Outcome addScaled(Subgroup &s, const Instruction &i); // i64 times `number`
Outcome threadNumber(Subgroup &s, const Instruction &i);
Outcome workgroupNumber(Subgroup &s, const Instruction &i);
Outcome gridSize(Subgroup &s, const Instruction &i);
Outcome laneNumber(Subgroup &s, const Instruction &i);
Outcome subgroupNumber(Subgroup &s, const Instruction &i);

// Control.cpp
Outcome beginIf(Subgroup &s, const Instruction &i);
Outcome beginElse(Subgroup &s, const Instruction &i);
Outcome endFrame(Subgroup &s, const Instruction &i); // of an if or a loop
Outcome beginLoop(Subgroup &s, const Instruction &i);
Outcome testFor(Subgroup &s, const Instruction &i); // number: unsigned
Outcome nextFor(Subgroup &s, const Instruction &i);
Outcome testWhile(Subgroup &s, const Instruction &i);
Outcome beginCarry(Subgroup &s, const Instruction &i); // before `assign`s
Outcome nextWhile(Subgroup &s, const Instruction &i);
Outcome endProgram(Subgroup &s, const Instruction &i);
/// Of active lanes; notes whether a value changes.
Outcome assign(Subgroup &s, const Instruction &i);

// MemoryOps.cpp
Outcome loadLanes(Subgroup &s, const Instruction &i);
Outcome storeLanes(Subgroup &s, const Instruction &i);
Outcome updateLanes(Subgroup &s, const Instruction &i); // number: AtomicBinOp
Outcome copyAsync(Subgroup &s, const Instruction &i);
Outcome commitCopies(Subgroup &s, const Instruction &i);
Outcome waitForCopies(Subgroup &s, const Instruction &i); // but for `number`

// WeakMemory.cpp
Outcome bindLoad(Subgroup &s, const Instruction &i);
Outcome awaitLoads(Subgroup &s, const Instruction &i);
Outcome awaitStores(Subgroup &s, const Instruction &i);
/// One lane's part of a load. False after a fault.
bool loadLane(Subgroup &s, const Instruction &i, unsigned lane,
              uint64_t address);
void postponeLoad(Subgroup &s, const Instruction &i, unsigned lane,
                  uint64_t address);
/// Of at most 8 bytes.
void postponeStore(Subgroup &s, uint64_t address, unsigned bytes,
                   const char *data);
/// Before an access: what is late to the same bytes. Of other threads of the
/// workgroup a write waits for loads, too. False after a fault.
bool settle(Subgroup &s, unsigned lane, uint64_t address, unsigned bytes,
            bool isWrite);

// SubgroupOps.cpp: what lanes do together.
Outcome shuffle(Subgroup &s, const Instruction &i); // number: gpu::ShuffleMode
Outcome ballot(Subgroup &s, const Instruction &i);  // number: a mask of lanes
Outcome syncSubgroup(Subgroup &s, const Instruction &i); // number: as well
Outcome barrier(Subgroup &s, const Instruction &i);

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_LANEOPS_H
