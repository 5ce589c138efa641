//===- Files.h - What is written, all of it or nothing ----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ARTEFACTS_FILES_H
#define RLSCAN_ARTEFACTS_FILES_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rlscan {

/// A file that is still in memory.
struct OutputFile {
  std::string name, bytes;
};

/// Machine code of a module, or its assembly text.
std::string emitCode(llvm::Module &module, bool isText);

/// An archive with one member.
llvm::Expected<std::string> makeArchive(llvm::StringRef member,
                                        llvm::StringRef object);

/// A shared library, made by the system's `cc`. What it needs of the runtime
/// stays open.
llvm::Expected<std::string> linkShared(llvm::StringRef name,
                                       llvm::StringRef object);

/// Writes all files into a folder, which is made if it is not there. Each is
/// written beside its place and then moved.
llvm::Error writeFiles(llvm::StringRef folder,
                       const std::vector<OutputFile> &files);

/// Writes text or bytes to a file or, for `-`, to the standard output, but no
/// bytes to a terminal.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef bytes,
                        bool isText);

} // namespace rlscan

#endif // RLSCAN_ARTEFACTS_FILES_H
