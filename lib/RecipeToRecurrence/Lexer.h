//===- Lexer.h - Tokens of the recipe language ------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_LEXER_H
#define RLSCAN_RECIPETORECURRENCE_LEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

namespace rlscan {

struct Token {
  enum Kind {
    EndOfFile,
    Unknown, // a character that starts no token
    Name,
    Number,
    // Keywords.
    Estimator,
    Param,
    Row,
    Step,
    Axis,
    Return,
    True,
    False,
    // Punctuation.
    LBrace,
    RBrace,
    LParen,
    RParen,
    LSquare,
    RSquare,
    Comma,
    Colon,
    Question,
    Equal,
    // Operators.
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Not,
    And,
    Or,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualEqual,
    NotEqual,
  };

  Kind kind = EndOfFile;
  llvm::StringRef text;
  /// Whether a line break separates this token from the one before it.
  bool startsLine = false;

  llvm::SMLoc loc() const { return llvm::SMLoc::getFromPointer(text.data()); }
  bool is(Kind other) const { return kind == other; }
  bool isKeyword() const { return kind >= Estimator && kind <= False; }
};

/// Splits a recipe into tokens. A '#' starts a comment that runs to the end of
/// its line. Never fails: what starts no token becomes an Unknown one.
class Lexer {
public:
  explicit Lexer(llvm::StringRef buffer) : rest(buffer) {}
  Token next();

private:
  bool skipSpace();
  Token take(Token::Kind kind, size_t length);
  Token lexName();
  Token lexNumber();
  Token lexPunctuation();

  llvm::StringRef rest;
};

} // namespace rlscan

#endif // RLSCAN_RECIPETORECURRENCE_LEXER_H
