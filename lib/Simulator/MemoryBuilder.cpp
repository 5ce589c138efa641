//===- MemoryBuilder.cpp - Compiles pointers and accesses to memory -------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/ProgramBuilder.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::sim;

LogicalResult ProgramBuilder::buildMemory(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<LLVM::AddressOfOp>([&](auto op) { return buildAddress(op); })
      .Case<LLVM::GEPOp>([&](auto op) { return buildPointer(op); })
      .Case<LLVM::LoadOp>([&](auto op) { return buildLoad(op); })
      .Case<LLVM::StoreOp>([&](auto op) { return buildStore(op); })
      .Case<LLVM::AtomicRMWOp>([&](auto op) { return buildUpdate(op); })
      .Case<LLVM::FenceOp>([&](auto op) { return buildFence(op); })
      .Case<LLVM::InlineAsmOp>([&](auto op) { return buildAssembly(op); })
      .Default([&](auto) { return buildGroup(op); });
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

LogicalResult ProgramBuilder::buildAddress(LLVM::AddressOfOp op) {
  auto global = function->getParentOfType<gpu::GPUModuleOp>()
                    .lookupSymbol<LLVM::GlobalOp>(op.getGlobalName());
  if (!global || global.getAddrSpace() != 3)
    return refuse(op);
  auto [known, isNew] =
      sharedNumbers.try_emplace(op.getGlobalName(), program->shared.size());
  if (isNew)
    program->shared.push_back(
        {op.getGlobalName().str(),
         static_cast<int64_t>(
             DataLayout::closest(op).getTypeSize(global.getType()))});
  registers.share(op.getResult(), uniform(sharedAddress(known->second), 8));
  return success();
}

/// One index, in units of the element type.
LogicalResult ProgramBuilder::buildPointer(LLVM::GEPOp op) {
  if (op.getRawConstantIndices().size() != 1)
    return refuse(op);
  auto size = static_cast<int64_t>(
      DataLayout::closest(op).getTypeSize(op.getElemType()));
  if (op.getDynamicIndices().empty()) {
    Instruction &i = addLike(op, addNumber);
    i.number = op.getRawConstantIndices()[0] * size;
    i.count = program->lanes;
    return success();
  }
  if (shapeOf(op.getDynamicIndices()[0].getType()).width != 8)
    return refuse(op);
  Instruction &i = addLike(op, addScaled);
  i.number = size;
  i.count = program->lanes;
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool isDeviceScope(StringRef scope) {
  return llvm::StringSwitch<bool>(scope)
      .Cases({"", "device", "agent", "agent-one-as", "one-as"}, true)
      .Default(false);
}

/// A relaxed access that other workgroups see.
template <typename Op> static bool isShared(Op op) {
  return op.getOrdering() != LLVM::AtomicOrdering::not_atomic &&
         isDeviceScope(op.getSyncscope().value_or(""));
}

static bool isInSharedMemory(Type pointer) {
  return cast<LLVM::LLVMPointerType>(pointer).getAddressSpace() == 3;
}

LogicalResult ProgramBuilder::addAccess(Instruction &i, Operation *op,
                                        Type type,
                                        std::optional<uint64_t> alignment) {
  constexpr unsigned mostBytes = 128;
  Shape shape = shapeOf(type);
  i.count = shape.elements;
  i.width = shape.width;
  unsigned bytes = shape.width * shape.elements;
  if (shape.width == 0 || bytes > mostBytes)
    return refuse(op);
  i.alignment =
      alignment.value_or(DataLayout::closest(op).getTypeABIAlignment(type));
  program->hasAtomics |= i.isAtomic;
  return success();
}

/// A load that other workgroups' stores may go ahead of reads before a use.
void ProgramBuilder::bindOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto load = operand.getDefiningOp<LLVM::LoadOp>();
    if (load && isShared(load))
      add(load.getLoc(), bindLoad).to = registers.of(operand);
  }
}

LogicalResult ProgramBuilder::buildLoad(LLVM::LoadOp op) {
  Instruction &i = add(op.getLoc(), loadLanes);
  i.from[0] = registers.of(op.getAddr());
  i.isAtomic = isShared(op);
  // What is read late must find its place unused.
  if (i.isAtomic)
    registers.share(op.getResult(),
                    registers.allocate(bytesOf(op.getResult())));
  else
    registers.add(op.getResult());
  i.to = registers.of(op.getResult());
  if (isInSharedMemory(op.getAddr().getType()))
    program->sharedUnit =
        std::min(program->sharedUnit, shapeOf(op.getType()).width);
  return addAccess(i, op, op.getType(), op.getAlignment());
}

LogicalResult ProgramBuilder::buildStore(LLVM::StoreOp op) {
  Instruction &i = add(op.getLoc(), storeLanes);
  i.from[0] = registers.of(op.getAddr());
  i.from[1] = registers.of(op.getValue());
  i.isAtomic = isShared(op);
  Type type = op.getValue().getType();
  if (isInSharedMemory(op.getAddr().getType()))
    program->sharedUnit = std::min(program->sharedUnit, shapeOf(type).width);
  return addAccess(i, op, type, op.getAlignment());
}

LogicalResult ProgramBuilder::buildUpdate(LLVM::AtomicRMWOp op) {
  using Kind = LLVM::AtomicBinOp;
  bool isKnown =
      llvm::is_contained({Kind::xchg, Kind::add, Kind::_and, Kind::_or,
                          Kind::umax, Kind::umin, Kind::uinc_wrap},
                         op.getBinOp());
  unsigned width = shapeOf(op.getType()).width;
  if (!isKnown || (width != 4 && width != 8))
    return refuse(op);
  Instruction &i = addLike(op, updateLanes);
  i.number = static_cast<int64_t>(op.getBinOp());
  i.isAtomic = isShared(op);
  return addAccess(i, op, op.getType(), std::nullopt);
}

/// Of a subgroup it orders what its lanes write and read, where it does so in
/// both directions; of the device what other workgroups see.
LogicalResult ProgramBuilder::buildFence(LLVM::FenceOp op) {
  StringRef scope = op.getSyncscope().value_or("");
  LLVM::AtomicOrdering ordering = op.getOrdering();
  bool acquires = ordering != LLVM::AtomicOrdering::release,
       releases = ordering != LLVM::AtomicOrdering::acquire;
  if (scope == "wavefront" && acquires && releases)
    add(op.getLoc(), syncSubgroup).number = allLanes;
  if (isDeviceScope(scope) && acquires)
    add(op.getLoc(), awaitLoads);
  if (isDeviceScope(scope) && releases)
    add(op.getLoc(), awaitStores);
  return success();
}

/// NVIDIA's load of what is read once.
LogicalResult ProgramBuilder::buildAssembly(LLVM::InlineAsmOp op) {
  if (op.getAsmString() != "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];")
    return refuse(op);
  Instruction &i = addLike(op, loadLanes);
  i.count = 4;
  i.width = 4;
  i.alignment = 16;
  return success();
}
