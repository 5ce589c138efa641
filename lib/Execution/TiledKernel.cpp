//===- TiledKernel.cpp - What launches of a kernel of tiles need ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/TiledKernel.h"
#include "KernelToBinary/KernelModule.h"
#include "TilesToGPU/DeviceArrays.h"
#include "rlscan/Pipelines.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

/// Of the kernel once it has its schedule.
void TiledKernel::readSignature(KernelOp kernel) {
  rlscan::readSignature(kernel, argumentNames, axisNames);
  for (Type type : kernel.getArgumentTypes())
    strides.push_back(numStrides(cast<ArrayType>(type)));
  chosen = cast<ScheduleAttr>(kernel.getSchedulesAttr()[0]);
  how = describeLaunch(kernel);
  symbol = kernel.getSymName().str();
  for (auto [name, array] : llvm::zip(argumentNames, kernel.getArguments())) {
    llvm::SmallPtrSet<Operation *, 2> sweeps;
    for (Operation *user : array.getUsers())
      if (isa<LoadOp>(user))
        sweeps.insert(user->getParentOfType<TilesOp>());
    sweepsReading[name] = sweeps.size();
  }
}

Expected<OwningOpRef<ModuleOp>>
TiledKernel::makeTiles(ModuleOp source, StringRef name,
                       llvm::ArrayRef<std::string> bindings,
                       const DeviceKernelOptions &options,
                       unsigned multiprocessors, unsigned subgroupSize) {
  Expected<OwningOpRef<ModuleOp>> module = makeSweeps(source, name, bindings);
  if (!module)
    return module.takeError();
  MLIRContext *context = source.getContext();
  // How to translate each dialect, which a context for recipes need not know.
  DialectRegistry registry;
  registerDialects(registry);
  context->appendDialectRegistry(registry);
  TileOptions tiles;
  tiles.rows = options.rows;
  tiles.steps = options.steps;
  tiles.access = options.access;
  tiles.axis = options.axis;
  tiles.entries = options.entries;
  tiles.multiprocessors = multiprocessors;
  tiles.subgroupSize = subgroupSize;
  if (!options.schedule.empty())
    tiles.schedules.addValue(options.schedule);
  PassManager toTiles(context);
  buildToTilesPipeline(toTiles, tiles);
  if (failed(toTiles.run(**module)))
    return llvm::createStringError("cannot schedule '" + name + "'");
  readSignature(*(*module)->getOps<KernelOp>().begin());
  return module;
}

int64_t TiledKernel::workspaceBytes(int64_t rows, int64_t steps) const {
  return runtime::workspaceBytes(how, rows, steps);
}

Error TiledKernel::checkSteps(int64_t steps) const {
  if (runtime::holdsRow(how, steps))
    return Error::success();
  return llvm::createStringError("the schedule holds a row in one tile of " +
                                 llvm::Twine(chosen.getTileSteps()) +
                                 " steps, but a row has " + llvm::Twine(steps));
}

runtime::DeviceArguments
TiledKernel::pack(llvm::ArrayRef<DeviceArgument> arguments,
                  llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                  int64_t steps, uint64_t workspace) const {
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
  return values;
}

int64_t TiledKernel::grid(int64_t rows, int64_t steps, int64_t resident) const {
  return runtime::gridOf(how, rows, steps, resident);
}
