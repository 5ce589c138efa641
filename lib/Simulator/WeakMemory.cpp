//===- WeakMemory.cpp - Relaxed accesses that take effect late ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// With a seed, some relaxed accesses do not take effect where they stand, as on
// a device. A load reads when its value is first used, a store is seen by other
// workgroups some time later, in any order with stores to other places. What
// holds nevertheless:
//
//  - accesses of a workgroup to the same bytes keep their order;
//  - before a fence of the device is passed, all loads before it have read,
//    where it acquires, and all stores before it are seen, where it releases;
//  - every store is seen in the end.
//
// A barrier orders accesses for the threads of its workgroup, for which the
// first rule is enough, and for nobody else.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Access.h"
#include "Simulator/LaneOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace rlscan;
using namespace rlscan::sim;

static bool overlap(uint64_t a, unsigned bytesOfA, uint64_t b,
                    unsigned bytesOfB) {
  return a < b + bytesOfB && b < a + bytesOfA;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Reads what was to be read late, where `chooses` says so.
static bool readLate(Subgroup &s,
                     llvm::function_ref<bool(const LateLoad &)> chooses) {
  std::vector<LateLoad> rest, chosen;
  for (const LateLoad &late : s.lateLoads)
    (chooses(late) ? chosen : rest).push_back(late);
  s.lateLoads = std::move(rest);
  return llvm::all_of(chosen, [&](const LateLoad &late) {
    return loadLane(s, *late.load, late.lane, late.address);
  });
}

void sim::postponeLoad(Subgroup &s, const Instruction &i, unsigned lane,
                       uint64_t address) {
  // A value that is overwritten before it is used has never to be read.
  llvm::erase_if(s.lateLoads, [&](const LateLoad &late) {
    return late.load == &i && late.lane == lane;
  });
  s.lateLoads.push_back({&i, lane, address});
}

/// Before a use of the value at the place `to`.
Outcome sim::bindLoad(Subgroup &s, const Instruction &i) {
  if (s.lateLoads.empty())
    return Outcome::Next;
  bool isGood = readLate(s, [&](const LateLoad &late) {
    return late.load->to == i.to && s.mask >> late.lane & 1;
  });
  return isGood ? Outcome::Next : Outcome::Pause;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Others see the store from now on.
static void showStore(Workgroup &workgroup, size_t number) {
  LateStore store = workgroup.lateStores[number];
  workgroup.lateStores.erase(workgroup.lateStores.begin() + number);
  Region &region = *workgroup.regionOf(store.address);
  workgroup.machine.write(region, store.address - region.address, store.data,
                          store.bytes);
}

void sim::postponeStore(Subgroup &s, uint64_t address, unsigned bytes,
                        const char *data) {
  LateStore store = {address, bytes, {}};
  std::copy_n(data, bytes, store.data);
  s.workgroup.lateStores.push_back(store);
  ++s.writes;
}

/// One of those that may come next: none to the same bytes is older.
bool Workgroup::showSomeStore() {
  if (lateStores.empty())
    return false;
  size_t number = (*machine.random)() % lateStores.size();
  for (size_t i = 0; i < number; ++i)
    if (overlap(lateStores[i].address, lateStores[i].bytes,
                lateStores[number].address, lateStores[number].bytes))
      number = i;
  showStore(*this, number);
  return true;
}

void Workgroup::showAllStores() {
  while (!lateStores.empty())
    showStore(*this, 0);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool sim::settle(Subgroup &s, unsigned lane, uint64_t address, unsigned bytes,
                 bool isWrite) {
  if (!s.machine().random)
    return true;
  std::vector<LateStore> &stores = s.workgroup.lateStores;
  for (size_t i = 0; i < stores.size();)
    if (overlap(stores[i].address, stores[i].bytes, address, bytes))
      showStore(s.workgroup, i);
    else
      ++i;
  return llvm::all_of(s.workgroup.subgroups, [&](const auto &other) {
    return other->lateLoads.empty() ||
           readLate(*other, [&](const LateLoad &late) {
             unsigned size = late.load->count * late.load->width;
             bool isOwn = other.get() == &s && late.lane == lane;
             return (isOwn || isWrite) &&
                    overlap(late.address, size, address, bytes);
           });
  });
}

Outcome sim::awaitStores(Subgroup &s, const Instruction &i) {
  s.workgroup.showAllStores();
  return Outcome::Next;
}

Outcome sim::awaitLoads(Subgroup &s, const Instruction &i) {
  bool isGood = readLate(
      s, [&](const LateLoad &late) { return s.mask >> late.lane & 1; });
  return isGood ? Outcome::Next : Outcome::Pause;
}
