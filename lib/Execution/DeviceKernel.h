//===- DeviceKernel.h - An estimator compiled for a GPU ---------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_DEVICEKERNEL_H
#define RLSCAN_EXECUTION_DEVICEKERNEL_H

#include "Execution/TiledKernel.h"
#include "rlscan/Pipelines.h"
#include "runtime/device/Objects.h"

#include <memory>

namespace rlscan {

llvm::Error toError(const device::Error &error);

/// The chip, as LLVM names it, that code for the device is made for.
llvm::Expected<std::string> chipOf(const device::Device &device);

/// An estimator compiled for one device and one way to store the arrays.
class DeviceKernel : public TiledKernel {
public:
  /// As HostKernel::compile; `passes` are run before those to the image.
  static llvm::Expected<std::unique_ptr<DeviceKernel>>
  compile(mlir::ModuleOp module, llvm::StringRef name,
          llvm::ArrayRef<std::string> bindings,
          const DeviceKernelOptions &options, const device::Device &device,
          const KernelPasses &passes = {});

  const device::Function &function() const { return entry; }

  /// Queues the kernel. Nothing is launched where there is nothing to compute.
  llvm::Error launch(llvm::ArrayRef<DeviceArgument> arguments,
                     llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                     int64_t steps, uint64_t workspace,
                     const device::Stream &stream) const;

private:
  DeviceKernel() = default;
  llvm::Error load(std::string image, const device::Device &device);

  int residentWorkgroups = 0; // on the whole device
  device::Module module;
  device::Function entry;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_DEVICEKERNEL_H
