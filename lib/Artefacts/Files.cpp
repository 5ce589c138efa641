//===- Files.cpp - What is written, all of it or nothing ------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Files.h"
#include "Artefacts/HostCode.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace rlscan;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

std::string rlscan::emitCode(llvm::Module &module, bool isText) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine({Target::CPU, "x86-64", 1, false});
  llvm::legacy::PassManager passes;
  bool failed =
      machine->addPassesToEmitFile(passes, out, nullptr,
                                   isText ? llvm::CodeGenFileType::AssemblyFile
                                          : llvm::CodeGenFileType::ObjectFile);
  assert(!failed && "x86-64 has objects");
  (void)failed;
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

Expected<std::string> rlscan::makeArchive(StringRef member, StringRef object) {
  llvm::NewArchiveMember entry(llvm::MemoryBufferRef(object, member));
  Expected<std::unique_ptr<llvm::MemoryBuffer>> archive =
      llvm::writeArchiveToBuffer(entry, llvm::SymtabWritingMode::NormalSymtab,
                                 llvm::object::Archive::K_GNU,
                                 /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return (*archive)->getBuffer().str();
}

static Error writeBytes(StringRef path, StringRef bytes) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << bytes;
    return Error::success();
  });
}

Expected<std::string> rlscan::linkShared(StringRef name, StringRef object) {
  llvm::ErrorOr<std::string> linker = llvm::sys::findProgramByName("cc");
  if (!linker)
    return llvm::createStringError(
        "a shared library needs 'cc', which is not in PATH: choose "
        "--emit=static or --emit=obj");
  llvm::SmallString<128> source, result;
  for (auto [suffix, path] : {std::pair("o", &source), {"so", &result}})
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("rlscan", suffix, *path))
      return llvm::createStringError(code, "cannot make a temporary file: " +
                                               code.message());
  llvm::FileRemover removeSource(source), removeResult(result);
  if (Error error = writeBytes(source, object))
    return error;
  std::string soname = ("-Wl,-soname," + name).str();
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      *linker,
      {*linker, "-shared", soname, source.str(), "-o", result.str(), "-lm"},
      std::nullopt, {}, 0, 0, &message);
  auto bytes = llvm::MemoryBuffer::getFile(result, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (status != 0 || !bytes)
    return llvm::createStringError("cc -shared failed for " + name + " " +
                                   message);
  return (*bytes)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Error rlscan::writeFiles(StringRef folder,
                         const std::vector<OutputFile> &files) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(code, "cannot make the folder '" + folder +
                                             "': " + code.message());
  for (const OutputFile &file : files) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file.name);
    if (Error error = writeBytes(path, file.bytes))
      return llvm::createStringError("cannot write '" + path +
                                     "': " + llvm::toString(std::move(error)));
  }
  return Error::success();
}

Error rlscan::writeOutput(StringRef path, StringRef bytes, bool isText) {
  if (path == "-" && !isText && llvm::sys::Process::StandardOutIsDisplayed())
    return llvm::createStringError(
        "bytes are not written to a terminal: name a file with -o");
  if (path == "-") {
    llvm::outs() << bytes;
    return Error::success();
  }
  if (Error error = writeBytes(path, bytes))
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  return Error::success();
}
