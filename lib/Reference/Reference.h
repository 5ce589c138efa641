//===- Reference.h - The serial reference -----------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a recipe straight from its equations, in float64, one row and one
// step at a time. Shares no code with the lowering: where the two disagree,
// this one is right.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_REFERENCE_REFERENCE_H
#define RLSCAN_REFERENCE_REFERENCE_H

#include "Execution/Tensor.h"
#include "RecipeToRecurrence/AST.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rlscan {

/// One result. A flag is 0 or 1, an index a whole number.
struct ReferenceResult {
  std::string name;
  ast::TypeKind type = ast::TypeKind::Real;
  std::vector<double> values; // by row and step: [row * steps + step]
};

/// Evaluates `estimator`, which must have passed the importer without errors.
///
/// `inputs` holds the arrays that the call gives, by name: a param without
/// dimensions, [N] (one a row) or [N, T] (one a row and step); a row [N]; a
/// step [N, T], or [N, T, A] along an axis. Optional ones may be missing. With
/// `lengths`, [N], each row is walked as if it had so many steps, from 0 to
/// `steps`, and results past them are 0. With `cu_seqlens`, [B + 1], the arrays
/// have one row, [1, T], in which B rows follow each other, and a row input [B]
/// has one value for each of these.
/// Shapes must have been checked. `axisSizes` has an entry for every axis.
std::vector<ReferenceResult>
evaluateReference(const ast::Estimator &estimator,
                  const llvm::StringMap<Tensor> &inputs, int64_t rows,
                  int64_t steps, const llvm::StringMap<int64_t> &axisSizes);

} // namespace rlscan

#endif // RLSCAN_REFERENCE_REFERENCE_H
