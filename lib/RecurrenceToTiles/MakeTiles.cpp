//===- MakeTiles.cpp - Sweeps to what each thread does for a tile ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signals become fragments of `steps_per_thread` positions; what is the same
// along a row stays a scalar. A recurrence becomes one op for each level of the
// schedule. The neighbour of a scan's result is the state before each position;
// a neighbour of something computed from it is computed from that state anew.
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/SweepAnalysis.h"
#include "RecurrenceToTiles/Temporaries.h"
#include "rlscan/Passes.h"

#include "mlir/IR/Matchers.h"

namespace rlscan {
#define GEN_PASS_DEF_MAKETILES
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// Writes one sweep as `rlscan.tiles`.
class TilesWriter {
public:
  TilesWriter(SweepOp sweep, ScheduleAttr schedule)
      : sweep(sweep), schedule(schedule), builder(sweep) {}

  void run();

private:
  /// A scalar where the value is the same along the row, else a fragment.
  Value emit(Value value);
  Value emitNew(Value value);
  Value emitLoad(LoadOp load);
  Value emitPrevious(PreviousOp previous);
  Value emitReduce(ReduceOp reduce);
  Value emitElementwise(Operation *op, llvm::function_ref<Value(Value)> get);
  AdvanceOp emitScan(AccumulateOp accumulate);
  Value scanState(AccumulateOp accumulate, Value alpha, Value beta, Value init);

  /// The fragment of `value` one position earlier; anything at position 0.
  Value before(Value value);
  Value neighbour(Value value, Value init);
  Value chooseInit(Value init, Value otherwise);

  /// A pure value at the edge, or `offset` positions from it.
  Value edge(Value value, int64_t offset);
  Value edgeReduce(ReduceOp reduce, int64_t offset);

  VectorType fragmentOf(Type signal) {
    return VectorType::get({schedule.getStepsPerThread()}, signal);
  }
  Value asFragment(Value value);
  /// Emits what a region reads from around it, so that the region holds only
  /// what depends on its index.
  void emitCaptured(ReduceOp reduce, llvm::function_ref<void(Value)> get);
  bool needsEdge() const {
    return schedule.getGroups() > 1 || schedule.getChain() == Chain::LookBack;
  }

  SweepOp sweep;
  ScheduleAttr schedule;
  OpBuilder builder;
  DenseMap<Value, Value> emitted, emittedBefore, neighbours;
  DenseMap<std::pair<Value, int64_t>, Value> edges;
  DenseMap<Operation *, AdvanceOp> scans;
};

} // namespace

/// A recurrence that only carries on what is the same along the row needs no
/// scan, such as what an earlier sweep leaves of a row.
static void forwardInits(SweepOp sweep) {
  for (AccumulateOp accumulate :
       llvm::make_early_inc_range(sweep.getBody().getOps<AccumulateOp>())) {
    bool carriesOnly = matchPattern(accumulate.getAlpha(), m_AnyZeroFloat()) &&
                       matchPattern(accumulate.getBeta(), m_OneFloat()) &&
                       isInvariant(accumulate.getInit());
    if (!carriesOnly)
      continue;
    accumulate.replaceAllUsesWith(accumulate.getInit());
    accumulate.erase();
  }
}

void TilesWriter::run() {
  forwardInits(sweep);
  auto tiles = TilesOp::create(builder, sweep.getLoc(), sweep.getDirection());
  builder.setInsertionPointToStart(&tiles.getBody().front());
  for (StoreOp store : sweep.getBody().getOps<StoreOp>()) {
    Value value = asFragment(emit(store.getValue()));
    StoreOp::create(builder, store.getLoc(), value, store.getArray());
  }
  sweep.erase();
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

Value TilesWriter::asFragment(Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(builder, value.getLoc(),
                                     fragmentOf(value.getType()), value);
}

Value TilesWriter::emit(Value value) {
  if (Value known = emitted.lookup(value))
    return known;
  Value result = emitNew(value);
  emitted[value] = result;
  return result;
}

Value TilesWriter::emitNew(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast<LoadOp>(op))
    return emitLoad(load);
  if (auto previous = dyn_cast<PreviousOp>(op))
    return emitPrevious(previous);
  if (auto accumulate = dyn_cast<AccumulateOp>(op))
    return emitScan(accumulate).getStates();
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return emitReduce(reduce);
  if (auto outside = dyn_cast<OutsideOp>(op))
    return OutsideOp::create(builder, op->getLoc(),
                             fragmentOf(builder.getI1Type()),
                             outside.getOffset());
  if (auto step = dyn_cast<StepOp>(op))
    return StepOp::create(builder, op->getLoc(), fragmentOf(step.getType()),
                          step.getOffset());
  if (auto segment = dyn_cast<SegmentOp>(op))
    return SegmentOp::create(builder, op->getLoc(),
                             fragmentOf(segment.getType()), segment.getBounds(),
                             segment.getOffset());
  return emitElementwise(op, [&](Value operand) { return emit(operand); });
}

