//===- LinkCodeObjects.cpp - AMD's assembly to code objects ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Passes.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

namespace rlscan {
#define GEN_PASS_DEF_LINKCODEOBJECTS
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

/// The linker keeps its state in one place for the whole process.
static Error link(StringRef object, StringRef result) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string from = object.str(), to = result.str(), message;
  const char *arguments[] = {"ld.lld", "-shared", from.c_str(), "-o",
                             to.c_str()};
  llvm::raw_string_ostream messages(message);
  bool isLinked = lld::elf::link(arguments, messages, messages,
                                 /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (isLinked)
    return Error::success();
  return llvm::createStringError(message);
}

/// What is linked from one object; both are files for the time being.
static Expected<std::string> linkObject(ArrayRef<char> object) {
  SmallString<128> source, result;
  for (auto [suffix, path] : {std::pair("o", &source), {"hsaco", &result}})
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("rlscan", suffix, *path))
      return llvm::createStringError(code, "cannot make a temporary file: " +
                                               code.message());
  llvm::FileRemover removeSource(source), removeResult(result);
  if (Error error = llvm::writeToOutput(source, [&](llvm::raw_ostream &out) {
        out << StringRef(object.data(), object.size());
        return Error::success();
      }))
    return error;
  if (Error error = link(source, result))
    return error;
  auto bytes = llvm::MemoryBuffer::getFile(result, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes)
    return llvm::errorCodeToError(bytes.getError());
  return (*bytes)->getBuffer().str();
}

namespace {
struct LinkCodeObjects : rlscan::impl::LinkCodeObjectsBase<LinkCodeObjects> {
  void runOnOperation() override {
    ROCDL::SerializeGPUModuleBase::init();
    getOperation().walk([&](gpu::BinaryOp binary) {
      SmallVector<Attribute> objects;
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
        gpu::ObjectAttr linked = linkObject(binary, object);
        if (!linked)
          return signalPassFailure();
        objects.push_back(linked);
      }
      binary.setObjectsAttr(ArrayAttr::get(&getContext(), objects));
    });
  }

  /// Objects that are no assembly of AMD's stay as they are. Null after an
  /// error.
  gpu::ObjectAttr linkObject(gpu::BinaryOp binary, gpu::ObjectAttr object) {
    auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(object.getTarget());
    if (!target || object.getFormat() != gpu::CompilationTarget::Assembly)
      return object;
    auto assembled = ROCDL::assembleIsa(
        object.getObject().getValue(), target.getTriple(), target.getChip(),
        target.getFeatures(), [&] { return binary.emitError(); });
    if (failed(assembled))
      return {};
    Expected<std::string> linked = ::linkObject(*assembled);
    if (!linked) {
      binary.emitError("cannot link a code object: ")
          << llvm::toString(linked.takeError());
      return {};
    }
    return gpu::ObjectAttr::get(&getContext(), target,
                                gpu::CompilationTarget::Binary,
                                StringAttr::get(&getContext(), *linked),
                                object.getProperties(), object.getKernels());
  }
};
} // namespace
