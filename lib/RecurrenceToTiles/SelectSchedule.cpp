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
  int64_t rows, steps, axis;
  unsigned access, multiprocessors;
  /// Whether a row may be split between groups and workgroups.
  bool canSplit, canLookBack;
};

/// The numbers of a schedule on the way to one.
struct Choice {
  unsigned stepsPerThread = 4, lanes = 32, groups = 1, rows = 4;
  unsigned resident = 0, entries = 0, stream = 0;
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

/// The arrays of step inputs.
static SmallVector<ArrayType> stepInputs(KernelOp kernel) {
  SmallVector<ArrayType> inputs;
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i) {
    auto array = cast<ArrayType>(kernel.getArgumentTypes()[i]);
    bool isInput = static_cast<bool>(
        kernel.getArgAttr(i, EstimatorOp::getInputAttrName()));
    if (isInput && array.getKind() == InputKind::Step)
      inputs.push_back(array);
  }
  return inputs;
}

static unsigned byteWidth(ArrayType array) {
  return array.getStorage().getIntOrFloatBitWidth() / 8;
}

/// Whether no input has more than 2 bytes a step: one access then moves 8.
static bool isNarrow(KernelOp kernel) {
  return llvm::all_of(stepInputs(kernel),
                      [](ArrayType array) { return byteWidth(array) <= 2; });
}

/// Lanes along the row. A row that fits a workgroup is one tile: then no load
/// waits for another. A longer one takes turns, with more steps a thread.
static Choice chooseAlongSteps(KernelOp kernel, const Shape &shape) {
  constexpr int64_t subgroup = 32, threads = 256;
  // Wide workgroups wait longer at barriers; where rows are few there is no
  // other way to fill the device.
  constexpr int64_t manyRows = 2048;
  int64_t mostGroups = shape.rows >= manyRows ? 8 : 16;
  Choice choice;
  choice.stepsPerThread = isNarrow(kernel) && shape.access >= 8 ? 8 : 4;
  int64_t lanes = llvm::divideCeil(shape.steps, choice.stepsPerThread);
  choice.lanes = powerOfTwo(lanes, 1, subgroup);
  int64_t groups = llvm::divideCeil(lanes, subgroup);
  if (shape.canSplit && groups <= mostGroups) {
    choice.groups = powerOfTwo(groups, 1, mostGroups);
  } else if (shape.canSplit && groups <= 16) {
    choice.groups = 4;
  } else if (shape.canSplit) {
    choice.stepsPerThread = shape.access >= 4 ? 8 : 4;
    choice.groups = 8;
  }
  choice.rows = choice.groups > 1
                    ? std::max<int64_t>(1, 128 / (subgroup * choice.groups))
                    : threads / choice.lanes;
  // Where latency is all, caches need not keep anything.
  constexpr int64_t fewSteps = 1 << 18;
  choice.stream = shape.rows * shape.steps <= fewSteps;
  return choice;
}

/// Entries of an axis stand between the steps: the fewer steps a thread has,
/// the nearer its lanes' accesses are.
static Choice chooseAlongAxis(const Shape &shape) {
  constexpr int64_t entries = 8, subgroup = 32;
  Choice choice;
  choice.stepsPerThread =
      powerOfTwo(entries / std::max<int64_t>(shape.axis, 1), 1, 4);
  int64_t lanes = llvm::divideCeil(shape.steps, choice.stepsPerThread);
  choice.lanes = powerOfTwo(lanes, 1, subgroup);
  choice.rows = 256 / choice.lanes;
  int64_t wanted = static_cast<int64_t>(shape.multiprocessors) * 1024;
  bool isFew = shape.rows * subgroup < wanted && lanes > 4 * subgroup;
  if (isFew && shape.canSplit) {
    choice.groups = 4;
    choice.rows = 1;
  }
  return choice;
}

/// A lane is a row; groups run along the steps. The fewer rows there are, the
/// fewer a workgroup has and the more groups share them.
static Choice chooseAlongRows(const Shape &shape) {
  constexpr int64_t manyRows = 8192, fewRows = 2048;
  Choice choice;
  choice.lanes = 1;
  choice.stepsPerThread = 8;
  choice.rows = 32;
  if (!shape.canSplit) {
    choice.rows = 128;
    return choice;
  }
  if (shape.rows >= manyRows) {
    choice.groups = powerOfTwo(llvm::divideCeil(shape.steps, 8), 1, 8);
    choice.rows = 256 / choice.groups;
    choice.resident = 4;
    return choice;
  }
  choice.rows = 16;
  if (shape.rows < fewRows || shape.steps <= 128) {
    choice.stepsPerThread = 16;
    choice.groups = shape.steps <= 128 ? 8 : 16;
    return choice;
  }
  choice.groups = 32;
  choice.resident = 2;
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

static bool hasAxis(KernelOp kernel) {
  return llvm::any_of(kernel.getArgumentTypes(), [](Type type) {
    return cast<ArrayType>(type).getAxis() != nullptr;
  });
}

/// The most workgroups whose registers are limited at no cost: the more a step
/// takes, the more would go through memory.
static unsigned mostResident(KernelOp kernel, unsigned wanted) {
  constexpr unsigned fewBytes = 12, manyBytes = 28;
  unsigned bytes = 0;
  for (ArrayType array : stepInputs(kernel))
    bytes += byteWidth(array);
  if (bytes <= fewBytes)
    return wanted;
  return bytes <= manyBytes ? std::min(wanted, 2u) : 0;
}

static Choice choose(KernelOp kernel, const Shape &shape) {
  if (!areStepsTogether(kernel))
    return finish(chooseAlongRows(shape), shape);
  if (hasAxis(kernel))
    return finish(chooseAlongAxis(shape), shape);
  Choice choice = finish(chooseAlongSteps(kernel, shape), shape);
  if (choice.chain == Chain::LookBack) {
    // Many small workgroups hide the wait for each other.
    choice.groups = 4;
    choice.resident = 5;
  } else if (choice.chain == Chain::Loop && shape.canSplit &&
             shape.rows < 2 * shape.multiprocessors) {
    choice.groups = 16;
  }
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
    if (!chosen.back())
      return failure();
    kernel.setSchedulesAttr(ArrayAttr::get(&getContext(), chosen));
    return success();
  }

  /// Null after an error.
  Attribute makeSchedule(KernelOp kernel) {
    bool canSplit = !needsPositionBefore(kernel);
    bool hasOneSweep = llvm::hasSingleElement(kernel.getOps<SweepOp>());
    Shape shape = {rows,
                   steps,
                   axis,
                   access,
                   multiprocessors,
                   canSplit,
                   canSplit && hasOneSweep};
    Choice choice = choose(kernel, shape);
    choice.resident = mostResident(kernel, choice.resident);
    // Options may ask for what no schedule can have.
    return ScheduleAttr::getChecked(
        [&] { return kernel.emitError(); }, &getContext(),
        choice.stepsPerThread, choice.lanes, choice.groups, choice.rows,
        choice.chain, std::min(shape.access, choice.stepsPerThread),
        choice.resident, choice.entries, choice.stream);
  }
};
} // namespace
