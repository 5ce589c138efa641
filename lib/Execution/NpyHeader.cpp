//===- NpyHeader.cpp - What stands before the data of an array ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution/NpyHeader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace rlscan;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Text of a file, made fit for a message of one line.
std::string rlscan::escaped(StringRef text) {
  constexpr size_t longest = 100;
  std::string result;
  llvm::raw_string_ostream stream(result);
  llvm::printEscapedString(text.take_front(longest), stream);
  if (text.size() > longest)
    stream << "...";
  return result;
}

namespace {

/// Parses the Python dictionary of an .npy header.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  Expected<NpyHeader> parse();

private:
  bool consume(StringRef token);
  Error expected(const Twine &what) const;
  Expected<StringRef> parseString(const Twine &what);
  Error parseEntry();
  Error parseDescr();
  Error parseFortranOrder();
  Error parseShape();
  Error parseSize();

  StringRef rest;
  NpyHeader header;
  llvm::StringSet<> seen;
};

} // namespace

/// Consumes `token` and the space before it.
bool HeaderParser::consume(StringRef token) {
  rest = rest.ltrim();
  return rest.consume_front(token);
}

Error HeaderParser::expected(const Twine &what) const {
  StringRef found = rest.ltrim();
  if (found.empty())
    return createStringError("malformed header: expected " + what +
                             " before its end");
  return createStringError("malformed header: expected " + what + " at \"" +
                           escaped(found.rtrim().take_front(32)) + "\"");
}

Expected<StringRef> HeaderParser::parseString(const Twine &what) {
  rest = rest.ltrim();
  StringRef quote = rest.take_front();
  size_t end =
      quote == "'" || quote == "\"" ? rest.find(quote, 1) : StringRef::npos;
  if (end == StringRef::npos)
    return expected(what);
  StringRef text = rest.slice(1, end);
  rest = rest.drop_front(end + 1);
  return text;
}

Expected<NpyHeader> HeaderParser::parse() {
  if (!consume("{"))
    return expected("'{'");
  while (!consume("}")) {
    if (Error error = parseEntry())
      return error;
    if (!consume(",") && !rest.starts_with("}"))
      return expected("',' or '}'");
  }
  if (!rest.trim().empty())
    return expected("nothing more");
  for (StringRef key : {"descr", "fortran_order", "shape"})
    if (!seen.contains(key))
      return createStringError("malformed header: no '" + key + "'");
  return header;
}

Error HeaderParser::parseEntry() {
  Expected<StringRef> key = parseString("a key");
  if (!key)
    return key.takeError();
  if (!seen.insert(*key).second)
    return createStringError("malformed header: '" + escaped(*key) +
                             "' occurs twice");
  if (!consume(":"))
    return expected("':'");
  if (*key == "descr")
    return parseDescr();
  if (*key == "fortran_order")
    return parseFortranOrder();
  if (*key == "shape")
    return parseShape();
  return createStringError("malformed header: unknown key '" + escaped(*key) +
                           "'");
}

/// The type that `descr` denotes. Byte order means nothing to a single byte,
/// so that writers differ there. NumPy saves ml_dtypes.bfloat16 as two void
/// bytes, which says nothing more; no other such type is in use.
static std::optional<DType> dtypeOf(StringRef descr) {
  return llvm::StringSwitch<std::optional<DType>>(descr)
      .Cases({"<f4", "=f4"}, DType::F32)
      .Cases({"<f8", "=f8"}, DType::F64)
      .Cases({"<f2", "=f2"}, DType::F16)
      .Cases({"<V2", "=V2", "|V2"}, DType::BF16)
      .Cases({"<b1", "=b1", "|b1"}, DType::Bool)
      .Cases({"<i1", "=i1", "|i1"}, DType::I8)
      .Cases({"<u1", "=u1", "|u1"}, DType::U8)
      .Cases({"<i4", "=i4"}, DType::I32)
      .Cases({"<i8", "=i8"}, DType::I64)
      .Default(std::nullopt);
}

