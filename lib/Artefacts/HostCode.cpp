//===- HostCode.cpp - The code of a kind of call for a CPU ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/HostCode.h"
#include "Artefacts/Reproducer.h"
#include "KernelToBinary/KernelModule.h"
#include "KernelToBinary/Optimize.h"
#include "rlscan/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace rlscan;
using llvm::Expected;

std::unique_ptr<llvm::TargetMachine>
rlscan::makeTargetMachine(const Target &target) {
  static bool once = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)once;
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string message;
  const llvm::Target *found =
      llvm::TargetRegistry::lookupTarget(triple, message);
  assert(found && "this LLVM has code generation for x86-64");
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, target.chip, "", llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Default));
}

/// Each function carries its CPU: an object has code for several.
static void setTarget(llvm::Module &module, const Target &target,
                      const llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.chip);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

Expected<HostCode> rlscan::compileForCPU(ModuleOp sweeps, StringRef symbol,
                                         const Target &target,
                                         llvm::LLVMContext &context) {
  HostCode code;
  KernelOp kernel = *sweeps.getOps<KernelOp>().begin();
  kernel.setSymName(symbol);
  readSignature(kernel, code.signature.arguments, code.signature.axes);
  code.signature.isF64 = computesInF64(kernel);
  CPUOptions cpu;
  cpu.lanes = target.lanes() / (code.signature.isF64 ? 2 : 1);
  PassManager toLLVM(sweeps.getContext());
  buildToCPUPipeline(toLLVM, cpu);
  buildToLLVMPipeline(toLLVM);
  if (llvm::Error error = runReproducibly(toLLVM, sweeps, symbol))
    return error;
  registerBuiltinDialectTranslation(*sweeps.getContext());
  registerLLVMDialectTranslation(*sweeps.getContext());
  code.module = translateModuleToLLVMIR(sweeps, context, symbol);
  if (!code.module)
    return llvm::make_error<InternalError>(
        ("cannot translate '" + symbol + "' to LLVM IR").str());
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(target);
  setTarget(*code.module, target, *machine);
  optimize(*code.module, *machine);
  code.run = ("rlscan_run_" + symbol).str();
  code.workspace = ("rlscan_workspace_" + symbol).str();
  return code;
}
