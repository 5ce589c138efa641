//===- RLScanDialect.cpp - Registration, attributes and types -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/rlscan/RLScan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;

#include "dialects/rlscan/RLScanDialect.cpp.inc"

#include "dialects/rlscan/RLScanEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rlscan/RLScanAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/rlscan/RLScanTypes.cpp.inc"

void RLScanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/rlscan/RLScanAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/rlscan/RLScanTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/rlscan/RLScanOps.cpp.inc"
      >();
}

/// Shifts fold to constants, scans too.
Operation *RLScanDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

InputAttr InputAttr::withStorage(Type storage, Layout layout,
                                 InputKind kind) const {
  return InputAttr::get(getContext(), getName(), kind, getDefaultValue(),
                        storage, layout, getExtraSteps());
}

InputAttr InputAttr::withoutDefault() const {
  return InputAttr::get(getContext(), getName(), getKind(), Attribute(),
                        getStorage(), getLayout(), getExtraSteps());
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

/// The types in which arrays are stored; a null one is not known yet.
static LogicalResult
verifyStorage(llvm::function_ref<InFlightDiagnostic()> emitError,
              Type storage) {
  bool isKnown =
      !storage ||
      isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(storage) ||
      storage.isSignlessInteger(8) || storage.isSignlessInteger(32) ||
      storage.isSignlessInteger(64);
  if (isKnown)
    return success();
  return emitError() << "storage must be f16, bf16, f32, f64, i8, i32 or i64, "
                        "got "
                     << storage;
}

LogicalResult
ArrayType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, InputKind,
                  Type storage, Layout, StringAttr) {
  return verifyStorage(emitError, storage);
}

LogicalResult
InputAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  StringAttr, InputKind, Attribute, Type storage, Layout,
                  unsigned) {
  return verifyStorage(emitError, storage);
}

LogicalResult
OutputAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   StringAttr, Type storage, Layout) {
  return verifyStorage(emitError, storage);
}

//===----------------------------------------------------------------------===//
// Assembly of input and output
//===----------------------------------------------------------------------===//

/// `, key = value` pairs in a fixed order, each at most once.
static ParseResult
parseFields(AsmParser &parser,
            llvm::function_ref<ParseResult(StringRef key)> parseField) {
  SmallVector<StringRef> seen;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key))
      return failure();
    if (llvm::is_contained(seen, key))
      return parser.emitError(loc) << "field '" << key << "' is given twice";
    seen.push_back(key);
    if (parser.parseEqual() || parseField(key))
      return failure();
  }
  return parser.parseGreater();
}

static ParseResult parseLayout(AsmParser &parser, Layout &layout) {
  StringRef keyword;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Layout> value = symbolizeLayout(keyword);
  if (!value)
    return parser.emitError(loc)
           << "expected a layout (strided, steps or rows), got '" << keyword
           << "'";
  layout = *value;
  return success();
}

/// Parses the fields that inputs and outputs share.
static ParseResult parseStorageField(AsmParser &parser, StringRef key,
                                     Type &storage, Layout &layout) {
  if (key == "storage")
    return parser.parseType(storage);
  if (key == "layout")
    return parseLayout(parser, layout);
  return parser.emitError(parser.getCurrentLocation())
         << "unknown field '" << key << "'";
}

static void printStorage(AsmPrinter &printer, Type storage, Layout layout) {
  if (storage)
    printer << ", storage = " << storage;
  if (storage || layout != Layout::Strided)
    printer << ", layout = " << stringifyLayout(layout);
}

Attribute InputAttr::parse(AsmParser &parser, Type) {
  std::string name;
  StringRef keyword;
  Attribute defaultValue;
  Type storage;
  Layout layout = Layout::Strided;
  unsigned extraSteps = 0;
  if (parser.parseLess() || parser.parseString(&name) || parser.parseComma())
    return {};
  llvm::SMLoc kindLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<InputKind> kind = symbolizeInputKind(keyword);
  if (!kind) {
    parser.emitError(kindLoc)
        << "expected an input kind (param, row or step), got '" << keyword
        << "'";
    return {};
  }
  auto parseField = [&](StringRef key) -> ParseResult {
    if (key == "default")
      return parser.parseAttribute(defaultValue);
    if (key == "extra_steps")
      return parser.parseInteger(extraSteps);
    return parseStorageField(parser, key, storage, layout);
  };
  if (parseFields(parser, parseField))
    return {};
  return parser.getChecked<InputAttr>(
      parser.getContext(), parser.getBuilder().getStringAttr(name), *kind,
      defaultValue, storage, layout, extraSteps);
}

void InputAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName() << ", " << stringifyInputKind(getKind());
  if (Attribute value = getDefaultValue())
    printer << ", default = " << value;
  if (unsigned steps = getExtraSteps())
    printer << ", extra_steps = " << steps;
  printStorage(printer, getStorage(), getLayout());
  printer << ">";
}

