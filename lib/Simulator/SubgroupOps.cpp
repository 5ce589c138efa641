//===- SubgroupOps.cpp - What the lanes of a subgroup do together ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/LaneOps.h"

#include <cstring>

using namespace rlscan;
using namespace rlscan::sim;
using llvm::Twine;

/// All lanes have to be there: those that a branch or a loop has left out
/// would be waited for. And it has to be for each that is there.
static bool takesAll(Subgroup &s, llvm::StringRef what, Mask lanes) {
  if (s.isWhole() && (s.mask & ~lanes) == 0)
    return true;
  if (s.isWhole()) {
    s.fail(what + " without lane " + Twine(llvm::countr_zero(s.mask & ~lanes)) +
           " of the subgroup, which is at it");
    return false;
  }
  unsigned missing = llvm::countr_zero(s.existing & ~s.mask);
  s.fail(what + " in divergent code: lane " + Twine(missing) +
         " of the subgroup does not take part");
  return false;
}

static unsigned sourceLane(const Instruction &i, unsigned lane, int32_t operand,
                           int32_t width, unsigned &isInside) {
  auto base = static_cast<int32_t>(lane) / width * width;
  int32_t source = lane, position = lane - base;
  switch (static_cast<mlir::gpu::ShuffleMode>(i.number)) {
  case mlir::gpu::ShuffleMode::XOR:
    source = base + (position ^ operand);
    break;
  case mlir::gpu::ShuffleMode::UP:
    source = lane - operand;
    break;
  case mlir::gpu::ShuffleMode::DOWN:
    source = lane + operand;
    break;
  case mlir::gpu::ShuffleMode::IDX:
    source = base + operand;
    break;
  }
  isInside = source >= base && source < base + width;
  return isInside ? source : lane;
}

/// NVIDIA's shuffles are for as many lanes as they are wide, from the first on;
/// AMD's are for all, be they as wide or not.
static Mask lanesOfShuffle(unsigned lanes, int32_t width) {
  constexpr unsigned ofNVIDIA = 32;
  bool isForSome = lanes == ofNVIDIA && width > 0 && width < 32;
  return isForSome ? (Mask(1) << width) - 1 : ~Mask(0);
}

/// The operands: the value, an i32, and the width, i32s both. The results: the
/// value, then whether there was another lane.
Outcome sim::shuffle(Subgroup &s, const Instruction &i) {
  unsigned lanes = s.lanes();
  const auto *value = s.at<uint32_t>(i.from[0]);
  const auto *operand = s.at<int32_t>(i.from[1]),
             *width = s.at<int32_t>(i.from[2]);
  if (!takesAll(s, "shuffle", lanesOfShuffle(lanes, *width)))
    return Outcome::Pause;
  auto *to = s.at<uint32_t>(i.to);
  auto *isValid = s.at<uint8_t>(i.target);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!(s.existing >> lane & 1))
      continue;
    if (width[lane] < 1 || width[lane] > static_cast<int32_t>(lanes))
      return s.fail("shuffle between " + Twine(width[lane]) +
                    " lanes, but the subgroup has " + Twine(lanes));
    unsigned isInside = 0;
    unsigned source = sourceLane(i, lane, operand[lane], width[lane], isInside);
    if (!(s.existing >> source & 1))
      return s.fail("shuffle from lane " + Twine(source) +
                    ", which the subgroup does not have");
    to[lane] = value[source];
    isValid[lane] = isInside;
  }
  ++s.machine().traffic.shuffles;
  return Outcome::Next;
}

Outcome sim::ballot(Subgroup &s, const Instruction &i) {
  if (!takesAll(s, "ballot", i.number))
    return Outcome::Pause;
  Mask votes = maskOf(s.at<uint8_t>(i.from[0]), s.lanes()) & s.existing;
  for (unsigned lane = 0; lane < s.lanes(); ++lane) {
    if (i.width == 4)
      s.at<uint32_t>(i.to)[lane] = votes;
    else
      s.at<uint64_t>(i.to)[lane] = votes;
  }
  ++s.machine().traffic.shuffles;
  return Outcome::Next;
}

Outcome sim::syncSubgroup(Subgroup &s, const Instruction &i) {
  if (!takesAll(s, "synchronisation of a subgroup", i.number))
    return Outcome::Pause;
  s.lastSync = s.machine().tick();
  ++s.machine().traffic.subgroupSyncs;
  return Outcome::Next;
}

/// Waits for the other subgroups.
Outcome sim::barrier(Subgroup &s, const Instruction &i) {
  if (!takesAll(s, "barrier", ~Mask(0)))
    return Outcome::Pause;
  s.state = Subgroup::AtBarrier;
  return Outcome::Pause;
}
