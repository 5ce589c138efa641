//===- BoundRows.cpp - Rows that are not the window -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ends of the window are to a signal become the ends of the row. Only
// this pass knows of rows with lengths and of packed ones: what it makes are
// choices.
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/RowInputs.h"
#include "RecurrenceToTiles/Gates.h"
#include "rlscan/Passes.h"

#include "mlir/IR/Matchers.h"

namespace rlscan {
#define GEN_PASS_DEF_BOUNDROWS
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// Where rows end, as flags of the step.
struct RowEnds {
  /// Whether it is the row's first, or its last; null: as the window's.
  Value isFirst, isLast;
  /// Whether it is one of the row; null: all are.
  Value isInside;
};

class Bounding {
public:
  Bounding(EstimatorOp estimator, const RowEnds &ends)
      : estimator(estimator), builder(estimator.getBody()), ends(ends) {}

  void run();

private:
  bool isSameAlongRow(Value value);
  void bound(ShiftOp shift);
  void bound(ScanOp scan);
  void startInside(ScanOp scan, Value isStart);
  void startPastEnd(ScanOp scan);
  void boundResults();

  EstimatorOp estimator;
  OpBuilder builder;
  RowEnds ends;
};

} // namespace

static Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(builder.getZeroAttr(type)));
}

static Value compare(OpBuilder &builder, Location loc,
                     arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

static Value next(OpBuilder &builder, Location loc, Value index) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return arith::AddIOp::create(builder, loc, index, one);
}

/// Whether the input itself has the neighbour, wherever the row ends.
static bool isStored(ShiftOp shift) {
  auto after = shift.getOtherwise().getDefiningOp<AfterOp>();
  return after && after.getInput() == shift.getInput();
}

//===----------------------------------------------------------------------===//
// Where rows end
//===----------------------------------------------------------------------===//

static RowEnds endsOfLengths(EstimatorOp estimator, Value lengths) {
  OpBuilder builder(estimator.getBody());
  Location loc = lengths.getLoc();
  Value step = StepOp::create(builder, loc, builder.getIndexType());
  RowEnds ends;
  ends.isInside =
      compare(builder, loc, arith::CmpIPredicate::slt, step, lengths);
  ends.isLast = compare(builder, loc, arith::CmpIPredicate::eq,
                        next(builder, loc, step), lengths);
  return ends;
}

/// Makes the argument an array along `axis`, which has no name of the language.
static void setAlong(EstimatorOp estimator, unsigned index, StringRef axis) {
  MLIRContext *context = estimator.getContext();
  BlockArgument argument = estimator.getArgument(index);
  InputAttr input = estimator.getInput(index);
  argument.setType(AlongType::get(context, StringAttr::get(context, axis),
                                  argument.getType()));
  estimator.setInput(index, InputAttr::get(context, input.getName(),
                                           InputKind::Step, Attribute(),
                                           input.getStorage(), Layout::Strided,
                                           /*extra_steps=*/0));
  estimator.setFunctionType(
      FunctionType::get(context, estimator.getBody().getArgumentTypes(),
                        estimator.getResultTypes()));
}

/// The argument, from now on along `axis`, is read at `index`.
static void pickInstead(EstimatorOp estimator, OpBuilder &builder,
                        unsigned input, StringRef axis, Value index) {
  BlockArgument argument = estimator.getArgument(input);
  SmallVector<OpOperand *> uses =
      llvm::to_vector(llvm::make_pointer_range(argument.getUses()));
  setAlong(estimator, input, axis);
  Value value = PickOp::create(builder, argument.getLoc(), argument, index);
  for (OpOperand *use : uses)
    use->set(value);
}

/// What stands in for an input with an extra step is its own value after the
/// last step.
static void standForAfter(BlockArgument argument) {
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
    if (auto after = dyn_cast<AfterOp>(user)) {
      after.replaceAllUsesWith(Value(argument));
      after.erase();
    }
}

