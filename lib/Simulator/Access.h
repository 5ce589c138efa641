//===- Access.h - One access of one lane to memory --------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_ACCESS_H
#define RLSCAN_SIMULATOR_ACCESS_H

#include "Simulator/Machine.h"

namespace rlscan::sim {

/// Checks an access before it is made, and notes it. Every function reports
/// what is wrong and gives null or false then.
class Access {
public:
  Access(Subgroup &s, llvm::StringRef what, uint64_t address, unsigned bytes,
         unsigned lane, bool isAtomic)
      : s(s), what(what), address(address), bytes(bytes), lane(lane),
        isAtomic(isAtomic) {}

  /// Finds the bytes: inside of an array, aligned, and writable where that is
  /// asked for.
  bool find(unsigned alignment, bool isWritten);
  bool noteRead();
  /// `data` is what will be written, now or later.
  bool noteWrite(const char *data);
  /// Writes, after it was noted.
  void write(const char *data);
  /// The bytes will be written by an asynchronous copy, or are now.
  bool notePending();
  void endPending();

  char *data() const { return region->data + offset; }
  const Region &array() const { return *region; }

private:
  int64_t firstUnit() const { return offset / region->unit; }
  int64_t lastUnit() const { return (offset + bytes - 1) / region->unit; }
  bool eachCell(llvm::function_ref<bool(Cell &)> passes);
  bool isBefore(uint32_t thread, Time time, Cell::Readers readers) const;
  bool isBefore(uint32_t thread, Time time) const {
    return isBefore(thread, time, Cell::One);
  }
  void addReader(Cell &cell);
  bool checkRead(Cell &cell);
  bool checkWrite(Cell &cell, const char *data);
  bool checkPending(const Cell &cell);
  bool reportRace(uint32_t thread, uint32_t place);
  bool fail(const llvm::Twine &message);
  std::string where() const;

  Subgroup &s;
  llvm::StringRef what;
  uint64_t address;
  unsigned bytes, lane;
  bool isAtomic;
  Region *region = nullptr;
  int64_t offset = 0;
};

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_ACCESS_H
