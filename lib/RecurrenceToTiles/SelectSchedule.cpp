//===- SelectSchedule.cpp - Which thread of a device holds what -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/RowInputs.h"
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
  int64_t bytes; // of a step's inputs
  bool isWide;   // whether an array has 8 bytes a step
  bool isNarrow; // whether no input has more than 2
  unsigned access, entries, multiprocessors;
  int64_t subgroup; // its threads
  /// Whether a row may be split between groups and workgroups.
  bool canSplit, canLookBack;
  bool hasOneSweep;
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

/// Whether an array has values of its own at each step. What packed rows have
/// one of is a step's only by the row's number, and read from a cache.
static bool isOfSteps(ArrayType array) {
  StringAttr axis = array.getAxis();
  bool isOfRows = axis && isAxisOfCalls(axis);
  return array.getKind() == InputKind::Step && !isOfRows;
}

/// Whether neighbouring steps are neighbours in memory for most arrays.
static bool areStepsTogether(KernelOp kernel) {
  int64_t balance = 0;
  for (Type type : kernel.getArgumentTypes()) {
    auto array = cast<ArrayType>(type);
    if (isOfSteps(array))
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
    if (isInput && isOfSteps(array))
      inputs.push_back(array);
  }
  return inputs;
}

static unsigned byteWidth(ArrayType array) {
  return array.getStorage().getIntOrFloatBitWidth() / 8;
}

/// Groups of whole subgroups that hold a row of so many steps.
static int64_t groupsFor(const Shape &shape, unsigned stepsPerThread) {
  return llvm::divideCeil(shape.steps, stepsPerThread * shape.subgroup);
}

static bool areMany(const Shape &shape) { return shape.rows >= 2048; }

/// Whether workgroups of one row each leave part of the device without work.
static bool areFew(const Shape &shape) {
  return shape.rows < 2 * shape.multiprocessors;
}

/// Where a step takes next to nothing, accesses are what counts.
static bool isLight(const Shape &shape) {
  return shape.isNarrow && shape.bytes <= 4 && !areFew(shape) &&
         shape.access >= 8 && shape.steps >= 16 * shape.subgroup;
}

/// The most steps that a thread's registers have room for.
static unsigned mostSteps(const Shape &shape) {
  if (isLight(shape))
    return 16;
  bool isHeavy = shape.bytes > (areMany(shape) ? 24 : 16);
  if (shape.access < 4 || shape.isWide || isHeavy)
    return 4;
  return areFew(shape) && shape.bytes <= 12 ? 16 : 8;
}

/// A loop, which holds the next tile as well. Where there is a workgroup or
/// more for each multiprocessor, but no second wave of them, all have to have
/// room on the device together.
static void chooseLoop(Choice &choice, const Shape &shape) {
  constexpr int64_t fewBytes = 8, manyBytes = 24;
  unsigned most = std::min(mostSteps(shape), 8u);
  bool isOneWave = !areMany(shape) && !areFew(shape);
  choice.stepsPerThread = isOneWave && shape.bytes > fewBytes ? 4 : most;
  bool isHeavy = areMany(shape) ? most == 4 : shape.bytes > manyBytes;
  choice.groups = isHeavy ? 4 : 8;
  if (isOneWave && !isHeavy)
    choice.resident = 4;
}

/// How many steps a thread has and how many groups share a row. A row that fits
/// a workgroup is one tile: then no load waits for another. The more steps a
/// thread has the fewer groups it takes, but what it reads of a step must fit
/// its registers. Wide workgroups wait longer at barriers; where rows are few
/// there is no other way to fill the device.
static void chooseDepth(Choice &choice, const Shape &shape) {
  unsigned deepest = mostSteps(shape);
  unsigned first = isLight(shape) && areMany(shape) ? 16 : 4;
  bool canBeWide =
      areFew(shape) || !shape.hasOneSweep || (!areMany(shape) && deepest != 8);
  for (unsigned steps = first; steps <= deepest; steps *= 2) {
    choice.stepsPerThread = steps;
    int64_t groups = groupsFor(shape, steps);
    unsigned mostGroups = canBeWide && steps == deepest ? 16 : 8;
    if (groups > mostGroups)
      continue;
    choice.groups = powerOfTwo(groups, 1, mostGroups);
    // The assembler has to be told that there are registers for what is much,
    // or some loads wait for others.
    constexpr int64_t muchBytes = 12;
    constexpr int64_t most = 2048; // threads of a multiprocessor
    if (steps == 8 && groups > 1 && shape.bytes > muchBytes)
      choice.resident =
          std::min<int64_t>(3, most / (choice.groups * shape.subgroup));
    return;
  }
  chooseLoop(choice, shape);
}

