//===- Control.cpp - Branches and loops of a subgroup ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A branch is taken by the lanes whose condition holds, then the other way by
// the rest; a loop goes on as long as a lane is in it. What a lane does not do
// leaves its values alone: only active lanes assign.
//
//===----------------------------------------------------------------------===//

#include "Simulator/LaneOps.h"

#include <cstring>

using namespace rlscan;
using namespace rlscan::sim;

Outcome sim::beginIf(Subgroup &s, const Instruction &i) {
  Mask holds = maskOf(s.at<uint8_t>(i.from[0]), s.lanes());
  Frame frame;
  frame.mask = s.mask;
  frame.otherwise = s.mask & ~holds;
  s.frames.push_back(frame);
  s.mask &= holds;
  if (!s.mask)
    s.next = i.target;
  return Outcome::Next;
}

Outcome sim::beginElse(Subgroup &s, const Instruction &i) {
  s.mask = s.frames.back().otherwise;
  if (!s.mask)
    s.next = i.target;
  return Outcome::Next;
}

Outcome sim::endFrame(Subgroup &s, const Instruction &i) {
  s.mask = s.frames.back().mask;
  s.frames.pop_back();
  return Outcome::Next;
}

template <typename T> static bool assignAs(Subgroup &s, const Instruction &i) {
  unsigned lanes = s.lanes();
  T *to = s.at<T>(i.to);
  const T *from = s.at<T>(i.from[0]);
  bool changes = false;
  for (unsigned element = 0; element < i.count; ++element)
    forEachLane(s.mask, [&](unsigned lane) {
      unsigned n = element * lanes + lane;
      changes |= to[n] != from[n];
      to[n] = from[n];
    });
  return changes;
}

Outcome sim::assign(Subgroup &s, const Instruction &i) {
  char *to = s.at<char>(i.to);
  const char *from = s.at<char>(i.from[0]);
  unsigned bytes = i.count * i.width * s.lanes();
  if (s.isWhole()) {
    s.hasChanged = s.hasChanged || std::memcmp(to, from, bytes) != 0;
    std::memcpy(to, from, bytes);
  } else if (i.width == 1)
    s.hasChanged |= assignAs<uint8_t>(s, i);
  else if (i.width == 2)
    s.hasChanged |= assignAs<uint16_t>(s, i);
  else if (i.width == 4)
    s.hasChanged |= assignAs<uint32_t>(s, i);
  else
    s.hasChanged |= assignAs<uint64_t>(s, i);
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void beginTurn(Subgroup &s) {
  Frame &frame = s.frames.back();
  frame.atomicLoads = s.atomicLoads;
  frame.writes = s.writes;
  frame.version = s.machine().version;
}

Outcome sim::beginLoop(Subgroup &s, const Instruction &i) {
  Frame frame;
  frame.mask = s.mask;
  s.frames.push_back(frame);
  beginTurn(s);
  return Outcome::Next;
}

Outcome sim::testFor(Subgroup &s, const Instruction &i) {
  const auto *index = s.at<int64_t>(i.from[0]), *end = s.at<int64_t>(i.from[1]);
  const auto *index32 = s.at<int32_t>(i.from[0]),
             *end32 = s.at<int32_t>(i.from[1]);
  Mask goesOn = 0;
  forEachLane(s.mask, [&](unsigned lane) {
    bool isBefore =
        i.width == 4 ? index32[lane] < end32[lane] : index[lane] < end[lane];
    goesOn |= Mask(isBefore) << lane;
  });
  s.mask = goesOn;
  if (!s.mask)
    s.next = i.target;
  return Outcome::Next;
}

Outcome sim::nextFor(Subgroup &s, const Instruction &i) {
  for (unsigned lane = 0; lane < s.lanes(); ++lane) {
    if (i.width == 4)
      s.at<uint32_t>(i.to)[lane] += s.at<uint32_t>(i.from[0])[lane];
    else
      s.at<uint64_t>(i.to)[lane] += s.at<uint64_t>(i.from[0])[lane];
  }
  s.next = i.target;
  return Outcome::Next;
}

Outcome sim::testWhile(Subgroup &s, const Instruction &i) {
  s.mask &= maskOf(s.at<uint8_t>(i.from[0]), s.lanes());
  if (!s.mask)
    s.next = i.target;
  return Outcome::Next;
}

Outcome sim::beginCarry(Subgroup &s, const Instruction &i) {
  s.hasChanged = false;
  return Outcome::Next;
}

/// A turn that changed nothing, and wrote nothing, is followed by others like
/// it: until another workgroup writes what this one reads, or for ever.
Outcome sim::nextWhile(Subgroup &s, const Instruction &i) {
  Machine &machine = s.machine();
  Frame turn = s.frames.back();
  bool looks = s.atomicLoads != turn.atomicLoads;
  bool isIdle = !s.hasChanged && s.writes == turn.writes;
  if (isIdle && !looks)
    return s.fail("the loop never ends: a turn of it changes nothing");
  s.next = i.target;
  beginTurn(s);
  if (!looks)
    return Outcome::Next;
  constexpr int64_t patience = 1 << 20;
  if (++machine.idleTurns > patience)
    return s.fail("the loop waits for ever: nothing was written in the last " +
                  llvm::Twine(patience) + " turns");
  if (isIdle && machine.version == turn.version) {
    s.state = Subgroup::Waiting;
    s.seenVersion = turn.version;
  }
  return Outcome::Pause;
}

Outcome sim::endProgram(Subgroup &s, const Instruction &i) {
  s.state = Subgroup::Ended;
  return Outcome::Pause;
}