Value TilesWriter::emitLoad(LoadOp load) {
  Type type = load.getType();
  if (load.getArray().getType().getKind() == InputKind::Step)
    type = fragmentOf(type);
  Value index = load.getIndex() ? emit(load.getIndex()) : Value();
  return LoadOp::create(builder, load.getLoc(), type, load.getArray(), index,
                        load.getOffset());
}

/// arith and math ops apply to fragments as to signals; scalars stay scalars
/// among themselves.
Value TilesWriter::emitElementwise(Operation *op,
                                   llvm::function_ref<Value(Value)> get) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  bool isFragment = llvm::any_of(operands, [](Value operand) {
    return isa<VectorType>(operand.getType());
  });
  Type type = op->getResult(0).getType();
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : operands)
    state.operands.push_back(isFragment ? asFragment(operand) : operand);
  state.addTypes(isFragment ? Type(fragmentOf(type)) : type);
  state.addAttributes(op->getAttrs());
  return builder.create(state)->getResult(0);
}

void TilesWriter::emitCaptured(ReduceOp reduce,
                               llvm::function_ref<void(Value)> get) {
  Region &region = reduce.getBody();
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!region.isAncestor(operand.getParentRegion()) &&
          !isa<ArrayType>(operand.getType()))
        get(operand);
  });
}

