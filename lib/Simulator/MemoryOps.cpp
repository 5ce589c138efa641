//===- MemoryOps.cpp - Loads, stores, atomics and copies of a subgroup ----===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Access.h"
#include "Simulator/LaneOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace LLVM = mlir::LLVM;
using namespace rlscan;
using namespace rlscan::sim;

/// What any lane moves at most.
static constexpr unsigned mostBytes = 128;

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// The sectors that the active lanes touch, each once.
static llvm::SmallVector<uint64_t, 128> sectorsOf(const uint64_t *addresses,
                                                  Mask mask, unsigned bytes) {
  llvm::SmallVector<uint64_t, 128> sectors;
  bool isSorted = true;
  forEachLane(mask, [&](unsigned lane) {
    uint64_t first = addresses[lane] / Traffic::sectorBytes,
             last = (addresses[lane] + bytes - 1) / Traffic::sectorBytes;
    for (uint64_t sector = first; sector <= last; ++sector) {
      if (!sectors.empty() && sector == sectors.back())
        continue;
      isSorted &= sectors.empty() || sectors.back() < sector;
      sectors.push_back(sector);
    }
  });
  if (!isSorted) {
    llvm::sort(sectors);
    sectors.erase(llvm::unique(sectors), sectors.end());
  }
  return sectors;
}

