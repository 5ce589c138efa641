//===- TiledKernel.h - What launches of a kernel of tiles need --*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_TILEDKERNEL_H
#define RLSCAN_EXECUTION_TILEDKERNEL_H

#include "dialects/rlscan/RLScan.h"
#include "rlscan/abi.h"
#include "runtime/core/DeviceGrid.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rlscan {

/// One array of a call in the memory of a device; strides count elements. A
/// param is its number instead: 8 bytes, of which its storage type takes the
/// first.
struct DeviceArgument {
  uint64_t address;
  int64_t rowStride;
  int64_t stepStride;
  int64_t axisStride;
};

/// What a device kernel is compiled for.
struct DeviceKernelOptions {
  /// Words of a schedule, or empty: the compiler chooses by the shape.
  std::string schedule;
  int64_t rows = 0, steps = 0;
  /// Steps that one access may move (see `rlscan-select-schedule`).
  unsigned access = 1;
  /// Entries of the largest axis.
  int64_t axis = 1;
  /// Entries of every axis where they are packed, else 0 (see there).
  unsigned entries = 0;
};

/// The part of a compiled estimator that is alike for all devices.
class TiledKernel {
public:
  /// The arrays that a launch takes, in order, and the axes.
  llvm::ArrayRef<std::string> arguments() const { return argumentNames; }
  llvm::ArrayRef<std::string> axes() const { return axisNames; }
  ScheduleAttr schedule() const { return chosen; }
  /// How many sweeps read each argument.
  const llvm::StringMap<unsigned> &readers() const { return sweepsReading; }

  /// The bytes of workspace that calls of this shape need: zeroed once, then
  /// used by one stream at a time.
  int64_t workspaceBytes(int64_t rows, int64_t steps) const;

protected:
  TiledKernel() = default;

  /// Estimator `name` of a level-1 `source`, which is left as it is, as a
  /// kernel of tiles in a module of its own. `bindings` are those of the pass
  /// `rlscan-specialize`. Fails after reporting through the context.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  makeTiles(mlir::ModuleOp source, llvm::StringRef name,
            llvm::ArrayRef<std::string> bindings,
            const DeviceKernelOptions &options, unsigned multiprocessors,
            unsigned subgroupSize = 32);

  /// Whether the schedule holds rows of so many steps.
  llvm::Error checkSteps(int64_t steps) const;
  /// What the device function takes.
  runtime::DeviceArguments pack(llvm::ArrayRef<DeviceArgument> arguments,
                                llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                                int64_t steps, uint64_t workspace) const;
  int64_t grid(int64_t rows, int64_t steps, int64_t resident) const;

  std::string symbol; // of the device function
  rlscan_kernel how = {};

private:
  void readSignature(KernelOp kernel);

  std::vector<std::string> argumentNames, axisNames;
  /// How many of an argument's fields the kernel takes: 0 for a param.
  std::vector<unsigned> strides;
  llvm::StringMap<unsigned> sweepsReading;
  ScheduleAttr chosen;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_TILEDKERNEL_H