/// Lanes along the row; short rows share a subgroup.
static Choice chooseAlongSteps(const Shape &shape) {
  constexpr int64_t threads = 256;
  Choice choice;
  if (shape.canSplit)
    chooseDepth(choice, shape);
  choice.lanes = powerOfTwo(
      llvm::divideCeil(shape.steps, choice.stepsPerThread), 1, shape.subgroup);
  choice.rows =
      choice.groups > 1
          ? std::max<int64_t>(1, 128 / (shape.subgroup * choice.groups))
          : threads / choice.lanes;
  // Where latency is all, caches need not keep anything.
  constexpr int64_t fewSteps = 1 << 18;
  choice.stream = shape.rows * shape.steps <= fewSteps;
  return choice;
}

/// Entries of an axis stand between the steps: the fewer steps a thread has,
/// the nearer its lanes' accesses are.
static Choice chooseAlongAxis(const Shape &shape) {
  constexpr int64_t entries = 8;
  Choice choice;
  choice.stepsPerThread =
      powerOfTwo(entries / std::max<int64_t>(shape.axis, 1), 1, 4);
  int64_t lanes = llvm::divideCeil(shape.steps, choice.stepsPerThread);
  choice.lanes = powerOfTwo(lanes, 1, shape.subgroup);
  choice.rows = 256 / choice.lanes;
  int64_t wanted = static_cast<int64_t>(shape.multiprocessors) * 1024;
  bool isFew =
      shape.rows * shape.subgroup < wanted && lanes > 4 * shape.subgroup;
  if (isFew && shape.canSplit) {
    choice.groups = 4;
    choice.rows = 1;
  }
  return choice;
}

/// Packed entries are read side by side, however many there are; they take
/// shared memory, `bytes` for each entry of a step.
static Choice choosePacked(const Shape &shape, int64_t bytes) {
  constexpr int64_t sharedBytes = 46 * 1024, manyRows = 2048;
  Choice choice;
  auto subgroups = [&] {
    return sharedBytes /
           (choice.stepsPerThread * shape.subgroup * shape.entries * bytes);
  };
  choice.entries = shape.entries;
  choice.lanes = shape.subgroup;
  choice.stepsPerThread = shape.entries > 8 ? 2 : 4;
  while (choice.stepsPerThread > 1 && subgroups() < 4)
    choice.stepsPerThread /= 2;
  if (subgroups() < 1 || shape.steps < shape.subgroup)
    return chooseAlongAxis(shape);
  int64_t groups = groupsFor(shape, choice.stepsPerThread);
  int64_t most = std::min<int64_t>(4, llvm::bit_floor<uint64_t>(subgroups()));
  if (shape.canSplit && (groups <= most || shape.rows < manyRows))
    choice.groups = powerOfTwo(groups, 1, most);
  choice.rows = choice.groups > 1 ? 1 : most;
  choice.resident = 4;
  return choice;
}

/// The most workgroups whose registers are limited at no cost: the more a step
/// takes, the more would go through memory.
static unsigned mostResident(const Shape &shape, unsigned wanted) {
  constexpr int64_t fewBytes = 12, manyBytes = 28;
  if (shape.bytes <= fewBytes)
    return wanted;
  return shape.bytes <= manyBytes ? std::min(wanted, 2u) : 0;
}

