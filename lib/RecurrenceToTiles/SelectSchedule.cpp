//===- SelectSchedule.cpp - Which thread of a device holds what -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/SweepAnalysis.h"
#include "rlscan/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace rlscan {
#define GEN_PASS_DEF_SELECTSCHEDULE
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// What a schedule is chosen by.
struct Shape {
  int64_t rows, steps;
  unsigned access, multiprocessors;
  /// Whether a row may be split between groups and workgroups.
  bool canSplit, canLookBack;
};

/// The numbers of a schedule on the way to one.
struct Choice {
  unsigned stepsPerThread = 4, lanes = 32, groups = 1, rows = 4;
  unsigned resident = 0, rowsPerThread = 1, stream = 0;
  Chain chain = Chain::Loop;

  int64_t tileSteps() const {
    return static_cast<int64_t>(stepsPerThread) * lanes * groups;
  }
};

} // namespace

/// Whether neighbouring steps are neighbours in memory for most arrays.
static bool areStepsTogether(KernelOp kernel) {
  int64_t balance = 0;
  for (Type type : kernel.getArgumentTypes()) {
    auto array = cast<ArrayType>(type);
    if (array.getKind() == InputKind::Step)
      balance += (array.getLayout() == Layout::Steps) -
                 (array.getLayout() == Layout::Rows);
  }
  return balance >= 0;
}

static unsigned powerOfTwo(int64_t number, unsigned low, unsigned high) {
  int64_t power = llvm::PowerOf2Ceil(std::max<int64_t>(number, 1));
  return std::clamp<int64_t>(power, low, high);
}

/// Bytes of the widest real that steps have in memory.
static unsigned widestReal(KernelOp kernel) {
  unsigned widest = 1;
  for (Type type : kernel.getArgumentTypes()) {
    auto array = cast<ArrayType>(type);
    bool isInput = array.getKind() == InputKind::Step;
    if (isInput && isa<FloatType>(array.getStorage()))
      widest = std::max(widest, array.getStorage().getIntOrFloatBitWidth() / 8);
  }
  return widest;
}

/// Lanes along the row. A row that fits a workgroup is one tile: then no load
/// waits for another. A longer one takes turns, with more steps a thread.
static Choice chooseAlongSteps(KernelOp kernel, const Shape &shape) {
  constexpr int64_t subgroup = 32, threads = 256, mostGroups = 16;
  Choice choice;
  choice.stepsPerThread = widestReal(kernel) == 2 ? 8 : 4;
  int64_t lanes = llvm::divideCeil(shape.steps, choice.stepsPerThread);
  choice.lanes = powerOfTwo(lanes, 1, subgroup);
  int64_t groups = llvm::divideCeil(lanes, subgroup);
  if (shape.canSplit && groups <= mostGroups) {
    choice.groups = powerOfTwo(groups, 1, mostGroups);
  } else if (shape.canSplit) {
    choice.stepsPerThread = shape.access >= 4 ? 8 : 4;
    choice.groups = 8;
  }
  bool isAlone = choice.groups > 1;
  choice.rows = isAlone ? 1 : threads / choice.lanes;
  return choice;
}

/// A lane is a row; groups run along the steps.
static Choice chooseAlongRows(const Shape &shape) {
  Choice choice;
  choice.lanes = 1;
  choice.stepsPerThread = 8;
  choice.rows = 32;
  if (shape.canSplit)
    choice.groups = powerOfTwo(llvm::divideCeil(shape.steps, 8), 1, 32);
  else
    choice.rows = 128;
  return choice;
}

/// How the tiles of a row follow each other.
static Choice finish(Choice choice, const Shape &shape) {
  int64_t workgroups = llvm::divideCeil(shape.rows, choice.rows);
  bool isFew = 4 * workgroups < 3 * shape.multiprocessors;
  if (shape.canLookBack && isFew && shape.steps >= 4 * choice.tileSteps())
    choice.chain = Chain::LookBack;
  else if (shape.steps <= choice.tileSteps())
    choice.chain = Chain::Once;
  return choice;
}

static Choice choose(KernelOp kernel, const Shape &shape) {
  if (!areStepsTogether(kernel))
    return finish(chooseAlongRows(shape), shape);
  Choice choice = finish(chooseAlongSteps(kernel, shape), shape);
  // A workgroup a row fills the device; a wide one hides more of the latency.
  if (choice.chain == Chain::Loop && shape.canSplit &&
      shape.rows < 2 * shape.multiprocessors)
    choice.groups = 16;
  return choice;
}

namespace {
struct SelectSchedule : rlscan::impl::SelectScheduleBase<SelectSchedule> {
  using SelectScheduleBase::SelectScheduleBase;

  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (!kernel.getSchedulesAttr() && failed(select(kernel)))
        return signalPassFailure();
  }

  LogicalResult select(KernelOp kernel) {
    SmallVector<Attribute> chosen;
    for (const std::string &words : schedules) {
      FailureOr<ScheduleAttr> schedule = ScheduleAttr::fromSuffix(
          &getContext(), words, [&] { return kernel.emitError(); });
      if (failed(schedule))
        return failure();
      chosen.push_back(*schedule);
    }
    if (chosen.empty())
      chosen.push_back(makeSchedule(kernel));
    kernel.setSchedulesAttr(ArrayAttr::get(&getContext(), chosen));
    return success();
  }

  Attribute makeSchedule(KernelOp kernel) {
    bool canSplit = !needsPositionBefore(kernel);
    bool hasOneSweep = llvm::hasSingleElement(kernel.getOps<SweepOp>());
    Shape shape = {rows,           steps,    access,
                   multiprocessors, canSplit, canSplit && hasOneSweep};
    Choice choice = choose(kernel, shape);
    return ScheduleAttr::get(&getContext(), choice.stepsPerThread, choice.lanes,
                             choice.groups, choice.rows, choice.chain,
                             std::min(shape.access, choice.stepsPerThread),
                             choice.resident, choice.rowsPerThread,
                             choice.stream);
  }
};
} // namespace
