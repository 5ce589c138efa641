//===- TestRecipe.h - A recipe, compiled as often as needed --- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_TESTRECIPE_H
#define RLSCAN_TEST_EXECUTION_TESTRECIPE_H

#include "CleanUp.h"
#include "DeviceKernels.h"
#include "Execution/Call.h"
#include "Execution/DeviceKernel.h"
#include "Execution/HostKernel.h"
#include "RecipeToRecurrence/AST.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace rlscan::test {

/// A file with one estimator, in the forms that tests need.
class TestRecipe {
public:
  /// Null, after messages, where the recipe is refused.
  static std::unique_ptr<TestRecipe> load(llvm::StringRef path);
  static std::unique_ptr<TestRecipe>
  parse(std::unique_ptr<llvm::MemoryBuffer> text,
        llvm::raw_ostream &messages = llvm::errs());

  llvm::StringRef name() const { return syntax().id.name; }
  /// Where it was loaded from, for command lines that replay a failure.
  llvm::StringRef path() const { return filePath; }
  /// What the serial reference evaluates.
  const ast::Estimator &syntax() const { return tree->estimators.front(); }
  const ast::Input &input(llvm::StringRef name) const;
  bool hasInput(llvm::StringRef name) const;
  /// What kernels are compiled from, with reals in f32 or f64.
  EstimatorOp estimator(bool isF64) const;

  /// The kernel for the way `call` stores its arrays. A compilation takes
  /// longer than most calls, so the last ones are kept; the kernel is there
  /// until the next call of this function. Null after messages.
  const HostKernel *kernel(const Call &call, bool isF64);
  /// For all kernels from now on.
  void setPasses(KernelPasses passes) { added = std::move(passes); }
  void setCleanUp(CleanUp cleanUp) { test::setCleanUp(context, cleanUp); }
  const KernelPasses &passes() const { return added; }
  KernelChooser &chooser() { return choices; }
  KernelCache<DeviceKernel> &deviceKernels() { return onDevice; }
  KernelCache<SimKernel> &simKernels() { return simulated; }
  size_t compilations() const {
    return compiled + onDevice.compilations() + simulated.compilations();
  }

private:
  explicit TestRecipe(llvm::raw_ostream &messages);
  bool import(std::unique_ptr<llvm::MemoryBuffer> text);

  std::string filePath;
  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  mlir::SourceMgrDiagnosticHandler handler;
  std::unique_ptr<ast::Recipe> tree;
  mlir::OwningOpRef<mlir::ModuleOp> inF32, inF64;
  llvm::StringMap<std::unique_ptr<HostKernel>> kernels;
  size_t compiled = 0;
  KernelPasses added;
  KernelChooser choices;
  KernelCache<DeviceKernel> onDevice;
  KernelCache<SimKernel> simulated;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_TESTRECIPE_H
