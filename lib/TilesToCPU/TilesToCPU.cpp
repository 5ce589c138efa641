//===- TilesToCPU.cpp - Kernels to vector code for one CPU thread ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lays out the function: its arguments, its temporaries and the loop over
// blocks of rows. What a lane stands for is chosen here: where steps are
// contiguous in any array, steps (AlongSteps), else rows (AcrossRows).
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/AcrossRows.h"
#include "TilesToCPU/AlongSteps.h"
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
      : kernel(kernel),
        b(kernel.getLoc(), OpBuilder(kernel), lanes, realType(kernel)) {}

  void run();

private:
  static FloatType realType(KernelOp kernel);

  void createFunction();
  void readArguments();
  void addAfters();
  Value temporaryBytes(TemporaryOp temporary, Value steps);
  void placeTemporaries();
  void createWorkspaceFunction();
  /// Prefixes keep the names of estimators apart from those of the C library,
  /// and the two functions of one from those of another.
  std::string symbol(StringRef prefix) {
    return ("rlscan_" + prefix + "_" + kernel.getSymName()).str();
  }
  template <typename Emitter>
  void lowerBlocks(llvm::function_ref<Emitter(SweepOp)> makeEmitter);
  void pointTemporariesAt(Value firstRow);

  KernelOp kernel;
  VectorBuilder b;
  func::FuncOp function;
  CallInfo call;
  Value rowBegin, rowEnd;
  int64_t blockRows = 0;
  bool lanesAreSteps = false;
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

void KernelLowering::createFunction() {
  Type i64 = b.getI64Type();
  function = func::FuncOp::create(
      b, symbol("run"),
      b.getFunctionType({b.pointer(), b.pointer(), b.pointer(), i64, i64, i64},
                        {}));
  // Vectors are as wide as the pass was told, whatever the chip's tuning says.
  unsigned bits = std::max(128u, b.lanes * b.real.getWidth());
  ArrayAttr width =
      b.getStrArrayAttr({"prefer-vector-width", std::to_string(bits)});
  ArrayAttr legal =
      b.getStrArrayAttr({"min-legal-vector-width", std::to_string(bits)});
  function->setAttr("passthrough", b.getArrayAttr({width, legal}));
  b.setInsertionPointToStart(function.addEntryBlock());
}

/// Arguments: HostArray[], axis sizes, workspace, steps, first row, row after
/// the last.
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
    info.layout = type.getLayout();
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
  call.steps = function.getArgument(3);
  addAfters();
  rowBegin = function.getArgument(4);
  rowEnd = call.rowEnd = function.getArgument(5);
}

/// The entries of an input after the last step are an array of their own.
void KernelLowering::addAfters() {
  for (AfterOp after : kernel.getOps<AfterOp>()) {
    ArrayInfo of = call.arrays.lookup(after.getInput());
    ArrayInfo &info = call.arrays[after.getResult()];
    info.type = cast<ArrayType>(after.getType());
    info.base = b.elementPointer(of.base, of.storage(),
                                 b.mul(call.steps, of.stepStride));
    info.rowStride = of.rowStride;
    info.stepStride = info.axisStride = b.i64(0);
  }
}

//===----------------------------------------------------------------------===//
// Temporaries: of one block of rows, with lanes side by side in memory
//===----------------------------------------------------------------------===//

/// A multiple of the alignment of vectors.
Value KernelLowering::temporaryBytes(TemporaryOp temporary, Value steps) {
  Type storage = temporary.getArray().getType().getStorage();
  int64_t bytes = blockRows * storage.getIntOrFloatBitWidth() / 8;
  return b.mul(b.ceilDiv(b.mul(steps, b.i64(bytes)), 64), b.i64(64));
}

/// Temporaries lie in the caller's workspace, one after the other.
void KernelLowering::placeTemporaries() {
  Value offset = b.i64(0);
  for (TemporaryOp temporary : kernel.getOps<TemporaryOp>()) {
    ArrayType type = temporary.getArray().getType();
    Value memory =
        b.elementPointer(function.getArgument(2), b.getI8Type(), offset);
    temporaries[temporary.getArray()] = memory;
    ArrayInfo &info = call.arrays[temporary.getArray()];
    info.type = type;
    info.base = memory;
    info.layout = lanesAreSteps ? Layout::Steps : Layout::Rows;
    info.rowStride = lanesAreSteps ? call.steps : b.i64(1);
    info.stepStride = lanesAreSteps ? b.i64(1) : b.i64(blockRows);
    info.isPadded = true;
    offset = b.add(offset, temporaryBytes(temporary, call.steps));
  }
}

