//===- SimKernel.cpp - An estimator compiled for the simulator ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/SimKernel.h"
#include "KernelToBinary/ChipCode.h"
#include "rlscan/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

std::optional<SimDevice> SimDevice::parse(StringRef target) {
  SimDevice device;
  if (target == "sim:wave64")
    device.chip = "gfx942";
  else if (target != "sim")
    return std::nullopt;
  return device;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<SimKernel>>
SimKernel::compile(ModuleOp source, StringRef name,
                   llvm::ArrayRef<std::string> bindings,
                   const DeviceKernelOptions &options, const SimDevice &device,
                   const KernelPasses &passes) {
  std::unique_ptr<SimKernel> kernel(new SimKernel());
  Expected<OwningOpRef<ModuleOp>> module =
      kernel->makeTiles(source, name, bindings, options, device.multiprocessors,
                        device.subgroupSize());
  if (!module)
    return module.takeError();
  GPUOptions gpu;
  describeChip(device.chip, gpu);
  PassManager toGPU(source.getContext());
  buildToGPUPipeline(toGPU, gpu);
  if (passes)
    passes(toGPU);
  buildToSimulatorPipeline(toGPU);
  if (failed(toGPU.run(**module)))
    return llvm::createStringError("cannot lower '" + name +
                                   "' to code of a device");
  (*module)->walk([&](gpu::GPUFuncOp function) {
    kernel->program = sim::buildProgram(function, device.subgroupSize());
  });
  if (!kernel->program)
    return llvm::createStringError("cannot simulate '" + name + "'");
  kernel->residentWorkgroups = device.residentWorkgroups;
  return kernel;
}

bool SimKernel::keepsWorkspace() const { return how.chain == RLSCAN_LOOK_BACK; }

Expected<sim::Traffic> SimKernel::launch(
    llvm::ArrayRef<DeviceArgument> arguments, llvm::ArrayRef<int64_t> axisSizes,
    int64_t rows, int64_t steps, uint64_t workspace,
    std::vector<sim::Region> &regions, std::optional<uint64_t> seed) const {
  if (rows == 0 || steps == 0)
    return sim::Traffic();
  if (Error error = checkSteps(steps))
    return error;
  runtime::DeviceArguments values =
      pack(arguments, axisSizes, rows, steps, workspace);
  std::vector<uint64_t> bits;
  for (void *value :
       llvm::ArrayRef(values.pointers(), program->arguments.size()))
    bits.push_back(*static_cast<uint64_t *>(value));
  sim::LaunchOptions options;
  options.workgroups = grid(rows, steps, residentWorkgroups);
  options.resident = residentWorkgroups;
  options.seed = seed;
  return sim::launch(*program, bits, regions, options);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// Notes which units of a region belong to an element.
static void addElements(const Tensor &tensor, int64_t first,
                        sim::CellTable &cells) {
  int64_t width = byteWidth(tensor.dtype);
  llvm::SmallVector<int64_t> index(tensor.rank());
  for (int64_t i = 0, e = tensor.numElements(); i < e; ++i) {
    int64_t unit = -first / width;
    for (auto [position, stride] : llvm::zip_equal(index, tensor.strides))
      unit += position * stride;
    cells.addElement(unit);
    for (int64_t dim = tensor.rank() - 1; dim >= 0; --dim) {
      if (++index[dim] < tensor.sizes[dim])
        break;
      index[dim] = 0;
    }
  }
}

void SimCall::addArray(const Call &call, StringRef name, const Tensor &tensor,
                       bool isResult) {
  auto [first, bytes] = extentOf(tensor);
  sim::Region region;
  region.kind = isResult ? sim::RegionKind::Output : sim::RegionKind::Input;
  region.name = name.str();
  region.data = tensor.data + first;
  region.bytes = bytes;
  region.unit = byteWidth(tensor.dtype);
  if (bytes != tensor.numElements() * region.unit)
    addElements(tensor, first, region.cells);
  placeRegion(region, regions.size(), reinterpret_cast<uintptr_t>(region.data));
  byName[name] = argumentFor(call, tensor, region.address - first);
  regions.push_back(std::move(region));
}

void SimCall::addWorkspace(int64_t bytes, bool isZeroed) {
  workspace.assign(bytes, 0);
  sim::Region region;
  region.kind = isZeroed ? sim::RegionKind::Zeroed : sim::RegionKind::Scratch;
  region.name = "workspace";
  region.data = workspace.data();
  region.bytes = bytes;
  // Signals that are kept have elements of any size, flags of a byte.
  region.unit = isZeroed ? 4 : 1;
  placeRegion(region, regions.size(), 0);
  workspaceAddress = region.address;
  regions.push_back(std::move(region));
}

Expected<SimCall> SimCall::make(const Call &call, const SimKernel &kernel) {
  if (Error error = checkPromises(call, kernel.schedule()))
    return error;
  SimCall made;
  made.rows = call.rows;
  made.steps = call.steps;
  for (const auto &[name, tensor] : call.inputs) {
    if (tensor.rank() == 0)
      made.byName[name] = numberOf(tensor);
    else
      made.addArray(call, name, tensor, /*isResult=*/false);
  }
  for (const auto &[name, tensor] : call.results)
    made.addArray(call, name, tensor, /*isResult=*/true);
  made.addWorkspace(kernel.workspaceBytes(call.rows, call.steps),
                    kernel.keepsWorkspace());
  for (const std::string &name : kernel.arguments())
    made.arguments.push_back(made.byName.lookup(name));
  for (const std::string &axis : kernel.axes())
    made.axisSizes.push_back(call.axisSizes.lookup(axis));
  return made;
}

Expected<sim::Traffic> SimCall::launch(const SimKernel &kernel,
                                       std::optional<uint64_t> seed) {
  for (sim::Region &region : regions)
    region.cells.clear();
  return kernel.launch(arguments, axisSizes, rows, steps, workspaceAddress,
                       regions, seed);
}
