//===- StorageProperties.cpp - Where and how numbers are stored -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Properties.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <sys/mman.h>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Rows, threads, repetition
//===----------------------------------------------------------------------===//

static Tensor permuted(const Tensor &tensor, ArrayRef<int64_t> order) {
  Tensor result = copy(tensor);
  if (tensor.rank() == 0)
    return result;
  forEachElement(tensor.sizes, [&](ArrayRef<int64_t> index) {
    llvm::SmallVector<int64_t, 3> source(index);
    source[0] = order[index[0]];
    result.write(index, tensor.read(source));
  });
  return result;
}

static void permutedRows(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  std::vector<int64_t> order(scenario.rows);
  std::iota(order.begin(), order.end(), 0);
  Random random = lab.random("rows");
  for (int64_t i = scenario.rows - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  Arrays expected = lab.run(scenario, inputs);
  for (auto &entry : expected)
    entry.second = permuted(entry.second, order);
  for (auto &entry : inputs)
    entry.second = permuted(entry.second, order);
  lab.expectSame("permuted", lab.run(scenario, inputs), expected);
}

static void runsAndThreads(Lab &lab) {
  for (Layout layout : {Layout::Steps, Layout::Rows}) {
    Scenario scenario = plainScenario(lab.recipe(), 1003, 65, layout);
    Arrays inputs = lab.inputs(scenario);
    Arrays expected = lab.run(scenario, inputs, 1);
    for (unsigned threads : {1, 2, 3, 8})
      lab.expectSame(llvm::Twine(threads) + " threads",
                     lab.run(scenario, inputs, threads), expected);
  }
}

//===----------------------------------------------------------------------===//
// Layouts and types
//===----------------------------------------------------------------------===//

/// All placements that hold any numbers, alike for all arrays and mixed.
static void layoutsAndStrides(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  Arrays expected = lab.run(scenario, inputs);
  Random random = lab.random("placements");
  auto isDistinct = [](const Placement &placement) {
    return !placement.repeats();
  };
  auto choose = [&](ArrayChoice &choice, Layout layout, unsigned variant) {
    ArrayRef<Placement> list =
        placements(layout, choice.rank).take_while(isDistinct);
    choice.placement = &list[variant % list.size()];
  };
  constexpr unsigned most = 9;
  for (Layout layout : {Layout::Steps, Layout::Rows, Layout::Strided})
    for (unsigned variant = 0; variant < most; ++variant) {
      // At last a placement of its own for each array.
      bool isMixed = variant == most - 1;
      for (auto *choices : {&scenario.inputs, &scenario.results})
        for (ArrayChoice &choice : *choices)
          choose(choice, layout, isMixed ? random.below(most) : variant);
      lab.expectAlike(describe(lab.recipe(), scenario),
                      lab.run(scenario, inputs), expected);
    }
}

/// Sixteenths between -2 and 2 are exact in every type.
static void quantize(Arrays &inputs) {
  for (auto &entry : inputs)
    if (entry.second.rank() > 0 && entry.second.dtype == DType::F32)
      forEachElement(entry.second.sizes, [&](ArrayRef<int64_t> index) {
        double value = std::round(entry.second.read(index) * 16.0) / 16.0;
        if (entry.getKey() == "behavior_prob")
          value = std::max(value, 0x1p-4);
        entry.second.write(index, value);
      });
}

static void storageTypes(Lab &lab) {
  Scenario scenario = lab.scenario();
  Arrays inputs = lab.inputs(scenario);
  quantize(inputs);
  Arrays expected = lab.run(scenario, inputs);
  constexpr DType reals[] = {DType::BF16, DType::F16, DType::F64, DType::F32};
  constexpr DType flags[] = {DType::F32, DType::I32, DType::BF16, DType::I64};
  constexpr DType indices[] = {DType::I64, DType::I32, DType::I64, DType::I32};
  for (auto [real, flag, index] : llvm::zip_equal(reals, flags, indices)) {
    Arrays stored;
    for (const auto &entry : inputs) {
      const Tensor &tensor = entry.getValue();
      auto order = llvm::to_vector<3>(llvm::seq<int64_t>(0, tensor.rank()));
      ast::TypeKind type = lab.recipe().input(entry.getKey()).type;
      DType dtype = type == ast::TypeKind::Real   ? real
                    : type == ast::TypeKind::Flag ? flag
                                                  : index;
      stored[entry.getKey()] =
          tensor.rank() == 0 ? tensor : tensor.converted(dtype, order);
    }
    lab.expectAlike("reals in " + spelling(real) + ", flags in " +
                        spelling(flag),
                    lab.run(scenario, stored), expected);
  }
}

//===----------------------------------------------------------------------===//
// Strides past 32 bits
//===----------------------------------------------------------------------===//

namespace {
/// Address space of which only the touched pages take memory.
class SparseMemory {
public:
  explicit SparseMemory(size_t bytes) : bytes(bytes) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~SparseMemory() {
    if (isValid())
      munmap(memory, bytes);
  }
  SparseMemory(const SparseMemory &) = delete;

  bool isValid() const { return memory != MAP_FAILED; }
  char *data() const { return static_cast<char *>(memory); }

private:
  size_t bytes;
  void *memory;
};
} // namespace

static constexpr int64_t farStride = (int64_t(1) << 31) + 8;

/// Moves an array of two rows, or two steps where they are outside, as far
/// apart as the stride says, the first one last. False where there is no
/// memory.
static bool spread(Tensor &tensor, unsigned outside,
                   std::vector<std::unique_ptr<SparseMemory>> &memories) {
  if (tensor.rank() < 2)
    return true;
  int64_t width = byteWidth(tensor.dtype);
  int64_t inside = tensor.numElements();
  memories.push_back(
      std::make_unique<SparseMemory>((farStride + inside) * width));
  if (!memories.back()->isValid())
    return false;
  Tensor far = tensor;
  far.data = memories.back()->data() + farStride * width;
  int64_t stride = 1;
  for (unsigned dim : {2u, 1 - outside})
    if (dim < tensor.rank()) {
      far.strides[dim] = stride;
      stride *= tensor.sizes[dim];
    }
  far.strides[outside] = -farStride;
  forEachElement(tensor.sizes, [&](ArrayRef<int64_t> index) {
    far.write(index, tensor.read(index));
  });
  tensor = far;
  return true;
}

/// Nothing of these arrays is copied, so execute() is of no use.
static void runFar(Lab &lab, Scenario scenario, unsigned outside) {
  Arrays inputs = lab.inputs(scenario);
  Arrays expected = lab.run(scenario, inputs);
  std::vector<std::unique_ptr<SparseMemory>> memories;
  bool hasMemory = true;
  for (auto &entry : inputs)
    hasMemory = hasMemory && spread(entry.second, outside, memories);
  llvm::Expected<Call> call =
      makeCall(lab.recipe().estimator(/*isF64=*/false), inputs);
  if (!call)
    return lab.fail(llvm::toString(call.takeError()));
  for (auto &[name, tensor] : call->results)
    hasMemory = hasMemory && spread(tensor, outside, memories);
  if (!hasMemory) {
    llvm::outs() << "SKIP: no address space for far strides\n";
    return;
  }
  std::string problem = lab.run(*call);
  // The arrays take 8 GiB each.
  if (StringRef(problem).contains("OUT_OF_MEMORY")) {
    llvm::outs() << "SKIP: no memory for far strides\n";
    return;
  }
  if (!problem.empty())
    return lab.fail(problem);
  Arrays found;
  for (const auto &[name, tensor] : call->results)
    found[name] = tensor;
  lab.expectSame(outside == 0 ? "far rows" : "far steps", found, expected);
}

static void farStrides(Lab &lab) {
  runFar(lab, plainScenario(lab.recipe(), 2, 67), 0);
  runFar(lab, plainScenario(lab.recipe(), 67, 2, Layout::Rows), 1);
}

std::vector<Property> test::storageProperties() {
  return {
      {"permuted rows give permuted results", permutedRows, {}},
      {"every run on any number of threads gives the same bits",
       runsAndThreads,
       {}},
      {"every layout and stride gives the same bits", layoutsAndStrides, {}},
      {"every storage type gives the same bits", storageTypes, {}},
      {"strides have 64 bits", farStrides, {}}};
}
