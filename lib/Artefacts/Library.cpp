//===- Library.cpp - Code, tables and functions of a library --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Library.h"
#include "Artefacts/Table.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Linker/Linker.h"

using namespace rlscan;

/// `rlscan_status SYMBOL_NAME(parameters...)`, which calls rlscan_NAME with the
/// table in front.
static void addFunction(llvm::Module &module, llvm::StringRef symbol,
                        llvm::StringRef name, llvm::Constant *table,
                        llvm::ArrayRef<llvm::Type *> parameters) {
  llvm::Type *status = llvm::Type::getInt32Ty(module.getContext());
  llvm::SmallVector<llvm::Type *> with = {table->getType()};
  with.append(parameters.begin(), parameters.end());
  llvm::FunctionCallee target = module.getOrInsertFunction(
      ("rlscan_" + name).str(), llvm::FunctionType::get(status, with, false));
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(status, parameters, false),
      llvm::GlobalValue::ExternalLinkage, symbol + "_" + name, module);
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(module.getContext(), "", function));
  llvm::SmallVector<llvm::Value *> arguments = {table};
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  llvm::CallInst *call = builder.CreateCall(target, arguments);
  call->setTailCall();
  builder.CreateRet(call);
}

static void addFunctions(llvm::Module &module, llvm::StringRef symbol,
                         llvm::Constant *table) {
  llvm::Type *i32 = llvm::Type::getInt32Ty(module.getContext());
  llvm::Type *pointer = llvm::PointerType::get(module.getContext(), 0);
  addFunction(module, symbol, "prepare", table, {i32});
  addFunction(module, symbol, "prepare_for", table, {pointer, i32});
  addFunction(module, symbol, "launch", table, {pointer, pointer});
  addFunction(module, symbol, "workspace_size", table, {pointer, pointer});
  addFunction(module, symbol, "release", table, {});
}

/// `const rlscan_estimator *SYMBOL_table(void)`, for bindings.
static void addTableFunction(llvm::Module &module, llvm::StringRef symbol,
                             llvm::Constant *table) {
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(table->getType(), false),
      llvm::GlobalValue::ExternalLinkage, symbol + "_table", module);
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(module.getContext(), "", function));
  builder.CreateRet(table);
}

std::unique_ptr<llvm::Module> rlscan::linkLibrary(CompiledEstimator &compiled,
                                                  llvm::LLVMContext &context) {
  auto module = std::make_unique<llvm::Module>(compiled.symbol, context);
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine({Target::CPU, "x86-64", 1, false});
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  for (CompiledVariant &variant : compiled.variants)
    if (variant.host.module) {
      bool failed =
          llvm::Linker::linkModules(*module, std::move(variant.host.module));
      assert(!failed && "names are distinct");
      (void)failed;
    }
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::Constant *table = TableWriter(*module).write(compiled);
  addFunctions(*module, compiled.symbol, table);
  addTableFunction(*module, compiled.symbol, table);
  module->setPICLevel(llvm::PICLevel::BigPIC);
  return module;
}
