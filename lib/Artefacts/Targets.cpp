//===- Targets.cpp - What code is made for --------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Targets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using llvm::StringRef;

namespace {
struct Chip {
  StringRef name;
  int number;
};
} // namespace

static constexpr Chip levels[] = {
    {"x86-64", 1}, {"x86-64-v2", 2}, {"x86-64-v3", 3}, {"x86-64-v4", 4}};
static constexpr Chip gpus[] = {
    {"sm_75", 75},   {"sm_80", 80},   {"sm_86", 86},
    {"sm_87", 87},   {"sm_89", 89},   {"sm_90", 90},
    {"sm_100", 100}, {"sm_103", 103}, {"sm_120", 120}};

std::string Target::text() const {
  return (kind == CPU ? "cpu:" : "cuda:") + chip;
}

unsigned Target::lanes() const {
  return number >= 4 ? 16 : number == 3 ? 8 : 4;
}

static std::string names(llvm::ArrayRef<Chip> chips) {
  return llvm::join(
      llvm::map_range(chips, [](const Chip &chip) { return chip.name.str(); }),
      ", ");
}

static llvm::Expected<std::vector<Target>> find(Target::Kind kind,
                                                llvm::ArrayRef<Chip> chips,
                                                StringRef text,
                                                StringRef name) {
  const Chip *found =
      llvm::find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  if (found == chips.end())
    return llvm::createStringError("target '" + text + "': expected one of " +
                                   names(chips) + ", got '" + name + "'");
  return std::vector<Target>{{kind, found->name.str(), found->number, false}};
}

llvm::Expected<std::vector<Target>> rlscan::parseTarget(StringRef text) {
  auto [kind, chip] = text.split(':');
  if (text == "cpu")
    return std::vector<Target>{{Target::CPU, "x86-64", 1, false},
                               {Target::CPU, "x86-64-v3", 3, false}};
  if (kind == "cpu")
    return find(Target::CPU, levels, text, chip);
  if (text == "cuda" || text == "cuda:ptx")
    return std::vector<Target>{{Target::Cuda, "sm_75", 75, true}};
  if (kind == "cuda")
    return find(Target::Cuda, gpus, text, chip);
  if (kind == "hip")
    return llvm::createStringError("target '" + text +
                                   "': there is no backend for AMD's GPUs yet");
  return llvm::createStringError(
      "target '" + text +
      "': expected cpu, cpu:LEVEL, cuda:ptx or cuda:CHIP; "
      "--list-targets has them all");
}

void rlscan::listTargets(llvm::raw_ostream &out) {
  out << "cpu             cpu:x86-64 and cpu:x86-64-v3, chosen at run time\n";
  for (const Chip &level : levels)
    out << "cpu:" << llvm::left_justify(level.name, 12) << "code for level "
        << level.number << " of x86-64\n";
  out << "cuda:ptx        PTX that every GPU from sm_75 on compiles when it is "
         "loaded\n";
  for (const Chip &gpu : gpus)
    out << "cuda:" << llvm::left_justify(gpu.name, 11)
        << "PTX for it and later ones, and machine code where ptxas is found\n";
}
