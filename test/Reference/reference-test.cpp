//===- reference-test.cpp - Runs cases through the serial reference -------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// reference-test RECIPE.rls... CASES.json: runs every case whose "recipe" is an
// estimator of a recipe and prints a line for each. Fails where a result is
// not the expected one, and where there is nothing to run.
//
// In a case, an array is nested lists of numbers, booleans, "nan", "inf" or
// "-inf", or {"shape": [0, 4]} where it is empty.
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/Parser.h"
#include "Reference/Reference.h"
#include "rlscan/Recipe.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <limits>

using namespace rlscan;
namespace json = llvm::json;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Reading a case
//===----------------------------------------------------------------------===//

[[noreturn]] static void fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  exit(1);
}

static double readNumber(const json::Value &value) {
  if (std::optional<double> number = value.getAsNumber())
    return *number;
  if (std::optional<bool> flag = value.getAsBoolean())
    return *flag;
  double number;
  std::optional<StringRef> text = value.getAsString();
  if (!text || text->getAsDouble(number))
    fail("expected a number, found " + llvm::formatv("{0}", value).str());
  return number;
}

/// The numbers in nested lists, in order, and the sizes of the lists.
static void readArray(const json::Value &value, unsigned depth,
                      llvm::SmallVectorImpl<int64_t> &sizes,
                      std::vector<double> &numbers) {
  const json::Array *list = value.getAsArray();
  if (!list)
    return numbers.push_back(readNumber(value));
  if (sizes.size() <= depth)
    sizes.push_back(list->size());
  if (sizes[depth] != static_cast<int64_t>(list->size()))
    fail("a ragged array");
  for (const json::Value &entry : *list)
    readArray(entry, depth + 1, sizes, numbers);
}

static Tensor readTensor(const json::Value &value, DType dtype) {
  llvm::SmallVector<int64_t, 3> sizes;
  std::vector<double> numbers;
  if (const json::Object *empty = value.getAsObject())
    for (const json::Value &size : *empty->getArray("shape"))
      sizes.push_back(*size.getAsInteger());
  else
    readArray(value, 0, sizes, numbers);
  Tensor tensor = Tensor::allocate(dtype, sizes);
  if (tensor.numElements() != static_cast<int64_t>(numbers.size()))
    fail("an array with entries missing");
  // Packed, so one long dimension is a view of the same elements.
  Tensor flat = tensor;
  flat.sizes = {tensor.numElements()};
  flat.strides = {1};
  for (size_t i = 0; i < numbers.size(); ++i)
    flat.write({static_cast<int64_t>(i)}, numbers[i]);
  return tensor;
}

namespace {
/// What a call gives, with the sizes that its arrays imply.
struct Call {
  llvm::StringMap<Tensor> inputs;
  int64_t rows = 0, steps = 0;
  llvm::StringMap<int64_t> axisSizes;
};
} // namespace

static Call readCall(const ast::Estimator &estimator,
                     const json::Object &testCase) {
  Call call;
  for (const ast::Input &input : estimator.inputs) {
    StringRef group = input.kind == ast::InputKind::Param ? "params" : "inputs";
    const json::Object *given = testCase.getObject(group);
    const json::Value *value = given ? given->get(input.id.name) : nullptr;
    if (!value)
      continue;
    bool isIndex = input.type == ast::TypeKind::Index;
    Tensor tensor = readTensor(*value, isIndex ? DType::I64 : DType::F64);
    if (input.kind == ast::InputKind::Step) {
      call.rows = tensor.sizes[0];
      call.steps = tensor.sizes[1] - input.extraSteps;
      if (tensor.rank() == 3)
        call.axisSizes[input.axis.name] = tensor.sizes[2];
    }
    call.inputs[input.id.name] = tensor;
  }
  return call;
}

