//===- ProgramBuilder.h - Compiles a device function ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_SIMULATOR_PROGRAMBUILDER_H
#define RLSCAN_SIMULATOR_PROGRAMBUILDER_H

#include "Simulator/LaneOps.h"
#include "Simulator/Registers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rlscan::sim {

class ProgramBuilder {
  /// For all lanes, as a mask.
  static constexpr int64_t allLanes = -1;

public:
  ProgramBuilder(mlir::gpu::GPUFuncOp function, unsigned lanes);
  std::unique_ptr<Program> build();

private:
  mlir::LogicalResult addArguments();
  mlir::LogicalResult buildBlock(mlir::Block &block);
  mlir::LogicalResult buildOp(mlir::Operation *op);
  mlir::LogicalResult refuse(mlir::Operation *op);

  Instruction &add(mlir::Location location, Handler run);
  /// One whose result and operands are those of the operation.
  Instruction &addLike(mlir::Operation *op, Handler run);
  unsigned here() const { return program->code.size(); }
  void jumpHere(unsigned from) { program->code[from].target = here(); }
  unsigned uniform(uint64_t bits, unsigned width, unsigned elements = 1);

  // ProgramBuilder.cpp: elements.
  mlir::LogicalResult buildElements(mlir::Operation *op, Handler run);
  mlir::LogicalResult buildConstant(mlir::Operation *op, mlir::Attribute value);
  mlir::LogicalResult buildNumber(mlir::Operation *op, Handler run);
  void gather(mlir::Operation *op);
  void permute(mlir::Operation *op, llvm::ArrayRef<int64_t> mask);
  void spread(mlir::Operation *op);
  void castBits(mlir::Operation *op);

  // ControlBuilder.cpp
  mlir::LogicalResult buildControl(mlir::Operation *op);
  mlir::LogicalResult buildIf(mlir::scf::IfOp op);
  mlir::LogicalResult buildFor(mlir::scf::ForOp op);
  mlir::LogicalResult buildWhile(mlir::scf::WhileOp op);
  void assignAll(mlir::Location location, mlir::ValueRange from,
                 mlir::ValueRange to);
  unsigned bytesOf(mlir::Value value) const;
  void assignOne(mlir::Location location, mlir::Value from, unsigned place,
                 mlir::Value to);

  // MemoryBuilder.cpp
  mlir::LogicalResult buildMemory(mlir::Operation *op);
  mlir::LogicalResult buildAddress(mlir::LLVM::AddressOfOp op);
  mlir::LogicalResult buildPointer(mlir::LLVM::GEPOp op);
  void bindOperands(mlir::Operation *op);
  mlir::LogicalResult buildLoad(mlir::LLVM::LoadOp op);
  mlir::LogicalResult buildStore(mlir::LLVM::StoreOp op);
  mlir::LogicalResult buildUpdate(mlir::LLVM::AtomicRMWOp op);
  mlir::LogicalResult buildFence(mlir::LLVM::FenceOp op);
  mlir::LogicalResult buildAssembly(mlir::LLVM::InlineAsmOp op);
  mlir::LogicalResult addAccess(Instruction &i, mlir::Operation *op,
                                mlir::Type type,
                                std::optional<uint64_t> alignment);

  // GroupBuilder.cpp: what lanes do together, of any vendor.
  mlir::LogicalResult buildGroup(mlir::Operation *op);
  mlir::LogicalResult buildIntrinsic(mlir::LLVM::CallIntrinsicOp op);
  mlir::LogicalResult buildBallot(mlir::Operation *op, mlir::Value flag,
                                  int64_t lanes);

  mlir::gpu::GPUFuncOp function;
  std::unique_ptr<Program> program;
  Registers registers;
  llvm::StringMap<unsigned> sharedNumbers;
  std::map<std::tuple<uint64_t, unsigned, unsigned>, unsigned> uniforms;
};

/// The address of byte 0 of an array of shared memory.
uint64_t sharedAddress(unsigned number);
/// The address of what AMD's driver adds to a kernel's arguments.
uint64_t launchAddress();

} // namespace rlscan::sim

#endif // RLSCAN_SIMULATOR_PROGRAMBUILDER_H
