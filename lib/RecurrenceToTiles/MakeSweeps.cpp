//===- MakeSweeps.cpp - Estimators to kernels of sweeps -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SweepPlan decides which sweep computes which value; this pass writes the
// sweeps. Values are emitted on demand, starting from what must be stored, so
// that nothing unused is computed.
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/SweepPlan.h"
#include "rlscan/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace rlscan {
#define GEN_PASS_DEF_MAKESWEEPS
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// A level-1 value at a number of positions ahead of the present one.
using Place = std::pair<Value, int64_t>;

/// Builds the kernel of one estimator.
class KernelBuilder {
public:
  KernelBuilder(EstimatorOp estimator, SweepPlan plan)
      : estimator(estimator), plan(std::move(plan)), builder(estimator) {}

  void run();

private:
  struct Sweep {
    SweepOp op;
    DenseMap<Place, Value> emitted;
  };

  void createKernel();
  void storeResults();
  Value temporaryFor(Value value);

  /// The value `offset` positions ahead, as a signal of sweep `current`.
  Value emit(Value value, int64_t offset);
  Value emitNew(Value value, int64_t offset);
  Value emitInput(BlockArgument argument, int64_t offset);
  Value emitShift(ShiftOp shift, int64_t offset);
  Value emitReduce(ReduceOp reduce, int64_t offset);
  Value emitAfter(AfterOp after);
  Value emitPick(PickOp pick, int64_t offset);
  Value emitSegment(SegmentOp segment, int64_t offset);
  Value load(Value array, Type type, int64_t offset, Value index, Location loc);

  EstimatorOp estimator;
  SweepPlan plan;
  OpBuilder builder;
  KernelOp kernel;
  std::vector<Sweep> sweeps;
  unsigned current = 0;
  DenseMap<Value, Value> temporaries;
  DenseMap<Value, Value> afters; // by input
};

} // namespace

//===----------------------------------------------------------------------===//
// The kernel and its arrays
//===----------------------------------------------------------------------===//

static ArrayType inputArray(InputAttr input, Type type) {
  StringAttr axis;
  if (auto along = dyn_cast<AlongType>(type))
    axis = along.getAxis();
  return ArrayType::get(type.getContext(), input.getKind(), input.getStorage(),
                        input.getLayout(), axis);
}

void KernelBuilder::createKernel() {
  SmallVector<Type> types;
  SmallVector<Attribute> attributes;
  for (auto [i, type] : llvm::enumerate(estimator.getArgumentTypes())) {
    InputAttr input = estimator.getInput(i);
    types.push_back(inputArray(input, type));
    attributes.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(EstimatorOp::getInputAttrName(), input)));
  }
  for (unsigned i = 0, e = estimator.getNumResults(); i < e; ++i) {
    OutputAttr output = estimator.getOutput(i);
    types.push_back(ArrayType::get(builder.getContext(), InputKind::Step,
                                   output.getStorage(), output.getLayout(),
                                   StringAttr()));
    attributes.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(EstimatorOp::getOutputAttrName(), output)));
  }
  kernel = KernelOp::create(
      builder, estimator.getLoc(), estimator.getSymNameAttr(),
      TypeAttr::get(builder.getFunctionType(types, {})),
      builder.getArrayAttr(attributes), ArrayAttr(), ArrayAttr());
  Block &body = kernel.getBody().emplaceBlock();
  SmallVector<Location> locations(types.size(), estimator.getLoc());
  for (auto [i, argument] : llvm::enumerate(estimator.getArguments()))
    locations[i] = argument.getLoc();
  body.addArguments(types, locations);
}

/// The array that keeps `value` for later sweeps; the sweep that computes it
/// fills it.
Value KernelBuilder::temporaryFor(Value value) {
  Value &array = temporaries[value];
  if (array)
    return array;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Type storage = value.getType();
  if (storage.isInteger(1))
    storage = builder.getI8Type();
  else if (isa<IndexType>(storage))
    storage = builder.getI64Type();
  array =
      TemporaryOp::create(builder, value.getLoc(),
                          ArrayType::get(builder.getContext(), InputKind::Step,
                                         storage, Layout::Rows, StringAttr()));
  Value result = array;
  unsigned reader = current;
  current = plan.sweepOf(value);
  builder.setInsertionPointToEnd(&sweeps[current].op.getBody().front());
  Value signal = emit(value, 0);
  StoreOp::create(builder, value.getLoc(), signal, result);
  current = reader;
  return result;
}

