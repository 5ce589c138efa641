//===- IsolationProperties.cpp - What does not count may be anything ------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recipe that multiplies by a mask where it should choose gives the same
// numbers until what is masked is a NaN. Here no name tells what is masked: an
// element that may be any number without a change in what the reference gives
// does not count, and may then be a NaN or an infinity as well.
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cstring>
#include <limits>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN(),
                        infinity = std::numeric_limits<double>::infinity();

/// A recipe of no file, of which nobody says that it chooses.
static bool isRandom(TestRecipe &recipe) { return recipe.path().empty(); }

namespace {
/// The values of all results of the reference, one after the other.
using Values = std::vector<std::vector<double>>;
} // namespace

static Values evaluate(Lab &lab, const Scenario &scenario,
                       const Arrays &inputs) {
  Values values;
  for (const ReferenceResult &result :
       reference(lab.recipe(), scenario, inputs))
    values.push_back(result.values);
  return values;
}

static bool isSameRow(const Values &a, const Values &b, int64_t row,
                      int64_t steps) {
  return llvm::all_of(llvm::zip_equal(a, b), [&](auto pair) {
    auto [x, y] = pair;
    auto begin = x.begin() + row * steps;
    return std::equal(begin, begin + steps, y.begin() + row * steps);
  });
}

/// Rows do not know of each other, so that one place is tried in all at once:
/// whether a row's results are free of it.
static std::vector<bool> freeRows(Lab &lab, const Scenario &scenario,
                                  const Arrays &inputs, const Values &expected,
                                  StringRef name, ArrayRef<int64_t> place) {
  std::vector<bool> isFree(scenario.rows, true);
  const Tensor original = inputs.lookup(name);
  // x - q + q is free of q but for the rounding, which a great q shows; the
  // exponential of a great number is none.
  double great = name.ends_with("_logp") ? 65.0 : 1e12;
  llvm::SmallVector<double> tried = {0.0, great, 64.0, -64.0};
  // A random one may multiply by what happens to be 0, or compare: what is past
  // the numbers of f32 is tried as what is past those of f64.
  if (isRandom(lab.recipe()))
    tried.append({notANumber, infinity, -infinity, 1e308, -1e308, 1e-300,
                  -1e-300, 1e-45});
  for (double value : tried) {
    Arrays changed = inputs;
    Tensor tensor = changed[name] = copy(original);
    for (int64_t row = 0; row < scenario.rows; ++row) {
      llvm::SmallVector<int64_t, 3> index(place);
      index[0] = row;
      double before = original.read(index);
      tensor.write(index, value == 0.0 ? before + 1.0 : value);
    }
    Values found = evaluate(lab, scenario, changed);
    for (int64_t row = 0; row < scenario.rows; ++row)
      isFree[row] =
          isFree[row] && isSameRow(found, expected, row, scenario.steps);
  }
  return isFree;
}

/// Bits of an f32 that no result may depend on: NaNs, quiet and signalling
/// ones, all bits set, infinities, the least number, one that is not normal, a
/// great one. They are written as they are: what goes through a double is
/// quiet.
static void writeGarbage(Tensor &tensor, ArrayRef<int64_t> index,
                         Random &random) {
  auto bits = random.pick<uint32_t>({0x7fc00000, 0x7f800001, 0xffa00000,
                                     0xffffffff, 0x7f800000, 0xff800000,
                                     0x00000001, 0x807fffff, 0x7f7fffff});
  assert(tensor.dtype == DType::F32 && "another type has other bits");
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip_equal(index, tensor.strides))
    offset += position * stride;
  std::memcpy(tensor.data + offset * sizeof(bits), &bits, sizeof(bits));
}

/// What is free alone need not be so together with what else is: a step that no
/// other number equals may get the same garbage as that. Rows in which the
/// reference sees it are as they were.
static void keepWhatCounts(Lab &lab, const Scenario &scenario,
                           const Arrays &inputs, const Values &expected,
                           Arrays &changed) {
  Values found = evaluate(lab, scenario, changed);
  std::vector<bool> isSame;
  for (int64_t row = 0; row < scenario.rows; ++row)
    isSame.push_back(isSameRow(found, expected, row, scenario.steps));
  for (const auto &entry : inputs)
    forEachElement(entry.getValue().sizes, [&](ArrayRef<int64_t> index) {
      if (!index.empty() && !isSame[index[0]])
        changed[entry.getKey()].write(index, entry.getValue().read(index));
    });
}

