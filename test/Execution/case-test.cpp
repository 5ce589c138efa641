//===- case-test.cpp - Runs cases through compiled recipes ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// case-test [OPTIONS] RECIPE.rls... CASES.json: runs every case whose "recipe"
// is the estimator of a recipe, in f32 and in f64 and in whatever its note asks
// for, and prints a line for each. Fails where a result is not the expected
// one, and where there is nothing to run. TargetOptions.h has the options.
//
// In a case, an array is nested lists of numbers, booleans, "nan", "inf" or
// "-inf", or {"shape": [0, 4]} where it is empty.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace rlscan;
using namespace rlscan::test;
namespace json = llvm::json;
using llvm::StringRef;

[[noreturn]] static void fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  exit(1);
}

//===----------------------------------------------------------------------===//
// Reading a case
//===----------------------------------------------------------------------===//

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

/// The sizes of nested lists, by their first entries.
static llvm::SmallVector<int64_t, 3> readSizes(const json::Value &value) {
  llvm::SmallVector<int64_t, 3> sizes;
  if (const json::Object *empty = value.getAsObject()) {
    for (const json::Value &size : *empty->getArray("shape"))
      sizes.push_back(*size.getAsInteger());
    return sizes;
  }
  const json::Value *at = &value;
  while (const json::Array *list = at->getAsArray()) {
    sizes.push_back(list->size());
    if (list->empty())
      break;
    at = &list->front();
  }
  return sizes;
}

