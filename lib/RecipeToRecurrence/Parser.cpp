//===- Parser.cpp - Recipe text to syntax tree ----------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent; docs/language.md has the grammar. After a syntax error the
// parser skips to the next line that can start a statement and goes on, so that
// one run reports all errors of a file.
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/ParserImpl.h"

#include "llvm/ADT/StringExtras.h"

using namespace rlscan;
using namespace rlscan::ast;
using llvm::SMLoc;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Parser::advance() {
  token = ahead;
  ahead = lexer.next();
}

bool Parser::consumeIf(Token::Kind kind) {
  if (!token.is(kind))
    return false;
  advance();
  return true;
}

/// What stands at the current token, for messages.
static std::string describe(const Token &token) {
  if (token.is(Token::EndOfFile))
    return "the end of the file";
  if (token.isKeyword())
    return ("keyword '" + token.text + "'").str();
  if (token.is(Token::Unknown) && !llvm::isPrint(token.text.front()))
    return "byte 0x" + llvm::utohexstr(static_cast<uint8_t>(token.text[0]));
  StringRef shown = token.text.take_front(40);
  return ("'" + shown + (shown.size() < token.text.size() ? "..." : "") + "'")
      .str();
}

mlir::InFlightDiagnostic Parser::errorHere(StringRef expected) {
  mlir::InFlightDiagnostic error = diagnostics.error(token.loc());
  error << "expected " << expected << ", found " << describe(token);
  return error;
}

bool Parser::expect(Token::Kind kind, StringRef what, StringRef cure) {
  if (consumeIf(kind))
    return true;
  mlir::InFlightDiagnostic error = errorHere(what);
  if (!cure.empty())
    error.attachNote() << cure;
  return false;
}

bool Parser::parseIdentifier(Identifier &id, StringRef what) {
  if (!token.is(Token::Name)) {
    mlir::InFlightDiagnostic error = errorHere(what);
    if (token.isKeyword())
      error.attachNote() << "'" << token.text
                         << "' is a word of the language; choose another name";
    return false;
  }
  id = {token.text, token.loc()};
  advance();
  return true;
}

