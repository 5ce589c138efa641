//===- CommandLine.cpp - The options of rlscan-compile --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Artefacts/Reproducer.h"
#include "tools/OptionsOfLLVM.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::OptionCategory what("What is compiled");
static cl::OptionCategory how("What for");
static cl::OptionCategory made("What is made of it");

namespace {

/// Made in main(), once LLVM's own options are gone.
struct CommandLine {
  cl::list<std::string> recipes{
      cl::Positional, cl::desc("RECIPE.rls or @NAME ..."), cl::cat(what)};
  cl::opt<bool> listRecipes{"list-recipes", cl::cat(what),
                            cl::desc("Name the built-in recipes")};
  cl::list<std::string> targets{"target", cl::CommaSeparated, cl::cat(how),
                                cl::value_desc("cpu,cuda:sm_90,hip:gfx942,..."),
                                cl::desc("Where it runs (default: cpu)")};
  cl::opt<bool> listTargets{"list-targets", cl::cat(how),
                            cl::desc("Name the targets")};
  cl::list<std::string> io{
      "io", cl::CommaSeparated, cl::cat(how),
      cl::value_desc("f32,bf16,f32+NAME:bf16,..."),
      cl::desc("How calls store reals, and single arrays otherwise (default: "
               "f32); f64 computes in f64")};
  cl::list<std::string> layouts{
      "layout", cl::CommaSeparated, cl::cat(how),
      cl::value_desc("nt,tn,strided,any"),
      cl::desc("Memory orders: the steps of a row together, the rows of a step "
               "together, others (default: any, all of them)")};
  cl::list<std::string> present{
      "present", cl::CommaSeparated, cl::cat(how),
      cl::value_desc("none,A+B,...,all"),
      cl::desc("Optional arrays that calls give (default: all choices)")};
  cl::list<std::string> rows{
      "rows", cl::CommaSeparated, cl::cat(how),
      cl::value_desc("full,lengths,packed"),
      cl::desc("Rows of calls: as long as the window, with the lengths that a "
               "call gives, or packed one after the other (default: full)")};
  cl::list<std::string> arrays{
      "arrays", cl::CommaSeparated, cl::cat(how),
      cl::value_desc("NAME:row,NAME:step,..."),
      cl::desc("Params that calls give as arrays, one value a row or a row and "
               "step (default: one number each)")};
  cl::list<std::string> shapes{
      "shape", cl::CommaSeparated, cl::cat(how), cl::value_desc("4096x128,..."),
      cl::desc("Rows and steps of calls that GPU kernels are scheduled for "
               "(default: all sizes)")};
  cl::list<std::string> entries{
      "entries", cl::CommaSeparated, cl::cat(how), cl::value_desc("4,18,..."),
      cl::desc("Sizes of axes that GPU kernels are made for, beside those for "
               "any (default: none)")};
  cl::opt<std::string> schedule{
      "schedule", cl::value_desc("v4_l32_g1_r4_loop_a4"), cl::cat(how),
      cl::desc("How a GPU splits the work (default: one for each shape)")};
  cl::opt<std::string> ptxas{
      "ptxas", cl::init("auto"), cl::value_desc("PATH|auto|none"), cl::cat(how),
      cl::desc("NVIDIA's assembler, for machine code beside PTX (default: as "
               "found in PATH)")};
  cl::list<std::string> emit{
      "emit", cl::CommaSeparated, cl::cat(made),
      cl::value_desc("static,shared,obj,header,manifest"),
      cl::desc("Files of each estimator (default: static,header,manifest); or "
               "one stage of the first kind of call: mlir, coefficients, "
               "sweeps, tiles, gpu, llvm, asm, ptx, cubin, hsaco")};
  cl::opt<std::string> output{
      "o", cl::value_desc("DIR or FILE"), cl::cat(made),
      cl::desc("The folder; of a stage, the file, or - (default)")};
  cl::opt<std::string> prefix{
      "prefix", cl::init("rlscan"), cl::value_desc("NAME"), cl::cat(made),
      cl::desc("What names begin with, PREFIX_ESTIMATOR (default: rlscan)")};
  cl::opt<std::string> dumpStages{
      "dump-stages", cl::value_desc("DIR"), cl::cat(made),
      cl::desc(
          "Write every stage of the first kind of call to numbered files")};
  cl::opt<bool> failInternally{"fail-internally", cl::cat(made), cl::Hidden};
};

} // namespace

/// Prints what is wrong with the command line.
static bool usage(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "; see rlscan-compile --help\n";
  return false;
}

static bool usage(llvm::Error error) {
  return usage(llvm::toString(std::move(error)));
}

//===----------------------------------------------------------------------===//
// What for
//===----------------------------------------------------------------------===//

static bool parseTargets(const CommandLine &line, CompileOptions &options) {
  std::vector<std::string> items(line.targets.begin(), line.targets.end());
  if (items.empty())
    items.push_back("cpu");
  for (const std::string &item : items) {
    Expected<std::vector<Target>> targets = parseTarget(item);
    if (!targets)
      return usage(targets.takeError());
    for (const Target &target : *targets)
      if (llvm::none_of(options.targets, [&](const Target &other) {
            return other.text() == target.text();
          }))
        options.targets.push_back(target);
  }
  return true;
}