/// Every array of a case must have an input to go to.
static void checkNames(const ast::Estimator &estimator,
                       const json::Object &testCase) {
  for (StringRef group : {"params", "inputs"})
    if (const json::Object *given = testCase.getObject(group))
      for (const auto &entry : *given)
        if (llvm::none_of(estimator.inputs, [&](const ast::Input &input) {
              return input.id.name == StringRef(entry.first);
            }))
          fail("no input '" + StringRef(entry.first) + "'");
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// 0 where the two are equal, infinities and NaN included.
static double difference(double found, double expected) {
  if (found == expected || (std::isnan(found) && std::isnan(expected)))
    return 0.0;
  double distance = std::fabs(found - expected);
  return std::isnan(distance) ? std::numeric_limits<double>::infinity()
                              : distance;
}

/// Whether the result is the expected one; raises `largest` to the difference.
static bool compare(const ReferenceResult &result, const json::Value &expected,
                    const json::Object &tolerance, int64_t steps,
                    double &largest) {
  std::vector<double> numbers;
  llvm::SmallVector<int64_t, 3> sizes;
  if (!expected.getAsObject())
    readArray(expected, 0, sizes, numbers);
  if (numbers.size() != result.values.size()) {
    llvm::outs() << result.name << ": expected " << numbers.size()
                 << " values, found " << result.values.size() << '\n';
    return false;
  }
  double atol = *tolerance.getNumber("atol");
  double rtol = *tolerance.getNumber("rtol");
  for (size_t i = 0; i < numbers.size(); ++i) {
    double error = difference(result.values[i], numbers[i]);
    largest = std::max(largest, error);
    // An infinite expected value must be met, whatever the tolerance.
    if (error == 0.0 ||
        (std::isfinite(error) && error <= atol + rtol * std::fabs(numbers[i])))
      continue;
    llvm::outs() << llvm::format("%s[%d, %d]: expected %.17g, found %.17g\n",
                                 result.name.c_str(), int(i / steps),
                                 int(i % steps), numbers[i], result.values[i]);
    return false;
  }
  return true;
}

static bool runCase(const ast::Estimator &estimator,
                    const json::Object &testCase) {
  checkNames(estimator, testCase);
  Call call = readCall(estimator, testCase);
  std::vector<ReferenceResult> results = evaluateReference(
      estimator, call.inputs, call.rows, call.steps, call.axisSizes);
  bool passes = true;
  double largest = 0.0;
  for (const auto &expected : *testCase.getObject("expected")) {
    auto result = llvm::find_if(results, [&](const auto &candidate) {
      return candidate.name == StringRef(expected.first);
    });
    if (result == results.end())
      fail("no result '" + StringRef(expected.first) + "'");
    passes &= compare(*result, expected.second,
                      *testCase.getObject("tolerance"), call.steps, largest);
  }
  llvm::outs() << (passes ? "pass " : "FAIL ") << *testCase.getString("id")
               << llvm::format(", largest difference %.3g\n", largest);
  return passes;
}

static std::unique_ptr<llvm::MemoryBuffer> readFile(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    fail(path + ": " + file.getError().message());
  return std::move(*file);
}

/// Whether all cases of the recipe's estimators pass.
static bool runRecipe(StringRef path, const json::Array &cases) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(readFile(path), {});
  mlir::MLIRContext context;
  if (!importRecipe(sources, &context))
    return false;
  RecipeDiagnostics diagnostics(sources, &context);
  std::unique_ptr<ast::Recipe> recipe = parseRecipe(diagnostics);
  unsigned ran = 0, failed = 0;
  for (const ast::Estimator &estimator : recipe->estimators)
    for (const json::Value &testCase : cases)
      if (testCase.getAsObject()->getString("recipe") == estimator.id.name) {
        ++ran;
        failed += !runCase(estimator, *testCase.getAsObject());
      }
  if (ran == 0)
    fail("no case for " + path);
  return failed == 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (argc < 3)
    fail("usage: reference-test RECIPE.rls... CASES.json");
  std::unique_ptr<llvm::MemoryBuffer> text = readFile(argv[argc - 1]);
  llvm::Expected<json::Value> cases = json::parse(text->getBuffer());
  if (!cases)
    fail(llvm::toString(cases.takeError()));
  bool isGood = true;
  for (StringRef path : llvm::ArrayRef(argv, argc - 1).drop_front())
    isGood &= runRecipe(path, *cases->getAsArray());
  return isGood ? 0 : 1;
}
