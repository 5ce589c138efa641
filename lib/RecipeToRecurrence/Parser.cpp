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

#include "RecipeToRecurrence/Parser.h"
#include "RecipeToRecurrence/Lexer.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

#include <cmath>

using namespace rlscan;
using namespace rlscan::ast;
using llvm::SMLoc;
using llvm::StringRef;

namespace {

class Parser {
public:
  Parser(RecipeDiagnostics &diagnostics, Recipe &recipe)
      : diagnostics(diagnostics), recipe(recipe), lexer(diagnostics.buffer()) {
    token = lexer.next();
    ahead = lexer.next();
  }

  void parseFile();

private:
  // Tokens.
  void advance();
  bool consumeIf(Token::Kind kind);
  bool expect(Token::Kind kind, StringRef what, StringRef cure = {});
  bool parseIdentifier(Identifier &id, StringRef what);
  mlir::InFlightDiagnostic errorHere(StringRef expected);
  void skipToStatement();

  // Statements. Each returns false after reporting an error.
  bool parseEstimator();
  bool parseStatement(Estimator &estimator);
  bool parseAxes(Estimator &estimator);
  bool parseInputs(Estimator &estimator, InputKind kind);
  bool parseInput(Input &input);
  bool parseType(Input &type);
  bool parseEquation(Estimator &estimator);
  bool parseReturn(Estimator &estimator);

  // Expressions, from loosest to tightest binding. Null after an error.
  Expr *parseExpr();
  Expr *parseBinary(unsigned level);
  Expr *parseUnary();
  Expr *parsePostfix();
  Expr *parsePrimary();
  Expr *parseNumber();
  Expr *parseNameOrCall();
  Expr *parseReduce(Identifier function);
  Expr *parseBrackets(Expr *value);
  bool startsOperand() const;
  bool isStepReference() const;

  Expr *make(Expr::Kind kind, SMLoc loc, llvm::ArrayRef<Expr *> operands = {});
  Expr *tooDeep();

  RecipeDiagnostics &diagnostics;
  Recipe &recipe;
  Lexer lexer;
  Token token, ahead;
  unsigned depth = 0;
};

/// Counts the nesting of expressions while it lives.
struct DepthGuard {
  explicit DepthGuard(unsigned &depth) : depth(depth) { ++depth; }
  ~DepthGuard() { --depth; }
  unsigned &depth;
};

} // namespace

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
    if (!parseStatement(estimator))
      skipToStatement();
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
    advance();
    return false;
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

