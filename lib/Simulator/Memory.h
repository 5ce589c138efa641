//===- Memory.h - What a simulated kernel reads and writes ------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_MEMORY_H
#define RLSCAN_SIMULATOR_MEMORY_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rlscan::sim {

/// When something happened, counted in synchronisations.
using Time = uint32_t;

/// What is known of the accesses to a few bytes: the last write, and the reads
/// since then as far as none of them comes before another.
struct Cell {
  static constexpr uint32_t nobody = 0;
  /// Several threads: of a subgroup, of more.
  enum Readers : uint8_t { One, OfSubgroup, OfWorkgroup, OfGrid };

  uint32_t writer = nobody, reader = nobody; // threads of the grid, from 1 on
  Time writeTime = 0, readTime = 0;
  uint32_t writePlace = 0, readPlace = 0; // instructions
  bool isWriteAtomic = false, areReadsAtomic = false;
  Readers readers = One;
  bool isPending = false; // a copy on its way will write here
};

/// The cells of an array, made as they are needed: elements may be far apart.
class CellTable {
public:
  CellTable() = default;
  CellTable(CellTable &&) = default; // and no copies

  Cell &at(int64_t unit);
  /// Forgets all accesses.
  void clear();

  /// Of an array whose elements are apart: a unit that belongs to one.
  void addElement(int64_t unit);
  bool isElement(int64_t unit);
  /// The first of so many units that belongs to an element and is not written.
  std::optional<int64_t> findUnwritten(int64_t units);

private:
  static constexpr int64_t pageUnits = 64;
  struct Page {
    Cell cells[pageUnits];
    uint64_t elements = 0; // a bit each
  };
  Page &pageOf(int64_t unit);

  bool hasGaps = false;
  llvm::DenseMap<int64_t, std::unique_ptr<Page>> pages;
  int64_t lastNumber = -1; // the page that was used last
  Page *last = nullptr;
};

enum class RegionKind {
  Input,   // read only
  Output,  // what is not written must not be read
  Zeroed,  // a workspace that was zeroed some time ago
  Scratch, // a workspace in which a launch finds nothing of use
  Shared,
};

/// An array. Threads know it by addresses of its own, 2^40 bytes apart from
/// those of other arrays, so that no access reaches another one by mistake.
struct Region {
  RegionKind kind = RegionKind::Input;
  std::string name;
  char *data = nullptr; // of byte 0
  int64_t bytes = 0;
  uint64_t address = 0; // of byte 0
  unsigned unit = 4;    // bytes of a cell
  CellTable cells;

  bool isWritable() const { return kind != RegionKind::Input; }
  bool isGlobal() const { return kind != RegionKind::Shared; }
};

constexpr unsigned regionShift = 40;

/// Gives the region its addresses; as far from a multiple of 256 as `like`.
void placeRegion(Region &region, unsigned number, uint64_t like);

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_MEMORY_H