static bool parseCalls(const CommandLine &line, CallChoice &calls) {
  for (const std::string &item : line.io) {
    Expected<Storing> storing = parseStoring(item);
    if (!storing)
      return usage(storing.takeError());
    calls.storings.push_back(*storing);
  }
  if (calls.storings.empty())
    calls.storings.push_back({"f32", {}});
  for (StringRef item : line.layouts) {
    if (item == "any")
      continue;
    Expected<Layout> layout = parseLayout(item);
    if (!layout)
      return usage(layout.takeError());
    calls.layouts.push_back(*layout);
  }
  if (calls.layouts.empty() || llvm::is_contained(line.layouts, "any"))
    calls.layouts = {Layout::Steps, Layout::Rows, Layout::Strided};
  calls.present.assign(line.present.begin(), line.present.end());
  if (calls.present.empty())
    calls.present.push_back("all");
  return true;
}

static bool parseRows(const CommandLine &line, RowChoice &rows) {
  if (!line.rows.empty())
    rows.full = false;
  for (const std::string &item : line.rows) {
    bool *wanted = item == "full"      ? &rows.full
                   : item == "lengths" ? &rows.lengths
                   : item == "packed"  ? &rows.packed
                                       : nullptr;
    if (!wanted)
      return usage("--rows=" + item + ": expected full, lengths or packed");
    *wanted = true;
  }
  return true;
}

static bool parseArrays(const CommandLine &line,
                        std::vector<ArrayParam> &arrays) {
  for (StringRef item : line.arrays) {
    auto [name, word] = item.split(':');
    if (name.empty() || (word != "row" && word != "step"))
      return usage("--arrays=" + item + ": expected NAME:row or NAME:step");
    arrays.push_back(
        {name.str(), word == "row" ? InputKind::Row : InputKind::Step});
  }
  return true;
}

static bool parseShape(StringRef text, rlscan_shape &shape) {
  auto [rows, steps] = text.split('x');
  return !rows.getAsInteger(10, shape.rows) &&
         !steps.getAsInteger(10, shape.steps) && shape.rows > 0 &&
         shape.steps > 0;
}

static bool parseDevice(const CommandLine &line, DeviceOptions &options) {
  options.schedule = line.schedule;
  for (const std::string &item : line.shapes) {
    rlscan_shape shape;
    if (!parseShape(item, shape))
      return usage("--shape=" + item + ": expected ROWSxSTEPS");
    options.shapes.push_back(shape);
  }
  for (const std::string &item : line.entries) {
    unsigned number = 0;
    if (StringRef(item).getAsInteger(10, number) || number == 0)
      return usage("--entries=" + item + ": expected a whole number from 1 on");
    options.entries.push_back(number);
  }
  if (line.ptxas == "none")
    return true;
  if (line.ptxas != "auto") {
    options.ptxas = line.ptxas;
    return true;
  }
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    options.ptxas = *found;
  return true;
}

//===----------------------------------------------------------------------===//
// What is made
//===----------------------------------------------------------------------===//

static bool parseFile(StringRef word, Emission &emission) {
  bool *wanted = word == "static"     ? &emission.library
                 : word == "shared"   ? &emission.shared
                 : word == "obj"      ? &emission.object
                 : word == "header"   ? &emission.header
                 : word == "manifest" ? &emission.manifest
                                      : nullptr;
  if (wanted)
    *wanted = true;
  return wanted != nullptr;
}

static bool parseEmission(const CommandLine &line,
                          CommandLineOptions &options) {
  Emission &emission = options.compile.emission;
  if (line.emit.empty())
    emission.library = emission.header = emission.manifest = true;
  for (StringRef word : line.emit) {
    if (parseFile(word, emission))
      continue;
    options.stage = parseStage(word);
    if (!options.stage)
      return usage("--emit=" + word +
                   ": expected static, shared, obj, header or manifest, or one "
                   "of mlir, coefficients, sweeps, tiles, gpu, llvm, asm, ptx, "
                   "cubin and hsaco");
    if (line.emit.size() > 1)
      return usage("--emit=" + word + ": a stage is emitted alone");
  }
  options.output = line.output;
  options.dumpFolder = line.dumpStages;
  if (options.stage && options.output.empty())
    options.output = "-";
  if (!options.stage && (options.output.empty() || options.output == "-"))
    return usage("expected a folder, -o DIR, for the files");
  return true;
}

static bool isName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static bool parse(const CommandLine &line, CommandLineOptions &options) {
  if (line.listRecipes || line.listTargets) {
    if (line.listRecipes)
      for (const auto &[name, text] : builtinRecipes())
        llvm::outs()
            << llvm::left_justify(name, 22)
            << text.take_until([](char c) { return c == '\n'; }).ltrim("# ")
            << '\n';
    if (line.listTargets)
      listTargets(llvm::outs());
    options.isList = true;
    return true;
  }
  if (line.recipes.empty())
    return usage("no recipe");
  options.recipes.assign(line.recipes.begin(), line.recipes.end());
  options.compile.prefix = line.prefix;
  if (!isName(line.prefix))
    return usage("--prefix=" + line.prefix +
                 ": expected letters, digits and '_'");
  if (line.failInternally)
    failInternally();
  return parseTargets(line, options.compile) &&
         parseCalls(line, options.compile.calls) &&
         parseRows(line, options.rows) && parseArrays(line, options.arrays) &&
         parseDevice(line, options.compile.device) &&
         parseEmission(line, options);
}

std::optional<CommandLineOptions> rlscan::parseCommandLine(int argc,
                                                           char **argv) {
  removeOptionsOfLLVM();
  // Never destroyed: LLVM keeps the addresses, and its linker resets them.
  CommandLine &line = *new CommandLine;
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "rlscan-compile " RLSCAN_VERSION " (LLVM " LLVM_VERSION_STRING
           ", interface "
        << RLSCAN_ABI_VERSION << ", PTX 6.3 to 9.0)\n";
  });
  CommandLineOptions options;
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles recipes to libraries for C\n", &llvm::errs()) ||
      !parse(line, options))
    return std::nullopt;
  return options;
}
