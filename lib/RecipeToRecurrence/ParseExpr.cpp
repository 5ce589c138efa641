//===- ParseExpr.cpp - Expressions of the recipe language -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/ParserImpl.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"

using namespace rlscan;
using namespace rlscan::ast;
using llvm::SMLoc;
using llvm::StringRef;

namespace {
/// Counts the nesting of expressions while it lives.
struct DepthGuard {
  explicit DepthGuard(unsigned &depth) : depth(depth) { ++depth; }
  ~DepthGuard() { --depth; }
  unsigned &depth;
};
} // namespace

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
      {{Token::Star, Expr::Multiply},
       {Token::Slash, Expr::Divide},
       {Token::Percent, Expr::Remainder}},
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

/// Whether the value is an input that holds what comes after the last step.
bool Parser::hasExtraStep(const Expr &value) const {
  return value.kind == Expr::Name &&
         llvm::any_of(recipe.estimators.back().inputs, [&](const Input &input) {
           return input.id.name == value.name && input.extraSteps > 0;
         });
}

/// `| otherwise]`, which an input with an extra step does not need ahead.
Expr *Parser::parseNeighbour(Expr *value, int offset) {
  bool isAhead = offset > 0;
  llvm::SmallVector<Expr *, 2> operands{value};
  bool isStored = isAhead && token.is(Token::RSquare) && hasExtraStep(*value);
  if (!isStored) {
    if (!expect(Token::Or, "'|' and what holds past the window",
                isAhead ? "write '[t+1 | e]', where e is the value after the "
                          "last step, such as 0"
                        : "write '[t-1 | e]', where e is the value before the "
                          "first step, such as 0"))
      return nullptr;
    operands.push_back(parseExpr());
    if (!operands.back())
      return nullptr;
  }
  if (!expect(Token::RSquare, "']'"))
    return nullptr;
  Expr *shift = make(Expr::Shift, value->loc, operands);
  if (shift)
    shift->offset = offset;
  return shift;
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
  return parseNeighbour(value, next ? 1 : -1);
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
  if (axis.name == "t")
    return sumOverSteps(function, body);
  Expr *reduce = make(Expr::Reduce, function.loc, {body});
  if (!reduce)
    return nullptr;
  reduce->name = function.name;
  reduce->axis = axis.name;
  return reduce;
}

/// sum(t) body, the same at every step, is two recurrences: what is ahead of a
/// step, and that of the first step, carried on to all others.
Expr *Parser::sumOverSteps(Identifier function, Expr *body) {
  if (function.name != "sum") {
    diagnostics.error(function.loc)
        << "expected 'sum' over the steps of a row, found '" << function.name
        << "'";
    return nullptr;
  }
  SMLoc loc = function.loc;
  Expr *zero = make(Expr::Number, loc);
  Expr *ahead = addRecurrence("sum", loc, +1, zero, [&](Expr *next) {
    return make(Expr::Add, loc, {body, next});
  });
  return ahead ? addRecurrence("total", loc, -1, ahead,
                               [&](Expr *before) { return before; })
               : nullptr;
}

/// An equation that the recipe does not write, with a name that none can have:
/// name[t] = value(name[t+offset | init]). Gives the name.
Expr *Parser::addRecurrence(StringRef name, SMLoc loc, int offset, Expr *init,
                            llvm::function_ref<Expr *(Expr *)> value) {
  std::vector<Equation> &equations = recipe.estimators.back().equations;
  Equation equation;
  equation.id = {recipe.nameFor(name), loc};
  equation.isRecurrence = true;
  auto refer = [&] {
    Expr *made = make(Expr::Name, loc);
    made->name = equation.id.name;
    return made;
  };
  Expr *neighbour = make(Expr::Shift, loc, {refer(), init});
  if (neighbour)
    neighbour->offset = offset;
  equation.value = neighbour ? value(neighbour) : nullptr;
  if (!equation.value)
    return nullptr;
  equations.push_back(equation);
  return refer();
}
