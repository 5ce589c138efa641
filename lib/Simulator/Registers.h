//===- Registers.h - Where a program keeps its values -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_REGISTERS_H
#define RLSCAN_SIMULATOR_REGISTERS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace rlscan::sim {

/// How a value is kept: an array of lanes for each element.
struct Shape {
  unsigned width = 0;    // bytes of an element; 0 where there is no such value
  unsigned elements = 1; // of a vector
};
Shape shapeOf(mlir::Type type);

/// Gives values their places. A place is free for others after the last use of
/// its value: inactive lanes have nothing of use there.
class Registers {
public:
  explicit Registers(unsigned lanes) : lanes(lanes) {}

  unsigned of(mlir::Value value) const { return places.lookup(value).place; }
  bool has(mlir::Value value) const { return places.contains(value); }

  /// A place of its own.
  unsigned add(mlir::Value value);
  /// A part of another value, or all of it, at `element`.
  void alias(mlir::Value value, mlir::Value of, unsigned element = 0);
  /// Where another value is, which outlives this one.
  void share(mlir::Value value, unsigned place) {
    places[value] = {place, nullptr};
  }
  /// A place that is never free again.
  unsigned allocate(unsigned bytes);

  /// To be called before and after the code of a block's operation.
  void beginBlock(mlir::Block &block);
  void endOperation(mlir::Operation *op);

  unsigned bytes() const { return end; }

private:
  struct Place {
    unsigned place = 0;
    mlir::Value owner;
  };
  unsigned bytesOf(mlir::Value value) const;
  void release(mlir::Value value);

  unsigned lanes, end = 0;
  llvm::DenseMap<mlir::Value, Place> places;
  std::map<unsigned, std::vector<unsigned>> unused; // by size
  /// What can be released after each operation.
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::Value>> lastUses;
};

/// Whether the operation's result is its operand, or a part of it, in the same
/// bits. Sets the element that the part begins with.
bool isView(mlir::Operation *op, unsigned &element);

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_REGISTERS_H
