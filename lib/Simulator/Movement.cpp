//===- Movement.cpp - Values as they are, and numbers of threads ----------===//
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

Mask sim::maskOf(const uint8_t *flags, unsigned lanes) {
  Mask mask = 0;
  for (unsigned lane = 0; lane < lanes; lane += 8) {
    uint64_t eight;
    std::memcpy(&eight, flags + lane, sizeof(eight));
    // Gathers the lowest bit of each byte.
    eight = (eight & 0x0101010101010101) * 0x0102040810204080 >> 56;
    mask |= eight << lane;
  }
  return mask;
}

Outcome sim::copyElements(Subgroup &s, const Instruction &i) {
  std::memcpy(s.at<char>(i.to), s.at<char>(i.from[0]), i.count * i.width);
  return Outcome::Next;
}

Outcome sim::spreadElement(Subgroup &s, const Instruction &i) {
  unsigned bytes = i.count * i.width;
  for (int64_t copy = 0; copy < i.number; ++copy)
    std::memcpy(s.at<char>(i.to + copy * bytes), s.at<char>(i.from[0]), bytes);
  return Outcome::Next;
}

/// The elements of a lane, end to end, cut into others. `count` are those of
/// one lane.
Outcome sim::castBits(Subgroup &s, const Instruction &i) {
  unsigned lanes = s.lanes(), width = i.number;
  const char *from = s.at<char>(i.from[0]);
  char *to = s.at<char>(i.to);
  for (unsigned byte = 0; byte < i.count * i.width; ++byte)
    for (unsigned lane = 0; lane < lanes; ++lane)
      to[(byte / width * lanes + lane) * width + byte % width] =
          from[(byte / i.width * lanes + lane) * i.width + byte % i.width];
  return Outcome::Next;
}

Outcome sim::addNumber(Subgroup &s, const Instruction &i) {
  uint64_t *to = s.at<uint64_t>(i.to);
  const uint64_t *from = s.at<uint64_t>(i.from[0]);
  for (unsigned lane = 0; lane < i.count; ++lane)
    to[lane] = from[lane] + i.number;
  return Outcome::Next;
}

Outcome sim::addScaled(Subgroup &s, const Instruction &i) {
  uint64_t *to = s.at<uint64_t>(i.to), scale = i.number;
  const uint64_t *base = s.at<uint64_t>(i.from[0]),
                 *index = s.at<uint64_t>(i.from[1]);
  for (unsigned lane = 0; lane < i.count; ++lane)
    to[lane] = base[lane] + index[lane] * scale;
  return Outcome::Next;
}

static Outcome fill(Subgroup &s, const Instruction &i, uint64_t first,
                    uint64_t step) {
  for (unsigned lane = 0; lane < i.count; ++lane)
    s.at<uint64_t>(i.to)[lane] = first + lane * step;
  return Outcome::Next;
}

Outcome sim::threadNumber(Subgroup &s, const Instruction &i) {
  return fill(s, i, s.number * s.lanes(), 1);
}

Outcome sim::workgroupNumber(Subgroup &s, const Instruction &i) {
  return fill(s, i, s.workgroup.number, 0);
}

Outcome sim::gridSize(Subgroup &s, const Instruction &i) {
  return fill(s, i, s.machine().options.workgroups, 0);
}

Outcome sim::laneNumber(Subgroup &s, const Instruction &i) {
  return fill(s, i, 0, 1);
}

Outcome sim::subgroupNumber(Subgroup &s, const Instruction &i) {
  return fill(s, i, s.number, 0);
}
