//===- DeviceKernel.cpp - An estimator compiled for a GPU -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceKernel.h"
#include "KernelToBinary/ChipCode.h"
#include "KernelToBinary/KernelModule.h"
#include "TilesToGPU/DeviceArrays.h"
#include "rlscan/Pipelines.h"
#include "runtime/core/DeviceGrid.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

Error rlscan::toError(const device::Error &error) {
  return error ? llvm::createStringError(error.message) : Error::success();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Of the kernel once it has its schedule.
void DeviceKernel::readSignature(KernelOp kernel) {
  rlscan::readSignature(kernel, argumentNames, axisNames);
  for (Type type : kernel.getArgumentTypes())
    strides.push_back(numStrides(cast<ArrayType>(type)));
  chosen = cast<ScheduleAttr>(kernel.getSchedulesAttr()[0]);
  how = describeLaunch(kernel);
}

/// The newest of NVIDIA's chips whose code the device runs.
static Expected<std::string>
chipOfNVIDIA(const device::DeviceProperties &properties) {
  int capability = properties.architecture;
  StringRef chosen;
  for (const Chip &chip : chipsOfNVIDIA())
    if (chip.number <= capability)
      chosen = chip.name;
  if (chosen.empty())
    return llvm::createStringError(
        "expected a device of compute capability 7.5 or more, got '" +
        properties.name + "' with " + llvm::Twine(capability / 10) + "." +
        llvm::Twine(capability % 10));
  return chosen.str();
}

/// Code objects are for one chip.
static Expected<std::string>
chipOfAMD(const device::DeviceProperties &properties) {
  for (const Chip &chip : chipsOfAMD())
    if (chip.number == properties.architecture)
      return chip.name.str();
  return llvm::createStringError(
      "expected a device that is one of " + namesOf(chipsOfAMD()) + ", got '" +
      properties.name + "', which is gfx" +
      llvm::utohexstr(properties.architecture, /*LowerCase=*/true));
}

Expected<std::string> rlscan::chipOf(const device::Device &device) {
  return device.driver().target == RLSCAN_TARGET_HIP
             ? chipOfAMD(device.properties())
             : chipOfNVIDIA(device.properties());
}

Error DeviceKernel::load(std::string image, StringRef symbol,
                         const device::Device &device) {
  if (Error error =
          toError(device::Module::load(device, std::move(image), module)))
    return error;
  if (Error error = toError(device::Function::get(module, symbol.str(), entry)))
    return error;
  int perMultiprocessor = 0;
  if (Error error =
          toError(entry.occupancy(chosen.getThreads(), 0, perMultiprocessor)))
    return error;
  residentWorkgroups = perMultiprocessor * device.properties().multiprocessors;
  return Error::success();
}

Expected<std::unique_ptr<DeviceKernel>> DeviceKernel::compile(
    ModuleOp source, StringRef name, llvm::ArrayRef<std::string> bindings,
    const DeviceKernelOptions &options, const device::Device &device) {
  Expected<OwningOpRef<ModuleOp>> module = makeSweeps(source, name, bindings);
  if (!module)
    return module.takeError();
  MLIRContext *context = source.getContext();
  // How to translate each dialect, which a context for recipes need not know.
  DialectRegistry registry;
  registerDialects(registry);
  context->appendDialectRegistry(registry);
  std::unique_ptr<DeviceKernel> kernel(new DeviceKernel());

  Expected<std::string> chip = chipOf(device);
  if (!chip)
    return chip.takeError();
  GPUOptions gpu;
  describeChip(*chip, gpu);
  TileOptions tiles;
  tiles.rows = options.rows;
  tiles.steps = options.steps;
  tiles.access = options.access;
  tiles.axis = options.axis;
  tiles.entries = options.entries;
  tiles.multiprocessors = device.properties().multiprocessors;
  tiles.subgroupSize = gpu.subgroupSize;
  if (!options.schedule.empty())
    tiles.schedules.addValue(options.schedule);
  PassManager toTiles(context);
  buildToTilesPipeline(toTiles, tiles);
  if (failed(toTiles.run(**module)))
    return llvm::createStringError("cannot schedule '" + name + "'");
  KernelOp tiled = *(*module)->getOps<KernelOp>().begin();
  kernel->readSignature(tiled);
  std::string symbol = tiled.getSymName().str();

  PassManager toImage(context);
  buildToGPUPipeline(toImage, gpu);
  buildToImagePipeline(toImage, *chip);
  if (failed(toImage.run(**module)))
    return llvm::createStringError("cannot lower '" + name + "' to " + *chip);
  if (Error error = kernel->load(binaryOf(**module), symbol, device))
    return error;
  return kernel;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

int64_t DeviceKernel::workspaceBytes(int64_t rows, int64_t steps) const {
  return runtime::workspaceBytes(how, rows, steps);
}

Error DeviceKernel::launch(llvm::ArrayRef<DeviceArgument> arguments,
                           llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                           int64_t steps, uint64_t workspace,
                           const device::Stream &stream) const {
  if (rows == 0 || steps == 0)
    return Error::success();
  if (!runtime::holdsRow(how, steps))
    return llvm::createStringError("the schedule holds a row in one tile of " +
                                   llvm::Twine(chosen.getTileSteps()) +
                                   " steps, but a row has " +
                                   llvm::Twine(steps));
  runtime::DeviceArguments values;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    int64_t fields[] = {argument.rowStride, argument.stepStride,
                        argument.axisStride};
    values.addArray(argument.address, fields, strides[i]);
  }
  values.add(rows);
  values.add(steps);
  for (int64_t size : axisSizes)
    values.add(size);
  values.add(workspace);
  int64_t grid = runtime::gridOf(how, rows, steps, residentWorkgroups);
  return toError(
      device::launch(entry, grid, how.threads, 0, stream, values.pointers()));
}
