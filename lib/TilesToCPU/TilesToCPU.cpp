//===- TilesToCPU.cpp - Kernels to vector code for one CPU thread ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lays out the function: its arguments, the loop over blocks of rows, and for
// each sweep the loop over tiles and positions. SweepEmitter fills the bodies.
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/SweepEmitter.h"
#include "rlscan/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rlscan {
#define GEN_PASS_DEF_TILESTOCPU
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// Lowers one kernel.
class KernelLowering {
public:
  KernelLowering(KernelOp kernel, unsigned lanes)
      : kernel(kernel), b(kernel.getLoc(), OpBuilder(kernel), lanes,
                          realType(kernel)) {}

  void run();

private:
  static FloatType realType(KernelOp kernel);

  void createFunction();
  void readArguments();
  void allocateTemporaries();
  void freeTemporaries();
  void lowerBlocks();
  void lowerSweep(SweepEmitter &emitter, Direction direction, Value firstRow,
                  Value validRows);
  void lowerTiles(SweepEmitter &emitter, Direction direction, Value firstRow,
                  Value validRows);
  TileBounds tilesAfter(const TileBounds &tile, Direction direction,
                        Value number, Value count);
  void lowerPositions(SweepEmitter &emitter, Direction direction,
                      Value firstRow, Value validRows);
  void forEachGroup(Value firstRow, Value validRows,
                    llvm::function_ref<void(Value, const RowGroup &)> body);
  RowGroup rowGroup(Value firstRow, Value inBlock, bool isFull);
  void pointTemporariesAt(Value firstRow);
  int64_t chooseBlockRows();

  KernelOp kernel;
  VectorBuilder b;
  func::FuncOp function;
  CallInfo call;
  Value rowBegin, rowEnd;
  int64_t blockRows = 0;
  bool hasTiles = false;
  llvm::MapVector<Value, Value> temporaries; // array -> memory
};

} // namespace

//===----------------------------------------------------------------------===//
// The function and its arguments
//===----------------------------------------------------------------------===//

/// The type that the kernel computes reals in: that of its carries, or of any
/// float in it.
FloatType KernelLowering::realType(KernelOp kernel) {
  FloatType real = Float32Type::get(kernel.getContext());
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (type.isF64())
        real = cast<FloatType>(type);
  });
  return real;
}

/// Rows that are computed together. With tiles a block is one vector; without,
/// wide enough that each step reads a run of memory, and narrow enough that
/// what is carried stays in the first-level cache.
int64_t KernelLowering::chooseBlockRows() {
  if (hasTiles)
    return b.lanes;
  constexpr int64_t cacheBytes = 16 * 1024, maxRows = 1024;
  int64_t carried = 8;
  kernel.walk([&](Operation *op) {
    if (isa<PreviousOp, AccumulateOp>(op))
      carried += isa<AccumulateOp>(op) ? 8 : b.real.getWidth() / 8;
  });
  int64_t rows = b.lanes;
  while (rows < maxRows && 2 * rows * carried <= cacheBytes)
    rows *= 2;
  return rows;
}

void KernelLowering::createFunction() {
  Type i64 = b.getI64Type();
  function = func::FuncOp::create(
      b, kernel.getSymName(),
      b.getFunctionType({b.pointer(), b.pointer(), i64, i64, i64}, {}));
  // Vectors are as wide as the pass was told, whatever the chip's tuning says.
  unsigned bits = std::max(128u, b.lanes * b.real.getWidth());
  ArrayAttr width = b.getStrArrayAttr(
      {"prefer-vector-width", std::to_string(bits)});
  ArrayAttr legal = b.getStrArrayAttr(
      {"min-legal-vector-width", std::to_string(bits)});
  function->setAttr("passthrough", b.getArrayAttr({width, legal}));
  b.setInsertionPointToStart(function.addEntryBlock());
}

/// Arguments: HostArray[], axis sizes, steps, first row, row after the last.
void KernelLowering::readArguments() {
  Type i64 = b.getI64Type();
  Type descriptor = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {b.pointer(), i64, i64, i64});
  auto field = [&](unsigned array, unsigned index, Type type) -> Value {
    Value address = LLVM::GEPOp::create(
        b, b.pointer(), descriptor, function.getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(array),
                               static_cast<int32_t>(index)});
    return LLVM::LoadOp::create(b, type, address);
  };
  unsigned axes = 0;
  for (auto [i, argument] : llvm::enumerate(kernel.getArguments())) {
    auto type = cast<ArrayType>(argument.getType());
    ArrayInfo info;
    info.type = type;
    info.base = field(i, 0, b.pointer());
    info.rowStride = field(i, 1, i64);
    info.stepStride = field(i, 2, i64);
    info.axisStride = field(i, 3, i64);
    if (type.getLayout() == Layout::Rows)
      info.rowStride = b.i64(1);
    if (type.getLayout() == Layout::Steps)
      info.stepStride = b.i64(1);
    if (type.getKind() == InputKind::Param)
      info.scalar = LLVM::LoadOp::create(b, info.storage(), info.base);
    call.arrays[argument] = info;
    StringAttr axis = type.getAxis();
    if (!axis || call.axisSizes.count(axis.getValue()))
      continue;
    Value address = LLVM::GEPOp::create(
        b, b.pointer(), i64, function.getArgument(1),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(axes++)});
    call.axisSizes[axis.getValue()] = LLVM::LoadOp::create(b, i64, address);
  }
  call.steps = function.getArgument(2);
  rowBegin = function.getArgument(3);
  rowEnd = function.getArgument(4);
}

