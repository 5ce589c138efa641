//===- RecipeGenerator.cpp - Random recipes -------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeGenerator.h"
#include "Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

using namespace rlscan::test;
using llvm::ArrayRef;
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
    {"done", "step  done : flag"},
    {"cut", "step  cut = false : flag"},
    {"q", "step  q[a]", "a"},
    {"m", "step  m[a] = q", "q"},
    {"valid", "step  valid[a] : flag", "a"},
    {"u", "step  u[b]", "b"},
    {"i", "step  i : index(a)", "a"},
    {"j", "step  j = 1 : index(a)", "a"},
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {

/// A real with a bound on its size.
struct Real {
  std::string text;
  double bound;
};

/// alpha + beta * (the carry), with bounds on both.
struct Affine {
  std::string text;
  double alpha, beta;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed, "recipe") {}

  std::string run();

private:
  std::string name(std::initializer_list<StringRef> list);
  std::string neighbour();

  Real real(int depth);
  Real leaf();
  Real function(int depth);
  Real shifted(int depth);
  Real reduction(int depth);
  Real entry(int depth, StringRef axis);
  Real bounded(Real value);
  std::string flag(int depth);
  std::string comparison();
  std::string index(int depth);

  Affine affine(int depth, StringRef carry);
  Affine weighted(int depth, StringRef carry);
  Affine chosen(int depth, StringRef carry);

  void recurrence();
  void equation();

  Random random;
  std::vector<std::string> equations, names;
  std::vector<Real> reals; // equations, as they can be referred to
  std::vector<std::string> flags, indices;
};

} // namespace

/// The parts one after the other. Those of a braced list are also drawn in this
/// order, whatever the compiler.
static std::string concat(std::initializer_list<std::string> parts) {
  return llvm::join(parts, "");
}

/// A number as recipes write it.
static std::string literal(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return value < 0 ? concat({"(", text, ")"}) : text;
}

std::string Generator::name(std::initializer_list<StringRef> list) {
  return random.pick(ArrayRef(list)).str();
}

/// Keeps what products and sums make from growing.
Real Generator::bounded(Real value) {
  if (value.bound <= 4.0)
    return value;
  return {concat({"clip(", value.text, ", -2, 2)"}), 2.0};
}

Real Generator::leaf() {
  if (!reals.empty() && random.chance(0.4))
    return random.pick(ArrayRef(reals));
  if (random.chance(0.15)) {
    double value = random.pick<double>({0, 1, 0.5, 2, 0.25, -1, 1e-3});
    return {literal(value), std::abs(value)};
  }
  if (random.chance(0.15))
    return {concat({"q[", index(1), "]"}), 1.0};
  return {name({"x", "x", "y", "y", "z", "w", "r", "s", "p", "gamma"}), 1.0};
}

/// Of continuous functions with small slopes only.
Real Generator::function(int depth) {
  Real a = real(depth - 1), b = real(depth - 1);
  switch (random.below(7)) {
  case 0:
    return {concat({"min(", a.text, ", ", b.text, ")"}),
            std::max(a.bound, b.bound)};
  case 1:
    return {concat({"max(", a.text, ", ", b.text, ", 0.5)"}),
            std::max({a.bound, b.bound, 0.5})};
  case 2:
    return {concat({"abs(", a.text, ")"}), a.bound};
  case 3:
    return {concat({"sqrt(1 + abs(", a.text, "))"}), std::sqrt(1 + a.bound)};
  case 4:
    return {concat({"exp(clip(", a.text, ", -2, 1))"}), std::exp(1.0)};
  case 5:
    return {concat({"log(1 + abs(", a.text, "))"}), std::log1p(a.bound)};
  default:
    return {concat({"clip(", a.text, ", -1, 1)"}), 1.0};
  }
}

/// "[t+1 | " or "[t-1 | ".
std::string Generator::neighbour() { return name({"[t+1 | ", "[t-1 | "}); }

Real Generator::shifted(int depth) {
  Real value = real(depth - 1), edge = real(depth - 1);
  return {concat({"(", value.text, ")", neighbour(), edge.text, "]"}),
          std::max(value.bound, edge.bound)};
}

