//===- mutant-test.cpp - What is not affine is refused at its place -------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mutant-test [--count=N] [--seed=N] [--print]: makes one fault in each of N
// random recipes. The first message has to be the one that is expected, at the
// line and column of the fault and with a note that says what to do; the same
// recipe with something affine in that place has to be taken. --print shows
// the mutant and the twin.
//
//===----------------------------------------------------------------------===//

#include "MutantGenerator.h"
#include "rlscan/Passes.h"
#include "rlscan/Pipelines.h"
#include "rlscan/Recipe.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::StringRef;

namespace {
struct Message {
  unsigned line = 0, column = 0;
  std::string text;
  bool hasNote = false;
};
} // namespace

static Message read(mlir::Diagnostic &diagnostic) {
  Message message;
  message.text = diagnostic.str();
  auto notes = diagnostic.getNotes();
  message.hasNote = notes.begin() != notes.end();
  if (auto place =
          diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
    message.line = place.getLine();
    message.column = place.getColumn();
  }
  return message;
}

/// Imports the recipe and derives its coefficients; the errors, in order.
static std::vector<Message> compile(StringRef text, bool &isTaken) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<Message> errors;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          errors.push_back(read(diagnostic));
        return mlir::success();
      });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "mutant.rls"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = importRecipe(sources, &context);
  isTaken = static_cast<bool>(module);
  if (!module)
    return errors;
  mlir::PassManager passes(&context);
  buildToScansPipeline(passes);
  isTaken = succeeded(passes.run(*module));
  return errors;
}

/// What is wrong, or nothing.
static std::string checkMutant(const Mutant &mutant) {
  bool isTaken = false;
  std::vector<Message> errors = compile(mutant.text, isTaken);
  if (isTaken)
    return "taken";
  if (errors.empty())
    return "refused without a message";
  std::string problem;
  llvm::raw_string_ostream out(problem);
  const Message &first = errors.front();
  bool isThere = first.line == mutant.line && first.column == mutant.column;
  bool isExpected = StringRef(first.text).contains(mutant.message);
  if (!isThere || !isExpected)
    out << "expected '" << mutant.message << "' at " << mutant.line << ':'
        << mutant.column << ", got '" << first.text << "' at " << first.line
        << ':' << first.column;
  else if (!first.hasNote)
    out << "'" << first.text << "' has no note";
  else if (errors.size() > 1)
    out << "a second message: '" << errors[1].text << "' at " << errors[1].line
        << ':' << errors[1].column;
  return problem;
}

static std::string checkTwin(StringRef text) {
  bool isTaken = false;
  std::vector<Message> errors = compile(text, isTaken);
  if (isTaken)
    return {};
  return "the twin is refused: " +
         (errors.empty() ? "no message" : errors.front().text);
}

static bool runSeed(uint64_t seed, bool prints, llvm::StringMap<int> &kinds) {
  Mutant mutant = generateMutant(seed);
  std::string twin = generateTwin(seed);
  ++kinds[mutant.kind];
  if (prints)
    llvm::outs() << mutant.kind << " at " << mutant.line << ':' << mutant.column
                 << '\n'
                 << mutant.text << "twin\n"
                 << twin;
  std::string text = mutant.text, problem = checkMutant(mutant);
  if (problem.empty()) {
    text = twin;
    problem = checkTwin(twin);
  }
  if (problem.empty())
    return true;
  llvm::outs() << "FAIL: " << mutant.kind << ": " << problem
               << "\n  replay: mutant-test --count=1 --seed=" << seed << '\n'
               << text;
  return false;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  uint64_t count = 100, seed = 1;
  bool prints = false;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    bool isGood =
        argument.consume_front("--count=")  ? !argument.getAsInteger(10, count)
        : argument.consume_front("--seed=") ? !argument.getAsInteger(10, seed)
                                            : (prints = argument == "--print");
    if (isGood)
      continue;
    llvm::errs() << "usage: mutant-test [--count=N] [--seed=N] [--print]\n";
    return 2;
  }
  uint64_t failures = 0;
  llvm::StringMap<int> kinds;
  for (uint64_t i = 0; i < count; ++i)
    failures += !runSeed(seed + i, prints, kinds);
  llvm::outs() << count << " mutants of " << kinds.size() << " kinds, " << count
               << " twins, " << failures << " failures\n";
  return failures != 0;
}
