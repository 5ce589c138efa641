//===- Traffic.h - What a simulated kernel moved ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_TRAFFIC_H
#define RLSCAN_SIMULATOR_TRAFFIC_H

#include "llvm/ADT/DenseSet.h"

#include <cstdint>
#include <deque>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace rlscan::sim {

/// Accesses of one kind, global or shared. A request is what one instruction
/// of one subgroup asks for.
struct AccessCounts {
  int64_t requests = 0;
  int64_t bytes = 0;   // of all lanes
  int64_t sectors = 0; // pieces of 32 bytes, each once a request
  int64_t fetched = 0; // sectors that the workgroup's cache has to ask for
  int64_t missed = 0; // of these, what the device's cache has to ask memory for
};

/// The sectors that were touched last.
class SectorCache {
public:
  /// A workgroup's share of a multiprocessor's cache: 64 KiB. The device's
  /// cache is as large as those of all resident workgroups together.
  static constexpr size_t ofWorkgroup = 2048;

  explicit SectorCache(size_t capacity) : capacity(capacity) {}
  /// Whether the sector is not there; it is, afterwards.
  bool fetch(uint64_t sector);

private:
  size_t capacity;
  llvm::DenseSet<uint64_t> present;
  std::deque<uint64_t> order;
};

/// What a launch did.
struct Traffic {
  AccessCounts loads, stores;             // of global memory
  AccessCounts sharedLoads, sharedStores; // sectors are not counted
  int64_t atomics = 0; // relaxed accesses to global memory, and updates
  int64_t copies = 0;  // asynchronous; their reads are among the loads
  int64_t shuffles = 0;
  int64_t subgroupSyncs = 0, barriers = 0;
  int64_t instructions = 0; // of subgroups

  static constexpr int64_t sectorBytes = 32;

  void print(llvm::raw_ostream &out) const;
};

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_TRAFFIC_H