/// A lane is a row; groups run along the steps. The fewer rows there are, the
/// fewer a workgroup has and the more groups share them.
static Choice chooseAlongRows(const Shape &shape) {
  constexpr int64_t manyRows = 8192, fewRows = 2048, fewSteps = 16;
  Choice choice;
  choice.lanes = 1;
  choice.stepsPerThread = 8;
  choice.rows = 32;
  if (!shape.canSplit) {
    choice.rows = 128;
    return choice;
  }
  if (shape.steps <= fewSteps) {
    choice.stepsPerThread = 4;
    choice.groups = powerOfTwo(llvm::divideCeil(shape.steps, 4), 1, 4);
    return choice;
  }
  if (shape.rows >= manyRows) {
    choice.groups = 4;
    choice.rows = 64;
    choice.resident = mostResident(shape, 3);
    return choice;
  }
  choice.rows = 16;
  if (shape.rows < fewRows) {
    choice.stepsPerThread = shape.bytes <= 12 ? 16 : shape.bytes <= 20 ? 8 : 4;
    choice.groups = shape.steps <= 128 ? 8 : 16;
  } else if (shape.steps <= 128) {
    choice.stepsPerThread = 4;
    choice.groups = powerOfTwo(llvm::divideCeil(shape.steps, 4), 1, 32);
    choice.rows = 8;
  } else {
    choice.groups = 16;
    choice.resident = mostResident(shape, 2);
  }
  return choice;
}

/// With several sweeps a row is one tile where it can be: then nothing is read
/// twice, and what is left from one to the next stays in the workgroup. Where
/// it cannot, workgroups of neighbouring rows drift apart, and cannot share
/// sectors: of an array with a byte a step a workgroup has whole ones.
static Choice holdRows(Choice choice, const Shape &shape) {
  constexpr unsigned sectorBytes = 32;
  if (shape.hasOneSweep || !shape.canSplit || shape.steps <= choice.tileSteps())
    return choice;
  Choice held;
  held.stepsPerThread = 16;
  held.lanes = 1;
  held.groups = 32;
  held.rows = 8;
  if (shape.steps > held.tileSteps()) {
    held.groups = 16;
    held.rows = sectorBytes;
  }
  return held;
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

/// Bytes of a step of all inputs, of one entry where they have an axis.
static int64_t inputBytes(KernelOp kernel) {
  int64_t bytes = 0;
  for (ArrayType array : stepInputs(kernel))
    bytes += byteWidth(array);
  return bytes;
}

/// Whether exchanges through shared memory are of 8 bytes a step.
static bool isWide(KernelOp kernel) {
  return llvm::any_of(kernel.getArgumentTypes(), [](Type type) {
    auto array = cast<ArrayType>(type);
    return isOfSteps(array) && byteWidth(array) == 8;
  });
}

/// Bytes of an entry of all arrays along an axis; 0 where there are none.
static int64_t axisBytes(KernelOp kernel) {
  int64_t bytes = 0;
  for (Type type : kernel.getArgumentTypes())
    if (auto array = cast<ArrayType>(type); array.getAxis() && isOfSteps(array))
      bytes += byteWidth(array);
  return bytes;
}

static Choice choose(KernelOp kernel, const Shape &shape) {
  if (!areStepsTogether(kernel))
    return finish(holdRows(chooseAlongRows(shape), shape), shape);
  if (int64_t bytes = axisBytes(kernel))
    return finish(shape.entries ? choosePacked(shape, bytes)
                                : chooseAlongAxis(shape),
                  shape);
  Choice choice = finish(chooseAlongSteps(shape), shape);
  if (choice.chain == Chain::LookBack) {
    // Many small workgroups hide the wait for each other.
    choice.stepsPerThread = shape.access >= 4 && !shape.isWide ? 8 : 4;
    choice.groups = 4;
    choice.resident = mostResident(shape, 4);
  } else if (choice.chain == Chain::Loop && shape.canSplit && areFew(shape)) {
    choice.groups = 512 / shape.subgroup;
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
    Shape shape;
    shape.rows = rows;
    shape.steps = steps;
    shape.axis = axis;
    shape.bytes = inputBytes(kernel);
    shape.isWide = isWide(kernel);
    shape.isNarrow = llvm::all_of(stepInputs(kernel), [](ArrayType array) {
      return byteWidth(array) <= 2;
    });
    shape.access = access;
    shape.entries = entries;
    shape.multiprocessors = multiprocessors;
    shape.subgroup = subgroupSize;
    shape.canSplit = canSplit;
    shape.hasOneSweep = hasOneSweep;
    shape.canLookBack = canSplit && hasOneSweep;
    Choice choice = choose(kernel, shape);
    // Options may ask for what no schedule can have.
    return ScheduleAttr::getChecked(
        [&] { return kernel.emitError(); }, &getContext(),
        choice.stepsPerThread, choice.lanes, choice.groups, choice.rows,
        choice.chain, std::min(shape.access, choice.stepsPerThread),
        choice.resident, choice.entries, choice.stream);
  }
};
} // namespace
