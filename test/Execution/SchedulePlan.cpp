//===- SchedulePlan.cpp - The schedules that tests try --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchedulePlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <array>
#include <set>

using namespace rlscan::test;

static constexpr unsigned mostThreads = 1024;
static constexpr llvm::StringLiteral chains[] = {"once", "loop", "look_back"};

std::string PlannedSchedule::words(unsigned access, unsigned entries) const {
  unsigned moved = std::min(stepsPerThread, access);
  return "v" + std::to_string(stepsPerThread) + "_l" + std::to_string(lanes) +
         "_g" + std::to_string(groups) + "_r" + std::to_string(rows) + "_" +
         chains[chain].str() + "_a" + std::to_string(moved) +
         (isPacked ? "_e" + std::to_string(entries) : "") +
         (isStreamed ? "_s1" : "");
}

/// Two areas for each subgroup's positions, at most 8 bytes each, the groups'
/// maps, and three arrays along an axis: what any kernel takes of shared
/// memory.
static bool fitsSharedMemory(const PlannedSchedule &schedule, unsigned entries,
                             unsigned subgroup) {
  constexpr int64_t limit = 48 * 1024, maps = 128;
  int64_t staged = schedule.lanes == subgroup && schedule.stepsPerThread > 1
                       ? 16 * schedule.tileSteps() * schedule.rows
                       : 0;
  if (schedule.isPacked)
    staged += 24 * schedule.tileSteps() * schedule.rows * entries;
  return staged + maps * schedule.groups * schedule.rows <= limit;
}

bool ScheduleNeeds::fits(const PlannedSchedule &schedule) const {
  if (!fitsSharedMemory(schedule, entries, subgroup) ||
      (schedule.isPacked && !entries))
    return false;
  switch (schedule.chain) {
  case PlannedSchedule::Once:
    return steps <= schedule.tileSteps() && (canSplit || schedule.groups == 1);
  case PlannedSchedule::Loop:
    return canSplit || schedule.groups == 1;
  case PlannedSchedule::LookBack: {
    // Of 1,000 tiles and more each looks at those before: minutes, simulated.
    constexpr int64_t mostTiles = 300;
    return canLookBack &&
           steps <= mostTiles * static_cast<int64_t>(schedule.tileSteps());
  }
  }
  llvm_unreachable("unknown chain");
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// Rows of a workgroup: one or a few subgroups of threads, and numbers that are
/// no powers of two.
static std::vector<unsigned> rowCounts(unsigned lanes, unsigned groups,
                                       unsigned subgroup) {
  if (lanes == 1)
    return groups == 1 ? std::vector<unsigned>{32, 128, 40}
                       : std::vector<unsigned>{32, 8, 40};
  unsigned least = subgroup / lanes;
  return {least, 2 * least, 3 * least, 4 * least};
}

static std::vector<unsigned> groupCounts(unsigned lanes, unsigned subgroup) {
  if (lanes == 1 || lanes == subgroup)
    return {1, 2, 3, 4, 8, 16};
  return {1};
}

static std::vector<PlannedSchedule::Chain> chainsOf(unsigned lanes,
                                                    unsigned subgroup) {
  std::vector<PlannedSchedule::Chain> all = {
      PlannedSchedule::Loop, PlannedSchedule::Once, PlannedSchedule::LookBack};
  if (lanes != 1 && lanes != subgroup)
    all.pop_back();
  return all;
}

static std::vector<unsigned> lanesOf(unsigned subgroup) {
  std::vector<unsigned> lanes = {subgroup, 1, 8, 2, 16, 4};
  for (unsigned more = 32; more < subgroup; more *= 2)
    lanes.push_back(more);
  return lanes;
}

static std::vector<PlannedSchedule> allSchedules(unsigned subgroup) {
  std::vector<PlannedSchedule> list;
  for (unsigned steps : {4, 1, 16, 2, 8})
    for (unsigned lanes : lanesOf(subgroup))
      for (unsigned groups : groupCounts(lanes, subgroup))
        for (unsigned rows : rowCounts(lanes, groups, subgroup))
          for (PlannedSchedule::Chain chain : chainsOf(lanes, subgroup))
            if (lanes * groups * rows <= mostThreads)
              list.push_back({steps, lanes, groups, rows, chain,
                              /*isPacked=*/false, /*isStreamed=*/false});
  return list;
}

/// Some schedules also with packed entries, some with streamed inputs.
static void addVariants(std::vector<PlannedSchedule> &list, unsigned subgroup) {
  size_t count = list.size();
  for (size_t i = 0; i < count; ++i) {
    PlannedSchedule schedule = list[i];
    if (schedule.lanes == subgroup && i % 2 == 0)
      schedule.isPacked = true;
    else if (i % 3 == 0)
      schedule.isStreamed = true;
    else
      continue;
    list.push_back(schedule);
  }
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

using Pair = std::array<unsigned, 4>;

/// The pairs of numbers that meet in a schedule.
static std::vector<Pair> pairsOf(const PlannedSchedule &schedule) {
  unsigned numbers[] = {schedule.stepsPerThread, schedule.lanes,
                        schedule.groups,         schedule.rows,
                        schedule.chain,          schedule.isPacked,
                        schedule.isStreamed};
  std::vector<Pair> pairs;
  for (unsigned a = 0; a < std::size(numbers); ++a)
    for (unsigned b = 0; b < a; ++b)
      pairs.push_back({a, numbers[a], b, numbers[b]});
  return pairs;
}

/// Always the schedule with most pairs that have not met; where all have, they
/// are forgotten.
SchedulePlan::SchedulePlan(unsigned subgroup) {
  std::vector<PlannedSchedule> rest = allSchedules(subgroup);
  addVariants(rest, subgroup);
  std::set<Pair> met;
  while (!rest.empty()) {
    auto countNew = [&](const PlannedSchedule &schedule) {
      return llvm::count_if(pairsOf(schedule),
                            [&](const Pair &pair) { return !met.count(pair); });
    };
    auto best = std::max_element(rest.begin(), rest.end(),
                                 [&](const auto &a, const auto &b) {
                                   return countNew(a) < countNew(b);
                                 });
    if (countNew(*best) == 0) {
      met.clear();
      continue;
    }
    for (const Pair &pair : pairsOf(*best))
      met.insert(pair);
    list.push_back(*best);
    rest.erase(best);
  }
}

std::string SchedulePlan::words(size_t turn, const ScheduleNeeds &needs) const {
  // Every kernel takes one whose rows are not split and whose chain is a loop.
  while (!needs.fits(list[turn % list.size()]))
    ++turn;
  return list[turn % list.size()].words(needs.access, needs.entries);
}
