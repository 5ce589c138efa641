//===- ParserImpl.h - The state of the recipe parser ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_PARSERIMPL_H
#define RLSCAN_RECIPETORECURRENCE_PARSERIMPL_H

#include "RecipeToRecurrence/Lexer.h"
#include "RecipeToRecurrence/Parser.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace rlscan {

/// Recursive descent: statements in Parser.cpp, expressions in ParseExpr.cpp.
class Parser {
public:
  Parser(RecipeDiagnostics &diagnostics, ast::Recipe &recipe)
      : diagnostics(diagnostics), recipe(recipe), lexer(diagnostics.buffer()) {
    token = lexer.next();
    ahead = lexer.next();
  }

  void parseFile();

private:
  // Tokens.
  void advance();
  bool consumeIf(Token::Kind kind);
  bool expect(Token::Kind kind, llvm::StringRef what,
              llvm::StringRef cure = {});
  bool parseIdentifier(ast::Identifier &id, llvm::StringRef what);
  mlir::InFlightDiagnostic errorHere(llvm::StringRef expected);
  void skipToStatement();

  // Statements. Each returns false after reporting an error.
  bool parseEstimator();
  bool parseStatement(ast::Estimator &estimator);
  bool parseAxes(ast::Estimator &estimator);
  bool parseInputs(ast::Estimator &estimator, ast::InputKind kind);
  bool parseExtraSteps(unsigned &extraSteps);
  bool parseInput(ast::Input &input);
  bool parseType(ast::Input &type);
  bool parseWindow(unsigned &window);
  bool parseEquation(ast::Estimator &estimator);
  bool parseReturn(ast::Estimator &estimator);

  // Expressions, from loosest to tightest binding. Null after an error.
  ast::Expr *parseExpr();
  ast::Expr *parseBinary(unsigned level);
  ast::Expr *parseUnary();
  ast::Expr *parsePostfix();
  ast::Expr *parsePrimary();
  ast::Expr *parseNumber();
  ast::Expr *parseNameOrCall();
  ast::Expr *parseReduce(ast::Identifier function);
  ast::Expr *sumOverSteps(ast::Identifier function, ast::Expr *body);
  ast::Expr *addRecurrence(llvm::StringRef name, llvm::SMLoc loc, int offset,
                           ast::Expr *init,
                           llvm::function_ref<ast::Expr *(ast::Expr *)> value);
  ast::Expr *parseBrackets(ast::Expr *value);
  ast::Expr *parseNeighbour(ast::Expr *value, int offset);
  bool hasExtraStep(const ast::Expr &value) const;
  bool startsOperand() const;
  bool isStepReference() const;

  ast::Expr *make(ast::Expr::Kind kind, llvm::SMLoc loc,
                  llvm::ArrayRef<ast::Expr *> operands = {});
  ast::Expr *tooDeep();

  RecipeDiagnostics &diagnostics;
  ast::Recipe &recipe;
  Lexer lexer;
  Token token, ahead;
  unsigned depth = 0;
};

} // namespace rlscan

#endif // RLSCAN_RECIPETORECURRENCE_PARSERIMPL_H
