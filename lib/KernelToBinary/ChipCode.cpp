//===- ChipCode.cpp - What the lowering for a GPU knows of it -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelToBinary/ChipCode.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rlscan;

llvm::ArrayRef<Chip> rlscan::chipsOfNVIDIA() {
  static constexpr Chip chips[] = {
      {"sm_75", 75},   {"sm_80", 80},   {"sm_86", 86},
      {"sm_87", 87},   {"sm_89", 89},   {"sm_90", 90},
      {"sm_100", 100}, {"sm_103", 103}, {"sm_120", 120}};
  return chips;
}

llvm::ArrayRef<Chip> rlscan::chipsOfAMD() {
  static constexpr Chip chips[] = {{"gfx90a", 0x90a},
                                   {"gfx942", 0x942},
                                   {"gfx1100", 0x1100},
                                   {"gfx1201", 0x1201}};
  return chips;
}

std::string rlscan::namesOf(llvm::ArrayRef<Chip> chips) {
  return llvm::join(
      llvm::map_range(chips, [](const Chip &chip) { return chip.name.str(); }),
      ", ");
}

static bool isOfAMD(StringRef chip) { return chip.starts_with("gfx"); }

void rlscan::describeChip(StringRef chip, GPUOptions &options) {
  if (isOfAMD(chip)) {
    options.vendor = Vendor::AMD;
    options.subgroupSize = subgroupSizeOf(chip);
    options.sharedBytes = 65536;
    options.asyncCopies = false;
    return;
  }
  // What a device has beyond the default is not for arrays of a fixed size.
  unsigned capability = 0;
  chip.drop_front(StringRef("sm_").size()).getAsInteger(10, capability);
  options.asyncCopies = capability >= 80;
}

/// NVIDIA's driver assembles by itself.
static void buildPipeline(OpPassManager &pm, StringRef chip, bool isAssembled) {
  if (!isOfAMD(chip)) {
    NVVMOptions options;
    options.chip = chip.str();
    return buildToPTXPipeline(pm, options);
  }
  ROCDLOptions options;
  options.chip = chip.str();
  if (isAssembled)
    buildToHSACOPipeline(pm, options);
  else
    buildToAMDGCNPipeline(pm, options);
}

void rlscan::buildToAssemblyPipeline(OpPassManager &pm, StringRef chip) {
  buildPipeline(pm, chip, /*isAssembled=*/false);
}

void rlscan::buildToImagePipeline(OpPassManager &pm, StringRef chip) {
  buildPipeline(pm, chip, /*isAssembled=*/true);
}

std::string rlscan::binaryOf(ModuleOp module) {
  std::string bytes;
  bool isText = false;
  module.walk([&](gpu::BinaryOp binary) {
    auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
    bytes = object.getObject().getValue().str();
    isText = object.getFormat() == gpu::CompilationTarget::Assembly;
  });
  // Text may end with a 0 byte.
  while (isText && !bytes.empty() && bytes.back() == '\0')
    bytes.pop_back();
  return bytes;
}
