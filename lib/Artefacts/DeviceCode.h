//===- DeviceCode.h - The code of a kind of call for GPUs -------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_DEVICECODE_H
#define RLSCAN_ARTEFACTS_DEVICECODE_H

#include "Artefacts/CallKinds.h"
#include "Artefacts/HostCode.h"
#include "Artefacts/Targets.h"
#include "rlscan/abi.h"

#include "mlir/IR/BuiltinOps.h"

namespace rlscan {

/// What schedules are chosen for.
struct DeviceOptions {
  /// Words of the one to use, or empty: one for each shape.
  std::string schedule;
  /// Those of the calls that are expected, or empty: some of all sizes.
  std::vector<rlscan_shape> shapes;
  /// Sizes of axes that there are kernels of their own for, where arrays along
  /// one are packed.
  std::vector<unsigned> entries;
  /// NVIDIA's assembler, or empty.
  std::string ptxas;
};

/// One schedule.
struct ScheduledKernel {
  std::string name;
  ScheduleAttr schedule;
  rlscan_kernel launch = {};
  std::vector<rlscan_shape> shapes; // that it was chosen for
};

struct DeviceImage {
  int32_t kind = RLSCAN_IMAGE_PTX;
  Target target;
  std::string bytes;
};

/// A variant for GPUs of a vendor: the same kernels for every chip.
struct DeviceCode {
  KernelSignature signature;
  std::vector<ScheduledKernel> kernels;
  std::vector<DeviceImage> images;
};

/// Writes the attribute `schedules` into a kernel of sweeps: what the compiler
/// chooses for each shape, on devices of a vendor. Returns the shapes of each.
llvm::Expected<std::vector<std::vector<rlscan_shape>>>
chooseSchedules(mlir::ModuleOp sweeps, const CallKind &kind,
                llvm::ArrayRef<Target> targets, const DeviceOptions &options);

/// Lowers a kernel of sweeps that has its schedules to functions that all these
/// devices of a vendor can run, in which each number of a call is two
/// arguments: see rlscan_kernel.
llvm::Error lowerToGPU(mlir::ModuleOp sweeps, llvm::StringRef symbol,
                       llvm::ArrayRef<Target> targets,
                       const DeviceOptions &options,
                       std::vector<ScheduledKernel> &kernels);

/// The assembly of a module after lowerToGPU, which is used up, or what the
/// driver loads: see ChipCode.h.
llvm::Expected<std::string> lowerToAssembly(mlir::ModuleOp module,
                                            llvm::StringRef symbol,
                                            const Target &target);
llvm::Expected<std::string> lowerToImage(mlir::ModuleOp module,
                                         llvm::StringRef symbol,
                                         const Target &target);

/// Machine code for one of NVIDIA's chips.
llvm::Expected<std::string> assemble(llvm::StringRef ptx, const Target &target,
                                     llvm::StringRef ptxas);

/// All of it, for every one of a vendor's chips; `sweeps` is used up.
llvm::Expected<DeviceCode> compileForDevice(mlir::ModuleOp sweeps,
                                            llvm::StringRef symbol,
                                            const CallKind &kind,
                                            llvm::ArrayRef<Target> targets,
                                            const DeviceOptions &options);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_DEVICECODE_H
