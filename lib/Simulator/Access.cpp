//===- Access.cpp - One access of one lane to memory ----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What comes before what: the accesses of a thread, one after the other; those
// of a subgroup before and after a synchronisation of it; those of a workgroup
// before and after a barrier. Nothing else orders accesses: lanes of a subgroup
// need not go in step, and a shuffle is no synchronisation of memory. Two
// accesses to the same bytes, at least one of them a write, are a race where
// neither comes before the other, but for two kinds:
//
//  - atomic accesses, of any workgroups;
//  - writes of the same bits by threads of one workgroup: threads past the last
//    row repeat what those of the last row do.
//
// A cell has the last write, and the reads since then. A read that comes after
// those that are noted takes their place, since what comes after it comes after
// them; others join.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Access.h"

#include <cstring>

using namespace rlscan;
using namespace rlscan::sim;
using llvm::Twine;

std::string Access::where() const {
  return "byte " + std::to_string(offset) + " of '" + region->name + "'";
}

bool Access::fail(const Twine &message) {
  s.fail(message);
  return false;
}

//===----------------------------------------------------------------------===//
// The place
//===----------------------------------------------------------------------===//

bool Access::find(unsigned alignment, bool isWritten) {
  region = s.workgroup.regionOf(address);
  if (!region)
    return fail("out of bounds: " + what + " of " + Twine(bytes) +
                " bytes at an address of no array");
  offset = static_cast<int64_t>(address - region->address);
  if (offset < 0 || offset + bytes > region->bytes)
    return fail("out of bounds: " + what + " of " + Twine(bytes) +
                " bytes at " + where() + ", which has " + Twine(region->bytes));
  if (address % alignment != 0)
    return fail("misaligned: " + what + " of " + Twine(bytes) + " bytes at " +
                where() + ", expected a multiple of " + Twine(alignment));
  if (isWritten && !region->isWritable())
    return fail(what + " to '" + region->name + "', which is an input");
  for (int64_t unit = firstUnit(); unit <= lastUnit(); ++unit)
    if (!region->cells.isElement(unit))
      return fail(what + " between the elements of '" + region->name +
                  "', at byte " + Twine(offset));
  return true;
}

/// Whether all of the access's cells pass.
bool Access::eachCell(llvm::function_ref<bool(Cell &)> passes) {
  for (int64_t unit = firstUnit(); unit <= lastUnit(); ++unit)
    if (!passes(region->cells.at(unit)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

/// Whether earlier accesses of this or these threads come before this one.
bool Access::isBefore(uint32_t thread, Time time, Cell::Readers readers) const {
  if (thread == Cell::nobody)
    return true;
  uint32_t mine = s.thread(lane);
  if (readers == Cell::One && thread == mine)
    return true;
  unsigned threads = s.program().threads;
  if (readers == Cell::OfGrid || (thread - 1) / threads != (mine - 1) / threads)
    return false;
  bool isNear = readers <= Cell::OfSubgroup &&
                (thread - 1) % threads / s.lanes() == s.number;
  return time < (isNear ? s.lastSync : s.workgroup.lastBarrier);
}

bool Access::reportRace(uint32_t thread, uint32_t place) {
  unsigned threads = s.program().threads;
  uint32_t mine = s.thread(lane) - 1, other = thread - 1;
  bool isNear = mine / threads == other / threads;
  std::string who = isNear ? ("threads " + Twine(mine % threads) + " and " +
                              Twine(other % threads) + " of workgroup " +
                              Twine(mine / threads))
                                 .str()
                           : ("workgroups " + Twine(mine / threads) + " and " +
                              Twine(other / threads))
                                 .str();
  auto fault = std::make_unique<Fault>(
      s.program().locations[s.place()],
      ("race between " + who + ": " + what + " at " + where()).str());
  fault->notes.push_back(
      {s.program().locations[place], "the other access is here"});
  s.machine().fail(std::move(fault));
  return false;
}

bool Access::checkPending(const Cell &cell) {
  if (!cell.isPending)
    return true;
  return fail(what + " at " + where() +
              " before an asynchronous copy to it was waited for");
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

void Access::addReader(Cell &cell) {
  uint32_t mine = s.thread(lane);
  if (isBefore(cell.reader, cell.readTime, cell.readers)) {
    cell.reader = mine;
    cell.readers = Cell::One;
    cell.readPlace = s.place();
    cell.areReadsAtomic = isAtomic;
  } else {
    unsigned threads = s.program().threads;
    uint32_t other = cell.reader - 1;
    Cell::Readers together = Cell::OfGrid;
    if (other / threads == (mine - 1) / threads)
      together = other % threads / s.lanes() == s.number ? Cell::OfSubgroup
                                                         : Cell::OfWorkgroup;
    cell.readers = std::max(cell.readers, together);
    cell.areReadsAtomic &= isAtomic;
  }
  cell.readTime = s.machine().clock;
}

bool Access::checkRead(Cell &cell) {
  if (!checkPending(cell))
    return false;
  if (cell.writer == Cell::nobody && region->kind != RegionKind::Zeroed)
    return fail(what + " at " + where() + ", where nothing is written yet");
  if (!isBefore(cell.writer, cell.writeTime) &&
      !(isAtomic && cell.isWriteAtomic))
    return reportRace(cell.writer, cell.writePlace);
  addReader(cell);
  return true;
}

bool Access::noteRead() {
  if (!region->isWritable())
    return true;
  return eachCell([&](Cell &cell) { return checkRead(cell); });
}

bool Access::checkWrite(Cell &cell, const char *data) {
  if (!checkPending(cell))
    return false;
  if (!isBefore(cell.writer, cell.writeTime) &&
      !(isAtomic && cell.isWriteAtomic)) {
    unsigned threads = s.program().threads;
    bool isNear = (cell.writer - 1) / threads == (s.thread(lane) - 1) / threads;
    if (!isNear || std::memcmp(this->data(), data, bytes) != 0)
      return reportRace(cell.writer, cell.writePlace);
  }
  if (!isBefore(cell.reader, cell.readTime, cell.readers) &&
      !(isAtomic && cell.areReadsAtomic))
    return reportRace(cell.reader, cell.readPlace);
  cell.writer = s.thread(lane);
  cell.writeTime = s.machine().clock;
  cell.writePlace = s.place();
  cell.isWriteAtomic = isAtomic;
  cell.reader = Cell::nobody;
  return true;
}

bool Access::noteWrite(const char *data) {
  return eachCell([&](Cell &cell) { return checkWrite(cell, data); });
}

void Access::write(const char *data) {
  s.writes += s.machine().write(*region, offset, data, bytes);
}

bool Access::notePending() {
  return eachCell([&](Cell &cell) {
    if (!checkPending(cell))
      return false;
    // What is written now must not be in use, either.
    if (!isBefore(cell.writer, cell.writeTime))
      return reportRace(cell.writer, cell.writePlace);
    if (!isBefore(cell.reader, cell.readTime, cell.readers))
      return reportRace(cell.reader, cell.readPlace);
    cell.isPending = true;
    return true;
  });
}

void Access::endPending() {
  eachCell([](Cell &cell) {
    cell.isPending = false;
    return true;
  });
}