void KernelBuilder::storeResults() {
  ValueRange results = estimator.getReturn().getOperands();
  unsigned inputs = estimator.getNumArguments();
  for (current = 0; current < sweeps.size(); ++current) {
    builder.setInsertionPointToEnd(&sweeps[current].op.getBody().front());
    for (auto [i, result] : llvm::enumerate(results)) {
      if (plan.sweepOf(result) != current)
        continue;
      Value signal = emit(result, 0);
      StoreOp::create(builder, result.getLoc(), signal,
                      kernel.getArgument(inputs + i));
    }
  }
}

void KernelBuilder::run() {
  createKernel();
  builder.setInsertionPointToStart(&kernel.getBody().front());
  for (unsigned i = 0; i < plan.numSweeps(); ++i)
    sweeps.emplace_back().op =
        SweepOp::create(builder, estimator.getLoc(), plan.direction(i));
  storeResults();
  estimator.erase();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value KernelBuilder::emit(Value value, int64_t offset) {
  // The index of a reduction is the same at every position.
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<ReduceOp>(argument.getOwner()->getParentOp()))
    offset = 0;
  Place place(value, offset);
  if (Value known = sweeps[current].emitted.lookup(place))
    return known;
  Value result = emitNew(value, offset);
  sweeps[current].emitted[place] = result;
  return result;
}

Value KernelBuilder::load(Value array, Type type, int64_t offset, Value index,
                          Location loc) {
  return LoadOp::create(builder, loc, type, array, index, offset);
}

Value KernelBuilder::emitInput(BlockArgument argument, int64_t offset) {
  if (estimator.getInput(argument.getArgNumber()).getKind() != InputKind::Step)
    offset = 0;
  return load(kernel.getArgument(argument.getArgNumber()), argument.getType(),
              offset, Value(), argument.getLoc());
}

Value KernelBuilder::emitNew(Value value, int64_t offset) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return emitInput(argument, offset);
  Operation *op = value.getDefiningOp();
  if (!plan.isPure(value) && plan.sweepOf(value) < current)
    return load(temporaryFor(value), value.getType(), offset, Value(),
                value.getLoc());
  if (auto shift = dyn_cast<ShiftOp>(op))
    return emitShift(shift, offset);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return emitReduce(reduce, offset);
  if (auto after = dyn_cast<AfterOp>(op))
    return emitAfter(after);
  if (auto pick = dyn_cast<PickOp>(op))
    return emitPick(pick, offset);
  if (auto segment = dyn_cast<SegmentOp>(op))
    return emitSegment(segment, offset);
  if (isa<StepOp>(op))
    return StepOp::create(builder, op->getLoc(), value.getType(), offset);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(emit(operand, offset));
  if (auto scan = dyn_cast<ScanOp>(op)) {
    assert(offset == 0 && "a scan's result is known at its position only");
    return AccumulateOp::create(builder, scan.getLoc(), operands[0],
                                operands[1], operands[2]);
  }
  IRMapping mapping;
  mapping.map(op->getOperands(), operands);
  return builder.clone(*op, mapping)->getResult(0);
}

/// Whether position p + neighbour is in the window wherever p and p + offset
/// are.
static bool isBetween(int64_t neighbour, int64_t offset) {
  return (0 <= neighbour && neighbour <= offset) ||
         (offset <= neighbour && neighbour <= 0);
}

