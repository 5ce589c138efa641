//===- ring-test.cpp - Random recipes in exact arithmetic -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ring-test [--count=N] [--seed=N] [--recipe=FILE] [--clean-up=none|often]
// [--targets=cpu,cuda,sim,...] [--limit-seconds=S]: the recipes of random-test
// over integers modulo 2^32, on the CPU and in both simulated devices where no
// targets are named, with several schedules, layouts and shapes
// each: every bit has to be that of the serial evaluation. The recipe of a file
// instead gets other calls with each seed. CleanUp.h and TargetOptions.h have
// the options.
//
//===----------------------------------------------------------------------===//

#include "Combination.h"
#include "Execute.h"
#include "RecipeGenerator.h"
#include "RecipePrinter.h"
#include "RingArithmetic.h"
#include "RingReference.h"

#include "RecipeToRecurrence/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <list>

using namespace rlscan;
using namespace rlscan::test;
using ast::Expr;
using llvm::StringRef;

static constexpr int64_t sizes[] = {1,  2,  3,  16,  17,  31,  32, 33,
                                    63, 64, 65, 127, 129, 257, 400};
static constexpr int64_t lengthsOfAxes[] = {1, 2, 3, 4, 18};
static constexpr int64_t mostElements = 20000;

//===----------------------------------------------------------------------===//
// Recipes
//===----------------------------------------------------------------------===//

static bool isNumber(const Expr &expr) {
  return expr.kind == Expr::Number || expr.kind == Expr::Boolean ||
         (expr.kind == Expr::Negate && isNumber(expr.operand(0)));
}

/// What is a number where it is left out.
static bool canBeNumber(const ast::Estimator &estimator, StringRef name) {
  return llvm::any_of(estimator.inputs, [&](const ast::Input &input) {
    return input.id.name == name && input.defaultValue &&
           isNumber(*input.defaultValue);
  });
}

namespace {

/// A recipe of which the compiler evaluates nothing as reals.
class WholeRecipe {
public:
  explicit WholeRecipe(ast::Estimator &estimator) : estimator(estimator) {
    x.kind = Expr::Name;
    x.name = "x";
  }
  void run();

private:
  void makeWhole(Expr &expr);
  void varyWeights(ast::Equation &equation);
  Expr *make(Expr::Kind kind, Expr *left, Expr *right);

  ast::Estimator &estimator;
  Expr x;
  std::list<Expr> made;
};

} // namespace

Expr *WholeRecipe::make(Expr::Kind kind, Expr *left, Expr *right) {
  Expr &expr = made.emplace_back();
  expr.kind = kind;
  expr.operands = {left, right};
  return &expr;
}

static bool hasName(const Expr &expr) {
  return expr.kind == Expr::Name ||
         llvm::any_of(expr.operands,
                      [](const Expr *operand) { return hasName(*operand); });
}

/// Whether a part of it has no name but of what may be a number.
static bool hasNumber(const ast::Estimator &estimator, const Expr &expr) {
  if (expr.kind == Expr::Number || expr.kind == Expr::Boolean)
    return true;
  if (expr.kind == Expr::Name)
    return canBeNumber(estimator, expr.name);
  return llvm::any_of(expr.operands, [&](const Expr *operand) {
    return hasNumber(estimator, *operand);
  });
}

/// The compiler evaluates functions and quotients of numbers as reals, which
/// has no meaning in the ring, and rounds products of fractions: numbers become
/// whole, and what may be left with nothing but numbers gets an input.
void WholeRecipe::makeWhole(Expr &expr) {
  if (expr.kind == Expr::Number && expr.number != std::trunc(expr.number))
    expr.number =
        3.0 + std::fmod(std::floor(std::abs(expr.number) * 97.0), 9.0);
  for (Expr *operand : expr.operands)
    makeWhole(*operand);
  bool isExact = expr.kind != Expr::Divide &&
                 (expr.kind != Expr::Call || expr.name == "min" ||
                  expr.name == "max" || expr.name == "clip");
  if (isExact)
    return;
  if (!hasName(expr))
    expr.operands[0] = &x;
  else if (hasNumber(estimator, expr))
    expr.operands[0] = make(Expr::Add, expr.operands[0], &x);
}

/// Neighbours of `name` below the expression, as operands.
static void findNeighbours(Expr &expr, StringRef name,
                           llvm::SmallVectorImpl<Expr **> &found) {
  for (Expr *&operand : expr.operands) {
    if (operand->kind == Expr::Shift && operand->operand(0).name == name)
      found.push_back(&operand);
    findNeighbours(*operand, name, found);
  }
}

/// A weight that is a number is known when the kernel is compiled. It is
/// multiplied by itself as a real, which is soon rounded, and what is published
/// of it is the bits of a real: it gets an input as a factor.
void WholeRecipe::varyWeights(ast::Equation &equation) {
  llvm::SmallVector<Expr **> neighbours;
  findNeighbours(*equation.value, equation.id.name, neighbours);
  for (Expr **neighbour : neighbours)
    *neighbour = make(Expr::Multiply, &x, *neighbour);
}

