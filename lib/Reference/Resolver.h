//===- Resolver.h - A recipe with its names looked up -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_REFERENCE_RESOLVER_H
#define RLSCAN_REFERENCE_RESOLVER_H

#include "Execution/Tensor.h"
#include "RecipeToRecurrence/AST.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace rlscan::reference {

/// An expression whose names have been looked up. `operands` are those of
/// ast::Expr, except that a Pick keeps only its index.
struct Node {
  ast::Expr::Kind kind = ast::Expr::Number;
  ast::TypeKind type = ast::TypeKind::Real;
  double number = 0.0; // Number, Boolean; Reduce: the result over no entries
  int offset = 0;      // Shift
  /// Name: which input or equation; Pick: which input; Reduce: which axis.
  size_t slot = 0;
  bool isInput = false; // Name
  bool isStep = false;  // Name: t, the number of the step
  /// Call, Reduce: of the arguments; of the result so far and the next entry.
  double (*function)(llvm::ArrayRef<double>) = nullptr;
  /// Whether this is a neighbour of the equation's own name; whether one stands
  /// anywhere inside.
  bool isCarry = false;
  bool dependsOnCarry = false;
  std::vector<Node> operands;
};

/// An input as this call gives it.
struct Source {
  ast::TypeKind type = ast::TypeKind::Real;
  const Tensor *tensor = nullptr; // null: `number` everywhere
  double number = 0.0;
  size_t axis = 0; // of an input along an axis
  bool hasExtraStep = false;
};

/// How an equation gives a value.
struct Rule {
  Node value;
  /// The neighbour that the equation reads of itself: 1 or -1; 0 where it is no
  /// recurrence.
  int carryOffset = 0;
  /// Over how many steps it is evaluated, anew for each step; 0: all.
  unsigned window = 0;
};

/// An estimator for one call.
struct Program {
  std::vector<Source> sources;    // by position among the estimator's inputs
  std::vector<Rule> rules;        // by position among its equations
  std::vector<int64_t> axisSizes; // by position among its axes
  std::vector<Node> results;
};

/// `inputs` must outlive the program.
Program resolve(const ast::Estimator &estimator,
                const llvm::StringMap<Tensor> &inputs,
                const llvm::StringMap<int64_t> &axisSizes);

} // namespace rlscan::reference

#endif // RLSCAN_REFERENCE_RESOLVER_H
