//===- Memory.cpp - What a simulated kernel reads and writes --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Memory.h"

using namespace rlscan;
using namespace rlscan::sim;

CellTable::Page &CellTable::pageOf(int64_t unit) {
  int64_t number = unit / pageUnits;
  if (number != lastNumber) {
    std::unique_ptr<Page> &page = pages[number];
    if (!page)
      page = std::make_unique<Page>();
    last = page.get();
    lastNumber = number;
  }
  return *last;
}

Cell &CellTable::at(int64_t unit) {
  return pageOf(unit).cells[unit % pageUnits];
}

void CellTable::clear() {
  for (auto &entry : pages)
    for (Cell &cell : entry.second->cells)
      cell = Cell();
}

void CellTable::addElement(int64_t unit) {
  hasGaps = true;
  pageOf(unit).elements |= uint64_t(1) << unit % pageUnits;
}

bool CellTable::isElement(int64_t unit) {
  return !hasGaps || pageOf(unit).elements >> unit % pageUnits & 1;
}

std::optional<int64_t> CellTable::findUnwritten(int64_t units) {
  std::optional<int64_t> first;
  auto look = [&](int64_t unit) {
    bool isOpen = isElement(unit) && at(unit).writer == Cell::nobody;
    if (isOpen && (!first || unit < *first))
      first = unit;
  };
  if (!hasGaps) {
    for (int64_t unit = 0; unit < units && !first; ++unit)
      look(unit);
    return first;
  }
  // All pages with elements are there.
  for (auto &entry : pages)
    for (int64_t i = 0; i < pageUnits; ++i)
      look(entry.first * pageUnits + i);
  return first;
}

void sim::placeRegion(Region &region, unsigned number, uint64_t like) {
  constexpr uint64_t alignment = 256;
  // Room on both sides, so that offsets a little below byte 0 are seen.
  region.address = (static_cast<uint64_t>(number + 1) << regionShift) +
                   (uint64_t(1) << (regionShift - 1)) + like % alignment;
}
