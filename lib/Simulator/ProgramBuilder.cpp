//===- ProgramBuilder.cpp - Compiles a device function --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/ProgramBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::sim;

ProgramBuilder::ProgramBuilder(gpu::GPUFuncOp function, unsigned lanes)
    : function(function), program(new Program(function.getLoc())),
      registers(lanes) {
  program->name = function.getName().str();
  program->lanes = lanes;
}

std::unique_ptr<Program> sim::buildProgram(gpu::GPUFuncOp function,
                                           unsigned lanes) {
  return ProgramBuilder(function, lanes).build();
}

LogicalResult ProgramBuilder::refuse(Operation *op) {
  return op->emitError("the simulator does not know '")
         << op->getName() << "' as it is used here";
}

std::unique_ptr<Program> ProgramBuilder::build() {
  auto threads = function.getKnownBlockSize();
  if (!threads || threads->size() != 3) {
    function.emitError("expected a known_block_size");
    return nullptr;
  }
  program->threads = (*threads)[0] * (*threads)[1] * (*threads)[2];
  if (failed(addArguments()) || !function.getBody().hasOneBlock() ||
      failed(buildBlock(function.getBody().front())))
    return nullptr;
  program->registerBytes = registers.bytes();
  return std::move(program);
}

LogicalResult ProgramBuilder::addArguments() {
  for (Value argument : function.getArguments()) {
    Shape shape = shapeOf(argument.getType());
    if (!shape.width || shape.elements != 1)
      return function.emitError("expected arguments that are numbers or "
                                "pointers");
    program->arguments.push_back({registers.add(argument), shape.width, 0});
  }
  return success();
}

