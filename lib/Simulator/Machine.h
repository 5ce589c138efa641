//===- Machine.h - The state of a launch ------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_MACHINE_H
#define RLSCAN_SIMULATOR_MACHINE_H

#include "Simulator/Simulator.h"

#include <memory>
#include <random>

namespace rlscan::sim {

class Workgroup;
class Machine;

using Mask = uint64_t; // a bit for each lane

/// The lanes that an `if` or a loop goes back to, and how a turn of a loop
/// began.
struct Frame {
  Mask mask = 0, otherwise = 0;
  int64_t atomicLoads = 0, writes = 0, version = 0;
};

/// An asynchronous copy that has not arrived.
struct PendingCopy {
  unsigned lane, bytes;
  uint64_t to;
  int64_t group;
  char data[16];
};

/// A relaxed load of a lane that has not read yet, and a relaxed store that
/// other workgroups do not see yet (WeakMemory.cpp).
struct LateLoad {
  const Instruction *load;
  unsigned lane;
  uint64_t address;
};
struct LateStore {
  uint64_t address;
  unsigned bytes;
  char data[8];
};

/// Some lanes that execute the same instruction.
class Subgroup {
public:
  enum State { Ready, AtBarrier, Waiting, Ended };

  Subgroup(Workgroup &workgroup, unsigned number);
  void run();

  template <typename T> T *at(unsigned place) {
    return reinterpret_cast<T *>(registers.get() + place);
  }
  const Program &program() const;
  Machine &machine() const;
  unsigned lanes() const;
  /// Of the grid, from 1 on.
  uint32_t thread(unsigned lane) const;
  bool isWhole() const { return mask == existing; }

  /// Reports a fault at the present instruction.
  Outcome fail(const llvm::Twine &message);
  unsigned place() const { return next - 1; }

  Workgroup &workgroup;
  const unsigned number;
  State state = Ready;
  Mask existing, mask;
  unsigned next = 0; // instruction
  std::vector<Frame> frames;
  bool hasChanged = false; // what the loop carries, in this turn
  int64_t atomicLoads = 0, writes = 0;
  int64_t seenVersion = 0; // of memory, where it waits for another
  Time lastSync;
  std::vector<PendingCopy> copies;
  std::vector<int64_t> copyGroups; // committed, by lane
  std::vector<LateLoad> lateLoads;

private:
  std::unique_ptr<char[]> registers;
};

class Workgroup {
public:
  Workgroup(Machine &machine, int64_t number);

  /// Lets its subgroups run until each has to wait or had its turn.
  void run();
  bool canRun() const;
  bool hasEnded() const;
  /// The region of an address, or null.
  Region *regionOf(uint64_t address);
  /// Lets other workgroups see one of the late stores; false where all are.
  bool showSomeStore();
  void showAllStores();

  Machine &machine;
  const int64_t number;
  Time lastBarrier;
  std::vector<std::unique_ptr<Subgroup>> subgroups;
  SectorCache cache{SectorCache::ofWorkgroup};
  std::vector<LateStore> lateStores;

private:
  void passBarrier();

  std::vector<Region> shared;
  std::vector<char> memory;
};

/// Runs a launch.
class Machine {
public:
  Machine(const Program &program, llvm::ArrayRef<uint64_t> arguments,
          std::vector<Region> &regions, const LaunchOptions &options);

  llvm::Error run();

  Time tick() { return ++clock; }
  /// In a shuffled order, whether another has a turn now.
  bool interrupts() { return random && (*random)() % 8 == 0; }
  /// In a shuffled order, whether a relaxed access takes effect later.
  bool isLate() { return random && (*random)() % 2 == 0; }
  /// Changes memory; true where the bytes are others then.
  bool write(Region &region, int64_t offset, const char *data, unsigned bytes);
  void fail(std::unique_ptr<Fault> newFault) {
    if (!fault)
      fault = std::move(newFault);
  }
  bool hasFailed() const { return fault != nullptr; }

  const Program &program;
  llvm::ArrayRef<uint64_t> arguments;
  std::vector<Region> &regions;
  const LaunchOptions &options;
  Traffic traffic;
  SectorCache cache{SectorCache::ofWorkgroup *
                    static_cast<size_t>(options.resident)};
  /// Counts what was written to global memory, and since when nothing was.
  int64_t version = 1, idleTurns = 0;
  std::optional<std::mt19937_64> random;
  Time clock = 1;
  /// What AMD's driver adds to a kernel's arguments; read only.
  Region launchArguments;

private:
  void runWorkgroups();
  size_t nextTurn();
  void showSomeStores();
  void reportDeadlock();
  void checkOutputs();

  uint32_t workgroupCounts[3] = {1, 1, 1};
  std::vector<int64_t> order;
  size_t started = 0, turn = 0;
  /// Of a shuffled order: after a workgroup comes itself, the next or the one
  /// before; about every so many turns another one, and another order.
  unsigned turnsInOrder = 1, advance = 0;
  std::vector<std::unique_ptr<Workgroup>> resident;
  std::unique_ptr<Fault> fault;
};

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_MACHINE_H
