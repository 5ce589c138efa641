//===- Fault.cpp - What is wrong with a kernel ----------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Simulator.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::sim;

char Fault::ID = 0;

/// FILE:LINE:COLUMN, or the location as it is.
static void print(llvm::raw_ostream &out, Location location) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    out << place.getFilename().getValue() << ':' << place.getLine() << ':'
        << place.getColumn();
  else
    out << location;
}

void Fault::log(llvm::raw_ostream &out) const {
  print(out, location);
  out << ": " << message;
  for (const Note &note : notes) {
    out << '\n';
    print(out, note.location);
    out << ": " << note.message;
  }
}

std::error_code Fault::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

void Fault::emit() const {
  InFlightDiagnostic diagnostic = emitError(location) << message;
  for (const Note &note : notes)
    diagnostic.attachNote(note.location) << note.message;
}