/// What a row has one value of is picked by the row's number.
static void pickRows(EstimatorOp estimator, OpBuilder &builder, Value row) {
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    if (estimator.getInput(i).getKind() != InputKind::Row)
      continue;
    BlockArgument argument = estimator.getArgument(i);
    standForAfter(argument);
    pickInstead(estimator, builder, i, packedRowAxis, row);
  }
}

/// An input with an extra step has row n's entries from its first step + n on.
static void pickExtraSteps(EstimatorOp estimator, OpBuilder &builder,
                           Value step, Value row) {
  Value entry;
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    if (!estimator.getInput(i).getExtraSteps())
      continue;
    BlockArgument argument = estimator.getArgument(i);
    Location loc = argument.getLoc();
    if (!entry)
      entry = arith::AddIOp::create(builder, loc, step, row);
    SmallVector<ShiftOp> stored;
    for (Operation *user : argument.getUsers())
      if (auto shift = dyn_cast<ShiftOp>(user); shift && isStored(shift))
        stored.push_back(shift);
    Value following = next(builder, loc, entry);
    pickInstead(estimator, builder, i, extraStepAxis, entry);
    if (stored.empty())
      continue;
    Value value = PickOp::create(builder, loc, argument, following);
    for (ShiftOp shift : stored) {
      AfterOp after = shift.getOtherwise().getDefiningOp<AfterOp>();
      shift.replaceAllUsesWith(value);
      shift.erase();
      if (after.use_empty())
        after.erase();
    }
  }
}

/// The steps of equations count from the row's first one.
static void countFrom(Value begin, ArrayRef<StepOp> steps, OpBuilder &builder) {
  for (StepOp step : steps) {
    Value whole = StepOp::create(builder, step.getLoc(), step.getType());
    Value inRow = arith::SubIOp::create(builder, step.getLoc(), whole, begin);
    step.replaceAllUsesWith(inRow);
    step.erase();
  }
}

static RowEnds endsOfBounds(EstimatorOp estimator, unsigned bounds) {
  OpBuilder builder(estimator.getBody());
  SmallVector<StepOp> steps;
  estimator.walk([&](StepOp step) { steps.push_back(step); });
  Value array = estimator.getArgument(bounds);
  Location loc = array.getLoc();
  setAlong(estimator, bounds, boundAxis);
  Value step = StepOp::create(builder, loc, builder.getIndexType());
  Value row = SegmentOp::create(builder, loc, builder.getIndexType(), array);
  Value begin = PickOp::create(builder, loc, array, row);
  Value end = PickOp::create(builder, loc, array, next(builder, loc, row));
  RowEnds ends;
  ends.isFirst = compare(builder, loc, arith::CmpIPredicate::eq, step, begin);
  ends.isLast = compare(builder, loc, arith::CmpIPredicate::eq,
                        next(builder, loc, step), end);
  pickRows(estimator, builder, row);
  pickExtraSteps(estimator, builder, step, row);
  countFrom(begin, steps, builder);
  return ends;
}

//===----------------------------------------------------------------------===//
// What ends with them
//===----------------------------------------------------------------------===//

bool Bounding::isSameAlongRow(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParentOp() == estimator &&
           estimator.getInput(argument.getArgNumber()).getKind() !=
               InputKind::Step;
  Operation *op = value.getDefiningOp();
  bool isElementwise =
      op->getNumRegions() == 0 && !isa<RLScanDialect>(op->getDialect());
  return isElementwise && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isSameAlongRow(operand);
         });
}

void Bounding::bound(ShiftOp shift) {
  Value isEnd = shift.getOffset() > 0 ? ends.isLast : ends.isFirst;
  if (!isEnd || isStored(shift))
    return;
  builder.setInsertionPointAfter(shift);
  auto bounded = arith::SelectOp::create(builder, shift.getLoc(), isEnd,
                                         shift.getOtherwise(), shift);
  shift.getResult().replaceAllUsesExcept(bounded, bounded);
}

