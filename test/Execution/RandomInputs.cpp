//===- RandomInputs.cpp - Numbers for the inputs of any recipe ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Random.h"
#include "Scenario.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

/// Something other than 0: whatever it is, the flag is set.
static double setFlag(DType dtype, Random &random) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (dtype) {
  case DType::Bool:
    return 1;
  case DType::I8:
    return random.pick<double>({1, 2, -1, -128});
  case DType::U8:
    return random.pick<double>({1, 2, 128, 255});
  case DType::I32: // some with a low byte of 0
    return random.pick<double>({1, -1, 256, 0x1p16, -0x1p31});
  case DType::I64: // some with a low half of 0
    return random.pick<double>({1, -1, 256, 0x1p32, -0x1p63});
  case DType::F16: // the last one is the smallest that there is
    return random.pick<double>({1, -3, 0.5, nan, infinity, 0x1p-24});
  case DType::BF16:
    return random.pick<double>({1, -3, 0.5, nan, infinity, 0x1p-133});
  case DType::F32:
    return random.pick<double>({1, -3, 0.5, nan, infinity, 0x1p-149});
  case DType::F64:
    return random.pick<double>({1, -3, 0.5, nan, infinity, 0x1p-1074});
  }
  llvm_unreachable("unknown dtype");
}

static double clearFlag(DType dtype, Random &random) {
  bool isFloat = dtype == DType::F16 || dtype == DType::BF16 ||
                 dtype == DType::F32 || dtype == DType::F64;
  return isFloat && random.chance(0.5) ? -0.0 : 0.0;
}

/// Rows take turns: no flag, few, many, all, and those where tiles meet.
static bool isSet(int64_t row, int64_t step, uint64_t seed, Random &random) {
  switch ((static_cast<uint64_t>(row) + seed) % 5) {
  case 0:
    return false;
  case 1:
    return random.chance(0.05);
  case 2:
    return random.chance(0.5);
  case 3:
    return true;
  default:
    return step % 64 == 0 || step % 64 == 63;
  }
}

//===----------------------------------------------------------------------===//
// Reals
//===----------------------------------------------------------------------===//

/// By the name of the input: what keeps the estimators' weights within [-1, 1].
static double drawReal(const ast::Input &input, int64_t axisSize,
                       Random &random) {
  StringRef name = input.id.name;
  bool isParam = input.kind == ast::InputKind::Param;
  if (isParam && (name.contains("gamma") || name.contains("lambda")))
    return random.chance(0.1) ? static_cast<double>(random.below(2))
                              : random.between(0.9, 1.0);
  if (name.ends_with("rho_bar"))
    return random.between(0.2, 2.0);
  if (name == "c_bar")
    return random.between(0.2, 1.0);
  if (isParam)
    return random.between(0.05, 1.0);
  if (name.ends_with("_logp"))
    return random.between(-2.0, 0.0);
  bool isAlong = !input.axis.name.empty();
  if (name.ends_with("_prob") && isAlong)
    return random.chance(0.2) ? 0.0 : random.between(0.0, 2.0 / axisSize);
  if (name.ends_with("_prob"))
    return random.between(0.3, 1.0);
  if (name == "beta" && random.chance(0.2))
    return static_cast<double>(random.below(3) - 1);
  return random.between(-1.0, 1.0);
}

/// Of rows that are full, empty or end anywhere.
static double drawLength(int64_t steps, Random &random) {
  if (random.chance(0.3))
    return static_cast<double>(random.pick<int64_t>({0, steps}));
  return static_cast<double>(random.below(steps + 1));
}

static double draw(const ast::Input &input, const ArrayChoice &choice,
                   ArrayRef<int64_t> index, const Scenario &scenario,
                   Random &random) {
  switch (input.type) {
  case ast::TypeKind::Real: {
    double value = drawReal(input, scenario.axisSize, random);
    // One of the arithmetic: two that it does not tell apart compare otherwise.
    return scenario.isF64 ? value : static_cast<float>(value);
  }
  case ast::TypeKind::Index:
    if (input.isOfCalls)
      return drawLength(scenario.steps, random);
    return static_cast<double>(random.below(scenario.axisSize));
  case ast::TypeKind::Flag:
    break;
  }
  bool set = index.size() < 2
                 ? random.chance(0.5)
                 : isSet(index[0], index[1], scenario.seed, random);
  return set ? setFlag(choice.dtype, random) : clearFlag(choice.dtype, random);
}

static Tensor randomInput(const ast::Input &input, const ArrayChoice &choice,
                          const Scenario &scenario) {
  Random random(scenario.seed, input.id.name);
  Tensor tensor = Tensor::allocate(choice.dtype, scenario.sizes(choice));
  bool repeats[] = {choice.placement->repeatsRows,
                    choice.placement->repeatsSteps, false};
  forEachElement(tensor.sizes, [&](ArrayRef<int64_t> index) {
    llvm::SmallVector<int64_t, 3> source(index);
    for (auto [dim, position] : llvm::enumerate(source))
      if (repeats[dim])
        position = 0;
    bool isCopy = ArrayRef<int64_t>(source) != index;
    tensor.write(index, isCopy ? tensor.read(source)
                               : draw(input, choice, index, scenario, random));
  });
  return tensor;
}

llvm::StringMap<Tensor> test::randomInputs(const TestRecipe &recipe,
                                           const Scenario &scenario) {
  llvm::StringMap<Tensor> inputs;
  for (auto [input, choice] :
       llvm::zip_equal(recipe.syntax().inputs, scenario.inputs))
    if (choice.isPresent)
      inputs[input.id.name] = randomInput(input, choice, scenario);
  return inputs;
}