static StringRef descrOf(DType dtype) {
  switch (dtype) {
  case DType::F32:
    return "<f4";
  case DType::F64:
    return "<f8";
  case DType::BF16:
    return "<V2";
  case DType::F16:
    return "<f2";
  case DType::Bool:
    return "|b1";
  case DType::I8:
    return "|i1";
  case DType::U8:
    return "|u1";
  case DType::I32:
    return "<i4";
  case DType::I64:
    return "<i8";
  }
  llvm_unreachable("unknown dtype");
}

static Error unknownDescr(StringRef descr) {
  return createStringError("type " + escaped(descr) +
                           " is not taken, only '<f4', '<f8', '<f2', '<V2' "
                           "(bfloat16), '|b1', '|i1', '|u1', '<i4' and '<i8'");
}

Error HeaderParser::parseDescr() {
  rest = rest.ltrim();
  // A structured type. Its fields' names may hold brackets and quotes, so where
  // it ends is not looked for.
  if (rest.starts_with("["))
    return unknownDescr((rest.take_front(32).rtrim() + "...").str());
  Expected<StringRef> descr = parseString("a type");
  if (!descr)
    return descr.takeError();
  std::optional<DType> dtype = dtypeOf(*descr);
  if (!dtype)
    return unknownDescr(("'" + *descr + "'").str());
  header.dtype = *dtype;
  return Error::success();
}

Error HeaderParser::parseFortranOrder() {
  header.fortranOrder = consume("True");
  if (!header.fortranOrder && !consume("False"))
    return expected("True or False");
  return Error::success();
}

/// A tuple of sizes, in which only a comma makes a tuple of one.
Error HeaderParser::parseShape() {
  if (!consume("("))
    return expected("'('");
  bool closed = consume(")");
  while (!closed) {
    if (Error error = parseSize())
      return error;
    bool comma = consume(",");
    closed = consume(")");
    if (!comma && (!closed || header.sizes.size() == 1))
      return expected("','");
  }
  if (header.sizes.size() > maxRank)
    return createStringError("shape has " + Twine(header.sizes.size()) +
                             " dimensions, at most " + Twine(maxRank) +
                             " are taken");
  return Error::success();
}

Error HeaderParser::parseSize() {
  rest = rest.ltrim();
  bool negative = rest.starts_with("-");
  StringRef digits = rest.drop_front(negative).take_while(llvm::isDigit);
  if (digits.empty())
    return expected("a size");
  if (negative)
    return createStringError("shape has a negative size, -" + escaped(digits));
  int64_t size;
  if (digits.getAsInteger(10, size))
    return createStringError("shape has a size of " + escaped(digits) +
                             ", which does not fit 64 bits");
  header.sizes.push_back(size);
  rest = rest.drop_front(digits.size());
  return Error::success();
}

/// The bytes of data that `header` announces.
Expected<int64_t> rlscan::byteCount(const NpyHeader &header) {
  // Sizes of zero count as one here, as they do in strides, which must fit,
  // too.
  int64_t bytes = byteWidth(header.dtype);
  for (int64_t size : header.sizes) {
    if (!llvm::MulOverflow(bytes, std::max<int64_t>(size, 1), bytes))
      continue;
    std::string message;
    llvm::raw_string_ostream stream(message);
    stream << "shape (";
    llvm::interleaveComma(header.sizes, stream);
    stream << ") needs more bytes than fit 64 bits";
    return createStringError(Twine(message));
  }
  return llvm::is_contained(header.sizes, 0) ? 0 : bytes;
}

Expected<NpyHeader> rlscan::parseNpyHeader(StringRef text) {
  return HeaderParser(text).parse();
}

/// What comes before the data of `tensor`, in format 1.0.
std::string rlscan::npyHeaderOf(const Tensor &tensor) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "{'descr': '" << descrOf(tensor.dtype)
         << "', 'fortran_order': False, 'shape': (";
  llvm::interleaveComma(tensor.sizes, stream);
  stream << (tensor.rank() == 1 ? ",), }" : "), }");
  // Spaces and a newline fill up a multiple of 64 bytes, for who maps a file.
  size_t before = npyMagic.size() + 4;
  size_t total = llvm::alignTo(before + text.size() + 1, 64);
  text.resize(total - before - 1, ' ');
  text += '\n';
  char length[2];
  llvm::support::endian::write16le(length, text.size());
  return (npyMagic + StringRef("\x01\x00", 2) + StringRef(length, 2) + text)
      .str();
}
