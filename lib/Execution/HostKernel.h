//===- HostKernel.h - An estimator compiled for this CPU --------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_HOSTKERNEL_H
#define RLSCAN_EXECUTION_HOSTKERNEL_H

#include "Execution/Tensor.h"

#include "rlscan/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace rlscan {

class ThreadPool;

/// One array of a call, as generated code reads it. Strides count elements.
/// docs/cpu.md describes the ABI.
struct HostArray {
  void *data;
  int64_t rowStride;
  int64_t stepStride;
  int64_t axisStride;
};

/// An estimator compiled for one combination of storage types, layouts and
/// absent inputs, in the memory of this process.
class HostKernel {
public:
  /// Compiles estimator `name` of a level-1 `module`, which is left as it is.
  /// `bindings` are those of the pass `rlscan-specialize`, one an input or
  /// result; `passes` are run between those to CPU code and those to LLVM's.
  /// Fails after reporting through the context's diagnostics.
  static llvm::Expected<std::unique_ptr<HostKernel>>
  compile(mlir::ModuleOp module, llvm::StringRef name,
          llvm::ArrayRef<std::string> bindings,
          const KernelPasses &passes = {});

  ~HostKernel();

  /// The arrays that `run` takes: the inputs that are present, in the order of
  /// the recipe, then the results.
  llvm::ArrayRef<std::string> arguments() const { return argumentNames; }
  /// The axes whose sizes `run` takes.
  llvm::ArrayRef<std::string> axes() const { return axisNames; }

  /// Computes all rows, split over the threads of `pool`. A param is an array
  /// of one f64 (a flag: of one byte) with strides 0.
  void run(llvm::ArrayRef<HostArray> arrays, llvm::ArrayRef<int64_t> axisSizes,
           int64_t rows, int64_t steps, ThreadPool &pool) const;

private:
  HostKernel() = default;

  using Entry = void (*)(const HostArray *arrays, const int64_t *axisSizes,
                         void *workspace, int64_t steps, int64_t rowBegin,
                         int64_t rowEnd);
  using WorkspaceSize = int64_t (*)(int64_t steps);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  Entry entry = nullptr;
  WorkspaceSize workspaceSize = nullptr;
  std::vector<std::string> argumentNames;
  std::vector<std::string> axisNames;
};

} // namespace rlscan

#endif // RLSCAN_EXECUTION_HOSTKERNEL_H
