//===- Simulator.h - Executes device functions on the CPU -------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_SIMULATOR_H
#define RLSCAN_SIMULATOR_SIMULATOR_H

#include "Simulator/Memory.h"
#include "Simulator/Program.h"
#include "Simulator/Traffic.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace rlscan::sim {

/// A fault of the kernel, at the place in the recipe where it comes from.
class Fault : public llvm::ErrorInfo<Fault> {
public:
  struct Note {
    mlir::Location location;
    std::string message;
  };

  Fault(mlir::Location location, std::string message)
      : location(location), message(std::move(message)) {}

  static char ID;
  /// FILE:LINE:COLUMN: message, and the notes on lines of their own.
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;
  /// As a diagnostic of the context.
  void emit() const;

  mlir::Location location;
  std::string message;
  std::vector<Note> notes;
};

struct LaunchOptions {
  int64_t workgroups = 1;
  /// As many are there at a time; the next starts when one has ended.
  int64_t resident = 1;
  /// Workgroups start and go on in the order of their numbers, or in one that
  /// the seed chooses.
  std::optional<uint64_t> seed;
};

/// Runs all workgroups. `arguments` are the bits of the function's arguments;
/// pointers are addresses of `regions`. The first fault ends the run.
llvm::Expected<Traffic> launch(const Program &program,
                               llvm::ArrayRef<uint64_t> arguments,
                               std::vector<Region> &regions,
                               const LaunchOptions &options);

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_SIMULATOR_H