static void isolates(Lab &lab) {
  // Every pattern of flags, and more steps than a tile of the CPU has.
  Scenario scenario = lab.scenario();
  scenario.rows = 5;
  scenario.steps = isRandom(lab.recipe()) ? 23 : 70;
  scenario.axisSize = 3;
  Arrays inputs = lab.inputs(scenario);
  Values expected = evaluate(lab, scenario, inputs);
  Random random = lab.random("isolation");
  Arrays changed = copy(inputs);
  for (const ast::Input &input : lab.recipe().syntax().inputs) {
    StringRef name = input.id.name;
    if (input.type != ast::TypeKind::Real ||
        input.kind == ast::InputKind::Param)
      continue;
    forEachElement(inputs[name].sizes, [&](ArrayRef<int64_t> place) {
      if (place[0] != 0)
        return;
      std::vector<bool> isFree =
          freeRows(lab, scenario, inputs, expected, name, place);
      for (int64_t row = 0; row < scenario.rows; ++row) {
        llvm::SmallVector<int64_t, 3> index(place);
        index[0] = row;
        if (isFree[row])
          writeGarbage(changed[name], index, random);
      }
    });
  }
  if (isRandom(lab.recipe()))
    keepWhatCounts(lab, scenario, inputs, expected, changed);
  lab.expectSame("garbage", lab.run(scenario, changed),
                 lab.run(scenario, inputs));
}

/// Of a flag or an index.
static double garbage(const ast::Input &input, Random &random) {
  if (input.type == ast::TypeKind::Flag)
    return static_cast<double>(random.below(2));
  return random.pick<double>({-1, 3, 1 << 20});
}

/// Rows of every length about the end of a vector and of the window.
static Tensor someLengths(const Scenario &scenario) {
  Tensor lengths = Tensor::allocate(DType::I32, {scenario.rows});
  const double values[] = {0, 1, 2, 15, 16, 17, 33, 68, 69, 70};
  for (int64_t row = 0; row < scenario.rows; ++row)
    lengths.write({row}, values[row % std::size(values)]);
  return lengths;
}

static void endsRows(Lab &lab) {
  Scenario scenario = lab.scenario();
  scenario.rows = 20;
  scenario.steps = 70;
  scenario.axisSize = 3;
  for (auto [input, choice] :
       llvm::zip_equal(lab.recipe().syntax().inputs, scenario.inputs))
    choice.isPresent |= input.isOfCalls;
  Arrays inputs = lab.inputs(scenario);
  Tensor lengths = inputs[lengthsName] = someLengths(scenario);
  auto isPast = [&](int64_t row, int64_t step) {
    return static_cast<double>(step) >= lengths.read({row});
  };
  // The value after the last step is one of the row, but where it has no step.
  auto isUnread = [&](const ast::Input &input, int64_t row, int64_t step) {
    bool isEmpty = lengths.read({row}) == 0.0;
    return isPast(row, step - (isEmpty ? 0 : input.extraSteps));
  };
  Random random = lab.random("past the end");
  Arrays changed = copy(inputs);
  for (const ast::Input &input : lab.recipe().syntax().inputs)
    if (input.kind == ast::InputKind::Step)
      forEachElement(inputs[input.id.name].sizes, [&](ArrayRef<int64_t> at) {
        if (!isUnread(input, at[0], at[1]))
          return;
        if (input.type == ast::TypeKind::Real)
          writeGarbage(changed[input.id.name], at, random);
        else
          changed[input.id.name].write(at, garbage(input, random));
      });
  Arrays found = lab.run(scenario, changed);
  lab.expectSame("garbage", found, lab.run(scenario, inputs));
  for (const auto &entry : found) {
    Tensor zeros = Tensor::allocate(entry.getValue().dtype,
                                    {scenario.rows, scenario.steps});
    lab.expectSame("past the end, " + entry.getKey(), entry.getValue(), zeros,
                   isPast);
  }
}

std::vector<Property> test::isolationProperties() {
  return {{"what no result depends on may be garbage", isolates, {}},
          {"what lies past the end of a row may be garbage", endsRows, {}}};
}