/// A second function, steps -> bytes of the workspace of a call.
void KernelLowering::createWorkspaceFunction() {
  Type i64 = b.getI64Type();
  auto size = func::FuncOp::create(b, symbol("workspace"),
                                   b.getFunctionType({i64}, {i64}));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(size.addEntryBlock());
  Value bytes = b.i64(0);
  for (TemporaryOp temporary : kernel.getOps<TemporaryOp>())
    bytes = b.add(bytes, temporaryBytes(temporary, size.getArgument(0)));
  func::ReturnOp::create(b, bytes);
}

/// Rows of temporaries are counted from the block's first, those of sweeps from
/// the call's: the base is moved, so that both index alike.
void KernelLowering::pointTemporariesAt(Value firstRow) {
  for (auto [array, memory] : temporaries) {
    ArrayInfo &info = call.arrays[array];
    Value offset = b.mul(firstRow, info.rowStride);
    info.base =
        b.elementPointer(memory, info.storage(), b.sub(b.i64(0), offset));
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool hasContiguousSteps(KernelOp kernel) {
  return llvm::any_of(kernel.getArgumentTypes(), [](Type type) {
    auto array = cast<ArrayType>(type);
    return array.getKind() == InputKind::Step &&
           array.getLayout() == Layout::Steps && !array.getAxis();
  });
}

template <typename Emitter>
void KernelLowering::lowerBlocks(
    llvm::function_ref<Emitter(SweepOp)> makeEmitter) {
  std::vector<Emitter> emitters;
  for (SweepOp sweep : kernel.getOps<SweepOp>()) {
    emitters.push_back(makeEmitter(sweep));
    emitters.back().allocate();
  }
  b.loop(rowBegin, rowEnd, blockRows, [&](Value firstRow) {
    Value validRows = b.minimum(b.sub(rowEnd, firstRow), b.i64(blockRows));
    pointTemporariesAt(firstRow);
    for (Emitter &emitter : emitters)
      emitter.lower(firstRow, validRows);
  });
}

void KernelLowering::run() {
  lanesAreSteps = hasContiguousSteps(kernel);
  blockRows = lanesAreSteps ? b.lanes : AcrossRows::chooseBlockRows(kernel, b);
  createWorkspaceFunction();
  createFunction();
  readArguments();
  placeTemporaries();
  if (lanesAreSteps)
    lowerBlocks<AlongSteps>(
        [&](SweepOp sweep) { return AlongSteps(b, sweep, call); });
  else
    lowerBlocks<AcrossRows>(
        [&](SweepOp sweep) { return AcrossRows(b, sweep, call, blockRows); });
  func::ReturnOp::create(b);
  kernel.erase();
}

namespace {
struct TilesToCPU : rlscan::impl::TilesToCPUBase<TilesToCPU> {
  using TilesToCPUBase::TilesToCPUBase;

  void runOnOperation() override {
    if (lanes == 0 || (lanes & (lanes - 1)) != 0 || lanes > 32) {
      getOperation().emitError("lanes must be a power of two up to 32, got ")
          << lanes.getValue();
      return signalPassFailure();
    }
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!kernel.getOps<TilesOp>().empty()) {
        kernel.emitError("kernel is made of tiles, which only devices run");
        return signalPassFailure();
      }
      if (failed(checkStores(kernel)))
        return signalPassFailure();
      KernelLowering(kernel, lanes).run();
    }
  }

  static LogicalResult checkStores(KernelOp kernel) {
    WalkResult walk = kernel.walk([](StoreOp store) {
      if (store.getArray().getType().getKind() == InputKind::Step)
        return WalkResult::advance();
      store.emitError("one value a row is kept by kernels for devices only");
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }
};
} // namespace
