//===- RecipeGenerator.cpp - Random recipes -------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeGenerator.h"
#include "ExpressionGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

namespace {
struct Declaration {
  StringRef name;
  StringRef text;
  /// What has to be declared before.
  StringRef needs = "";
};
} // namespace

/// Those that a recipe uses are declared, in this order. Data is of order 1;
/// gamma lies within [0, 1].
static const Declaration declarations[] = {
    {"a", "axis  a"},
    {"b", "axis  b"},
    {"gamma", "param gamma = 0.9"},
    {"p", "param p = 0.5"},
    {"mode", "param mode = true"},
    {"r", "row   r"},
    {"s", "row   s = 0.25"},
    {"x", "step  x"},
    {"y", "step  y"},
    {"z", "step  z = x", "x"},
    {"w", "step  w = -0.5"},
    {"v", "step+1 v"},
    {"done", "step  done : flag"},
    {"cut", "step  cut = false : flag"},
    {"q", "step  q[a]", "a"},
    {"m", "step  m[a] = q", "q"},
    {"valid", "step  valid[a] : flag", "a"},
    {"u", "step  u[b]", "b"},
    {"i", "step  i : index(a)", "a"},
    {"j", "step  j = i : index(a)", "i"},
};

static constexpr int64_t shortRow = 64;

static double growthOf(uint64_t seed) { return seed % 8 == 7 ? 1.05 : 1.0; }

int64_t test::mostSteps(uint64_t seed) {
  return growthOf(seed) > 1.0 ? shortRow : std::numeric_limits<int64_t>::max();
}

namespace {

/// alpha + beta * (the carry), with bounds on both.
struct Affine {
  std::string text;
  double alpha, beta;
};

class RecipeGenerator {
public:
  explicit RecipeGenerator(uint64_t seed) : any(seed), growth(growthOf(seed)) {}
  RecipeGenerator(uint64_t seed, size_t changed, Change change)
      : any(seed), growth(growthOf(seed)), changed(changed), change(change) {}

  std::string run();

  std::vector<std::string> equations, names;
  size_t dependents = 0;

private:
  Affine affine(int depth, StringRef carry);
  Affine derive(int depth, StringRef carry);
  Affine weighted(int depth, StringRef carry);
  Affine chosen(int depth, StringRef carry);
  void recurrence();
  void equation();

  ExpressionGenerator any;
  double growth; // the largest weight
  std::optional<size_t> changed;
  Change change;
};

} // namespace

//===----------------------------------------------------------------------===//
// Recurrences
//===----------------------------------------------------------------------===//

static std::string nameOf(size_t recurrence) {
  return "y" + std::to_string(recurrence);
}

/// Factors and divisors that do not make a weight larger.
Affine RecipeGenerator::weighted(int depth, StringRef carry) {
  Affine y = affine(depth - 1, carry);
  std::string text = concat({"(", y.text, ")"});
  switch (any.random.below(6)) {
  case 0:
    return {concat({"(", any.flag(1), ") * ", text}), y.alpha, y.beta};
  case 1:
    return {concat({"gamma * ", text}), y.alpha, y.beta};
  case 2:
    return {concat({"0.9 * ", text}), 0.9 * y.alpha, 0.9 * y.beta};
  case 3:
    return {concat({text, " * clip(", any.real(1).text, ", -1, 1)"}), y.alpha,
            y.beta};
  case 4:
    return {concat({text, " / (1 + abs(", any.real(1).text, "))"}), y.alpha,
            y.beta};
  default:
    return {concat({"-", text}), y.alpha, y.beta};
  }
}

Affine RecipeGenerator::chosen(int depth, StringRef carry) {
  std::string condition = any.flag(1);
  Affine y = affine(depth - 1, carry);
  if (any.random.chance(0.3)) {
    Affine z = affine(depth - 1, carry);
    return {concat({"(", condition, " ? ", y.text, " : ", z.text, ")"}),
            std::max(y.alpha, z.alpha), std::max(y.beta, z.beta)};
  }
  Real x = any.real(1);
  double alpha = std::max(y.alpha, x.bound);
  if (any.random.chance(0.5))
    std::swap(x.text, y.text);
  return {concat({"(", condition, " ? ", y.text, " : ", x.text, ")"}), alpha,
          y.beta};
}

Affine RecipeGenerator::affine(int depth, StringRef carry) {
  Affine value = derive(depth, carry);
  if (dependents++ == changed)
    value.text = change(
        {value.text, nameOf(equations.size()), carry.str(), equations.size()});
  return value;
}

