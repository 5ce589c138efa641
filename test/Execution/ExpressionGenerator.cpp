//===- ExpressionGenerator.cpp - Random expressions of recipes ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpressionGenerator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Reals
//===----------------------------------------------------------------------===//

std::string test::concat(std::initializer_list<std::string> parts) {
  return llvm::join(parts, "");
}

std::string test::literal(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return value < 0 ? concat({"(", text, ")"}) : text;
}

std::string ExpressionGenerator::name(std::initializer_list<StringRef> list) {
  return random.pick(ArrayRef(list)).str();
}

/// Keeps what products and sums make from growing.
Real ExpressionGenerator::bounded(Real value) {
  if (value.bound <= 4.0)
    return value;
  return {concat({"clip(", value.text, ", -2, 2)"}), 2.0};
}

Real ExpressionGenerator::leaf() {
  if (!reals.empty() && random.chance(0.4))
    return random.pick(ArrayRef(reals));
  if (random.chance(0.15)) {
    double value = random.pick<double>({0, 1, 0.5, 2, 0.25, -1, 1e-3});
    return {literal(value), std::abs(value)};
  }
  if (random.chance(0.15))
    return {concat({"q[", index(1), "]"}), 1.0};
  return {name({"x", "x", "y", "y", "z", "w", "r", "s", "p", "gamma", "v",
                "v[t+1]"}),
          1.0};
}

/// Of continuous functions with small slopes only.
Real ExpressionGenerator::function(int depth) {
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
std::string ExpressionGenerator::neighbour() {
  return name({"[t+1 | ", "[t-1 | "});
}

Real ExpressionGenerator::shifted(int depth) {
  Real value = real(depth - 1), edge = real(depth - 1);
  return {concat({"(", value.text, ")", neighbour(), edge.text, "]"}),
          std::max(value.bound, edge.bound)};
}

/// A real at one position of an axis. Neighbours of a recurrence's result have
/// no place here, so the only shift is that of an input.
Real ExpressionGenerator::entry(int depth, StringRef axis) {
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
    return bounded(
        {concat({a.text, " * ", other.text}), a.bound * other.bound});
  }
  case 4:
    return {concat({q, " * ", a.text}), a.bound};
  case 5:
    return {concat({"(valid ? ", a.text, " : 0.25)"}), std::max(a.bound, 0.25)};
  default:
    return {concat({"(", a.text, " + max(b) u)"}), a.bound + 1.0};
  }
}

Real ExpressionGenerator::reduction(int depth) {
  std::string axis = name({"a", "a", "b"}), kind = name({"sum", "max", "min"});
  Real body = entry(depth, axis);
  constexpr double longest = 18.0; // of the axes
  double bound = kind == "sum" ? longest * body.bound : body.bound;
  return bounded({concat({"(", kind, "(", axis, ") ", body.text, ")"}), bound});
}

Real ExpressionGenerator::real(int depth) {
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
    return bounded(
        {concat({"(", a.text, name({" + ", " - "}), "(", b.text, "))"}),
         a.bound + b.bound});
  }
}

//===----------------------------------------------------------------------===//
// Flags and indices
//===----------------------------------------------------------------------===//

/// Of reals as they are stored, which is exact in any arithmetic.
std::string ExpressionGenerator::comparison() {
  std::string sign = name({" < ", " <= ", " > ", " >= ", " == ", " != "});
  if (random.chance(0.4))
    return concat(
        {index(1), sign,
         random.chance(0.5) ? index(0) : std::to_string(random.below(3))});
  return concat(
      {name({"x", "y", "w", "r"}), sign, name({"s", "0", "0.25", "(-0.5)"})});
}

std::string ExpressionGenerator::flag(int depth) {
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

std::string ExpressionGenerator::index(int depth) {
  if (depth > 0 && random.chance(0.3))
    return concat({"(", flag(0), " ? ", index(0), " : ", index(0), ")"});
  if (depth > 0 && random.chance(0.3))
    return concat({index(0), neighbour(), index(0), "]"});
  if (!indices.empty() && random.chance(0.3))
    return random.pick(ArrayRef(indices));
  return name({"i", "i", "j"});
}
