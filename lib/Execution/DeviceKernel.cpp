//===- DeviceKernel.cpp - An estimator compiled for a GPU -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceKernel.h"
#include "rlscan/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

Error rlscan::toError(const cuda::Error &error) {
  return error ? llvm::createStringError(error.message) : Error::success();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The newest chip that the compiler knows and whose code the device runs.
static Expected<std::string> chipOf(const cuda::Device &device) {
  const cuda::DeviceProperties &properties = device.properties();
  int capability = properties.computeMajor * 10 + properties.computeMinor;
  int chosen = 0;
  for (int known : {75, 80, 86, 87, 89, 90, 100, 103, 120})
    if (known <= capability)
      chosen = known;
  if (chosen == 0)
    return llvm::createStringError(
        "expected a device of compute capability 7.5 or more, got '" +
        properties.name + "' with " + llvm::Twine(properties.computeMajor) +
        "." + llvm::Twine(properties.computeMinor));
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
    const DeviceKernelOptions &options, const cuda::Device &device) {
  std::unique_ptr<DeviceKernel> kernel(new DeviceKernel());
  Expected<OwningOpRef<ModuleOp>> module = kernel->makeTiles(
      source, name, bindings, options, device.properties().multiprocessors);
  if (!module)
    return module.takeError();

  Expected<std::string> chip = chipOf(device);
  if (!chip)
    return chip.takeError();
  NVVMOptions nvvm;
  nvvm.chip = *chip;
  // What a device has beyond the default is not for arrays of a fixed size.
  GPUOptions gpu;
  gpu.asyncCopies = device.properties().computeMajor >= 8;
  PassManager toPTX(source.getContext());
  buildToGPUPipeline(toPTX, gpu);
  buildToPTXPipeline(toPTX, nvvm);
  if (failed(toPTX.run(**module)))
    return llvm::createStringError("cannot lower '" + name + "' to PTX");

  if (Error error =
          toError(cuda::Module::load(device, ptxOf(**module), kernel->module)))
    return error;
  if (Error error = toError(
          cuda::Function::get(kernel->module, kernel->symbol, kernel->entry)))
    return error;
  int perMultiprocessor = 0;
  if (Error error = toError(
          kernel->entry.occupancy(kernel->how.threads, 0, perMultiprocessor)))
    return error;
  kernel->residentWorkgroups =
      perMultiprocessor * device.properties().multiprocessors;
  return kernel;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

Error DeviceKernel::launch(llvm::ArrayRef<DeviceArgument> arguments,
                           llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                           int64_t steps, uint64_t workspace,
                           const cuda::Stream &stream) const {
  if (rows == 0 || steps == 0)
    return Error::success();
  if (Error error = checkSteps(steps))
    return error;
  runtime::DeviceArguments values =
      pack(arguments, axisSizes, rows, steps, workspace);
  return toError(cuda::launch(entry, grid(rows, steps, residentWorkgroups),
                              how.threads, 0, stream, values.pointers()));
}
