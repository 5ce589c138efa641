//===- CallKinds.cpp - The kinds of calls that code is made for -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/CallKinds.h"
#include "RecipeToRecurrence/RowInputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Items of options
//===----------------------------------------------------------------------===//

static bool isReal(StringRef type) {
  return llvm::is_contained({"f32", "f64", "bf16", "f16"}, type);
}

Expected<Storing> rlscan::parseStoring(StringRef text) {
  SmallVector<StringRef> fields;
  text.split(fields, '+');
  Storing storing;
  storing.type = fields[0].str();
  if (!isReal(storing.type))
    return llvm::createStringError("io '" + text +
                                   "': expected f32, f64, bf16 or f16, got '" +
                                   fields[0] + "'");
  for (StringRef field : llvm::drop_begin(fields)) {
    auto [name, type] = field.split(':');
    bool isType =
        isReal(type) || llvm::is_contained({"i8", "i32", "i64"}, type);
    if (name.empty() || !isType)
      return llvm::createStringError(
          "io '" + text +
          "': expected NAME:TYPE with f32, f64, bf16, f16, i8, i32 or i64, "
          "got '" +
          field + "'");
    storing.others.emplace_back(name.str(), type.str());
  }
  return storing;
}

StringRef rlscan::layoutWord(Layout layout) {
  if (layout == Layout::Strided)
    return "strided";
  return layout == Layout::Steps ? "nt" : "tn";
}

Expected<Layout> rlscan::parseLayout(StringRef text) {
  for (Layout layout : {Layout::Strided, Layout::Steps, Layout::Rows})
    if (text == layoutWord(layout))
      return layout;
  return llvm::createStringError("layout '" + text +
                                 "': expected nt, tn, strided or any");
}

//===----------------------------------------------------------------------===//
// What an estimator has
//===----------------------------------------------------------------------===//

SmallVector<StringRef> rlscan::argumentNames(EstimatorOp estimator) {
  SmallVector<StringRef> names;
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i)
    names.push_back(estimator.getInput(i).getName().getValue());
  for (unsigned i = 0, e = estimator.getNumResults(); i < e; ++i)
    names.push_back(estimator.getOutput(i).getName().getValue());
  return names;
}

SmallVector<StringRef> rlscan::optionalInputs(EstimatorOp estimator) {
  SmallVector<StringRef> names;
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    InputAttr input = estimator.getInput(i);
    if (input.isOptional() && input.getKind() != InputKind::Param)
      names.push_back(input.getName().getValue());
  }
  return names;
}

Type rlscan::signalType(EstimatorOp estimator, unsigned argument) {
  unsigned inputs = estimator.getNumArguments();
  if (argument >= inputs)
    return estimator.getResultTypes()[argument - inputs];
  Type type = estimator.getArgumentTypes()[argument];
  if (auto along = dyn_cast<AlongType>(type))
    return along.getElement();
  return type;
}

StringRef rlscan::axisName(EstimatorOp estimator, unsigned argument) {
  if (argument >= estimator.getNumArguments())
    return {};
  auto along = dyn_cast<AlongType>(estimator.getArgumentTypes()[argument]);
  return along ? along.getAxis().getValue() : StringRef();
}

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

/// Every set of the optional inputs, the empty one first.
static Expected<std::vector<std::vector<std::string>>>
allSets(EstimatorOp estimator) {
  constexpr size_t most = 5;
  SmallVector<StringRef> names = optionalInputs(estimator);
  if (names.size() > most)
    return llvm::createStringError(
        estimator.getSymName() + " has " + llvm::Twine(names.size()) +
        " optional inputs, too many for code for every choice of them: name "
        "the choices with --present");
  std::vector<std::vector<std::string>> sets;
  for (unsigned bits = 0; bits < 1u << names.size(); ++bits) {
    std::vector<std::string> &set = sets.emplace_back();
    for (auto [i, name] : llvm::enumerate(names))
      if (bits >> i & 1)
        set.push_back(name.str());
    // Rows are padded or packed.
    if (llvm::is_contained(set, lengthsName) &&
        llvm::is_contained(set, boundsName))
      sets.pop_back();
  }
  return sets;
}

/// The set that an item names, as far as the estimator has them, in its order.
static std::vector<std::string> setOf(EstimatorOp estimator, StringRef item) {
  SmallVector<StringRef> wanted;
  item.split(wanted, '+');
  std::vector<std::string> set;
  for (StringRef name : optionalInputs(estimator))
    if (llvm::is_contained(wanted, name))
      set.push_back(name.str());
  return set;
}

static Expected<std::vector<std::vector<std::string>>>
presentSets(EstimatorOp estimator, llvm::ArrayRef<std::string> items) {
  if (llvm::is_contained(items, "all"))
    return allSets(estimator);
  std::vector<std::vector<std::string>> sets;
  for (const std::string &item : items) {
    std::vector<std::string> set = setOf(estimator, item);
    if (!llvm::is_contained(sets, set))
      sets.push_back(set);
  }
  return sets;
}

static std::string storedType(EstimatorOp estimator, unsigned argument,
                              const Storing &storing) {
  StringRef name = argumentNames(estimator)[argument];
  for (const auto &[other, type] : storing.others)
    if (other == name)
      return type;
  Type signal = signalType(estimator, argument);
  if (isa<FloatType>(signal))
    return storing.type;
  return signal.isInteger(1) ? "i8" : "i64";
}

