//===- ArgsStruct.cpp - The struct of a call in C -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/ArgsStruct.h"
#include "rlscan/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rlscan;

/// Words of C and C++ that a recipe may use as names, macros that compilers
/// define, and the members that every struct has.
static constexpr StringRef reservedWords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case "
    "catch char class compl concept const const_cast consteval constexpr "
    "constinit continue co_await co_return co_yield decltype default "
    "delete do double dynamic_cast else enum explicit export extern "
    "false float for friend goto if inline int long mutable namespace "
    "new noexcept not not_eq nullptr operator or or_eq private protected "
    "public register reinterpret_cast requires restrict return short "
    "signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename "
    "typeof union unsigned using virtual void volatile wchar_t while xor "
    "xor_eq linux unix i386 size device reserved workspace "
    "workspace_size parallel";

static std::string memberName(StringRef wanted, llvm::StringSet<> &taken) {
  std::string name = wanted.str();
  while (!taken.insert(name).second)
    name += "_";
  return name;
}

static int32_t numberBytes(Type signal) { return signal.isInteger(1) ? 4 : 8; }

ArgsStruct::ArgsStruct(EstimatorOp estimator) : size(sizeof(rlscan_args_head)) {
  llvm::StringSet<> taken;
  for (StringRef word : llvm::split(reservedWords, ' '))
    taken.insert(word);
  for (auto [i, name] : llvm::enumerate(argumentNames(estimator))) {
    ArgsMember &member = members.emplace_back();
    bool isParam = i < estimator.getNumArguments() &&
                   estimator.getInput(i).getKind() == InputKind::Param;
    if (isParam) {
      int32_t bytes = numberBytes(signalType(estimator, i));
      size = llvm::alignTo(size, bytes);
      member.numberName = memberName(name, taken);
      member.numberOffset = size;
      size += bytes;
    }
    size = llvm::alignTo(size, alignof(rlscan_tensor));
    member.name =
        memberName(isParam ? (name + "_at").str() : name.str(), taken);
    member.offset = size;
    size += sizeof(rlscan_tensor);
  }
}