//===----------------------------------------------------------------------===//
// Temporaries: [steps][blockRows], reused by every block
//===----------------------------------------------------------------------===//

static func::FuncOp declare(VectorBuilder &b, Operation *from, StringRef name,
                            FunctionType type) {
  auto module = from->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto function = func::FuncOp::create(b, name, type);
  function.setPrivate();
  return function;
}

void KernelLowering::allocateTemporaries() {
  func::FuncOp allocate =
      declare(b, kernel, "aligned_alloc",
              b.getFunctionType({b.getI64Type(), b.getI64Type()},
                                {b.pointer()}));
  for (TemporaryOp temporary : kernel.getOps<TemporaryOp>()) {
    ArrayType type = temporary.getArray().getType();
    int64_t bytes = type.getStorage().getIntOrFloatBitWidth() / 8;
    Value size = b.mul(call.steps, b.i64(blockRows * bytes));
    // A multiple of the alignment, as aligned_alloc wants it.
    size = b.mul(b.ceilDiv(size, 64), b.i64(64));
    Value memory =
        func::CallOp::create(b, allocate, ValueRange{b.i64(64), size})
            .getResult(0);
    temporaries[temporary.getArray()] = memory;
    ArrayInfo &info = call.arrays[temporary.getArray()];
    info.type = type;
    info.base = memory;
    info.rowStride = b.i64(1);
    info.stepStride = b.i64(blockRows);
    info.isPadded = true;
  }
}

/// Rows of temporaries are counted from the block's first, those of sweeps from
/// the call's: the base is moved, so that both index alike.
void KernelLowering::pointTemporariesAt(Value firstRow) {
  for (auto [array, memory] : temporaries) {
    ArrayInfo &info = call.arrays[array];
    info.base = b.elementPointer(memory, info.storage(),
                                 b.sub(b.i64(0), firstRow));
  }
}

