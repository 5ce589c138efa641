//===- Program.h - A device function to be interpreted ----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_PROGRAM_H
#define RLSCAN_SIMULATOR_PROGRAM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace rlscan::sim {

class Subgroup;
struct Instruction;

/// Whether a subgroup goes on with its next instruction, or something else has
/// a turn first. Why, its state says.
enum class Outcome { Next, Pause };

using Handler = Outcome (*)(Subgroup &subgroup, const Instruction &instruction);

/// One operation for all lanes of a subgroup. A value has a place in the
/// subgroup's registers, a byte offset: an array of lanes, or for a vector one
/// such array for each element, one after the other.
struct Instruction {
  Handler run = nullptr;
  unsigned to = 0;       // the result's place
  unsigned from[3] = {}; // the operands'
  unsigned count = 0;    // elements of all lanes, or of one lane for memory
  unsigned width = 0;    // bytes of an element
  unsigned target = 0;   // where control goes
  unsigned alignment = 0;
  bool isAtomic = false;
  int64_t number = 0; // whatever else the handler takes
};

/// An array in the memory of each workgroup.
struct SharedArray {
  std::string name;
  int64_t bytes;
};

/// A constant or an argument, the same for all lanes.
struct Uniform {
  unsigned place;
  unsigned width;
  uint64_t bits;
};

struct Program {
  std::string name;
  mlir::Location location;
  std::vector<Instruction> code;
  std::vector<mlir::Location> locations; // of the instructions
  std::vector<Uniform> constants;
  std::vector<Uniform> arguments; // their bits come with a launch
  std::vector<SharedArray> shared;
  unsigned registerBytes = 0;
  unsigned lanes = 32;  // of a subgroup
  unsigned threads = 0; // of a workgroup
  /// The least that an access to shared memory moves.
  unsigned sharedUnit = 8;
  /// Whether workgroups talk to each other.
  bool hasAtomics = false;

  explicit Program(mlir::Location location) : location(location) {}
};

/// Compiles a function of the stage that `rlscan-to-gpu` ends with, after
/// `rlscan-approximate-math` and `rlscan-device-math`. Fails after reporting an
/// operation that the simulator does not know.
std::unique_ptr<Program> buildProgram(mlir::gpu::GPUFuncOp function,
                                      unsigned lanes);

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_PROGRAM_H
