//===- MutantGenerator.h - Recipes with one fault ------------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_MUTANTGENERATOR_H
#define RLSCAN_TEST_EXECUTION_MUTANTGENERATOR_H

#include <cstdint>
#include <string>

namespace rlscan::test {

/// A random recipe that is no longer affine, or not well-formed, in one place.
struct Mutant {
  std::string text;
  std::string kind;
  unsigned line, column; // where it has to be refused
  std::string message;   // what the message has to say
};

Mutant generateMutant(uint64_t seed);

/// The same recipe, changed in the same place to something that is affine and
/// looks alike.
std::string generateTwin(uint64_t seed);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_MUTANTGENERATOR_H