/// A real at one position of an axis. Neighbours of a recurrence's result have
/// no place here, so the only shift is that of an input.
Real Generator::entry(int depth, StringRef axis) {
  bool isA = axis == "a";
  std::string q = isA ? name({"q", "m"}) : "u";
  if (depth <= 0)
    return {q, 1.0};
  Real a = entry(depth - 1, axis);
  switch (random.below(isA ? 7 : 5)) {
  case 0:
    return {concat({"(", q, " != 0) * ", q, " * ", a.text}), a.bound};
  case 1:
    return {concat({"(", q, " - x) * ", a.text}), 2.0 * a.bound};
  case 2:
    return {concat({q, neighbour(), q, "] * ", a.text}), a.bound};
  case 3: {
    Real other = leaf();
    return bounded({concat({a.text, " * ", other.text}), a.bound * other.bound});
  }
  case 4:
    return {concat({q, " * ", a.text}), a.bound};
  case 5:
    return {concat({"(valid ? ", a.text, " : 0.25)"}), std::max(a.bound, 0.25)};
  default:
    return {concat({"(", a.text, " + max(b) u)"}), a.bound + 1.0};
  }
}

Real Generator::reduction(int depth) {
  std::string axis = name({"a", "a", "b"}), kind = name({"sum", "max", "min"});
  Real body = entry(depth, axis);
  constexpr double longest = 5.0; // of the axes
  double bound = kind == "sum" ? longest * body.bound : body.bound;
  return bounded({concat({"(", kind, "(", axis, ") ", body.text, ")"}), bound});
}

Real Generator::real(int depth) {
  if (depth <= 0)
    return leaf();
  Real a = real(depth - 1);
  // Two flags are no product.
  std::string text = concat({"(", a.text, ")"});
  Real b = real(depth - 1);
  switch (random.below(10)) {
  case 0:
    return function(depth);
  case 1:
    return shifted(depth);
  case 2:
    return reduction(depth - 1);
  case 3:
    return {concat({"(", flag(depth - 1), ") * ", text}), a.bound};
  case 4:
    return {concat({"-", text}), a.bound};
  case 5:
    return {concat({text, " / (1 + abs(", b.text, "))"}), a.bound};
  case 6:
    return {concat({"(", flag(depth - 1), " ? ", a.text, " : ", b.text, ")"}),
            std::max(a.bound, b.bound)};
  case 7:
    return bounded({concat({text, " * (", b.text, ")"}), a.bound * b.bound});
  default:
    return bounded({concat({"(", a.text, name({" + ", " - "}), text, ")"}),
                    2.0 * a.bound});
  }
}

//===----------------------------------------------------------------------===//
// Flags and indices
//===----------------------------------------------------------------------===//

/// Of reals as they are stored, which is exact in any arithmetic.
std::string Generator::comparison() {
  std::string sign = name({" < ", " <= ", " > ", " >= ", " == ", " != "});
  if (random.chance(0.4))
    return concat({index(1), sign,
                   random.chance(0.5) ? index(0)
                                      : std::to_string(random.below(3))});
  return concat({name({"x", "y", "w", "r"}), sign,
                 name({"s", "0", "0.25", "(-0.5)"})});
}

std::string Generator::flag(int depth) {
  if (depth <= 0 || random.chance(0.3)) {
    if (!flags.empty() && random.chance(0.4))
      return random.pick(ArrayRef(flags));
    return name({"done", "done", "cut", "mode"});
  }
  switch (random.below(5)) {
  case 0:
    return concat({"!(", flag(depth - 1), ")"});
  case 1:
    return concat({"(", flag(depth - 1), " & ", flag(depth - 1), ")"});
  case 2:
    return concat({"(", flag(depth - 1), " | ", flag(depth - 1), ")"});
  case 3:
    return concat({"(", comparison(), ")"});
  default:
    return concat({"(", flag(depth - 1), ")", neighbour(),
                   random.chance(0.5) ? "true" : flag(0), "]"});
  }
}

std::string Generator::index(int depth) {
  if (depth > 0 && random.chance(0.3))
    return concat({"(", flag(0), " ? ", index(0), " : ", index(0), ")"});
  if (depth > 0 && random.chance(0.3))
    return concat({index(0), neighbour(), index(0), "]"});
  if (!indices.empty() && random.chance(0.3))
    return random.pick(ArrayRef(indices));
  return name({"i", "i", "j"});
}

//===----------------------------------------------------------------------===//
// Recurrences
//===----------------------------------------------------------------------===//