/// Of an input that is left out: small, so that products of some are exact.
static void makeSmall(Expr &value) {
  for (Expr *operand : value.operands)
    makeSmall(*operand);
  if (value.kind == Expr::Number)
    value.number = 2.0 + std::fmod(std::floor(value.number * 98.0), 3.0);
}

void WholeRecipe::run() {
  for (ast::Input &input : estimator.inputs)
    if (input.defaultValue && input.type == ast::TypeKind::Real)
      makeSmall(*input.defaultValue);
  for (ast::Equation &equation : estimator.equations) {
    makeWhole(*equation.value);
    if (equation.isRecurrence)
      varyWeights(equation);
    if (!hasName(*equation.value))
      equation.value = make(Expr::Add, equation.value, &x);
  }
}

static std::string textOf(uint64_t seed, StringRef path) {
  if (path.empty())
    return generateRecipe(seed);
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : std::string();
}

static std::string wholeRecipe(uint64_t seed, StringRef path) {
  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(textOf(seed, path)), llvm::SMLoc());
  RecipeDiagnostics diagnostics(sources, &context);
  std::unique_ptr<ast::Recipe> recipe = parseRecipe(diagnostics);
  ast::Estimator &estimator = recipe->estimators.front();
  WholeRecipe whole(estimator);
  whole.run();
  return print(estimator);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Combination drawRing(const TestRecipe &recipe, Random &random) {
  Combination choices = choicesOf(recipe);
  Combination values = drawCombination(choices, random);
  auto at = [&](Factor factor) -> unsigned & {
    return values[static_cast<size_t>(factor)];
  };
  // Reals are f32, and no flags are.
  at(Factor::Reals) = at(Factor::ResultTypes) = 0;
  at(Factor::Flags) %= 3;
  // One that is left out is a number of the call like any other, but in f64.
  if (choices[static_cast<size_t>(Factor::Params)] > 1)
    at(Factor::Params) = 1 + random.below(3);
  return values;
}

/// Any bits but those of a NaN, which copies may change.
static uint32_t elementFor(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint32_t element = static_cast<uint32_t>(Random(bits).next());
  constexpr uint32_t exponent = 0xffu << 23;
  return (element & exponent) == exponent ? element ^ 1u << 30 : element;
}

/// Puts elements where reals are: equal ones where those are equal.
static void fillWithElements(const TestRecipe &recipe,
                             llvm::StringMap<Tensor> &inputs) {
  for (const ast::Input &input : recipe.syntax().inputs) {
    auto found = inputs.find(input.id.name);
    if (input.type != ast::TypeKind::Real || found == inputs.end())
      continue;
    Tensor &tensor = found->second;
    int64_t width = byteWidth(tensor.dtype);
    for (int64_t i = 0, e = tensor.numElements(); i < e; ++i) {
      double value = 0.0;
      std::memcpy(&value, tensor.data + i * width, width);
      uint64_t element = elementFor(value);
      std::memcpy(tensor.data + i * width, &element, width);
    }
  }
}

/// The serial evaluation goes over whole rows.
static void makeRowsWhole(const Scenario &scenario,
                          llvm::StringMap<Tensor> &inputs) {
  auto lengths = inputs.find(lengthsName);
  if (lengths == inputs.end())
    return;
  for (int64_t row = 0; row < scenario.rows; ++row)
    lengths->second.write({row}, static_cast<double>(scenario.steps));
}