LogicalResult ProgramBuilder::buildBlock(Block &block) {
  registers.beginBlock(block);
  for (Operation &op : block) {
    for (Type type : op.getResultTypes())
      if (!shapeOf(type).width)
        return refuse(&op);
    if (failed(buildOp(&op)))
      return failure();
    registers.endOperation(&op);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Instruction &ProgramBuilder::add(Location location, Handler run) {
  program->locations.push_back(location);
  program->code.emplace_back();
  program->code.back().run = run;
  return program->code.back();
}

Instruction &ProgramBuilder::addLike(Operation *op, Handler run) {
  Instruction &i = add(op->getLoc(), run);
  if (op->getNumResults() > 0)
    i.to = registers.add(op->getResult(0));
  for (auto [place, operand] : llvm::zip(i.from, op->getOperands()))
    place = registers.of(operand);
  return i;
}

/// The same number for every element and lane.
unsigned ProgramBuilder::uniform(uint64_t bits, unsigned width,
                                 unsigned elements) {
  auto [known, isNew] = uniforms.try_emplace({bits, width, elements}, 0);
  if (!isNew)
    return known->second;
  unsigned bytes = width * program->lanes;
  unsigned place = registers.allocate(bytes * elements);
  for (unsigned element = 0; element < elements; ++element)
    program->constants.push_back({place + element * bytes, width, bits});
  return known->second = place;
}

LogicalResult ProgramBuilder::buildOp(Operation *op) {
  bindOperands(op);
  unsigned element;
  if (isView(op, element)) {
    registers.alias(op->getResult(0), op->getOperand(0), element);
    return success();
  }
  if (Handler run = elementHandler(op))
    return buildElements(op, run);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::ConstantOp, LLVM::ConstantOp>(
          [&](auto constant) { return buildConstant(op, constant.getValue()); })
      .Case<gpu::ThreadIdOp>(
          [&](auto) { return buildNumber(op, threadNumber); })
      .Case<gpu::BlockIdOp>(
          [&](auto) { return buildNumber(op, workgroupNumber); })
      .Case<gpu::GridDimOp>([&](auto) { return buildNumber(op, gridSize); })
      .Case<gpu::LaneIdOp>([&](auto) { return buildNumber(op, laneNumber); })
      .Case<gpu::SubgroupIdOp>(
          [&](auto) { return buildNumber(op, subgroupNumber); })
      .Case<vector::FromElementsOp>([&](auto) { return gather(op), success(); })
      .Case<vector::BroadcastOp>([&](auto) { return spread(op), success(); })
      .Case<vector::ShuffleOp>([&](vector::ShuffleOp shuffle) {
        return permute(op, shuffle.getMask()), success();
      })
      .Case<arith::BitcastOp, LLVM::BitcastOp>(
          [&](auto) { return castBits(op), success(); })
      .Case<scf::IfOp, scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp,
            gpu::ReturnOp>([&](auto) { return buildControl(op); })
      .Default([&](auto) { return buildMemory(op); });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

LogicalResult ProgramBuilder::buildElements(Operation *op, Handler run) {
  Instruction &i = addLike(op, run);
  Shape shape = shapeOf(op->getResult(0).getType());
  i.count = shape.elements * program->lanes;
  return success();
}

static std::optional<uint64_t> bitsOf(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().zextOrTrunc(64).getZExtValue();
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValue().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

LogicalResult ProgramBuilder::buildConstant(Operation *op, Attribute value) {
  Shape shape = shapeOf(op->getResult(0).getType());
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.isSplat())
      value = dense.getSplatValue<Attribute>();
    else {
      unsigned bytes = shape.width * program->lanes;
      unsigned place = registers.allocate(bytes * shape.elements);
      registers.share(op->getResult(0), place);
      for (Attribute element : dense.getValues<Attribute>()) {
        program->constants.push_back({place, shape.width, *bitsOf(element)});
        place += bytes;
      }
      return success();
    }
  }
  std::optional<uint64_t> bits = bitsOf(value);
  if (!bits)
    return refuse(op);
  registers.share(op->getResult(0),
                  uniform(*bits, shape.width, shape.elements));
  return success();
}

/// Workgroups and grids have one dimension: the others are of size 1.
LogicalResult ProgramBuilder::buildNumber(Operation *op, Handler run) {
  auto dimension = op->getAttrOfType<gpu::DimensionAttr>("dimension");
  if (dimension && dimension.getValue() != gpu::Dimension::x)
    return refuse(op);
  addLike(op, run).count = program->lanes;
  return success();
}

void ProgramBuilder::gather(Operation *op) {
  Shape shape = shapeOf(op->getResult(0).getType());
  unsigned to = registers.add(op->getResult(0));
  for (Value operand : op->getOperands()) {
    Instruction &i = add(op->getLoc(), copyElements);
    i.from[0] = registers.of(operand);
    i.to = to;
    i.count = program->lanes;
    i.width = shape.width;
    to += shape.width * program->lanes;
  }
}

/// Elements of two vectors, counted through both.
void ProgramBuilder::permute(Operation *op, ArrayRef<int64_t> mask) {
  Shape shape = shapeOf(op->getOperand(0).getType());
  unsigned bytes = shape.width * program->lanes;
  unsigned to = registers.add(op->getResult(0));
  for (int64_t element : mask) {
    bool isSecond = element >= shape.elements;
    Instruction &i = add(op->getLoc(), copyElements);
    i.from[0] = registers.of(op->getOperand(isSecond)) +
                (element - (isSecond ? shape.elements : 0)) * bytes;
    i.to = to;
    i.count = program->lanes;
    i.width = shape.width;
    to += bytes;
  }
}

void ProgramBuilder::spread(Operation *op) {
  Shape from = shapeOf(op->getOperand(0).getType()),
        to = shapeOf(op->getResult(0).getType());
  Instruction &i = addLike(op, spreadElement);
  i.count = from.elements * program->lanes;
  i.width = from.width;
  i.number = to.elements / from.elements;
}

void ProgramBuilder::castBits(Operation *op) {
  Shape from = shapeOf(op->getOperand(0).getType());
  Instruction &i = addLike(op, sim::castBits);
  i.count = from.elements;
  i.width = from.width;
  i.number = shapeOf(op->getResult(0).getType()).width;
}
