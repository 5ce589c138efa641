//===- SchedulePlan.h - The schedules that tests try ---------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_SCHEDULEPLAN_H
#define RLSCAN_TEST_EXECUTION_SCHEDULEPLAN_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rlscan::test {

/// The numbers of a schedule, but for the steps that an access moves and the
/// entries that are packed: those are as many as the call allows.
struct PlannedSchedule {
  unsigned stepsPerThread, lanes, groups, rows;
  enum Chain { Once, Loop, LookBack } chain;
  bool isPacked;
  bool isStreamed;

  int64_t tileSteps() const {
    return static_cast<int64_t>(stepsPerThread) * lanes * groups;
  }
  std::string words(unsigned access, unsigned entries) const;
};

/// What a kernel and a call take.
struct ScheduleNeeds {
  int64_t steps = 0;
  /// Steps that one access may move, and packed entries.
  unsigned access = 1, entries = 0;
  /// Whether a row may be split between groups, and between workgroups.
  bool canSplit = true, canLookBack = true;
  /// Threads of the device's subgroup.
  unsigned subgroup = 32;

  bool fits(const PlannedSchedule &schedule) const;
};

/// Every combination of steps a thread, lanes, groups, rows and chain that the
/// compiler takes, of a few values each; first those in which pairs of values
/// meet for the first time.
class SchedulePlan {
public:
  explicit SchedulePlan(unsigned subgroup = 32);

  llvm::ArrayRef<PlannedSchedule> schedules() const { return list; }
  /// The words of the first schedule from `turn` on that fits.
  std::string words(size_t turn, const ScheduleNeeds &needs) const;

private:
  std::vector<PlannedSchedule> list;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_SCHEDULEPLAN_H
