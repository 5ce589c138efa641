//===- HostKernel.cpp - An estimator compiled for this CPU ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/HostKernel.h"
#include "Execution/ThreadPool.h"
#include "KernelToBinary/HostJIT.h"
#include "dialects/rlscan/RLScan.h"
#include "rlscan/Pipelines.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

HostKernel::~HostKernel() = default;

/// Drops every estimator but the one of that name.
static EstimatorOp keepOnly(ModuleOp module, StringRef name) {
  EstimatorOp found;
  for (EstimatorOp estimator :
       llvm::make_early_inc_range(module.getOps<EstimatorOp>())) {
    if (estimator.getSymName() == name)
      found = estimator;
    else
      estimator.erase();
  }
  return found;
}

static bool computesInF64(EstimatorOp estimator) {
  bool found = false;
  auto isF64 = [](Type type) { return type.isF64(); };
  estimator.walk([&](Operation *op) {
    found |= llvm::any_of(op->getOperandTypes(), isF64) ||
             llvm::any_of(op->getResultTypes(), isF64);
  });
  return found;
}

/// The names of a kernel's arrays and of the axes along which some of them run.
static void readSignature(KernelOp kernel, std::vector<std::string> &arguments,
                          std::vector<std::string> &axes) {
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i) {
    auto input =
        kernel.getArgAttrOfType<InputAttr>(i, EstimatorOp::getInputAttrName());
    auto output = kernel.getArgAttrOfType<OutputAttr>(
        i, EstimatorOp::getOutputAttrName());
    arguments.push_back(
        (input ? input.getName() : output.getName()).getValue().str());
    auto type = cast<ArrayType>(kernel.getArgumentTypes()[i]);
    if (type.getAxis() && !llvm::is_contained(axes, type.getAxis().getValue()))
      axes.push_back(type.getAxis().getValue().str());
  }
}

Expected<std::unique_ptr<HostKernel>>
HostKernel::compile(ModuleOp module, StringRef name,
                    llvm::ArrayRef<std::string> bindings) {
  MLIRContext *context = module.getContext();
  OwningOpRef<ModuleOp> clone = module.clone();
  EstimatorOp estimator = keepOnly(*clone, name);
  if (!estimator)
    return llvm::createStringError("no estimator named '" + name + "'");
  std::unique_ptr<HostKernel> kernel(new HostKernel());

  CPUOptions cpu;
  cpu.lanes = hostVectorLanes() / (computesInF64(estimator) ? 2 : 1);
  SweepOptions sweeps;
  for (const std::string &binding : bindings)
    sweeps.bindings.addValue(binding);
  PassManager toSweeps(context);
  buildToScansPipeline(toSweeps);
  buildToSweepsPipeline(toSweeps, sweeps);
  if (failed(toSweeps.run(*clone)))
    return llvm::createStringError("cannot compile '" + name + "'");
  readSignature(*clone->getOps<KernelOp>().begin(), kernel->argumentNames,
                kernel->axisNames);

  PassManager toLLVM(context);
  buildToCPUPipeline(toLLVM, cpu);
  buildToLLVMPipeline(toLLVM);
  if (failed(toLLVM.run(*clone)))
    return llvm::createStringError("cannot lower '" + name + "' to LLVM");

  Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = compileForHost(*clone);
  if (!jit)
    return jit.takeError();
  Expected<llvm::orc::ExecutorAddr> entry =
      (*jit)->lookup(("rlscan_run_" + name).str());
  if (!entry)
    return entry.takeError();
  Expected<llvm::orc::ExecutorAddr> size =
      (*jit)->lookup(("rlscan_workspace_" + name).str());
  if (!size)
    return size.takeError();
  kernel->jit = std::move(*jit);
  kernel->entry = entry->toPtr<Entry>();
  kernel->workspaceSize = size->toPtr<WorkspaceSize>();
  return kernel;
}

void HostKernel::run(llvm::ArrayRef<HostArray> arrays,
                     llvm::ArrayRef<int64_t> axisSizes, int64_t rows,
                     int64_t steps, ThreadPool &pool) const {
  // Pieces of whole vectors, several for each thread so that a slow one does
  // not hold up the rest, and wide enough to read runs of memory.
  constexpr int64_t vectorRows = 16, pieces = 4;
  int64_t perPiece = rows / (pieces * pool.size());
  int64_t grain = std::max<int64_t>(1, perPiece / vectorRows) * vectorRows;
  int64_t bytes = workspaceSize(steps);
  pool.parallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    // Each piece has its own; most kernels need none.
    Tensor workspace = Tensor::allocate(DType::U8, {bytes});
    entry(arrays.data(), axisSizes.data(), workspace.data, steps, begin, end);
  });
}
