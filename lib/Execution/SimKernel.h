//===- SimKernel.h - An estimator compiled for the simulator ----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_SIMKERNEL_H
#define RLSCAN_EXECUTION_SIMKERNEL_H

#include "Execution/CallArrays.h"
#include "Simulator/Simulator.h"
#include "rlscan/Pipelines.h"

#include <memory>
#include <optional>

namespace rlscan {

/// The device that is simulated.
struct SimDevice {
  /// Whose operations and subgroups are executed.
  llvm::StringRef chip = "sm_90";
  unsigned multiprocessors = 132;
  /// Of the whole device: few, so that workgroups wait for each other.
  int64_t residentWorkgroups = 4;

  unsigned subgroupSize() const { return subgroupSizeOf(chip); }

  /// Of a word of a command line: `sim`, `sim:wave64`.
  static std::optional<SimDevice> parse(llvm::StringRef target);
};

/// An estimator compiled for the simulator and one way to store the arrays.
class SimKernel : public TiledKernel {
public:
  /// As HostKernel::compile; `passes` are run before those to the simulator.
  static llvm::Expected<std::unique_ptr<SimKernel>>
  compile(mlir::ModuleOp module, llvm::StringRef name,
          llvm::ArrayRef<std::string> bindings,
          const DeviceKernelOptions &options, const SimDevice &device,
          const KernelPasses &passes = {});

  /// Whether the workspace is zeroed once and kept, or holds nothing of use.
  bool keepsWorkspace() const;

  /// Runs the kernel, in the order of workgroups' numbers or of a seed. Arrays
  /// are addresses of `regions`.
  llvm::Expected<sim::Traffic> launch(llvm::ArrayRef<DeviceArgument> arguments,
                                      llvm::ArrayRef<int64_t> axisSizes,
                                      int64_t rows, int64_t steps,
                                      uint64_t workspace,
                                      std::vector<sim::Region> &regions,
                                      std::optional<uint64_t> seed) const;

private:
  SimKernel() = default;

  std::unique_ptr<sim::Program> program;
  int64_t residentWorkgroups = 0;
};

/// The arrays of a call as the simulator's memory, and a workspace. Results are
/// computed where the call has them.
class SimCall {
public:
  static llvm::Expected<SimCall> make(const Call &call,
                                      const SimKernel &kernel);

  /// May be called again: the workspace is left as it is.
  llvm::Expected<sim::Traffic>
  launch(const SimKernel &kernel, std::optional<uint64_t> seed = std::nullopt);

private:
  void addArray(const Call &call, llvm::StringRef name, const Tensor &tensor,
                bool isResult);
  void addWorkspace(int64_t bytes, bool isZeroed);

  int64_t rows = 0, steps = 0;
  std::vector<sim::Region> regions;
  llvm::StringMap<DeviceArgument> byName;
  std::vector<DeviceArgument> arguments;
  std::vector<int64_t> axisSizes;
  std::vector<char> workspace;
  uint64_t workspaceAddress = 0;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_SIMKERNEL_H