Value KernelBuilder::emitShift(ShiftOp shift, int64_t offset) {
  int64_t ahead = plan.lookAhead(shift, current);
  Location loc = shift.getLoc();
  bool isInSweep = isa<SweepOp>(builder.getInsertionBlock()->getParentOp());
  if (ahead < 0 && offset == 0 && isInSweep) {
    Value input = emit(shift.getInput(), 0);
    Value init = emit(shift.getOtherwise(), 0);
    return PreviousOp::create(builder, loc, input, init);
  }
  int64_t neighbour = offset + ahead;
  Value inside = emit(shift.getInput(), neighbour);
  if (isBetween(neighbour, offset))
    return inside;
  Value otherwise = emit(shift.getOtherwise(), offset);
  Value outside =
      OutsideOp::create(builder, loc, builder.getI1Type(), neighbour);
  return arith::SelectOp::create(builder, loc, outside, otherwise, inside);
}

Value KernelBuilder::emitAfter(AfterOp after) {
  auto argument = cast<BlockArgument>(after.getInput());
  Value &array = afters[argument];
  if (!array) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&kernel.getBody().front());
    array = AfterOp::create(builder, after.getLoc(),
                            kernel.getArgument(argument.getArgNumber()));
  }
  return load(array, after.getType(), 0, Value(), after.getLoc());
}

Value KernelBuilder::emitPick(PickOp pick, int64_t offset) {
  Value index = emit(pick.getIndex(), offset);
  auto argument = cast<BlockArgument>(pick.getInput());
  return load(kernel.getArgument(argument.getArgNumber()), pick.getType(),
              offset, index, pick.getLoc());
}

Value KernelBuilder::emitSegment(SegmentOp segment, int64_t offset) {
  auto bounds = cast<BlockArgument>(segment.getBounds());
  return SegmentOp::create(builder, segment.getLoc(), segment.getType(),
                           kernel.getArgument(bounds.getArgNumber()), offset);
}

/// The region is emitted anew. Values from around it come first, so that the
/// region holds only what depends on its index.
Value KernelBuilder::emitReduce(ReduceOp reduce, int64_t offset) {
  Region &region = reduce.getBody();
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!region.isAncestor(operand.getParentRegion()) &&
          !isa<AlongType>(operand.getType()))
        emit(operand, offset);
  });
  auto result = ReduceOp::create(builder, reduce.getLoc(), reduce.getType(),
                                 reduce.getKind(), reduce.getAxis());
  OpBuilder::InsertionGuard guard(builder);
  Block &body = result.getBody().emplaceBlock();
  Value index = body.addArgument(builder.getIndexType(), reduce.getLoc());
  builder.setInsertionPointToStart(&body);
  // What is emitted inside is not known outside.
  DenseMap<Place, Value> outside = sweeps[current].emitted;
  sweeps[current].emitted[{region.getArgument(0), 0}] = index;
  auto yield = cast<YieldOp>(region.front().getTerminator());
  Value value = emit(yield.getValue(), offset);
  YieldOp::create(builder, yield.getLoc(), value);
  sweeps[current].emitted = std::move(outside);
  return result;
}

namespace {
struct MakeSweeps : rlscan::impl::MakeSweepsBase<MakeSweeps> {
  void runOnOperation() override {
    for (EstimatorOp estimator :
         llvm::make_early_inc_range(getOperation().getOps<EstimatorOp>())) {
      if (failed(checkIsReady(estimator)))
        return signalPassFailure();
      FailureOr<SweepPlan> plan = SweepPlan::make(estimator);
      if (failed(plan))
        return signalPassFailure();
      KernelBuilder(estimator, *plan).run();
    }
  }

  /// What earlier passes leave.
  static LogicalResult checkIsReady(EstimatorOp estimator) {
    WalkResult walk = estimator.walk([](RecurrenceOp recurrence) {
      recurrence.emitError("expected no recurrence here").attachNote()
          << "run rlscan-extract-coefficients first";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return failure();
    for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i)
      if (!estimator.getInput(i).getStorage())
        return estimator.emitError("input '")
               << estimator.getInput(i).getName().getValue()
               << "' has no storage type; run rlscan-specialize first";
    for (unsigned i = 0, e = estimator.getNumResults(); i < e; ++i)
      if (!estimator.getOutput(i).getStorage())
        return estimator.emitError("result '")
               << estimator.getOutput(i).getName().getValue()
               << "' has no storage type; run rlscan-specialize first";
    return success();
  }
};
} // namespace