static void count(Subgroup &s, const uint64_t *addresses, unsigned bytes,
                  bool isLoad) {
  Region *region = s.workgroup.regionOf(addresses[llvm::countr_zero(s.mask)]);
  if (region == &s.machine().launchArguments)
    return;
  Traffic &traffic = s.machine().traffic;
  bool isGlobal = region->isGlobal();
  AccessCounts &counts =
      isLoad ? (isGlobal ? traffic.loads : traffic.sharedLoads)
             : (isGlobal ? traffic.stores : traffic.sharedStores);
  ++counts.requests;
  counts.bytes += static_cast<int64_t>(bytes) * llvm::popcount(s.mask);
  if (!isGlobal)
    return;
  for (uint64_t sector : sectorsOf(addresses, s.mask, bytes)) {
    ++counts.sectors;
    if (!isLoad || !s.workgroup.cache.fetch(sector))
      continue;
    ++counts.fetched;
    counts.missed += s.machine().cache.fetch(sector);
  }
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Calls `body` with each active lane, until it fails.
static bool eachLane(Subgroup &s, llvm::function_ref<bool(unsigned)> body) {
  for (Mask mask = s.mask; mask; mask &= mask - 1)
    if (!body(llvm::countr_zero(mask)))
      return false;
  return true;
}

/// Between a lane's elements in registers and bytes side by side.
template <bool toMemory>
static void moveElements(Subgroup &s, const Instruction &i, unsigned place,
                         unsigned lane, char *bytes) {
  for (unsigned element = 0; element < i.count; ++element) {
    char *one = s.at<char>(place) + (element * s.lanes() + lane) * i.width;
    char *other = bytes + element * i.width;
    std::memcpy(toMemory ? other : one, toMemory ? one : other, i.width);
  }
}

/// A pause after an access that others may look at, in shuffled orders.
static Outcome afterAccess(Subgroup &s, const Instruction &i) {
  return i.isAtomic && s.machine().interrupts() ? Outcome::Pause
                                                : Outcome::Next;
}

bool sim::loadLane(Subgroup &s, const Instruction &i, unsigned lane,
                   uint64_t address) {
  Access access(s, "load", address, i.count * i.width, lane, i.isAtomic);
  if (!access.find(i.alignment, /*isWritten=*/false) || !access.noteRead())
    return false;
  moveElements<false>(s, i, i.to, lane, access.data());
  return true;
}

Outcome sim::loadLanes(Subgroup &s, const Instruction &i) {
  const auto *addresses = s.at<uint64_t>(i.from[0]);
  unsigned bytes = i.count * i.width;
  bool isLate = i.isAtomic && s.machine().isLate();
  bool isGood = eachLane(s, [&](unsigned lane) {
    if (!settle(s, lane, addresses[lane], bytes, /*isWrite=*/false))
      return false;
    if (!isLate)
      return loadLane(s, i, lane, addresses[lane]);
    postponeLoad(s, i, lane, addresses[lane]);
    return true;
  });
  if (!isGood)
    return Outcome::Pause;
  if (i.isAtomic) {
    ++s.atomicLoads;
    ++s.machine().traffic.atomics;
  } else
    count(s, addresses, bytes, /*isLoad=*/true);
  return afterAccess(s, i);
}

Outcome sim::storeLanes(Subgroup &s, const Instruction &i) {
  const auto *addresses = s.at<uint64_t>(i.from[0]);
  unsigned bytes = i.count * i.width;
  bool isLate = i.isAtomic && s.machine().isLate();
  bool isGood = eachLane(s, [&](unsigned lane) {
    char data[mostBytes];
    moveElements<true>(s, i, i.from[1], lane, data);
    Access access(s, "store", addresses[lane], bytes, lane, i.isAtomic);
    if (!settle(s, lane, addresses[lane], bytes, /*isWrite=*/true) ||
        !access.find(i.alignment, /*isWritten=*/true) ||
        !access.noteWrite(data))
      return false;
    if (isLate)
      postponeStore(s, addresses[lane], bytes, data);
    else
      access.write(data);
    return true;
  });
  if (!isGood)
    return Outcome::Pause;
  if (i.isAtomic)
    ++s.machine().traffic.atomics;
  else
    count(s, addresses, bytes, /*isLoad=*/false);
  return afterAccess(s, i);
}

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

template <typename T>
static T updated(LLVM::AtomicBinOp kind, T old, T operand) {
  switch (kind) {
  case LLVM::AtomicBinOp::uinc_wrap:
    return old >= operand ? 0 : old + 1;
  case LLVM::AtomicBinOp::add:
    return old + operand;
  case LLVM::AtomicBinOp::umax:
    return std::max(old, operand);
  case LLVM::AtomicBinOp::umin:
    return std::min(old, operand);
  case LLVM::AtomicBinOp::_or:
    return old | operand;
  case LLVM::AtomicBinOp::_and:
    return old & operand;
  default:
    return operand; // xchg: the builder takes no others
  }
}

template <typename T>
static bool update(Subgroup &s, const Instruction &i, unsigned lane) {
  auto kind = static_cast<LLVM::AtomicBinOp>(i.number);
  uint64_t address = s.at<uint64_t>(i.from[0])[lane];
  Access access(s, "atomic update", address, sizeof(T), lane, i.isAtomic);
  if (!settle(s, lane, address, sizeof(T), /*isWrite=*/true) ||
      !access.find(sizeof(T), /*isWritten=*/true) || !access.noteRead())
    return false;
  T old, result;
  std::memcpy(&old, access.data(), sizeof(T));
  result = updated<T>(kind, old, s.at<T>(i.from[1])[lane]);
  if (!access.noteWrite(reinterpret_cast<char *>(&result)))
    return false;
  access.write(reinterpret_cast<char *>(&result));
  s.at<T>(i.to)[lane] = old;
  return true;
}

Outcome sim::updateLanes(Subgroup &s, const Instruction &i) {
  bool isGood = eachLane(s, [&](unsigned lane) {
    return i.width == 4 ? update<uint32_t>(s, i, lane)
                        : update<uint64_t>(s, i, lane);
  });
  if (!isGood)
    return Outcome::Pause;
  ++s.machine().traffic.atomics;
  return afterAccess(s, i);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// Reads now, writes when it is waited for; nobody may look until then.
Outcome sim::copyAsync(Subgroup &s, const Instruction &i) {
  const auto *to = s.at<uint64_t>(i.from[0]), *from = s.at<uint64_t>(i.from[1]);
  bool isGood = eachLane(s, [&](unsigned lane) {
    Access source(s, "copy", from[lane], i.count, lane, /*isAtomic=*/false);
    Access target(s, "copy", to[lane], i.count, lane, /*isAtomic=*/false);
    if (!source.find(i.count, /*isWritten=*/false) || !source.noteRead() ||
        !target.find(i.count, /*isWritten=*/true) || !target.notePending())
      return false;
    PendingCopy copy = {lane, i.count, to[lane], s.copyGroups[lane], {}};
    std::memcpy(copy.data, source.data(), i.count);
    s.copies.push_back(copy);
    return true;
  });
  if (!isGood)
    return Outcome::Pause;
  ++s.machine().traffic.copies;
  count(s, from, i.count, /*isLoad=*/true);
  return Outcome::Next;
}

Outcome sim::commitCopies(Subgroup &s, const Instruction &i) {
  forEachLane(s.mask, [&](unsigned lane) { ++s.copyGroups[lane]; });
  return Outcome::Next;
}

Outcome sim::waitForCopies(Subgroup &s, const Instruction &i) {
  std::vector<PendingCopy> rest;
  for (const PendingCopy &copy : s.copies) {
    bool isWaiting = s.mask >> copy.lane & 1;
    if (!isWaiting || copy.group >= s.copyGroups[copy.lane] - i.number) {
      rest.push_back(copy);
      continue;
    }
    Access target(s, "copy", copy.to, copy.bytes, copy.lane,
                  /*isAtomic=*/false);
    target.find(1, /*isWritten=*/true);
    target.endPending();
    if (!target.noteWrite(copy.data))
      return Outcome::Pause;
    target.write(copy.data);
  }
  s.copies = std::move(rest);
  return Outcome::Next;
}