static Tensor readTensor(const json::Value &value, DType dtype) {
  Tensor tensor = Tensor::allocate(dtype, readSizes(value));
  forEachElement(tensor.sizes, [&](llvm::ArrayRef<int64_t> index) {
    const json::Value *at = &value;
    for (int64_t position : index) {
      const json::Array *list = at->getAsArray();
      if (!list || position >= static_cast<int64_t>(list->size()))
        fail("a ragged array");
      at = &(*list)[position];
    }
    tensor.write(index, readNumber(*at));
  });
  return tensor;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {

/// How a case is stored for one run.
struct Storage {
  DType reals = DType::F32, flags = DType::Bool, results = DType::F32;
  bool isF64 = false; // the arithmetic
};

/// One case of the file.
class Case {
public:
  Case(TestRecipe &recipe, const json::Object &text, Executor &executor)
      : recipe(recipe), text(text), executor(executor),
        id(*text.getString("id")) {}

  /// False where any run went wrong.
  bool run();

private:
  bool runStoredAs(const Storage &storage);
  bool refusesIntegers();
  Scenario prepare(const Storage &storage, llvm::StringMap<Tensor> &inputs);
  bool compare(const json::Value &expected, const Tensor &found);

  TestRecipe &recipe;
  const json::Object &text;
  Executor &executor;
  StringRef id;
};

} // namespace

/// Reads the arrays and says how they are stored; all are packed.
Scenario Case::prepare(const Storage &storage,
                       llvm::StringMap<Tensor> &inputs) {
  Scenario scenario = plainScenario(recipe, 0, 0);
  scenario.isF64 = storage.isF64;
  size_t used = 0;
  for (auto [input, choice] :
       llvm::zip_equal(recipe.syntax().inputs, scenario.inputs)) {
    bool isParam = input.kind == ast::InputKind::Param;
    const json::Object *group = text.getObject(isParam ? "params" : "inputs");
    const json::Value *value = group ? group->get(input.id.name) : nullptr;
    choice.isPresent = value != nullptr;
    if (!value)
      continue;
    ++used;
    choice.rank = readSizes(*value).size();
    choice.placement = &placements(Layout::Steps, choice.rank)[0];
    if (input.type == ast::TypeKind::Index)
      choice.dtype = DType::I64;
    else if (choice.rank > 0)
      choice.dtype =
          input.type == ast::TypeKind::Flag ? storage.flags : storage.reals;
    Tensor tensor = readTensor(*value, choice.dtype);
    inputs[input.id.name] = tensor;
    if (input.kind != ast::InputKind::Step)
      continue;
    scenario.rows = tensor.sizes[0];
    scenario.steps = tensor.sizes[1] - input.extraSteps;
  }
  for (ArrayChoice &choice : scenario.results)
    choice.dtype = storage.results;
  size_t given = 0;
  for (StringRef group : {"params", "inputs"})
    if (const json::Object *arrays = text.getObject(group))
      given += arrays->size();
  if (used != given)
    fail(id + ": an array that the recipe does not have");
  return scenario;
}

/// What results of 16 bits are expected to be is rounded to them.
bool Case::compare(const json::Value &expected, const Tensor &found) {
  bool isShort = byteWidth(found.dtype) == 2;
  Tensor want = readTensor(expected, isShort ? found.dtype : DType::F64);
  if (want.sizes != found.sizes)
    fail(id + ": the result has another shape than the expected one");
  const json::Object &tolerance = *text.getObject("tolerance");
  double atol = *tolerance.getNumber("atol");
  double rtol = *tolerance.getNumber("rtol");
  bool isGood = true;
  forEachElement(want.sizes, [&](llvm::ArrayRef<int64_t> index) {
    double a = found.read(index), b = want.read(index);
    bool isSame = a == b || (std::isnan(a) && std::isnan(b));
    double error = std::abs(a - b);
    // An infinite expected value must be met, whatever the tolerance.
    if (isSame || (std::isfinite(error) && error <= atol + rtol * std::abs(b)))
      return;
    if (isGood)
      llvm::outs() << llvm::format("  [%d, %d] is %.9g, expected %.9g\n",
                                   int(index[0]), int(index[1]), a, b);
    isGood = false;
  });
  return isGood;
}

bool Case::runStoredAs(const Storage &storage) {
  llvm::StringMap<Tensor> inputs;
  Scenario scenario = prepare(storage, inputs);
  Execution execution = execute(recipe, scenario, inputs, executor);
  bool isGood = execution.problem.empty();
  if (!isGood)
    llvm::outs() << "  " << execution.problem << '\n';
  else
    for (const auto &expected : *text.getObject("expected"))
      isGood &=
          compare(expected.second, execution.result(StringRef(expected.first)));
  llvm::outs() << (isGood ? "pass " : "FAIL ") << id << ", reals in "
               << spelling(storage.reals) << ", flags in "
               << spelling(storage.flags) << ", results in "
               << spelling(storage.results) << executor.how() << '\n';
  return isGood;
}

/// Reals are not stored as integers: the error says so and names the input.
bool Case::refusesIntegers() {
  llvm::StringMap<Tensor> inputs;
  Storage integers;
  integers.reals = DType::I32;
  Scenario scenario = prepare(integers, inputs);
  std::string problem = execute(recipe, scenario, inputs, executor).problem;
  bool isGood = true;
  for (StringRef name : {"reward", "value"})
    isGood &= StringRef(problem).contains(
        (name + ": stored as i32, a real takes").str());
  llvm::outs() << (isGood ? "pass " : "FAIL ") << id
               << ", reals in i32: " << problem << '\n';
  return isGood;
}

bool Case::run() {
  using D = DType;
  bool isGood = runStoredAs({D::F32, D::Bool, D::F32, /*isF64=*/false});
  isGood &= runStoredAs({D::F64, D::Bool, D::F64, /*isF64=*/true});
  if (id == "gae-flag-types-1")
    for (DType flags : {D::I32, D::I64, D::U8, D::F32})
      isGood &= runStoredAs({D::F32, flags, D::F32, /*isF64=*/false});
  if (id == "returns-bf16-1")
    for (DType results : {D::F32, D::BF16})
      isGood &= runStoredAs({D::BF16, D::Bool, results, /*isF64=*/false});
  if (id == "gae-int-rewards-1")
    isGood &= refusesIntegers();
  return isGood;
}

/// Whether all cases of the recipe pass; `turn` counts cases.
static bool runCases(TestRecipe &recipe, const json::Array &cases,
                     Executor &executor, size_t &turn) {
  size_t before = turn;
  bool isGood = true;
  for (const json::Value &value : cases) {
    const json::Object &text = *value.getAsObject();
    if (text.getString("recipe") != recipe.name())
      continue;
    executor.setTurn(turn++);
    isGood &= Case(recipe, text, executor).run();
  }
  if (turn == before)
    fail("no case for " + recipe.name());
  return isGood;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  TargetOptions options;
  std::vector<StringRef> files;
  bool isUsedWell = true;
  for (StringRef argument : llvm::ArrayRef(argv, argc).drop_front())
    if (!options.consume(argument, isUsedWell))
      files.push_back(argument);
  if (!isUsedWell || files.size() < 2)
    fail("usage: case-test " + TargetOptions::usage +
         " RECIPE.rls... CASES.json");
  std::unique_ptr<Executor> executor = Executor::make(options, 1);
  if (!executor)
    return 1;
  auto file = llvm::MemoryBuffer::getFile(files.back());
  if (!file)
    fail(files.back() + ": " + file.getError().message());
  llvm::Expected<json::Value> cases = json::parse((*file)->getBuffer());
  if (!cases)
    fail(llvm::toString(cases.takeError()));
  size_t turn = 0;
  bool isGood = true;
  for (StringRef path : llvm::ArrayRef(files).drop_back()) {
    std::unique_ptr<TestRecipe> recipe = TestRecipe::load(path);
    isGood &=
        recipe && runCases(*recipe, *cases->getAsArray(), *executor, turn);
  }
  return isGood ? 0 : 1;
}