/// After an error: skips to a token that starts a line and can start a
/// statement, or to the brace that ends the estimator.
void Parser::skipToStatement() {
  while (!token.is(Token::EndOfFile) && !token.is(Token::RBrace)) {
    bool starts = token.is(Token::Name) || token.isKeyword();
    if (starts && token.startsLine)
      return;
    advance();
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Parser::parseFile() {
  if (token.is(Token::EndOfFile))
    errorHere("an estimator").attachNote()
        << "a recipe reads 'estimator name { ... }'";
  while (!token.is(Token::EndOfFile)) {
    if (parseEstimator())
      continue;
    while (!token.is(Token::EndOfFile) && !token.is(Token::Estimator))
      advance();
  }
}

bool Parser::parseEstimator() {
  if (!expect(Token::Estimator, "'estimator'",
              "a recipe reads 'estimator name { ... }'"))
    return false;
  Identifier id;
  if (!parseIdentifier(id, "the estimator's name") ||
      !expect(Token::LBrace, "'{'"))
    return false;
  Estimator &estimator = recipe.estimators.emplace_back();
  estimator.id = id;
  while (!token.is(Token::RBrace) && !token.is(Token::EndOfFile) &&
         !token.is(Token::Estimator))
    if (!parseStatement(estimator)) {
      estimator.isBroken = true;
      skipToStatement();
    }
  return expect(Token::RBrace, "'}' at the end of the estimator");
}

bool Parser::parseStatement(Estimator &estimator) {
  if (estimator.returnLoc.isValid()) {
    errorHere("'}' after the return statement").attachNote()
        << "'return' is the last statement of an estimator";
    advance();
    return false;
  }
  bool isDeclaration = token.is(Token::Axis) || token.is(Token::Param) ||
                       token.is(Token::Row) || token.is(Token::Step);
  if (isDeclaration && !estimator.equations.empty()) {
    errorHere("an equation or 'return'").attachNote()
        << "inputs and axes are declared above the first equation: move this "
           "up";
    // What it declares is known all the same.
    estimator.isBroken = true;
  }
  switch (token.kind) {
  case Token::Axis:
    return parseAxes(estimator);
  case Token::Param:
    return parseInputs(estimator, InputKind::Param);
  case Token::Row:
    return parseInputs(estimator, InputKind::Row);
  case Token::Step:
    return parseInputs(estimator, InputKind::Step);
  case Token::Return:
    return parseReturn(estimator);
  case Token::Name:
    return parseEquation(estimator);
  default:
    errorHere("a declaration, an equation or 'return'");
    advance();
    return false;
  }
}

/// axis a, b
bool Parser::parseAxes(Estimator &estimator) {
  advance();
  do {
    Identifier axis;
    if (!parseIdentifier(axis, "the axis' name"))
      return false;
    estimator.axes.push_back(axis);
  } while (consumeIf(Token::Comma));
  return true;
}

/// The `+1` of `step+1 values`.
bool Parser::parseExtraSteps(unsigned &extraSteps) {
  if (!consumeIf(Token::Plus))
    return true;
  if (!token.is(Token::Number) || token.text != "1") {
    errorHere("1").attachNote()
        << "'step+1' is an input with one value after the last step";
    return false;
  }
  advance();
  extraSteps = 1;
  return true;
}

/// step x, q[a] = default : type
///
/// The type at the end is that of every name in the statement.
bool Parser::parseInputs(Estimator &estimator, InputKind kind) {
  advance();
  size_t first = estimator.inputs.size();
  unsigned extraSteps = 0;
  if (kind == InputKind::Step && !parseExtraSteps(extraSteps))
    return false;
  do {
    Input input;
    input.kind = kind;
    input.extraSteps = extraSteps;
    if (!parseInput(input))
      return false;
    estimator.inputs.push_back(input);
  } while (consumeIf(Token::Comma));
  Input type;
  if (consumeIf(Token::Colon) && !parseType(type))
    return false;
  for (Input &input : llvm::drop_begin(estimator.inputs, first)) {
    input.type = type.type;
    input.indexAxis = type.indexAxis;
    input.hasType = type.hasType;
    bool impliesFlag = !type.hasType && input.defaultValue &&
                       input.defaultValue->kind == Expr::Boolean;
    if (impliesFlag)
      input.type = TypeKind::Flag;
  }
  return true;
}

bool Parser::parseInput(Input &input) {
  if (!parseIdentifier(input.id, "the input's name"))
    return false;
  if (consumeIf(Token::LSquare)) {
    if (!parseIdentifier(input.axis, "the axis of the input") ||
        !expect(Token::RSquare, "']'"))
      return false;
  }
  if (!consumeIf(Token::Equal))
    return true;
  input.defaultValue = parseUnary();
  return input.defaultValue != nullptr;
}

/// real | flag | count | index(axis)
bool Parser::parseType(Input &type) {
  static constexpr StringRef types = "a type: real, flag, count or index(axis)";
  Identifier id;
  if (!parseIdentifier(id, types))
    return false;
  type.hasType = true;
  if (id.name == "real") {
    type.type = TypeKind::Real;
    return true;
  }
  if (id.name == "flag") {
    type.type = TypeKind::Flag;
    return true;
  }
  if (id.name == "count") {
    type.type = TypeKind::Index;
    return true;
  }
  if (id.name != "index") {
    diagnostics.error(id.loc)
        << "expected " << types << ", found '" << id.name << "'";
    return false;
  }
  type.type = TypeKind::Index;
  return expect(Token::LParen, "'(' and the axis that the index counts",
                "write ': index(a)' for an index into axis a") &&
         parseIdentifier(type.indexAxis, "the axis' name") &&
         expect(Token::RParen, "')'");
}

/// The `, n` of `name[t, n] = expr`.
bool Parser::parseWindow(unsigned &window) {
  constexpr unsigned most = 64;
  if (!consumeIf(Token::Comma))
    return true;
  if (token.is(Token::Number) && !token.text.getAsInteger(10, window) &&
      window >= 1 && window <= most) {
    advance();
    return true;
  }
  errorHere("a number of steps from 1 to 64").attachNote()
      << "'name[t, 5] = ...' is a recurrence over 5 steps, which starts anew "
         "for each step";
  return false;
}

/// name = expr, name[t] = expr, or name[t, n] = expr
bool Parser::parseEquation(Estimator &estimator) {
  Equation equation;
  if (!parseIdentifier(equation.id, "a name"))
    return false;
  if (consumeIf(Token::LSquare)) {
    equation.isRecurrence = true;
    if (!token.is(Token::Name) || token.text != "t") {
      errorHere("'t'").attachNote()
          << "the left-hand side of an equation is 'name' or 'name[t]'";
      return false;
    }
    advance();
    if (!parseWindow(equation.window))
      return false;
    if (!expect(Token::RSquare, "']'",
                "the left-hand side of an equation is 'name' or 'name[t]'"))
      return false;
  }
  if (!expect(Token::Equal, "'='"))
    return false;
  equation.value = parseExpr();
  // The name is kept even without a value, so that its uses are not reported
  // as unknown.
  estimator.equations.push_back(equation);
  return equation.value != nullptr;
}

/// return name, name = expr, ...
bool Parser::parseReturn(Estimator &estimator) {
  estimator.returnLoc = token.loc();
  advance();
  do {
    Result result;
    if (!parseIdentifier(result.id, "the name of a result"))
      return false;
    if (consumeIf(Token::Equal) && !(result.value = parseExpr()))
      return false;
    estimator.results.push_back(result);
  } while (consumeIf(Token::Comma));
  return true;
}

std::unique_ptr<Recipe> rlscan::parseRecipe(RecipeDiagnostics &diagnostics) {
  auto recipe = std::make_unique<Recipe>();
  Parser(diagnostics, *recipe).parseFile();
  return recipe;
}

void rlscan::addRowInput(ast::Estimator &estimator, llvm::StringRef name) {
  ast::Input input;
  input.id = {name, estimator.id.loc};
  input.kind = ast::InputKind::Row;
  input.type = ast::TypeKind::Index;
  input.isOfCalls = true;
  estimator.inputs.push_back(input);
}