/// Factors and divisors that do not make a weight larger.
Affine Generator::weighted(int depth, StringRef carry) {
  Affine y = affine(depth - 1, carry);
  std::string text = concat({"(", y.text, ")"});
  switch (random.below(6)) {
  case 0:
    return {concat({"(", flag(1), ") * ", text}), y.alpha, y.beta};
  case 1:
    return {concat({"gamma * ", text}), y.alpha, y.beta};
  case 2:
    return {concat({"0.9 * ", text}), 0.9 * y.alpha, 0.9 * y.beta};
  case 3:
    return {concat({text, " * clip(", real(1).text, ", -1, 1)"}), y.alpha,
            y.beta};
  case 4:
    return {concat({text, " / (1 + abs(", real(1).text, "))"}), y.alpha,
            y.beta};
  default:
    return {concat({"-", text}), y.alpha, y.beta};
  }
}

Affine Generator::chosen(int depth, StringRef carry) {
  std::string condition = flag(1);
  Affine y = affine(depth - 1, carry);
  if (random.chance(0.3)) {
    Affine z = affine(depth - 1, carry);
    return {concat({"(", condition, " ? ", y.text, " : ", z.text, ")"}),
            std::max(y.alpha, z.alpha), std::max(y.beta, z.beta)};
  }
  Real x = real(1);
  double alpha = std::max(y.alpha, x.bound);
  if (random.chance(0.5))
    std::swap(x.text, y.text);
  return {concat({"(", condition, " ? ", y.text, " : ", x.text, ")"}), alpha,
          y.beta};
}

Affine Generator::affine(int depth, StringRef carry) {
  if (depth <= 0)
    return {carry.str(), 0.0, 1.0};
  switch (random.below(6)) {
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
    Real x = real(2);
    if (random.chance(0.5))
      return {concat({"(", x.text, " + ", y.text, ")"}), y.alpha + x.bound,
              y.beta};
    return {concat({"((", y.text, ") - (", x.text, "))"}), y.alpha + x.bound,
            y.beta};
  }
  }
}

void Generator::recurrence() {
  std::string name = "y" + std::to_string(equations.size());
  Real init = random.chance(0.5) ? leaf() : real(2);
  std::string carry = concat({name, neighbour(), init.text, "]"});
  Affine value = affine(1 + random.below(4), carry);
  equations.push_back(concat({name, "[t] = ", value.text}));
  names.push_back(name);
  // Later equations take what stays of order 1: rows have 100 steps at most.
  double steps = value.beta < 1.0 ? 1.0 / (1.0 - value.beta) : 100.0;
  double bound = init.bound + value.alpha * std::min(steps, 100.0);
  double scale = 1.0;
  while (bound / scale > 2.0)
    scale *= 2.0;
  std::string scaled = concat({"(", name, " / ", literal(scale), ")"});
  reals.push_back({scale > 1.0 ? scaled : name, bound / scale});
}

void Generator::equation() {
  std::string name = "v" + std::to_string(equations.size());
  names.push_back(name);
  int64_t kind = random.below(6);
  if (kind == 0) {
    equations.push_back(concat({name, " = ", flag(2)}));
    flags.push_back(name);
  } else if (kind == 1) {
    equations.push_back(concat({name, " = ", index(1)}));
    indices.push_back(name);
  } else {
    Real value = real(3);
    equations.push_back(concat({name, " = ", value.text}));
    reals.push_back({name, value.bound});
  }
}

/// The names in a text.
static std::set<std::string> wordsOf(StringRef text) {
  std::set<std::string> words;
  while (!text.empty()) {
    StringRef word = text.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    words.insert(word.str());
    text = text.drop_front(std::max<size_t>(word.size(), 1));
  }
  return words;
}

std::string Generator::run() {
  for (int64_t more = 1 + random.below(3); more > 0; --more) {
    for (int64_t count = random.below(3); count > 0; --count)
      equation();
    recurrence();
  }
  if (random.chance(0.5))
    equation();
  // x is a step input: it tells rows and steps.
  std::string result = concat({"  return ", llvm::join(names, ", "),
                               ", x_again = x\n"});
  std::string body = llvm::join(equations, "\n  ");
  std::set<std::string> words = wordsOf(body + result);
  std::string inputs;
  // What an input needs stands above it.
  for (const Declaration &declaration : llvm::reverse(declarations))
    if (words.count(declaration.name.str())) {
      words.insert(declaration.needs.str());
      inputs = concat({"  ", declaration.text.str(), "\n", inputs});
    }
  return concat({"estimator generated {\n", inputs, "\n  ", body, "\n\n",
                 result, "}\n"});
}

std::string rlscan::test::generateRecipe(uint64_t seed) {
  return Generator(seed).run();
}