/// The state is the init all the way from the end of the window to that of the
/// row.
void Bounding::startPastEnd(ScanOp scan) {
  Location loc = scan.getLoc();
  Value alpha = scan.getAlpha(), beta = scan.getBeta();
  scan.getAlphaMutable().assign(arith::SelectOp::create(
      builder, loc, ends.isInside, alpha, scan.getInit()));
  scan.getBetaMutable().assign(
      chooseGated(builder, loc, ends.isInside, beta, Value()));
}

/// An init that the first step of the scan alone knows goes into its
/// coefficients. Where beta is 0 it is not looked at.
void Bounding::startInside(ScanOp scan, Value isStart) {
  Location loc = scan.getLoc();
  Value alpha = scan.getAlpha(), beta = scan.getBeta(), init = scan.getInit();
  Value zero = zeroOf(builder, loc, beta.getType());
  if (!matchPattern(init, m_AnyZeroFloat())) {
    Value isCut = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                        beta, zero);
    Value product = arith::MulFOp::create(builder, loc, beta, init);
    Value carried = arith::SelectOp::create(builder, loc, isCut, zero, product);
    Value started = arith::AddFOp::create(builder, loc, alpha, carried);
    scan.getAlphaMutable().assign(
        arith::SelectOp::create(builder, loc, isStart, started, alpha));
    scan.getInitMutable().assign(zero);
  }
  scan.getBetaMutable().assign(
      chooseGated(builder, loc, isStart, Value(), beta));
}

void Bounding::bound(ScanOp scan) {
  bool isBackward = scan.getDirection() == Direction::Backward;
  Value isStart = isBackward ? ends.isLast : ends.isFirst;
  if (!isStart)
    return;
  builder.setInsertionPoint(scan);
  if (ends.isInside && isSameAlongRow(scan.getInit()))
    startPastEnd(scan);
  else
    startInside(scan, isStart);
}

void Bounding::boundResults() {
  ReturnOp results = estimator.getReturn();
  builder.setInsertionPoint(results);
  for (OpOperand &result : results->getOpOperands()) {
    Location loc = result.get().getLoc();
    Value zero = zeroOf(builder, loc, result.get().getType());
    result.set(arith::SelectOp::create(builder, loc, ends.isInside,
                                       result.get(), zero));
  }
}

void Bounding::run() {
  SmallVector<Operation *> ops;
  estimator.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto shift = dyn_cast<ShiftOp>(op))
      bound(shift);
    else if (auto scan = dyn_cast<ScanOp>(op))
      bound(scan);
  }
  if (ends.isInside)
    boundResults();
}

/// A scan starts where its init is the shift's other value.
static void startAtWindow(EstimatorOp estimator) {
  estimator.walk([](ScanOp scan) {
    auto shift = scan.getInit().getDefiningOp<ShiftOp>();
    bool isBackward = scan.getDirection() == Direction::Backward;
    if (shift && isStored(shift) && isBackward)
      scan.getInitMutable().assign(shift.getOtherwise());
  });
}

namespace {
struct BoundRows : rlscan::impl::BoundRowsBase<BoundRows> {
  void runOnOperation() override {
    EstimatorOp estimator = getOperation();
    std::optional<unsigned> lengths = estimator.findInput(lengthsName);
    std::optional<unsigned> bounds = estimator.findInput(boundsName);
    if (lengths && bounds) {
      estimator.emitError("has both lengths and packed rows");
      return signalPassFailure();
    }
    if (lengths)
      Bounding(estimator,
               endsOfLengths(estimator, estimator.getArgument(*lengths)))
          .run();
    if (bounds)
      Bounding(estimator, endsOfBounds(estimator, *bounds)).run();
    if (!lengths && !bounds)
      startAtWindow(estimator);
  }
};
} // namespace
