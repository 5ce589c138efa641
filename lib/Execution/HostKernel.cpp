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
#include "KernelToBinary/KernelModule.h"
#include "dialects/rlscan/RLScan.h"
#include "rlscan/Pipelines.h"
#include "runtime/cpu/HostLaunch.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

HostKernel::~HostKernel() = default;

Expected<std::unique_ptr<HostKernel>>
HostKernel::compile(ModuleOp module, StringRef name,
                    llvm::ArrayRef<std::string> bindings,
                    const KernelPasses &passes) {
  Expected<OwningOpRef<ModuleOp>> code = makeSweeps(module, name, bindings);
  if (!code)
    return code.takeError();
  std::unique_ptr<HostKernel> kernel(new HostKernel());
  KernelOp sweeps = *(*code)->getOps<KernelOp>().begin();
  readSignature(sweeps, kernel->argumentNames, kernel->axisNames);
  CPUOptions cpu;
  cpu.lanes = hostVectorLanes() / (computesInF64(sweeps) ? 2 : 1);
  PassManager toLLVM(module.getContext());
  buildToCPUPipeline(toLLVM, cpu);
  if (passes)
    passes(toLLVM);
  buildToLLVMPipeline(toLLVM);
  if (failed(toLLVM.run(**code)))
    return llvm::createStringError("cannot lower '" + name + "' to LLVM");

  Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = compileForHost(**code);
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
  int64_t grain = runtime::grainOf(rows, pool.size());
  int64_t bytes = workspaceSize(steps);
  pool.parallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    // Each piece has its own; most kernels need none.
    Tensor workspace = Tensor::allocate(DType::U8, {bytes});
    entry(arrays.data(), axisSizes.data(), workspace.data, steps, begin, end);
  });
}
