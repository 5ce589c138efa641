//===- ChipCode.h - What the lowering for a GPU knows of it -----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chip is named as LLVM names it: sm_90 is one of NVIDIA's, gfx942 of AMD's.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_KERNELTOBINARY_CHIPCODE_H
#define RLSCAN_KERNELTOBINARY_CHIPCODE_H

#include "rlscan/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace rlscan {

struct Chip {
  llvm::StringRef name;
  int number; // as rlscan_image has it: 90, 0x942
};

/// Those that code is made for, the oldest first.
llvm::ArrayRef<Chip> chipsOfNVIDIA();
llvm::ArrayRef<Chip> chipsOfAMD();
/// "gfx90a, gfx942, ...".
std::string namesOf(llvm::ArrayRef<Chip> chips);

/// What `rlscan-to-gpu` is told of a chip.
void describeChip(llvm::StringRef chip, GPUOptions &options);

/// Functions of a device to a `gpu.binary` of the chip's assembly, PTX or
/// AMD's.
void buildToAssemblyPipeline(mlir::OpPassManager &pm, llvm::StringRef chip);

/// The same of what the driver loads: PTX or a code object.
void buildToImagePipeline(mlir::OpPassManager &pm, llvm::StringRef chip);

/// What the `gpu.binary` has.
std::string binaryOf(mlir::ModuleOp module);

} // namespace rlscan

#endif // RLSCAN_KERNELTOBINARY_CHIPCODE_H
