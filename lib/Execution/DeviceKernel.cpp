//===- DeviceKernel.cpp - An estimator compiled for a GPU -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceKernel.h"
#include "KernelToBinary/ChipCode.h"
#include "rlscan/Pipelines.h"

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

Error DeviceKernel::load(std::string image, const device::Device &device) {
  if (Error error =
          toError(device::Module::load(device, std::move(image), module)))
    return error;
  if (Error error = toError(device::Function::get(module, symbol, entry)))
    return error;
  int perMultiprocessor = 0;
  if (Error error = toError(entry.occupancy(how.threads, 0, perMultiprocessor)))
    return error;
  residentWorkgroups = perMultiprocessor * device.properties().multiprocessors;
  return Error::success();
}

Expected<std::unique_ptr<DeviceKernel>> DeviceKernel::compile(
    ModuleOp source, StringRef name, llvm::ArrayRef<std::string> bindings,
    const DeviceKernelOptions &options, const device::Device &device,
    const KernelPasses &passes) {
  Expected<std::string> chip = chipOf(device);
  if (!chip)
    return chip.takeError();
  GPUOptions gpu;
  describeChip(*chip, gpu);
  std::unique_ptr<DeviceKernel> kernel(new DeviceKernel());
  Expected<OwningOpRef<ModuleOp>> module =
      kernel->makeTiles(source, name, bindings, options,
                        device.properties().multiprocessors, gpu.subgroupSize);
  if (!module)
    return module.takeError();

  PassManager toImage(source.getContext());
  buildToGPUPipeline(toImage, gpu);
  if (passes)
    passes(toImage);
  buildToImagePipeline(toImage, *chip);
  if (failed(toImage.run(**module)))
    return llvm::createStringError("cannot lower '" + name + "' to " + *chip);
  if (Error error = kernel->load(binaryOf(**module), device))
    return error;
  return kernel;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

Error DeviceKernel::launch(llvm::ArrayRef<DeviceArgument> arguments,
                           llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                           int64_t steps, uint64_t workspace,
                           const device::Stream &stream) const {
  if (rows == 0 || steps == 0)
    return Error::success();
  if (Error error = checkSteps(steps))
    return error;
  runtime::DeviceArguments values =
      pack(arguments, axisSizes, rows, steps, workspace);
  return toError(device::launch(entry, grid(rows, steps, residentWorkgroups),
                                how.threads, 0, stream, values.pointers()));
}
