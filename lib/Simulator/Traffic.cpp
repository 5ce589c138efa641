//===- Traffic.cpp - What a simulated kernel moved ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Traffic.h"

#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::sim;

bool SectorCache::fetch(uint64_t sector) {
  if (!present.insert(sector).second)
    return false;
  order.push_back(sector);
  if (order.size() > capacity) {
    present.erase(order.front());
    order.pop_front();
  }
  return true;
}

static void printGlobal(llvm::raw_ostream &out, const char *what,
                        const AccessCounts &counts) {
  out << what << ": " << counts.bytes << " bytes, "
      << counts.sectors * Traffic::sectorBytes << " in " << counts.sectors
      << " sectors, " << counts.requests << " requests\n";
}

static void printShared(llvm::raw_ostream &out, const char *what,
                        const AccessCounts &counts) {
  out << what << ": " << counts.bytes << " bytes, " << counts.requests
      << " requests\n";
}

void Traffic::print(llvm::raw_ostream &out) const {
  printGlobal(out, "loads", loads);
  out << "fetched: " << loads.fetched * sectorBytes << " bytes, "
      << loads.missed * sectorBytes << " from memory" << '\n';
  printGlobal(out, "stores", stores);
  printShared(out, "shared loads", sharedLoads);
  printShared(out, "shared stores", sharedStores);
  out << "asynchronous copies: " << copies << '\n'
      << "atomics: " << atomics << '\n'
      << "shuffles: " << shuffles << '\n'
      << "barriers: " << barriers << " of workgroups, " << subgroupSyncs
      << " of subgroups" << '\n'
      << "instructions: " << instructions << '\n';
}
