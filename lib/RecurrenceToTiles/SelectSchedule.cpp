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
  unsigned resident = 0;
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

/// Lanes along the row: a short row has as many as it needs, a long one the
/// subgroup's; where rows are few, groups share them.
static Choice chooseAlongSteps(const Shape &shape) {
  Choice choice;
  constexpr int64_t workgroupThreads = 128;
  choice.lanes = powerOfTwo(llvm::divideCeil(shape.steps, 4), 1, 32);
  choice.rows = workgroupThreads / choice.lanes;
  int64_t threads = shape.rows * choice.lanes;
  int64_t wanted = static_cast<int64_t>(shape.multiprocessors) * 1024;
  if (choice.lanes == 32 && shape.canSplit && threads < wanted) {
    if (shape.steps >= 1024)
      choice.stepsPerThread = 8;
    unsigned perGroup = 32 * choice.stepsPerThread;
    choice.groups = std::min(
        powerOfTwo(wanted / std::max<int64_t>(threads, 1), 1, 8),
        powerOfTwo(llvm::divideCeil(shape.steps, perGroup), 1, 8));
    choice.rows = std::max(1u, 4 / choice.groups);
  }
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

static Choice choose(KernelOp kernel, const Shape &shape) {
  bool together = areStepsTogether(kernel);
  Choice choice = together ? chooseAlongSteps(shape) : chooseAlongRows(shape);
  int64_t workgroups = llvm::divideCeil(shape.rows, choice.rows);
  bool isFew = workgroups < shape.multiprocessors;
  if (shape.canLookBack && isFew && shape.steps >= 4 * choice.tileSteps())
    choice.chain = Chain::LookBack;
  else if (shape.steps <= choice.tileSteps())
    choice.chain = Chain::Once;
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
                             choice.resident);
  }
};
} // namespace