/// Where a result differs from the serial evaluation; empty where none does.
static std::string compareBits(const TestRecipe &recipe,
                               const Execution &execution,
                               const llvm::StringMap<std::vector<int32_t>> &all,
                               const Scenario &scenario) {
  for (auto [i, result] : llvm::enumerate(recipe.syntax().results)) {
    Tensor found = execution.result(result.id.name);
    if (found.dtype == DType::F32)
      found.dtype = DType::I32;
    llvm::ArrayRef<int32_t> expected = all.find(result.id.name)->second;
    for (int64_t row = 0; row < scenario.rows; ++row)
      for (int64_t step = 0; step < scenario.steps; ++step) {
        auto value = static_cast<int64_t>(found.read({row, step}));
        int32_t want = expected[row * scenario.steps + step];
        if (value != want)
          return (result.id.name + "[" + llvm::Twine(row) + ", " +
                  llvm::Twine(step) + "] is " + llvm::Twine(value) +
                  ", expected " + llvm::Twine(want))
              .str();
      }
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Seeds
//===----------------------------------------------------------------------===//

namespace {
struct Target {
  TargetOptions options;
  std::unique_ptr<Executor> executor;
};
} // namespace

static uint64_t comparisons = 0;

static std::string runTarget(TestRecipe &recipe, const Scenario &scenario,
                             const llvm::StringMap<Tensor> &inputs,
                             const llvm::StringMap<std::vector<int32_t>> &want,
                             Target &target, uint64_t turn) {
  // On a device each call with several schedules.
  int turns = target.options.onGPU() ? 3 : 1;
  for (int i = 0; i < turns; ++i) {
    target.executor->setTurn(turn * turns + i);
    Execution execution = execute(recipe, scenario, inputs, *target.executor);
    std::string problem = execution.problem;
    if (problem.empty())
      problem = compareBits(recipe, execution, want, scenario);
    ++comparisons;
    if (!problem.empty())
      return problem + "\n  in " + describe(recipe, scenario) +
             target.options.replay() + target.executor->how();
  }
  return {};
}

static std::string runRecipe(TestRecipe &recipe, uint64_t seed,
                             std::vector<Target> &targets) {
  constexpr int shapes = 4;
  Random random(seed, "ring");
  Expansion expansion(recipe, drawRing(recipe, random), seed);
  for (int i = 0; i < shapes; ++i) {
    int64_t rows = random.pick<int64_t>(sizes);
    int64_t steps = random.pick<int64_t>(sizes);
    int64_t axis = random.pick<int64_t>(lengthsOfAxes);
    if (i < 2) // what fails there is easy to understand
      rows = steps = 1 + i;
    rows = std::min(rows, mostElements / steps);
    Scenario scenario = expansion.make(rows, steps, axis, std::nullopt);
    llvm::StringMap<Tensor> inputs = randomInputs(recipe, scenario);
    fillWithElements(recipe, inputs);
    makeRowsWhole(scenario, inputs);
    auto expected = ring::evaluate(recipe.syntax(), inputs, scenario);
    for (Target &target : targets) {
      std::string problem = runTarget(recipe, scenario, inputs, expected,
                                      target, seed * shapes + i);
      if (!problem.empty())
        return problem;
    }
  }
  return {};
}

static StringRef optionOf(CleanUp cleanUp) {
  return cleanUp == CleanUp::None    ? " --clean-up=none"
         : cleanUp == CleanUp::Often ? " --clean-up=often"
                                     : "";
}

static bool runSeed(uint64_t seed, StringRef path, CleanUp cleanUp,
                    std::vector<Target> &targets) {
  std::string text = wholeRecipe(seed, path);
  std::string where = "seed " + std::to_string(seed) + ":\n" + text;
  llvm::PrettyStackTraceString onCrash(where.c_str());
  std::unique_ptr<TestRecipe> recipe =
      TestRecipe::parse(llvm::MemoryBuffer::getMemBufferCopy(text));
  std::string problem = "refused";
  if (recipe) {
    recipe->setPasses(ring::addPasses);
    recipe->setCleanUp(cleanUp);
    problem = runRecipe(*recipe, seed, targets);
  }
  if (problem.empty())
    return true;
  llvm::outs() << "FAIL: " << problem
               << "\n  replay: ring-test --count=1 --seed=" << seed
               << optionOf(cleanUp) << '\n'
               << text;
  return false;
}

static bool open(std::vector<Target> &targets, const TargetOptions &given,
                 StringRef which) {
  llvm::SmallVector<StringRef> names;
  which.split(names, ',');
  targets.resize(names.size());
  for (auto [name, target] : llvm::zip_equal(names, targets)) {
    target.options = given;
    bool isGood = true;
    target.options.consume(("--target=" + name).str(), isGood);
    target.options.consume("--schedules=all", isGood);
    target.executor = Executor::make(target.options, 2);
    if (!target.executor)
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  uint64_t count = 100, seed = 1;
  StringRef path, which = "cpu,sim,sim:wave64";
  TargetOptions given;
  CleanUp cleanUp = CleanUp::AsIs;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    bool isGood = true;
    if (argument.consume_front("--recipe=")) {
      path = argument;
      continue;
    }
    if (argument.consume_front("--targets=")) {
      which = argument;
      continue;
    }
    if (argument == "--clean-up=none" || argument == "--clean-up=often") {
      cleanUp = argument.ends_with("none") ? CleanUp::None : CleanUp::Often;
      continue;
    }
    isGood = argument.consume_front("--count=")
                 ? !argument.getAsInteger(10, count)
             : argument.consume_front("--seed=")
                 ? !argument.getAsInteger(10, seed)
                 : argument.starts_with("--limit-seconds=") &&
                       given.consume(argument, isGood);
    if (isGood)
      continue;
    llvm::errs() << "usage: ring-test [--count=N] [--seed=N] [--recipe=FILE] "
                    "[--clean-up=none|often] [--targets=cpu,cuda,sim,...] "
                    "[--limit-seconds=S]\n";
    return 2;
  }
  std::vector<Target> targets;
  if (!open(targets, given, which))
    return 1;
  uint64_t failures = 0, done = 0;
  for (; done < count && !given.isOver(); ++done)
    failures += !runSeed(seed + done, path, cleanUp, targets);
  if (done < count)
    llvm::outs() << "stopped after " << done << " of " << count
                 << " planned recipes\n";
  llvm::outs() << done << " recipes, " << comparisons
               << " calls with equal bits, " << failures << " failures\n";
  return failures != 0;
}
