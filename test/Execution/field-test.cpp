//===- field-test.cpp - Coefficients in a prime field ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// field-test [--count=N] [--seed=N] [FILE ...]: takes the recurrences of random
// recipes, and of the files, at random points of a prime field. The region of
// each as the importer wrote it has to be alpha + beta * y by the coefficients
// that extract-coefficients derives, and its second difference in y has to be
// 0. Numbers of recipes are fractions of powers of 2 and have a place in the
// field, divisors are inverted, functions are hashes of their operands.
//
//===----------------------------------------------------------------------===//

#include "FieldEvaluator.h"
#include "Random.h"
#include "RecipeGenerator.h"
#include "rlscan/Passes.h"
#include "rlscan/Recipe.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

static constexpr unsigned points = 8;

static uint64_t checked = 0;

/// Names each recurrence by its number, which its scan inherits, and returns
/// its value whatever becomes of it.
static void mark(EstimatorOp estimator) {
  mlir::Builder builder(estimator.getContext());
  ReturnOp results = estimator.getReturn();
  unsigned number = 0;
  estimator.walk([&](RecurrenceOp recurrence) {
    recurrence->setLoc(field::locationOf(builder, number++));
    results->insertOperands(results->getNumOperands(), recurrence.getResult());
  });
}

static bool derive(EstimatorOp estimator) {
  mlir::PassManager passes(estimator.getContext(),
                           EstimatorOp::getOperationName());
  passes.enableVerifier(false); // of the results that were added
  passes.addPass(createExtractCoefficients());
  return succeeded(passes.run(estimator));
}

/// What is wrong, or nothing.
static std::string compare(EstimatorOp before, EstimatorOp after,
                           uint64_t seed) {
  for (unsigned point = 0; point < points; ++point) {
    uint64_t place = Random(seed + point, "field").next();
    field::Evaluator regions(place), scans(place);
    std::vector<uint64_t> want = regions.evaluate(before);
    std::vector<uint64_t> found = scans.evaluate(after);
    if (regions.isCurved)
      return "the second difference of recurrence " +
             std::to_string(*regions.isCurved) + " is not 0";
    if (want.size() != found.size())
      return "another number of results";
    for (size_t i = 0; i < want.size(); ++i)
      if (want[i] != found[i])
        return "result " + std::to_string(i) + " is " +
               std::to_string(found[i]) + ", expected " +
               std::to_string(want[i]);
    for (const auto &[number, edge] : scans.edges)
      if (edge != regions.edges[number])
        return "recurrence " + std::to_string(number) +
               " has another direction or initial value";
    checked += regions.edges.size();
  }
  return {};
}

static std::string checkEstimator(EstimatorOp estimator, uint64_t seed) {
  mark(estimator);
  mlir::OwningOpRef<mlir::Operation *> copy(estimator->clone());
  auto scans = llvm::cast<EstimatorOp>(*copy);
  if (!derive(scans))
    return "refused";
  return compare(estimator, scans, seed);
}

static bool check(std::unique_ptr<llvm::MemoryBuffer> buffer, uint64_t seed,
                  StringRef replay) {
  std::string text = buffer->getBuffer().str();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  ImportOptions options;
  options.arithmeticF64 = true;
  std::string problem = "refused";
  auto module = importRecipe(sources, &context, options);
  if (module)
    problem.clear();
  if (module)
    for (EstimatorOp estimator : module->getOps<EstimatorOp>())
      if (problem.empty())
        problem = checkEstimator(estimator, seed);
  if (problem.empty())
    return true;
  llvm::outs() << "FAIL: " << problem << "\n  replay: field-test " << replay
               << '\n'
               << text;
  return false;
}

static bool checkFile(StringRef path, uint64_t seed) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::outs() << "FAIL: " << path << ": " << file.getError().message()
                 << '\n';
    return false;
  }
  return check(std::move(*file), seed,
               ("--count=0 --seed=" + llvm::Twine(seed) + " " + path).str());
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  uint64_t count = 100, seed = 1;
  std::vector<StringRef> files;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    bool isGood =
        argument.consume_front("--count=")  ? !argument.getAsInteger(10, count)
        : argument.consume_front("--seed=") ? !argument.getAsInteger(10, seed)
                                            : !argument.starts_with("-");
    if (isGood && argument.data() == argv[i])
      files.push_back(argument);
    if (isGood)
      continue;
    llvm::errs() << "usage: field-test [--count=N] [--seed=N] [FILE ...]\n";
    return 2;
  }
  uint64_t failures = 0;
  for (uint64_t i = 0; i < count; ++i)
    failures +=
        !check(llvm::MemoryBuffer::getMemBufferCopy(generateRecipe(seed + i)),
               seed + i, ("--count=1 --seed=" + llvm::Twine(seed + i)).str());
  for (StringRef file : files)
    failures += !checkFile(file, seed);
  llvm::outs() << count + files.size() << " recipes, " << checked
               << " recurrences at points, " << failures << " failures\n";
  return failures != 0;
}
