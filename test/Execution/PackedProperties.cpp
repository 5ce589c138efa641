//===- PackedProperties.cpp - Rows one after the other in one -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A packed call gives each row what the serial reference gives it alone.
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numeric>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;

namespace {

/// Rows of some lengths, padded and packed.
class Packing {
public:
  Packing(Lab &lab, ArrayRef<int64_t> lengths);

  /// What a packed call takes of a padded array, and its results, padded.
  Tensor pack(const Tensor &tensor, int64_t extraSteps) const;
  Tensor unpack(const Tensor &result) const;

  Scenario scenario;
  Arrays padded, packed;

private:
  std::vector<int64_t> begins; // of each row, and the end of the last
};

} // namespace

Packing::Packing(Lab &lab, ArrayRef<int64_t> lengths)
    : scenario(lab.scenario()), begins(1, 0) {
  scenario.rows = lengths.size();
  scenario.steps = *llvm::max_element(lengths);
  scenario.axisSize = 3;
  padded = lab.inputs(scenario);
  Tensor ofRows = padded[lengthsName] =
      Tensor::allocate(DType::I64, {scenario.rows});
  Tensor bounds = packed[boundsName] =
      Tensor::allocate(DType::I32, {scenario.rows + 1});
  for (auto [row, length] : llvm::enumerate(lengths)) {
    begins.push_back(begins.back() + length);
    ofRows.write({static_cast<int64_t>(row)}, length);
    bounds.write({static_cast<int64_t>(row) + 1}, begins.back());
  }
  for (const auto &entry : padded)
    if (entry.getKey() != lengthsName)
      packed[entry.getKey()] =
          pack(entry.getValue(), lab.recipe().input(entry.getKey()).extraSteps);
}

/// Rows with an extra step have one token more.
Tensor Packing::pack(const Tensor &tensor, int64_t extraSteps) const {
  if (tensor.rank() < 2)
    return copy(tensor);
  llvm::SmallVector<int64_t, 3> sizes(tensor.sizes);
  sizes.erase(sizes.begin());
  sizes[0] = begins.back() + extraSteps * scenario.rows;
  Tensor made = Tensor::allocate(tensor.dtype, sizes);
  forEachElement(tensor.sizes, [&](ArrayRef<int64_t> at) {
    int64_t row = at[0], length = begins[row + 1] - begins[row];
    if (at[1] >= length + extraSteps)
      return;
    int64_t token = begins[row] + extraSteps * row + at[1];
    llvm::SmallVector<int64_t, 3> to(at.drop_front());
    to[0] = token;
    made.write(to, tensor.read(at));
  });
  return made;
}

Tensor Packing::unpack(const Tensor &result) const {
  Tensor made = Tensor::allocate(result.dtype, {scenario.rows, scenario.steps});
  for (int64_t row = 0; row < scenario.rows; ++row)
    for (int64_t token = begins[row]; token < begins[row + 1]; ++token)
      made.write({row, token - begins[row]}, result.read({0, token}));
  return made;
}

/// Its results are there once it has been checked; nothing after a failure.
static std::optional<Call> runPacked(Lab &lab, const Arrays &packed) {
  llvm::Expected<Call> call =
      makeCall(lab.recipe().estimator(/*isF64=*/false), packed);
  if (!call) {
    lab.fail(llvm::toString(call.takeError()));
    return std::nullopt;
  }
  std::string problem = lab.run(*call);
  if (problem.empty())
    return *call;
  lab.fail(problem);
  return std::nullopt;
}

static Tensor asTensor(const ReferenceResult &result,
                       const Scenario &scenario) {
  return stepArray(scenario, DType::F64, [&](int64_t row, int64_t step) {
    return result.values[row * scenario.steps + step];
  });
}

/// Rows of every length about the end of a vector, empty ones among them.
static constexpr int64_t someLengths[] = {0,  5, 1, 0, 0,  2,  15, 16,
                                          17, 1, 1, 1, 33, 64, 3,  0};

static void packs(Lab &lab) {
  Packing packing(lab, someLengths);
  std::optional<Call> call = runPacked(lab, packing.packed);
  if (!call)
    return;
  std::vector<ReferenceResult> expected =
      reference(lab.recipe(), packing.scenario, packing.padded);
  for (const ReferenceResult &result : expected)
    for (const auto &[name, tensor] : call->results)
      if (name == result.name)
        lab.expectClose(name, packing.unpack(tensor),
                        asTensor(result, packing.scenario));
}

/// Every second row is garbage.
static void isolatesRows(Lab &lab) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Packing packing(lab, someLengths);
  Arrays changed = copy(packing.packed);
  Random random = lab.random("packed");
  for (const ast::Input &input : lab.recipe().syntax().inputs) {
    if (input.type != ast::TypeKind::Real ||
        input.kind == ast::InputKind::Param)
      continue;
    Tensor tensor = copy(packing.padded[input.id.name]);
    forEachElement(tensor.sizes, [&](ArrayRef<int64_t> at) {
      if (at[0] % 2 == 1)
        tensor.write(at, random.pick<double>({nan, infinity, -infinity, 3e38}));
    });
    changed[input.id.name] = packing.pack(tensor, input.extraSteps);
  }
  std::optional<Call> found = runPacked(lab, changed),
                      expected = runPacked(lab, packing.packed);
  if (!found || !expected)
    return;
  for (auto [a, b] : llvm::zip_equal(found->results, expected->results))
    lab.expectSame(a.first, packing.unpack(a.second), packing.unpack(b.second),
                   [](int64_t row, int64_t) { return row % 2 == 0; });
}

std::vector<Property> test::packedProperties() {
  return {{"packed rows are rows", packs, {}},
          {"packed rows do not see each other", isolatesRows, {}}};
}
