//===- DeviceKernel.h - An estimator compiled for a GPU ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_DEVICEKERNEL_H
#define RLSCAN_EXECUTION_DEVICEKERNEL_H

#include "Execution/Tensor.h"
#include "dialects/rlscan/RLScan.h"
#include "rlscan/abi.h"
#include "runtime/device/Objects.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace rlscan {

llvm::Error toError(const device::Error &error);

/// The chip, as LLVM names it, that code for the device is made for.
llvm::Expected<std::string> chipOf(const device::Device &device);

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

/// An estimator compiled for one device and one way to store the arrays.
class DeviceKernel {
public:
  /// As HostKernel::compile.
  static llvm::Expected<std::unique_ptr<DeviceKernel>>
  compile(mlir::ModuleOp module, llvm::StringRef name,
          llvm::ArrayRef<std::string> bindings,
          const DeviceKernelOptions &options, const device::Device &device);

  /// The arrays that `launch` takes, in order, and the axes.
  llvm::ArrayRef<std::string> arguments() const { return argumentNames; }
  llvm::ArrayRef<std::string> axes() const { return axisNames; }
  ScheduleAttr schedule() const { return chosen; }
  const device::Function &function() const { return entry; }

  /// The bytes of workspace that calls of this shape need: zeroed once, then
  /// used by one stream at a time.
  int64_t workspaceBytes(int64_t rows, int64_t steps) const;

  /// Queues the kernel. Nothing is launched where there is nothing to compute.
  llvm::Error launch(llvm::ArrayRef<DeviceArgument> arguments,
                     llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                     int64_t steps, uint64_t workspace,
                     const device::Stream &stream) const;

private:
  DeviceKernel() = default;
  void readSignature(KernelOp kernel);
  llvm::Error load(std::string image, llvm::StringRef symbol,
                   const device::Device &device);

  std::vector<std::string> argumentNames, axisNames;
  /// How many of an argument's fields the kernel takes: 0 for a param.
  std::vector<unsigned> strides;
  ScheduleAttr chosen;
  rlscan_kernel how = {};
  int residentWorkgroups = 0; // on the whole device
  device::Module module;
  device::Function entry;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_DEVICEKERNEL_H