/// Row arrays and those along an axis are reached by their strides.
static Layout layoutOf(EstimatorOp estimator, unsigned argument,
                       Layout layout) {
  bool isInput = argument < estimator.getNumArguments();
  if (isInput && (estimator.getInput(argument).getKind() != InputKind::Step ||
                  !axisName(estimator, argument).empty()))
    return Layout::Strided;
  return layout;
}

static bool isAbsent(EstimatorOp estimator, unsigned argument,
                     const CallKind &kind) {
  if (argument >= estimator.getNumArguments())
    return false;
  InputAttr input = estimator.getInput(argument);
  return input.isOptional() && input.getKind() != InputKind::Param &&
         !llvm::is_contained(kind.present, input.getName().getValue());
}

/// Last argument first: a default may name an input above it, and that one can
/// be absent too.
static void bind(EstimatorOp estimator, CallKind &kind) {
  SmallVector<StringRef> names = argumentNames(estimator);
  kind.stored.resize(names.size());
  for (unsigned i = names.size(); i-- > 0;) {
    if (isAbsent(estimator, i, kind)) {
      kind.bindings.push_back((names[i] + ":absent").str());
      continue;
    }
    bool isParam = i < estimator.getNumArguments() &&
                   estimator.getInput(i).getKind() == InputKind::Param;
    kind.stored[i] =
        isParam ? "number" : storedType(estimator, i, kind.storing);
    if (!isParam)
      kind.bindings.push_back(
          (names[i] + ":" + kind.stored[i] + ":" +
           stringifyLayout(layoutOf(estimator, i, kind.layout)))
              .str());
  }
}

static CallKind makeKind(EstimatorOp estimator, const Storing &storing,
                         Layout layout,
                         const std::vector<std::string> &present) {
  CallKind kind;
  kind.storing = storing;
  kind.layout = layout;
  kind.present = present;
  kind.name = storing.type;
  SmallVector<StringRef> names = argumentNames(estimator);
  for (const auto &[name, type] : storing.others)
    if (llvm::is_contained(names, name))
      kind.name += "_" + name + "_" + type;
  kind.name += ("_" + layoutWord(layout)).str();
  for (const std::string &name : present)
    kind.name += "_" + name;
  bind(estimator, kind);
  return kind;
}

Expected<std::vector<CallKind>> rlscan::callKinds(EstimatorOp estimator,
                                                  const CallChoice &choice) {
  auto sets = presentSets(estimator, choice.present);
  if (!sets)
    return sets.takeError();
  std::vector<CallKind> kinds;
  auto isSame = [](const CallKind &a, const CallKind &b) {
    return a.layout == b.layout && a.stored == b.stored &&
           a.storing.isF64() == b.storing.isF64();
  };
  for (const Storing &storing : choice.storings)
    for (Layout layout : choice.layouts)
      for (const std::vector<std::string> &set : *sets) {
        CallKind kind = makeKind(estimator, storing, layout, set);
        // Where an estimator does not have what an item names, two are the
        // same.
        if (llvm::none_of(kinds, [&](const CallKind &other) {
              return isSame(other, kind);
            }))
          kinds.push_back(std::move(kind));
      }
  return kinds;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static Error checkOther(llvm::ArrayRef<EstimatorOp> estimators, StringRef name,
                        StringRef type) {
  bool isKnown = false;
  for (EstimatorOp estimator : estimators)
    for (auto [i, known] : llvm::enumerate(argumentNames(estimator))) {
      if (known != name)
        continue;
      isKnown = true;
      Type signal = signalType(estimator, i);
      bool fits = signal.isInteger(1) || isa<FloatType>(signal) == isReal(type);
      bool isParam = i < estimator.getNumArguments() &&
                     estimator.getInput(i).getKind() == InputKind::Param;
      if (isParam || !fits || (isa<IndexType>(signal) && type == "i8"))
        return llvm::createStringError(
            "io: '" + name + "' of " + estimator.getSymName() +
            (isParam ? " is a param, not an array"
                     : " cannot be stored as " + type.str()));
    }
  if (isKnown)
    return Error::success();
  return llvm::createStringError("io: no estimator has an array '" + name +
                                 "'");
}

static Error checkPresent(llvm::ArrayRef<EstimatorOp> estimators,
                          StringRef item) {
  if (item == "all" || item == "none")
    return Error::success();
  SmallVector<StringRef> names;
  item.split(names, '+');
  for (StringRef name : names)
    if (llvm::none_of(estimators, [&](EstimatorOp estimator) {
          return llvm::is_contained(optionalInputs(estimator), name);
        }))
      return llvm::createStringError("present '" + item +
                                     "': no estimator has an optional array '" +
                                     name + "'");
  return Error::success();
}

Error rlscan::checkNames(llvm::ArrayRef<EstimatorOp> estimators,
                         const CallChoice &choice) {
  for (const Storing &storing : choice.storings)
    for (const auto &[name, type] : storing.others)
      if (Error error = checkOther(estimators, name, type))
        return error;
  for (const std::string &item : choice.present)
    if (Error error = checkPresent(estimators, item))
      return error;
  return Error::success();
}