Attribute OutputAttr::parse(AsmParser &parser, Type) {
  std::string name;
  Type storage;
  Layout layout = Layout::Strided;
  if (parser.parseLess() || parser.parseString(&name))
    return {};
  auto parseField = [&](StringRef key) {
    return parseStorageField(parser, key, storage, layout);
  };
  if (parseFields(parser, parseField))
    return {};
  return parser.getChecked<OutputAttr>(parser.getContext(),
                                       parser.getBuilder().getStringAttr(name),
                                       storage, layout);
}

void OutputAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName();
  printStorage(printer, getStorage(), getLayout());
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

std::string ScheduleAttr::getSuffix() const {
  auto part = [](char letter, unsigned number) {
    return letter + std::to_string(number) + "_";
  };
  std::string words = part('v', getStepsPerThread()) + part('l', getLanes()) +
                      part('g', getGroups()) + part('r', getRows()) +
                      stringifyChain(getChain()).str() + "_a" +
                      std::to_string(getAccess());
  if (getResident())
    words += "_m" + std::to_string(getResident());
  if (getEntries())
    words += "_e" + std::to_string(getEntries());
  if (getStream())
    words += "_s1";
  return words;
}

FailureOr<ScheduleAttr>
ScheduleAttr::fromSuffix(MLIRContext *context, StringRef suffix,
                         function_ref<InFlightDiagnostic()> emitError) {
  StringRef rest = suffix;
  unsigned numbers[8] = {};
  auto take = [&](StringRef letter, unsigned &number) {
    return rest.consume_front(letter) && !rest.consumeInteger(10, number);
  };
  bool isGood = take("v", numbers[0]) && take("_l", numbers[1]) &&
                take("_g", numbers[2]) && take("_r", numbers[3]) &&
                rest.consume_front("_");
  size_t end = rest.rfind("_a");
  std::optional<Chain> chain = symbolizeChain(rest.take_front(end));
  rest = end == StringRef::npos ? StringRef() : rest.drop_front(end);
  isGood &= chain && take("_a", numbers[4]) &&
            (!rest.starts_with("_m") || take("_m", numbers[5])) &&
            (!rest.starts_with("_e") || take("_e", numbers[6])) &&
            (rest.empty() || take("_s", numbers[7]));
  if (!isGood || !rest.empty())
    return emitError() << "expected a schedule such as v4_l32_g1_r4_loop_a4 "
                          "(steps per thread, lanes, groups, rows; once, loop "
                          "or look_back; access), got '"
                       << suffix << "'";
  ScheduleAttr schedule = getChecked(emitError, context, numbers[0], numbers[1],
                                     numbers[2], numbers[3], *chain, numbers[4],
                                     numbers[5], numbers[6], numbers[7]);
  if (!schedule)
    return failure();
  return schedule;
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   unsigned stepsPerThread, unsigned lanes,
                                   unsigned groups, unsigned rows, Chain chain,
                                   unsigned access, unsigned resident,
                                   unsigned entries, unsigned stream) {
  std::pair<StringRef, unsigned> powers[] = {
      {"steps_per_thread", stepsPerThread},
      {"lanes", lanes},
      {"access", access}};
  for (auto [name, number] : powers) {
    if (!llvm::isPowerOf2_32(number)) // schedule_c1
      return emitError() << "expected " << name << " to be a power of two, got "
                         << number;
    if (number > 64) // schedule_c2
      return emitError() << "expected " << name << " from 1 to 64, got "
                         << number;
  }
  if (access > stepsPerThread) // schedule_c2
    return emitError() << "expected access to divide steps_per_thread = "
                       << stepsPerThread << ", got " << access;
  if (stream > 1) // schedule_c2
    return emitError() << "expected stream to be 0 or 1, got " << stream;
  if (groups < 1 || groups > 32) // schedule_c2
    return emitError() << "expected groups from 1 to 32, got " << groups;
  if (groups > 1 && lanes != 1 && lanes < 32) // schedule_c3
    return emitError() << "expected 1 lane or whole subgroups with groups = "
                       << groups << ", got lanes = " << lanes;
  if (entries > 256) // schedule_c2
    return emitError() << "expected entries from 0 to 256, got " << entries;
  if (entries > 0 && lanes < 32) // schedule_c3
    return emitError() << "expected whole subgroups with entries = " << entries
                       << ", got lanes = " << lanes;
  unsigned long threads = static_cast<unsigned long>(lanes) * groups * rows;
  if (threads < 1 || threads > 1024) // schedule_c4
    return emitError() << "expected 1 to 1024 threads a workgroup, got lanes * "
                          "groups * rows = "
                       << threads;
  if (threads * resident > 2048) // schedule_c4
    return emitError() << "expected at most 2048 threads on a multiprocessor, "
                          "got resident = "
                       << resident << " workgroups of " << threads;
  if (lanes > 1 && threads % std::max(32u, lanes) != 0) // schedule_c4
    return emitError()
           << "expected whole subgroups where lanes are shared, got " << threads
           << " threads";
  return success();
}
