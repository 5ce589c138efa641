//===- MutantGenerator.cpp - Recipes with one fault -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One value of a recurrence that depends on its neighbour is replaced. An '@',
// which recipes do not have, marks the token that the message has to point at.
//
//===----------------------------------------------------------------------===//

#include "MutantGenerator.h"
#include "Random.h"
#include "RecipeGenerator.h"

#include "llvm/ADT/StringRef.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

namespace {
/// In `text`, Y stands for the value that depends on the neighbour, C for the
/// neighbour, D for the one on the other side, E for the neighbour with another
/// end, R for the recurrence's name and L for that of the next equation.
struct Fault {
  StringRef kind, text, message;
  /// An equation that is put above the recurrence.
  StringRef above = "";
  /// Whether the equation loses its '[t]'.
  bool isPlain = false;

  bool needsLater() const { return text.contains('L'); }
};
} // namespace

static constexpr StringRef product = "a product of two values that depend";
static constexpr StringRef quotient = "a quotient by a value that depends";
static constexpr StringRef function = "a function of a value that depends";
static constexpr StringRef comparison = "a comparison of a value that depends";

static const Fault faults[] = {
    {"square", "((Y) @* (Y))", product},
    {"product", "((0.5 - C) @* (Y))", product},
    {"product with 0", "(0 * (C) @* (Y))", product},
    {"divisor", "(x @/ (Y))", quotient},
    {"divisor of a sum", "((Y) @/ (2 + C))", quotient},
    {"exp", "@exp(Y)", function},
    {"log", "@log(Y)", function},
    {"sqrt", "@sqrt(Y)", function},
    {"abs", "@abs(Y)", function},
    {"min", "@min(x, Y)", function},
    {"max", "@max(Y, 0.5)", function},
    {"clip", "@clip(Y, -1, 1)", function},
    {"bound of clip", "@clip(x, -1, Y)", function},
    {"exp in a sum", "(x - 2 * @exp(-(Y)))", function},
    {"reduction", "(@sum(a) q * C)", function},
    {"maximum", "(@max(a) (q + C))", function},
    {"neighbour of the neighbour", "@C[t+1 | 0]", function},
    {"less", "((Y) @< x ? x : 1)", comparison},
    {"less or equal", "(x @<= (Y) ? C : 1)", comparison},
    {"greater", "(x * ((Y) @> 0))", comparison},
    {"greater or equal", "(done & (Y) @>= s ? x : C)", comparison},
    {"equal", "(!((Y) @== 0) ? x : 1)", comparison},
    {"not equal", "((0.5 @!= (Y)) * C)", comparison},
    {"index", "((Y) + q[@C])", "expected an index into axis 'a'"},
    {"own step", "((Y) + @R)", "at step t refers to itself at step t"},
    {"brackets at the own step", "((Y) - R@[t])", "expected 't+1' or 't-1'"},
    {"two steps on", "((Y) + R[t+@2 | 0])", "expected 1, found '2'"},
    {"two steps back", "(R[t-@2 | 0] - (Y))", "expected 1, found '2'"},
    {"both directions", "((Y) + @D)", "refers to both of its neighbours"},
    {"undefined axis", "((Y) + (@sum(nowhere) x))", "'nowhere' is no axis"},
    {"cycle", "((Y) + @L)", "is used before its equation"},
    {"cycle of neighbours", "((Y) + 0.5 * @L[t+1 | 0])",
     "is used before its equation"},
    {"another end", "((Y) - 0.5 * E)", "has two values past the window"},
    {"through an equation", "((Y) + through)", "is used before its equation",
     "through = x * @C"},
    {"no recurrence", "Y", "refers to its own neighbour", "", true},
};

static const StringRef twins[] = {
    "(((Y) + 1) * 2)",           "((Y) / (2 + abs(x)))",
    "(done ? Y : -(Y))",         "((Y) - (Y))",
    "((x * x) * (Y))",           "(exp(x) - 2 * (Y))",
    "(x < s ? x : Y)",           "((Y) * q[i] + (sum(a) q * x))",
    "(x[t+1 | 0][t+1 | 0] + C)", "((x > 0) * (Y))",
};

/// `text` with each capital letter replaced by what it stands for.
static std::string fill(StringRef text, const Dependent &value,
                        StringRef later) {
  std::string carry = value.carry;
  size_t sign = carry.find("[t") + 2, bar = carry.find("| ");
  std::string other = carry, end = carry.substr(0, bar + 2) + "@0.0625]";
  other[sign] = carry[sign] == '+' ? '-' : '+';
  std::string result;
  for (char c : text) {
    switch (c) {
    case 'Y':
      result += value.text;
      break;
    case 'C':
      result += carry;
      break;
    case 'D':
      result += other;
      break;
    case 'E':
      result += end;
      break;
    case 'R':
      result += value.name;
      break;
    case 'L':
      result += later;
      break;
    default:
      result += c;
    }
  }
  return result;
}

/// The recipe of a seed with a fault in one place.
static std::string makeFault(uint64_t seed, const Fault &fault, size_t place,
                             llvm::ArrayRef<std::string> names) {
  std::string head, above, carry;
  Generated made = generateChanged(seed, place, [&](const Dependent &value) {
    size_t next = value.equation + 1;
    StringRef later = next < names.size() ? StringRef(names[next]) : "";
    head = "\n  " + value.name + "[t] = ";
    carry = value.name + "[t";
    above = fill(fault.above, value, later);
    return fill(fault.text, value, later);
  });
  size_t begin = made.text.find(head);
  if (!above.empty())
    made.text.insert(begin, "\n  " + above);
  if (fault.isPlain) {
    made.text.erase(begin + head.size() - 6, 3);
    made.text.insert(made.text.find(carry, begin), "@");
  }
  return made.text;
}

static bool hasLater(uint64_t seed, size_t place, size_t equations) {
  bool found = false;
  generateChanged(seed, place, [&](const Dependent &value) {
    found = value.equation + 1 < equations;
    return value.text;
  });
  return found;
}

static size_t drawPlace(uint64_t seed, Random &random, Generated &plain) {
  plain = generateChanged(seed, ~size_t(0),
                          [](const Dependent &value) { return value.text; });
  return random.below(static_cast<int64_t>(plain.dependents));
}

Mutant test::generateMutant(uint64_t seed) {
  Random random(seed, "mutant");
  Generated plain;
  size_t place = drawPlace(seed, random, plain);
  // Kinds in turns, so that every one occurs whatever the count.
  size_t kind = seed % std::size(faults);
  while (faults[kind].needsLater() &&
         !hasLater(seed, place, plain.names.size()))
    kind = random.below(std::size(faults));
  const Fault &fault = faults[kind];
  std::string text = makeFault(seed, fault, place, plain.names);
  size_t mark = text.find('@');
  text.erase(mark, 1);
  StringRef before = StringRef(text).take_front(mark);
  unsigned line = 1 + static_cast<unsigned>(before.count('\n'));
  size_t lineBegin = before.rfind('\n') + 1;
  return {text, fault.kind.str(), line,
          static_cast<unsigned>(mark - lineBegin + 1), fault.message.str()};
}

std::string test::generateTwin(uint64_t seed) {
  Random random(seed, "mutant");
  Generated plain;
  size_t place = drawPlace(seed, random, plain);
  Fault twin = {"twin", twins[seed % std::size(twins)], ""};
  return makeFault(seed, twin, place, plain.names);
}