/// step x, q[a] = default : type
///
/// The type at the end is that of every name in the statement.
bool Parser::parseInputs(Estimator &estimator, InputKind kind) {
  advance();
  size_t first = estimator.inputs.size();
  do {
    Input input;
    input.kind = kind;
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

/// real | flag | index(axis)
bool Parser::parseType(Input &type) {
  static constexpr StringRef types = "a type: real, flag or index(axis)";
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

/// name = expr, or name[t] = expr
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

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Expr *Parser::tooDeep() {
  diagnostics.error(token.loc())
      << "expression nests deeper than " << maxExpressionDepth << " levels";
  return nullptr;
}

/// Null, after an error, where the tree would grow too high.
Expr *Parser::make(Expr::Kind kind, SMLoc loc,
                   llvm::ArrayRef<Expr *> operands) {
  Expr *expr = new (recipe.expressions.Allocate()) Expr();
  expr->kind = kind;
  expr->loc = loc;
  expr->operands.assign(operands.begin(), operands.end());
  for (const Expr *operand : operands)
    expr->height = std::max(expr->height, operand->height + 1);
  return expr->height > maxExpressionDepth ? tooDeep() : expr;
}

/// condition ? value : value
Expr *Parser::parseExpr() {
  DepthGuard guard(depth);
  if (depth > maxExpressionDepth)
    return tooDeep();
  Expr *condition = parseBinary(0);
  if (!condition || !token.is(Token::Question))
    return condition;
  SMLoc loc = token.loc();
  advance();
  Expr *ifSet = parseExpr();
  if (!ifSet || !expect(Token::Colon, "':'", "a choice reads 'flag ? a : b'"))
    return nullptr;
  Expr *ifClear = parseExpr();
  return ifClear ? make(Expr::Select, loc, {condition, ifSet, ifClear})
                 : nullptr;
}

/// The binary operators by level, loosest first.
static constexpr unsigned comparisonLevel = 2;
static constexpr unsigned levelCount = 5;

static std::optional<Expr::Kind> binaryOperator(unsigned level,
                                                Token::Kind token) {
  using Entry = std::pair<Token::Kind, Expr::Kind>;
  static const llvm::SmallVector<Entry, 6> levels[levelCount] = {
      {{Token::Or, Expr::Or}},
      {{Token::And, Expr::And}},
      {{Token::Less, Expr::Less},
       {Token::LessEqual, Expr::LessEqual},
       {Token::Greater, Expr::Greater},
       {Token::GreaterEqual, Expr::GreaterEqual},
       {Token::EqualEqual, Expr::Equal},
       {Token::NotEqual, Expr::NotEqual}},
      {{Token::Plus, Expr::Add}, {Token::Minus, Expr::Subtract}},
      {{Token::Star, Expr::Multiply}, {Token::Slash, Expr::Divide}},
  };
  for (auto [spelling, kind] : levels[level])
    if (spelling == token)
      return kind;
  return std::nullopt;
}

/// Left-associative; comparisons do not chain.
Expr *Parser::parseBinary(unsigned level) {
  if (level == levelCount)
    return parseUnary();
  Expr *left = parseBinary(level + 1);
  for (bool first = true; left; first = false) {
    std::optional<Expr::Kind> kind = binaryOperator(level, token.kind);
    if (!kind)
      return left;
    if (level == comparisonLevel && !first) {
      mlir::InFlightDiagnostic error = diagnostics.error(token.loc());
      error << "comparisons do not chain";
      error.attachNote() << "write 'a < b & b < c'";
      return nullptr;
    }
    SMLoc loc = token.loc();
    advance();
    Expr *right = parseBinary(level + 1);
    left = right ? make(*kind, loc, {left, right}) : nullptr;
  }
  return nullptr;
}

/// -x, !x
Expr *Parser::parseUnary() {
  if (!token.is(Token::Minus) && !token.is(Token::Not))
    return parsePostfix();
  DepthGuard guard(depth);
  if (depth > maxExpressionDepth)
    return tooDeep();
  Expr::Kind kind = token.is(Token::Minus) ? Expr::Negate : Expr::Not;
  SMLoc loc = token.loc();
  advance();
  Expr *operand = parseUnary();
  return operand ? make(kind, loc, {operand}) : nullptr;
}

Expr *Parser::parsePostfix() {
  Expr *value = parsePrimary();
  while (value && token.is(Token::LSquare) && !token.startsLine)
    value = parseBrackets(value);
  return value;
}

/// Whether what follows '[' is a step: t, t+1, t-1, ...
bool Parser::isStepReference() const {
  return token.is(Token::Name) && token.text == "t" &&
         (ahead.is(Token::Plus) || ahead.is(Token::Minus) ||
          ahead.is(Token::Or) || ahead.is(Token::RSquare));
}

/// value[t+1 | otherwise], value[t-1 | otherwise] or value[index]
Expr *Parser::parseBrackets(Expr *value) {
  SMLoc loc = token.loc();
  advance();
  if (!isStepReference()) {
    Expr *index = parseExpr();
    if (!index || !expect(Token::RSquare, "']'"))
      return nullptr;
    return make(Expr::Pick, value->loc, {value, index});
  }
  advance();
  bool next = token.is(Token::Plus);
  if (!next && !token.is(Token::Minus)) {
    mlir::InFlightDiagnostic error = diagnostics.error(loc);
    error << "expected 't+1' or 't-1' in brackets, found 't'";
    error.attachNote()
        << "a value at its own step needs no brackets: write 'x', not 'x[t]'";
    return nullptr;
  }
  advance();
  if (!token.is(Token::Number) || token.text != "1") {
    errorHere("1").attachNote()
        << "only the neighbours t+1 and t-1 can be referred to";
    return nullptr;
  }
  advance();
  if (!expect(Token::Or, "'|' and what holds past the window",
              next ? "write '[t+1 | e]', where e is the value after the last "
                     "step, such as 0"
                   : "write '[t-1 | e]', where e is the value before the first "
                     "step, such as 0"))
    return nullptr;
  Expr *otherwise = parseExpr();
  if (!otherwise || !expect(Token::RSquare, "']'"))
    return nullptr;
  Expr *shift = make(Expr::Shift, value->loc, {value, otherwise});
  if (shift)
    shift->offset = next ? 1 : -1;
  return shift;
}

Expr *Parser::parseNumber() {
  Expr *number = make(Expr::Number, token.loc());
  llvm::APFloat parsed(llvm::APFloat::IEEEdouble());
  auto status =
      parsed.convertFromString(token.text, llvm::APFloat::rmNearestTiesToEven);
  bool isValid = static_cast<bool>(status);
  if (!isValid)
    llvm::consumeError(status.takeError());
  if (!isValid || !parsed.isFinite()) {
    diagnostics.error(token.loc())
        << "number '" << token.text.take_front(40) << "' is out of range";
    return nullptr;
  }
  number->number = parsed.convertToDouble();
  advance();
  return number;
}

Expr *Parser::parsePrimary() {
  SMLoc loc = token.loc();
  switch (token.kind) {
  case Token::Number:
    return parseNumber();
  case Token::True:
  case Token::False: {
    Expr *boolean = make(Expr::Boolean, loc);
    boolean->number = token.is(Token::True);
    advance();
    return boolean;
  }
  case Token::LParen: {
    advance();
    Expr *inner = parseExpr();
    return inner && expect(Token::RParen, "')'") ? inner : nullptr;
  }
  case Token::Name:
    return parseNameOrCall();
  default:
    errorHere("a value");
    return nullptr;
  }
}

/// Whether the current token can start an operand on the same line.
bool Parser::startsOperand() const {
  return !token.startsLine &&
         (token.is(Token::Name) || token.is(Token::Number) ||
          token.is(Token::LParen) || token.is(Token::Not) ||
          token.is(Token::Minus));
}

/// name, function(arguments), or sum(axis) body
Expr *Parser::parseNameOrCall() {
  Identifier id{token.text, token.loc()};
  advance();
  if (!token.is(Token::LParen)) {
    Expr *name = make(Expr::Name, id.loc);
    name->name = id.name;
    return name;
  }
  advance();
  bool maybeReduce = id.name == "sum" || id.name == "max" || id.name == "min";
  if (maybeReduce && token.is(Token::Name) && ahead.is(Token::RParen))
    return parseReduce(id);
  llvm::SmallVector<Expr *, 3> arguments;
  do {
    Expr *argument = parseExpr();
    if (!argument)
      return nullptr;
    arguments.push_back(argument);
  } while (consumeIf(Token::Comma));
  if (!expect(Token::RParen, "',' or ')'"))
    return nullptr;
  Expr *call = make(Expr::Call, id.loc, arguments);
  if (call)
    call->name = id.name;
  return call;
}

/// sum(axis) body: the body is a product, so that 'sum(a) p * q + r' adds r
/// once.
Expr *Parser::parseReduce(Identifier function) {
  Identifier axis{token.text, token.loc()};
  advance();
  advance();
  if (!startsOperand()) {
    mlir::InFlightDiagnostic error =
        errorHere("what to combine over axis '" + axis.name.str() + "'");
    error.attachNote() << "over an axis a, write '" << function.name
                       << "(a) x'";
    if (function.name != "sum")
      error.attachNote() << "of several values, write '" << function.name
                         << "(x, y)'";
    return nullptr;
  }
  DepthGuard guard(depth);
  if (depth > maxExpressionDepth)
    return tooDeep();
  Expr *body = parseBinary(levelCount - 1);
  if (!body)
    return nullptr;
  Expr *reduce = make(Expr::Reduce, function.loc, {body});
  if (!reduce)
    return nullptr;
  reduce->name = function.name;
  reduce->axis = axis.name;
  return reduce;
}

std::unique_ptr<Recipe> rlscan::parseRecipe(RecipeDiagnostics &diagnostics) {
  auto recipe = std::make_unique<Recipe>();
  Parser(diagnostics, *recipe).parseFile();
  return recipe;
}
