//===- big-test.cpp - Calls of more elements than 32 bits count -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// big-test [--schedules=WORDS] [--limit-seconds=S] RECIPE.rls [ROWSxSTEPS
// [nt|tn]]: calls a recipe on a GPU, with more than 2^31 elements unless a
// shape is given, and compares parts of rows with the reference: the first, the
// last, some between, and those where an index of 32 bits would fail. No array
// is ever whole in the host's memory; on the device they take up to 20 GB.
//
//===----------------------------------------------------------------------===//

#include "BigCall.h"
#include "Random.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace rlscan;
using namespace rlscan::test;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Many rows either way, then few that are longer than 2^30 and 2^31 steps.
static const BigShape bigShapes[] = {
    {70000, 32768, /*isTimeMajor=*/false},
    {70000, 32768, /*isTimeMajor=*/true},
    {2, (int64_t(1) << 30) + 77777, /*isTimeMajor=*/false},
    {1, (int64_t(1) << 31) + 4099, /*isTimeMajor=*/false},
};

/// Elements, by their place in memory, around which results are compared.
static std::vector<int64_t> placesOf(const BigShape &shape) {
  std::vector<int64_t> places;
  int64_t all = shape.elements();
  auto add = [&](int64_t place) {
    if (0 <= place && place < all)
      places.push_back(place);
  };
  for (int64_t place : {int64_t(0), all / 2, all - 1})
    add(place);
  // Where numbers of elements, and of the bytes of each type, need one bit
  // more.
  for (int power : {28, 29, 30, 31, 32})
    for (int64_t beside : {-1, 0, 1})
      add((int64_t(1) << power) + beside);
  Random random(1, "places");
  constexpr int others = 30;
  for (int i = 0; i < others; ++i)
    add(random.below(all));
  return places;
}

/// Compares around one place. What is wrong, or nothing.
static Expected<std::string> checkAround(const BigCall &call,
                                         const BigShape &shape, int64_t place,
                                         double &used) {
  int64_t row = shape.isTimeMajor ? place % shape.rows : place / shape.steps;
  int64_t step = shape.isTimeMajor ? place / shape.rows : place % shape.steps;
  // Steps that are apart are copied one by one.
  int64_t around = shape.isTimeMajor ? 32 : 8192;
  int64_t first = std::max<int64_t>(step - around, 0);
  int64_t last = std::min(step + around, shape.steps - 1);
  return call.check(row, first, last - first + 1, used);
}

static Expected<bool> runShape(TestRecipe &recipe, const BigShape &shape,
                               StringRef schedule, const device::Device &device,
                               const device::Stream &stream) {
  BigCall call(recipe, shape, device, stream);
  if (Error error = call.run(schedule))
    return std::move(error);
  int failures = 0;
  Expected<int64_t> unwritten = call.countUnwritten();
  if (!unwritten)
    return unwritten.takeError();
  if (*unwritten > 0) {
    ++failures;
    llvm::outs() << "FAIL: " << *unwritten << " elements were not written\n";
  }
  double used = 0.0;
  std::vector<int64_t> places = placesOf(shape);
  constexpr int most = 5;
  for (size_t i = 0; i < places.size() && failures < most; ++i) {
    Expected<std::string> problem = checkAround(call, shape, places[i], used);
    if (!problem)
      return problem.takeError();
    if (problem->empty())
      continue;
    ++failures;
    llvm::outs() << "FAIL: around element " << places[i] << ", " << *problem
                 << '\n';
  }
  llvm::outs() << (failures == 0 ? "PASS " : "FAIL ") << recipe.name() << ", "
               << shape.rows << "x" << shape.steps
               << (shape.isTimeMajor ? " tn" : " nt") << ", schedule "
               << call.schedule() << ", " << places.size() << " places"
               << llvm::format(", largest error %.3g of the tolerance\n", used);
  llvm::outs().flush();
  return failures == 0;
}

static bool runAll(TestRecipe &recipe, llvm::ArrayRef<BigShape> shapes,
                   const TargetOptions &options) {
  device::Device device;
  device::Stream stream;
  Error error = toError(device::Device::open(RLSCAN_TARGET_CUDA, 0, device));
  if (!error)
    error = toError(device::Stream::create(device, stream));
  bool isGood = true;
  size_t done = 0;
  for (; !error && done < shapes.size() && !options.isOver(); ++done) {
    Expected<bool> isRight =
        runShape(recipe, shapes[done], options.schedule(), device, stream);
    isGood &= isRight && *isRight;
    error = isRight.takeError();
  }
  if (done < shapes.size())
    llvm::outs() << "stopped after " << done << " of " << shapes.size()
                 << " planned calls\n";
  if (!error)
    return isGood;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return false;
}

static std::optional<BigShape> parseShape(llvm::ArrayRef<StringRef> words) {
  BigShape shape;
  auto [rows, steps] = words[0].split('x');
  if (rows.getAsInteger(10, shape.rows) ||
      steps.getAsInteger(10, shape.steps) || shape.rows < 1 || shape.steps < 1)
    return std::nullopt;
  if (words.size() > 1) {
    shape.isTimeMajor = words[1] == "tn";
    if (words.size() > 2 || (!shape.isTimeMajor && words[1] != "nt"))
      return std::nullopt;
  }
  return shape;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  TargetOptions options;
  std::vector<StringRef> words;
  bool isGood = true;
  for (StringRef argument : llvm::ArrayRef(argv, argc).drop_front())
    if (!options.consume(argument, isGood))
      words.push_back(argument);
  std::vector<BigShape> shapes(std::begin(bigShapes), std::end(bigShapes));
  if (isGood && words.size() > 1) {
    std::optional<BigShape> given =
        parseShape(llvm::ArrayRef(words).drop_front());
    isGood = given.has_value();
    shapes.assign(1, given.value_or(BigShape()));
  }
  if (!isGood || words.empty()) {
    llvm::errs() << "usage: big-test [--schedules=WORDS] [--limit-seconds=S] "
                    "RECIPE.rls [ROWSxSTEPS [nt|tn]]\n";
    return 2;
  }
  std::unique_ptr<TestRecipe> recipe = TestRecipe::load(words[0]);
  return recipe && runAll(*recipe, shapes, options) ? 0 : 1;
}
