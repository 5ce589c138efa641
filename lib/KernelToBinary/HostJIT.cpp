//===- HostJIT.cpp - LLVM dialect to code in this process -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelToBinary/HostJIT.h"
#include "KernelToBinary/Optimize.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace rlscan;
using llvm::Error;
using llvm::Expected;

unsigned rlscan::hostVectorLanes() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f") && features.lookup("avx512vl"))
    return 16;
  return features.lookup("avx") ? 8 : 4;
}

static void initializeHost() {
  static bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)once;
}

Expected<std::unique_ptr<llvm::orc::LLJIT>>
rlscan::compileForHost(mlir::ModuleOp module) {
  initializeHost();
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(module, *context);
  if (!code)
    return llvm::createStringError("cannot translate the kernel to LLVM IR");

  Expected<llvm::orc::JITTargetMachineBuilder> target =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  code->setDataLayout((*machine)->createDataLayout());
  code->setTargetTriple((*machine)->getTargetTriple());
  optimize(*code, **machine);

  Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*target))
          .create();
  if (!jit)
    return jit.takeError();
  // exp of f64 and the like come from the C library of the process.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (Error error = (*jit)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;
  return jit;
}
