//===- DeviceKernel.cpp - An estimator compiled for a GPU -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceKernel.h"
#include "KernelToBinary/KernelModule.h"
#include "TilesToGPU/DeviceArrays.h"
#include "rlscan/Pipelines.h"
#include "runtime/core/DeviceGrid.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

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

/// The newest chip that the compiler knows and whose code the device runs.
static Expected<std::string> chipOf(const device::Device &device) {
  const device::DeviceProperties &properties = device.properties();
  int capability = properties.architecture;
  int chosen = 0;
  for (int known : {75, 80, 86, 87, 89, 90, 100, 103, 120})
    if (known <= capability)
      chosen = known;
  if (chosen == 0)
    return llvm::createStringError(
        "expected a device of compute capability 7.5 or more, got '" +
        properties.name + "' with " + llvm::Twine(capability / 10) + "." +
        llvm::Twine(capability % 10));
  return "sm_" + std::to_string(chosen);
}

/// The PTX of a module after `rlscan-to-ptx`.
static std::string ptxOf(ModuleOp module) {
  std::string text;
  module.walk([&](gpu::BinaryOp binary) {
    auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
    text = object.getObject().getValue().str();
  });
  return text;
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

  TileOptions tiles;
  tiles.rows = options.rows;
  tiles.steps = options.steps;
  tiles.access = options.access;
  tiles.axis = options.axis;
  tiles.entries = options.entries;
  tiles.multiprocessors = device.properties().multiprocessors;
  if (!options.schedule.empty())
    tiles.schedules.addValue(options.schedule);
  PassManager toTiles(context);
  buildToTilesPipeline(toTiles, tiles);
  if (failed(toTiles.run(**module)))
    return llvm::createStringError("cannot schedule '" + name + "'");
  KernelOp tiled = *(*module)->getOps<KernelOp>().begin();
  kernel->readSignature(tiled);
  std::string symbol = tiled.getSymName().str();

  Expected<std::string> chip = chipOf(device);
  if (!chip)
    return chip.takeError();
  NVVMOptions nvvm;
  nvvm.chip = *chip;
  // What a device has beyond the default is not for arrays of a fixed size.
  GPUOptions gpu;
  gpu.asyncCopies = device.properties().architecture >= 80;
  PassManager toPTX(context);
  buildToGPUPipeline(toPTX, gpu);
  buildToPTXPipeline(toPTX, nvvm);
  if (failed(toPTX.run(**module)))
    return llvm::createStringError("cannot lower '" + name + "' to PTX");

  if (Error error = toError(
          device::Module::load(device, ptxOf(**module), kernel->module)))
    return error;
  if (Error error =
          toError(device::Function::get(kernel->module, symbol, kernel->entry)))
    return error;
  int perMultiprocessor = 0;
  if (Error error = toError(kernel->entry.occupancy(kernel->chosen.getThreads(),
                                                    0, perMultiprocessor)))
    return error;
  kernel->residentWorkgroups =
      perMultiprocessor * device.properties().multiprocessors;
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
