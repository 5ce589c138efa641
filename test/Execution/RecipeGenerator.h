//===- RecipeGenerator.h - Random recipes --------------------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_RECIPEGENERATOR_H
#define RLSCAN_TEST_EXECUTION_RECIPEGENERATOR_H

#include <cstdint>
#include <string>

namespace rlscan::test {

/// The text of a recipe that the compiler must take: one to three recurrences,
/// affine by construction with weights within [-1, 1], and other equations,
/// over inputs of every kind. Values stay of order 1, small errors of operands
/// stay small, and reals are compared only as they are stored, so that f32 and
/// f64 agree.
std::string generateRecipe(uint64_t seed);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_RECIPEGENERATOR_H
