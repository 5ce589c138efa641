//===- Properties.h - What holds without an oracle ------------ -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_PROPERTIES_H
#define RLSCAN_TEST_EXECUTION_PROPERTIES_H

#include "Execute.h"
#include "Random.h"

#include <map>

namespace rlscan::test {

using Arrays = llvm::StringMap<Tensor>;

/// Tells at which row and step two results are to be compared.
using Where = llvm::function_ref<bool(int64_t row, int64_t step)>;

/// Runs a recipe for one property and notes what does not hold.
class Lab {
public:
  /// Without an executor, each run is on the CPU with as many threads as it
  /// asks for.
  Lab(TestRecipe &recipe, uint64_t seed, Executor *executor)
      : theRecipe(recipe), seed(seed), executor(executor) {}

  TestRecipe &recipe() { return theRecipe; }
  llvm::StringRef name() const { return theRecipe.name(); }
  /// Another recipe of the same folder.
  TestRecipe &recipe(llvm::StringRef name);
  /// A shape that fills no vector and no tile: 19 rows of 133 steps.
  Scenario scenario();
  Arrays inputs(const Scenario &scenario);
  Random random(llvm::StringRef stream) const { return {seed, stream}; }

  /// The results, packed.
  Arrays run(const Scenario &scenario, const Arrays &inputs,
             unsigned threads = 2) {
    return run(recipe(), scenario, inputs, threads);
  }
  Arrays run(TestRecipe &recipe, const Scenario &scenario, const Arrays &inputs,
             unsigned threads = 2);
  /// Computes the results of a call whose arrays are where they shall be. What
  /// went wrong, or nothing.
  std::string run(const Call &call);

  /// Whether the betas of f32 reals are rounded to f32.
  bool roundsBetas() const { return executor && executor->roundsBetas(); }
  int64_t longRow() const { return executor ? executor->longRow() : 1000003; }

  void fail(const llvm::Twine &text);
  /// Bit for bit, but that one NaN is like another.
  void expectSame(const llvm::Twine &what, const Tensor &found,
                  const Tensor &expected, Where where);
  void expectSame(const llvm::Twine &what, const Arrays &found,
                  const Arrays &expected);
  /// The same, but for roundings where these depend on what a kernel is
  /// compiled for, or on where in its row a step is.
  void expectAlike(const llvm::Twine &what, const Arrays &found,
                   const Arrays &expected);
  /// Within the tolerance of the contract.
  void expectClose(const llvm::Twine &what, const Tensor &found,
                   const Tensor &expected);

  llvm::ArrayRef<std::string> failures() const { return problems; }

private:
  TestRecipe &theRecipe;
  uint64_t seed;
  Executor *executor;
  std::map<std::string, std::unique_ptr<TestRecipe>> others;
  std::vector<std::string> problems;
};

struct Property {
  llvm::StringRef name;
  void (*check)(Lab &lab);
  /// The recipes that it is about; empty: all.
  std::vector<llvm::StringRef> recipes;
};

std::vector<Property> windowProperties();
std::vector<Property> boundaryProperties();
std::vector<Property> isolationProperties();
std::vector<Property> packedProperties();
std::vector<Property> estimatorProperties();
std::vector<Property> storageProperties();

//===----------------------------------------------------------------------===//
// Arrays for the properties
//===----------------------------------------------------------------------===//

Tensor number(double value);
/// f32, [rows].
Tensor rowArray(int64_t rows, llvm::function_ref<double(int64_t row)> value);
/// [rows, steps].
Tensor stepArray(const Scenario &scenario, DType dtype,
                 llvm::function_ref<double(int64_t row, int64_t step)> value);
/// Whether a flag is set; false where the input is missing.
bool isSet(const Arrays &inputs, llvm::StringRef name, int64_t row,
           int64_t step);
/// A copy that shares no memory.
Tensor copy(const Tensor &tensor);
Arrays copy(const Arrays &arrays);

/// How the carry of a recipe runs.
bool runsForward(const TestRecipe &recipe);
/// Whether nothing is carried between this step and the next.
bool isCut(const TestRecipe &recipe, const Arrays &inputs, int64_t row,
           int64_t step);
/// Makes it so, by a flag or a weight of 0.
void cut(const TestRecipe &recipe, Arrays &inputs, int64_t row, int64_t step);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_PROPERTIES_H
