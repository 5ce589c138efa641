//===- ExpressionGenerator.h - Random expressions of recipes -- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_EXPRESSIONGENERATOR_H
#define RLSCAN_TEST_EXECUTION_EXPRESSIONGENERATOR_H

#include "Random.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace rlscan::test {

/// A real with a bound on its size.
struct Real {
  std::string text;
  double bound;
};

/// Random expressions over the inputs of RecipeGenerator.cpp and the equations
/// so far.
class ExpressionGenerator {
public:
  explicit ExpressionGenerator(uint64_t seed) : random(seed, "recipe") {}

  /// A bound is at most 4, or that of an operand.
  Real real(int depth);
  /// A name or a number.
  Real leaf();
  std::string flag(int depth);
  std::string index(int depth);
  /// "[t+1 | " or "[t-1 | ".
  std::string neighbour();

  Random random;
  /// Equations, as they can be referred to.
  std::vector<Real> reals;
  std::vector<std::string> flags, indices;

private:
  std::string name(std::initializer_list<llvm::StringRef> list);
  Real bounded(Real value);
  Real function(int depth);
  Real shifted(int depth);
  Real reduction(int depth);
  Real entry(int depth, llvm::StringRef axis);
  std::string comparison();
};

/// The parts one after the other. Those of a braced list are also drawn in this
/// order, whatever the compiler.
std::string concat(std::initializer_list<std::string> parts);

/// A number as recipes write it.
std::string literal(double value);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_EXPRESSIONGENERATOR_H