void KernelLowering::freeTemporaries() {
  func::FuncOp free =
      declare(b, kernel, "free", b.getFunctionType({b.pointer()}, {}));
  for (auto [array, memory] : temporaries)
    func::CallOp::create(b, free, ValueRange{memory});
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool usesTiles(KernelOp kernel) {
  return llvm::any_of(kernel.getArgumentTypes(), [](Type type) {
    auto array = cast<ArrayType>(type);
    return array.getKind() == InputKind::Step &&
           array.getLayout() == Layout::Steps && !array.getAxis();
  });
}

void KernelLowering::run() {
  hasTiles = usesTiles(kernel);
  blockRows = chooseBlockRows();
  createFunction();
  readArguments();
  if (!kernel.getOps<TemporaryOp>().empty())
    allocateTemporaries();
  lowerBlocks();
  if (!temporaries.empty())
    freeTemporaries();
  func::ReturnOp::create(b);
  kernel.erase();
}

void KernelLowering::lowerBlocks() {
  std::vector<std::pair<SweepOp, SweepEmitter>> emitters;
  for (SweepOp sweep : kernel.getOps<SweepOp>()) {
    emitters.emplace_back(sweep, SweepEmitter(b, sweep, call, blockRows));
    emitters.back().second.allocate();
  }
  b.loop(rowBegin, rowEnd, blockRows, [&](Value firstRow) {
    Value validRows =
        b.minimum(b.sub(rowEnd, firstRow), b.i64(blockRows));
    pointTemporariesAt(firstRow);
    for (auto &[sweep, emitter] : emitters)
      lowerSweep(emitter, sweep.getDirection(), firstRow, validRows);
  });
}

/// Lanes past the last row repeat it: what they compute is never stored.
RowGroup KernelLowering::rowGroup(Value firstRow, Value inBlock, bool isFull) {
  RowGroup group;
  group.first = b.add(firstRow, inBlock);
  Value numbers = b.add(b.splat(group.first), b.laneNumbers());
  if (isFull) {
    group.number = numbers;
    return group;
  }
  group.mask = b.less(numbers, b.splat(rowEnd));
  group.number = b.minimum(numbers, b.splat(b.sub(rowEnd, b.i64(1))));
  return group;
}

/// Runs the body for each vector of rows of the block, once more, with a mask,
/// where the last is not full.
void KernelLowering::forEachGroup(
    Value firstRow, Value validRows,
    llvm::function_ref<void(Value, const RowGroup &)> body) {
  if (hasTiles)
    return body(b.i64(0), rowGroup(firstRow, b.i64(0), /*isFull=*/false));
  Value tail = arith::RemSIOp::create(b, validRows, b.i64(b.lanes));
  Value full = b.sub(validRows, tail);
  b.loop(b.i64(0), full, b.lanes, [&](Value inBlock) {
    body(inBlock, rowGroup(firstRow, inBlock, /*isFull=*/true));
  });
  b.branch(b.less(b.i64(0), tail), [&] {
    body(full, rowGroup(firstRow, full, /*isFull=*/false));
  });
}

void KernelLowering::lowerSweep(SweepEmitter &emitter, Direction direction,
                                Value firstRow, Value validRows) {
  forEachGroup(firstRow, validRows,
               [&](Value inBlock, const RowGroup &rows) {
                 emitter.emitStart(inBlock, rows);
               });
  if (emitter.hasTiles())
    lowerTiles(emitter, direction, firstRow, validRows);
  else
    lowerPositions(emitter, direction, firstRow, validRows);
}

/// Without tiles: every position for all rows of the block.
void KernelLowering::lowerPositions(SweepEmitter &emitter,
                                    Direction direction, Value firstRow,
                                    Value validRows) {
  b.loop(b.i64(0), call.steps, 1, [&](Value position) {
    Value step = position;
    if (direction == Direction::Backward)
      step = b.sub(b.sub(call.steps, b.i64(1)), position);
    forEachGroup(firstRow, validRows,
                 [&](Value inBlock, const RowGroup &rows) {
                   emitter.emitBody({position, step, Value(), inBlock, rows});
                 });
  });
}

/// The tiles to ask for while tile `number` of `count`, and its group of
/// `tilesAhead`, are computed: the next group of the same rows, or the first of
/// the next rows.
TileBounds KernelLowering::tilesAfter(const TileBounds &tile,
                                      Direction direction, Value number,
                                      Value count) {
  Value ahead = b.i64(tilesAhead);
  Value group = arith::DivUIOp::create(b, number, ahead);
  Value begin = b.mul(b.add(group, b.i64(1)), ahead);
  Value isLast = b.less(b.sub(count, b.i64(1)), begin);
  begin = arith::SelectOp::create(b, isLast, b.i64(0), begin);
  Value end = b.minimum(b.add(begin, ahead), count);
  if (direction == Direction::Backward)
    std::tie(begin, end) = std::pair(b.sub(count, end), b.sub(count, begin));
  TileBounds next = tile;
  next.firstStep = b.mul(begin, b.i64(tileSteps));
  next.stepCount = b.sub(b.minimum(b.mul(end, b.i64(tileSteps)), call.steps),
                         next.firstStep);
  next.firstRow = arith::SelectOp::create(
      b, isLast, b.add(tile.firstRow, b.i64(blockRows)), tile.firstRow);
  return next;
}

/// With tiles: fill, compute the positions, write back. Tiles start at
/// multiples of tileSteps in either direction.
void KernelLowering::lowerTiles(SweepEmitter &emitter, Direction direction,
                                Value firstRow, Value validRows) {
  bool isForward = direction == Direction::Forward;
  Value count = b.ceilDiv(call.steps, tileSteps);
  Value lastRow = b.sub(rowEnd, b.i64(1));
  RowGroup rows = rowGroup(firstRow, b.i64(0), /*isFull=*/false);
  b.loop(b.i64(0), count, 1, [&](Value number) {
    Value tileNumber =
        isForward ? number : b.sub(b.sub(count, b.i64(1)), number);
    Value firstStep = b.mul(tileNumber, b.i64(tileSteps));
    Value stepCount =
        b.minimum(b.sub(call.steps, firstStep), b.i64(tileSteps));
    TileBounds tile{firstRow, lastRow, validRows, firstStep, stepCount};
    TileBounds next = tilesAfter(tile, direction, number, count);
    Value turns = b.mul(arith::RemUIOp::create(b, number, b.i64(tilesAhead)),
                        b.i64(tileSteps));
    emitter.emitStageIn(tile);
    auto lowerStep = [&](Value i) {
      Value inTile = isForward ? i : b.sub(b.sub(stepCount, b.i64(1)), i);
      Value step = b.add(firstStep, inTile);
      Value position =
          isForward ? step : b.sub(b.sub(call.steps, b.i64(1)), step);
      emitter.emitBody({position, step, inTile, b.i64(0), rows});
    };
    b.loop(b.i64(0), stepCount, linesAtOnce, [&](Value begin) {
      emitter.emitPrefetch(next, b.add(turns, begin));
      Value end = b.minimum(b.add(begin, b.i64(linesAtOnce)), stepCount);
      b.loop(begin, end, 1, lowerStep);
    });
    emitter.emitStageOut(tile);
  });
}

namespace {
struct TilesToCPU : rlscan::impl::TilesToCPUBase<TilesToCPU> {
  using TilesToCPUBase::TilesToCPUBase;

  void runOnOperation() override {
    if (lanes == 0 || (lanes & (lanes - 1)) != 0 || lanes > 64) {
      getOperation().emitError("lanes must be a power of two up to 64, got ")
          << lanes.getValue();
      return signalPassFailure();
    }
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      KernelLowering(kernel, lanes).run();
  }
};
} // namespace
