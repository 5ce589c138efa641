//===- Targets.cpp - What code is made for --------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Targets.h"
#include "KernelToBinary/ChipCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using llvm::StringRef;

static constexpr Chip levels[] = {
    {"x86-64", 1}, {"x86-64-v2", 2}, {"x86-64-v3", 3}, {"x86-64-v4", 4}};

StringRef Target::word(Kind kind) {
  return kind == CPU ? "cpu" : kind == Cuda ? "cuda" : "hip";
}

std::string Target::text() const { return (word(kind) + ":" + chip).str(); }

unsigned Target::lanes() const {
  return number >= 4 ? 16 : number == 3 ? 8 : 4;
}

static llvm::Expected<std::vector<Target>> find(Target::Kind kind,
                                                llvm::ArrayRef<Chip> chips,
                                                StringRef text,
                                                StringRef name) {
  const Chip *found =
      llvm::find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  if (found == chips.end())
    return llvm::createStringError("target '" + text + "': expected one of " +
                                   namesOf(chips) + ", got '" + name + "'");
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
    return find(Target::Cuda, chipsOfNVIDIA(), text, chip);
  if (text == "hip") {
    std::vector<Target> all;
    for (const Chip &gpu : chipsOfAMD())
      all.push_back({Target::Hip, gpu.name.str(), gpu.number, false});
    return all;
  }
  if (kind == "hip")
    return find(Target::Hip, chipsOfAMD(), text, chip);
  return llvm::createStringError(
      "target '" + text +
      "': expected cpu, cpu:LEVEL, cuda:ptx, cuda:CHIP, hip or hip:CHIP; "
      "--list-targets has them all");
}

void rlscan::listTargets(llvm::raw_ostream &out) {
  out << "cpu             cpu:x86-64 and cpu:x86-64-v3, chosen at run time\n";
  for (const Chip &level : levels)
    out << "cpu:" << llvm::left_justify(level.name, 12) << "code for level "
        << level.number << " of x86-64\n";
  out << "cuda:ptx        PTX that every GPU from sm_75 on compiles when it is "
         "loaded\n";
  for (const Chip &gpu : chipsOfNVIDIA())
    out << "cuda:" << llvm::left_justify(gpu.name, 11)
        << "PTX for it and later ones, and machine code where ptxas is found\n";
  out << "hip             every one of the following\n";
  for (const Chip &gpu : chipsOfAMD())
    out << "hip:" << llvm::left_justify(gpu.name, 12)
        << "a code object for it alone\n";
}
