//===- AST.h - The syntax tree of a recipe ----------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser read, before names and types are checked. The importer turns
// it into the dialect; the serial reference evaluates it as it stands.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_AST_H
#define RLSCAN_RECIPETORECURRENCE_AST_H

#include "RecipeToRecurrence/RowInputs.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/SMLoc.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace rlscan::ast {

/// One node of an expression. The operands are, by kind:
///   Number, Boolean, Name   none
///   Negate, Not             the operand
///   Add ... NotEqual        left, right
///   Select                  condition, value if set, value if clear
///   Call                    the arguments; `name` is the function
///   Shift                   value, otherwise; `offset` is 1 or -1; of an input
///                           with an extra step the value alone
///   Pick                    value, index
///   Reduce                  the body; `name` is sum, max or min, `axis` the
///   axis
struct Expr {
  enum Kind {
    Number,
    Boolean,
    Name,
    Negate,
    Not,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Select,
    Call,
    Shift,
    Pick,
    Reduce,
  };

  Kind kind;
  llvm::SMLoc loc;
  llvm::StringRef name;
  llvm::StringRef axis;
  double number = 0.0; // Number; a Boolean is 0 or 1
  int offset = 0;
  unsigned height = 1; // of the tree below, itself included
  llvm::SmallVector<Expr *, 3> operands;

  const Expr &operand(unsigned i) const { return *operands[i]; }
};

/// A name where the recipe writes it.
struct Identifier {
  llvm::StringRef name;
  llvm::SMLoc loc;
};

/// How many values an input has: one a call, one a row, one a row and step.
enum class InputKind { Param, Row, Step };

enum class TypeKind { Real, Flag, Index };

/// `step action = 0 : index(a)`, one for each name of a declaration.
struct Input {
  Identifier id;
  InputKind kind;
  /// `q[a]`: the axis, or an empty name.
  Identifier axis;
  TypeKind type = TypeKind::Real;
  /// `: index(a)`: the axis that the index counts. A count is an index of none.
  Identifier indexAxis;
  /// Whether `: type` stands in the declaration. Without one, a default of
  /// true or false makes the input a flag.
  bool hasType = false;
  /// `step+1 values`: how many entries a row has past its steps.
  unsigned extraSteps = 0;
  /// Present where the input is optional: a number, a boolean or a name.
  Expr *defaultValue = nullptr;
  /// Whether calls have it and the recipe does not.
  bool isOfCalls = false;

  bool isOptional() const { return defaultValue || isOfCalls; }
};

/// `name = value`, or `name[t] = value` where the value may refer to
/// name[t+1 | init] or name[t-1 | init]; in `name[t, n] = value` over n steps.
struct Equation {
  Identifier id;
  bool isRecurrence = false;
  /// Of a recurrence that starts anew for each step: how many steps it goes
  /// over. 0: all.
  unsigned window = 0;
  Expr *value = nullptr;
};

/// `name` or `name = value` of the return statement.
struct Result {
  Identifier id;
  Expr *value = nullptr; // null: the signal of that name
};

struct Estimator {
  Identifier id;
  std::vector<Identifier> axes;
  std::vector<Input> inputs;
  std::vector<Equation> equations;
  std::vector<Result> results;
  llvm::SMLoc returnLoc;
  /// Whether a statement could not be read.
  bool isBroken = false;
};

/// All estimators of a file. Owns their expressions; names point into the
/// source buffer, which must outlive it, but for those that nobody wrote.
struct Recipe {
  std::vector<Estimator> estimators;
  llvm::SpecificBumpPtrAllocator<Expr> expressions;
  std::deque<std::string> madeNames;

  /// A name that no recipe can have: "sum#1".
  llvm::StringRef nameFor(llvm::StringRef what) {
    return madeNames.emplace_back(
        (what + "#" + llvm::Twine(madeNames.size() + 1)).str());
  }
};

} // namespace rlscan::ast

#endif // RLSCAN_RECIPETORECURRENCE_AST_H
