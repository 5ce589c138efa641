//===- RecipePrinter.cpp - A syntax tree as text --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipePrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;
using ast::Expr;
using llvm::raw_ostream;
using llvm::StringRef;

static StringRef operatorOf(Expr::Kind kind) {
  switch (kind) {
  case Expr::Add:
    return " + ";
  case Expr::Subtract:
    return " - ";
  case Expr::Multiply:
    return " * ";
  case Expr::Divide:
    return " / ";
  case Expr::Remainder:
    return " % ";
  case Expr::And:
    return " & ";
  case Expr::Or:
    return " | ";
  case Expr::Less:
    return " < ";
  case Expr::LessEqual:
    return " <= ";
  case Expr::Greater:
    return " > ";
  case Expr::GreaterEqual:
    return " >= ";
  case Expr::Equal:
    return " == ";
  case Expr::NotEqual:
    return " != ";
  default:
    llvm_unreachable("not binary");
  }
}

/// Names that nobody wrote have a sign that no name has: "sum#1".
static void printName(StringRef name, raw_ostream &out) {
  auto [what, number] = name.split('#');
  out << what;
  if (!number.empty())
    out << "_made_" << number;
}

static void print(const Expr &expr, raw_ostream &out);

static void printCall(const Expr &expr, raw_ostream &out) {
  out << expr.name << '(';
  llvm::interleaveComma(expr.operands, out,
                        [&](const Expr *operand) { print(*operand, out); });
  out << ')';
}

static void print(const Expr &expr, raw_ostream &out) {
  auto operand = [&](unsigned i) { print(expr.operand(i), out); };
  switch (expr.kind) {
  case Expr::Number:
    out << llvm::format("%.17g", expr.number);
    return;
  case Expr::Boolean:
    out << (expr.number != 0.0 ? "true" : "false");
    return;
  case Expr::Name:
    return printName(expr.name, out);
  case Expr::Negate:
  case Expr::Not:
    out << (expr.kind == Expr::Not ? "(!" : "(-");
    operand(0);
    out << ')';
    return;
  case Expr::Select:
    out << '(';
    operand(0);
    out << " ? ";
    operand(1);
    out << " : ";
    operand(2);
    out << ')';
    return;
  case Expr::Call:
    return printCall(expr, out);
  case Expr::Shift:
    operand(0);
    if (expr.operands.size() == 1) {
      out << "[t+1]";
      return;
    }
    out << (expr.offset > 0 ? "[t+1 | " : "[t-1 | ");
    operand(1);
    out << ']';
    return;
  case Expr::Pick:
    operand(0);
    out << '[';
    operand(1);
    out << ']';
    return;
  case Expr::Reduce:
    out << '(' << expr.name << '(' << expr.axis << ") ";
    operand(0);
    out << ')';
    return;
  default:
    out << '(';
    operand(0);
    out << operatorOf(expr.kind);
    operand(1);
    out << ')';
  }
}

static void print(const ast::Input &input, raw_ostream &out) {
  static constexpr StringRef kinds[] = {"param", "row", "step"};
  out << "  " << kinds[static_cast<int>(input.kind)]
      << (input.extraSteps ? "+1 " : " ") << input.id.name;
  if (!input.axis.name.empty())
    out << '[' << input.axis.name << ']';
  if (input.defaultValue) {
    out << " = ";
    print(*input.defaultValue, out);
  }
  if (input.type == ast::TypeKind::Index && input.indexAxis.name.empty())
    out << " : count";
  else if (input.type == ast::TypeKind::Index)
    out << " : index(" << input.indexAxis.name << ')';
  else if (input.hasType)
    out << (input.type == ast::TypeKind::Flag ? " : flag" : " : real");
  out << '\n';
}

static void print(const ast::Estimator &estimator, raw_ostream &out) {
  out << "estimator " << estimator.id.name << " {\n";
  for (const ast::Identifier &axis : estimator.axes)
    out << "  axis " << axis.name << '\n';
  for (const ast::Input &input : estimator.inputs)
    print(input, out);
  for (const ast::Equation &equation : estimator.equations) {
    out << "  ";
    printName(equation.id.name, out);
    if (equation.window)
      out << "[t, " << equation.window << ']';
    else if (equation.isRecurrence)
      out << "[t]";
    out << " = ";
    print(*equation.value, out);
    out << '\n';
  }
  out << "  return ";
  llvm::interleaveComma(estimator.results, out, [&](const auto &result) {
    out << result.id.name;
    if (!result.value)
      return;
    out << " = ";
    print(*result.value, out);
  });
  out << "\n}\n";
}

std::string test::print(const ast::Estimator &estimator) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ::print(estimator, out);
  return text;
}

std::string test::print(const ast::Recipe &recipe) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const ast::Estimator &estimator : recipe.estimators)
    ::print(estimator, out);
  return text;
}
