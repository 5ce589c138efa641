//===- Lexer.cpp - Tokens of the recipe language --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace rlscan;

static bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isNameBody(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Skips blanks and comments; returns whether a line ended among them.
bool Lexer::skipSpace() {
  bool newLine = false;
  while (!rest.empty()) {
    if (rest.front() == '#') {
      rest = rest.drop_until([](char c) { return c == '\n'; });
    } else if (llvm::isSpace(rest.front())) {
      newLine |= rest.front() == '\n';
      rest = rest.drop_front();
    } else {
      break;
    }
  }
  return newLine;
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token;
  token.kind = kind;
  token.text = rest.take_front(length);
  rest = rest.drop_front(length);
  return token;
}

Token Lexer::lexName() {
  size_t length = rest.take_while(isNameBody).size();
  Token::Kind kind = llvm::StringSwitch<Token::Kind>(rest.take_front(length))
                         .Case("estimator", Token::Estimator)
                         .Case("param", Token::Param)
                         .Case("row", Token::Row)
                         .Case("step", Token::Step)
                         .Case("axis", Token::Axis)
                         .Case("return", Token::Return)
                         .Case("true", Token::True)
                         .Case("false", Token::False)
                         .Default(Token::Name);
  return take(kind, length);
}

/// digits [. digits] [e [+-] digits], or . digits ...
Token Lexer::lexNumber() {
  size_t length = 0;
  auto skipDigits = [&] {
    while (length < rest.size() && llvm::isDigit(rest[length]))
      ++length;
  };
  skipDigits();
  if (length < rest.size() && rest[length] == '.') {
    ++length;
    skipDigits();
  }
  if (length < rest.size() && (rest[length] == 'e' || rest[length] == 'E')) {
    size_t exponent = length + 1;
    if (exponent < rest.size() &&
        (rest[exponent] == '+' || rest[exponent] == '-'))
      ++exponent;
    if (exponent < rest.size() && llvm::isDigit(rest[exponent])) {
      length = exponent;
      skipDigits();
    }
  }
  return take(Token::Number, length);
}

Token Lexer::lexPunctuation() {
  Token::Kind twoCharacters =
      llvm::StringSwitch<Token::Kind>(rest.take_front(2))
          .Case("<=", Token::LessEqual)
          .Case(">=", Token::GreaterEqual)
          .Case("==", Token::EqualEqual)
          .Case("!=", Token::NotEqual)
          .Default(Token::Unknown);
  if (twoCharacters != Token::Unknown)
    return take(twoCharacters, 2);
  Token::Kind kind = llvm::StringSwitch<Token::Kind>(rest.take_front(1))
                         .Case("{", Token::LBrace)
                         .Case("}", Token::RBrace)
                         .Case("(", Token::LParen)
                         .Case(")", Token::RParen)
                         .Case("[", Token::LSquare)
                         .Case("]", Token::RSquare)
                         .Case(",", Token::Comma)
                         .Case(":", Token::Colon)
                         .Case("?", Token::Question)
                         .Case("=", Token::Equal)
                         .Case("+", Token::Plus)
                         .Case("-", Token::Minus)
                         .Case("*", Token::Star)
                         .Case("/", Token::Slash)
                         .Case("%", Token::Percent)
                         .Case("!", Token::Not)
                         .Case("&", Token::And)
                         .Case("|", Token::Or)
                         .Case("<", Token::Less)
                         .Case(">", Token::Greater)
                         .Default(Token::Unknown);
  return take(kind, 1);
}

Token Lexer::next() {
  bool startsLine = skipSpace();
  Token token;
  if (rest.empty())
    token = take(Token::EndOfFile, 0);
  else if (isNameStart(rest.front()))
    token = lexName();
  else if (llvm::isDigit(rest.front()) ||
           (rest.front() == '.' && rest.size() > 1 && llvm::isDigit(rest[1])))
    token = lexNumber();
  else
    token = lexPunctuation();
  token.startsLine = startsLine;
  return token;
}