Value TilesWriter::emitReduce(ReduceOp reduce) {
  emitCaptured(reduce, [&](Value value) { emit(value); });
  auto result =
      ReduceOp::create(builder, reduce.getLoc(), fragmentOf(reduce.getType()),
                       reduce.getKind(), reduce.getAxis());
  OpBuilder::InsertionGuard guard(builder);
  Block &body = result.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  DenseMap<Value, Value> outside = emitted;
  emitted[reduce.getBody().getArgument(0)] =
      body.addArgument(builder.getIndexType(), reduce.getLoc());
  auto yield = cast<YieldOp>(reduce.getBody().front().getTerminator());
  Value entry = asFragment(emit(yield.getValue()));
  YieldOp::create(builder, yield.getLoc(), entry);
  emitted = std::move(outside);
  return result;
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// `otherwise`, but `init` at position 0.
Value TilesWriter::chooseInit(Value init, Value otherwise) {
  Value isFirst = OutsideOp::create(builder, init.getLoc(),
                                    fragmentOf(builder.getI1Type()), -1);
  return arith::SelectOp::create(builder, init.getLoc(), isFirst,
                                 asFragment(init), asFragment(otherwise));
}

Value TilesWriter::emitPrevious(PreviousOp previous) {
  Value init = emit(previous.getInit());
  if (isPureSignal(previous.getInput()))
    return neighbour(previous.getInput(), init);
  return chooseInit(init, before(previous.getInput()));
}

Value TilesWriter::neighbour(Value value, Value init) {
  Value edgeValue;
  if (needsEdge() && isPureSignal(value))
    edgeValue = edge(value, 0);
  Value input = asFragment(emit(value));
  Value result = NeighbourOp::create(builder, value.getLoc(), input.getType(),
                                     input, init, edgeValue);
  neighbours.try_emplace(value, result);
  return result;
}

Value TilesWriter::before(Value value) {
  if (isInvariant(value))
    return emit(value);
  if (Value known = emittedBefore.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto accumulate = dyn_cast<AccumulateOp>(op))
    return emitScan(accumulate).getBefore();
  bool isElementwise = op->getNumRegions() == 0 && !isa<LoadOp>(op) &&
                       !isa<PreviousOp, OutsideOp, SegmentOp>(op);
  Value computed;
  if (auto step = dyn_cast<StepOp>(op)) {
    computed = StepOp::create(builder, value.getLoc(),
                              fragmentOf(step.getType()), step.getOffset() - 1);
  } else if (isElementwise && !isPureSignal(value)) {
    computed = emitElementwise(op, [&](Value v) { return before(v); });
  } else if (Value known = neighbours.lookup(value)) {
    computed = known;
  } else {
    Value zero = arith::ConstantOp::create(
        builder, value.getLoc(),
        cast<TypedAttr>(builder.getZeroAttr(value.getType())));
    computed = neighbour(value, zero);
  }
  return emittedBefore[value] = computed;
}

//===----------------------------------------------------------------------===//
// The edge
//===----------------------------------------------------------------------===//

Value TilesWriter::edge(Value value, int64_t offset) {
  if (isInvariant(value))
    return emit(value);
  if (Value known = edges.lookup({value, offset}))
    return known;
  Operation *op = value.getDefiningOp();
  Location loc = value.getLoc();
  Value result;
  if (auto load = dyn_cast<LoadOp>(op)) {
    Value index = load.getIndex() ? edge(load.getIndex(), offset) : Value();
    result = LoadOp::create(builder, loc, load.getType(), load.getArray(),
                            index, load.getOffset() + offset);
  } else if (auto outside = dyn_cast<OutsideOp>(op)) {
    result = OutsideOp::create(builder, loc, builder.getI1Type(),
                               outside.getOffset() + offset);
  } else if (auto step = dyn_cast<StepOp>(op)) {
    result =
        StepOp::create(builder, loc, step.getType(), step.getOffset() + offset);
  } else if (auto segment = dyn_cast<SegmentOp>(op)) {
    result =
        SegmentOp::create(builder, loc, segment.getType(), segment.getBounds(),
                          segment.getOffset() + offset);
  } else if (auto previous = dyn_cast<PreviousOp>(op)) {
    Value init = edge(previous.getInit(), offset);
    Value input = edge(previous.getInput(), offset - 1);
    Value isFirst =
        OutsideOp::create(builder, loc, builder.getI1Type(), offset - 1);
    result = arith::SelectOp::create(builder, loc, isFirst, init, input);
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    result = edgeReduce(reduce, offset);
  } else {
    result = emitElementwise(op, [&](Value v) { return edge(v, offset); });
  }
  return edges[{value, offset}] = result;
}

Value TilesWriter::edgeReduce(ReduceOp reduce, int64_t offset) {
  emitCaptured(reduce, [&](Value value) { edge(value, offset); });
  auto result = ReduceOp::create(builder, reduce.getLoc(), reduce.getType(),
                                 reduce.getKind(), reduce.getAxis());
  OpBuilder::InsertionGuard guard(builder);
  Block &body = result.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  auto outside = edges;
  edges[{reduce.getBody().getArgument(0), offset}] =
      body.addArgument(builder.getIndexType(), reduce.getLoc());
  auto yield = cast<YieldOp>(reduce.getBody().front().getTerminator());
  Value entry = edge(yield.getValue(), offset);
  YieldOp::create(builder, yield.getLoc(), entry);
  edges = std::move(outside);
  return result;
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// The state before the thread's first position, level by level.
Value TilesWriter::scanState(AccumulateOp accumulate, Value alpha, Value beta,
                             Value init) {
  Location loc = accumulate.getLoc();
  Type real = accumulate.getType();
  auto compose = ComposeOp::create(builder, loc, real, real, alpha, beta);
  Value a = compose.getA(), b = compose.getB();
  SmallVector<std::pair<Value, Value>> before;
  auto addLevel = [&](auto level) {
    before.push_back({level.getBeforeA(), level.getBeforeB()});
    a = level.getTotalA();
    b = level.getTotalB();
  };
  if (schedule.getLanes() > 1)
    addLevel(
        ScanSubgroupOp::create(builder, loc, real, real, real, real, a, b));
  if (schedule.getGroups() > 1)
    addLevel(
        ScanWorkgroupOp::create(builder, loc, real, real, real, real, a, b));
  Value state = CarryOp::create(builder, loc, a, b, init);
  for (auto [beforeA, beforeB] : llvm::reverse(before))
    state = ApplyOp::create(builder, loc, beforeA, beforeB, state);
  return state;
}

/// An init that only position 0 knows goes into its coefficients.
AdvanceOp TilesWriter::emitScan(AccumulateOp accumulate) {
  if (AdvanceOp known = scans.lookup(accumulate))
    return known;
  Location loc = accumulate.getLoc();
  Value alpha = asFragment(emit(accumulate.getAlpha()));
  Value beta = asFragment(emit(accumulate.getBeta()));
  Value init = emit(accumulate.getInit());
  Type real = accumulate.getType();
  if (isa<VectorType>(init.getType())) {
    Value zero = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(beta.getType())));
    Value product = arith::MulFOp::create(builder, loc, beta, init);
    Value isCut = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                        beta, zero);
    Value gated = arith::SelectOp::create(builder, loc, isCut, zero, product);
    Value started = arith::AddFOp::create(builder, loc, alpha, gated);
    alpha = chooseInit(started, alpha);
    beta = chooseInit(zero, beta);
    init = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(real)));
  }
  Value state = scanState(accumulate, alpha, beta, init);
  auto advance = AdvanceOp::create(builder, loc, alpha.getType(),
                                   alpha.getType(), alpha, beta, state);
  scans[accumulate] = advance;
  return advance;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct MakeTiles : rlscan::impl::MakeTilesBase<MakeTiles> {
  void runOnOperation() override {
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (failed(makeTiles(kernel)))
        return signalPassFailure();
  }

  /// A kernel for each schedule, `NAME_SUFFIX`.
  static LogicalResult makeTiles(KernelOp kernel) {
    if (!kernel.getSchedulesAttr())
      return kernel.emitError("kernel has no schedules; run "
                              "rlscan-select-schedule first");
    OpBuilder builder(kernel);
    for (auto schedule : kernel.getSchedulesAttr().getAsRange<ScheduleAttr>()) {
      if (failed(checkFits(kernel, schedule)))
        return failure();
      auto clone = cast<KernelOp>(builder.clone(*kernel));
      clone.setSymName(
          (kernel.getSymName() + "_" + schedule.getSuffix()).str());
      clone.setSchedulesAttr(builder.getArrayAttr({schedule}));
      placeTemporaries(clone, schedule);
      for (SweepOp sweep : llvm::make_early_inc_range(clone.getOps<SweepOp>()))
        TilesWriter(sweep, schedule).run();
    }
    kernel.erase();
    return success();
  }

  /// A value a row, and all steps where the schedule holds them, need no memory
  /// of the device.
  static void placeTemporaries(KernelOp kernel, ScheduleAttr schedule) {
    bool areKept = keepsTemporaries(kernel, schedule);
    for (TemporaryOp temporary : kernel.getOps<TemporaryOp>())
      temporary.setWorkgroup(areKept ||
                             temporary.getArray().getType().getKind() ==
                                 InputKind::Row);
  }

  static LogicalResult checkFits(KernelOp kernel, ScheduleAttr schedule) {
    bool isSplit =
        schedule.getGroups() > 1 || schedule.getChain() == Chain::LookBack;
    if (isSplit && needsPositionBefore(kernel))
      return kernel.emitError("schedule ")
             << schedule
             << " splits a row, but a neighbour of a neighbour of a scan needs "
                "one group of lanes a row";
    bool hasOneSweep = llvm::hasSingleElement(kernel.getOps<SweepOp>());
    if (schedule.getChain() == Chain::LookBack && !hasOneSweep)
      return kernel.emitError("schedule ")
             << schedule << " looks back, but the kernel has several sweeps";
    return success();
  }
};
} // namespace