Affine RecipeGenerator::derive(int depth, StringRef carry) {
  if (depth <= 0)
    return {carry.str(), 0.0, 1.0};
  switch (any.random.below(6)) {
  case 0:
  case 1:
    return weighted(depth, carry);
  case 2:
    return chosen(depth, carry);
  case 3: {
    Affine y = affine(depth - 1, carry), z = affine(depth - 2, carry);
    return {concat({"(0.5 * (", y.text, ") - 0.5 * (", z.text, "))"}),
            (y.alpha + z.alpha) / 2.0, (y.beta + z.beta) / 2.0};
  }
  default: {
    Affine y = affine(depth - 1, carry);
    Real x = any.real(2);
    if (any.random.chance(0.5))
      return {concat({"(", x.text, " + ", y.text, ")"}), y.alpha + x.bound,
              y.beta};
    return {concat({"((", y.text, ") - (", x.text, "))"}), y.alpha + x.bound,
            y.beta};
  }
  }
}

void RecipeGenerator::recurrence() {
  std::string name = nameOf(equations.size());
  Real init = any.random.chance(0.5) ? any.leaf() : any.real(2);
  std::string carry = concat({name, any.neighbour(), init.text, "]"});
  Affine value = affine(1 + any.random.below(4), carry);
  if (growth > 1.0)
    value = {concat({literal(growth), " * (", value.text, ")"}),
             growth * value.alpha, growth * value.beta};
  equations.push_back(concat({name, "[t] = ", value.text}));
  names.push_back(name);
  // Later equations take what stays of order 1.
  constexpr double most = 1000.0;
  double steps = value.beta < 1.0 ? 1.0 / (1.0 - value.beta) : most;
  double bound = init.bound + value.alpha * std::min(steps, most);
  if (value.beta > 1.0)
    bound = (init.bound + value.alpha * shortRow) *
            std::pow(value.beta, static_cast<double>(shortRow));
  double scale = 1.0;
  while (bound / scale > 2.0)
    scale *= 2.0;
  std::string scaled = concat({"(", name, " / ", literal(scale), ")"});
  any.reals.push_back({scale > 1.0 ? scaled : name, bound / scale});
}

void RecipeGenerator::equation() {
  std::string name = "v" + std::to_string(equations.size());
  names.push_back(name);
  int64_t kind = any.random.below(6);
  if (kind == 0) {
    equations.push_back(concat({name, " = ", any.flag(2)}));
    any.flags.push_back(name);
  } else if (kind == 1) {
    equations.push_back(concat({name, " = ", any.index(1)}));
    any.indices.push_back(name);
  } else {
    Real value = any.real(3);
    equations.push_back(concat({name, " = ", value.text}));
    any.reals.push_back({name, value.bound});
  }
}

/// The names in a text.
static std::set<std::string> wordsOf(StringRef text) {
  std::set<std::string> words;
  while (!text.empty()) {
    StringRef word =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    words.insert(word.str());
    text = text.drop_front(std::max<size_t>(word.size(), 1));
  }
  return words;
}

std::string RecipeGenerator::run() {
  for (int64_t more = 1 + any.random.below(3); more > 0; --more) {
    for (int64_t count = any.random.below(3); count > 0; --count)
      equation();
    recurrence();
  }
  if (any.random.chance(0.5))
    equation();
  // Of the inputs at the end one tells rows and steps, one the size of axis a.
  std::string body = llvm::join(equations, "\n  ");
  std::set<std::string> words = wordsOf(body);
  bool hasIndex = words.count("i") || words.count("j");
  StringRef extra = hasIndex ? ", x_again = x, first = q[0]" : ", x_again = x";
  std::string result =
      concat({"  return ", llvm::join(names, ", "), extra.str(), "\n"});
  words = wordsOf(body + result);
  std::string inputs;
  // What an input needs stands above it.
  for (const Declaration &declaration : llvm::reverse(declarations))
    if (words.count(declaration.name.str())) {
      words.insert(declaration.needs.str());
      inputs = concat({"  ", declaration.text.str(), "\n", inputs});
    }
  return concat(
      {"estimator generated {\n", inputs, "\n  ", body, "\n\n", result, "}\n"});
}

std::string test::generateRecipe(uint64_t seed) {
  return RecipeGenerator(seed).run();
}

Generated test::generateChanged(uint64_t seed, size_t dependent,
                                Change change) {
  RecipeGenerator generator(seed, dependent, change);
  std::string text = generator.run();
  return {text, generator.names, generator.dependents};
}
