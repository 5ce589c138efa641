//===- CommandLine.cpp - The options of rlscan-run ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "tools/OptionsOfLLVM.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::OptionCategory category("rlscan-run options");

namespace {

/// Made in main(), once LLVM's own options are gone.
struct CommandLine {
  cl::opt<std::string> recipe{cl::Positional, cl::Required,
                              cl::desc("RECIPE.rls"), cl::cat(category)};
  cl::opt<std::string> inputs{
      "inputs", cl::value_desc("X.npz"), cl::cat(category),
      cl::desc("Arrays with the names of the recipe, params among them")};
  cl::list<std::string> inputFiles{
      "input", cl::value_desc("NAME=x.npy"), cl::cat(category),
      cl::desc("One array; may be given several times")};
  cl::list<std::string> params{
      "param", cl::value_desc("NAME=value"), cl::cat(category),
      cl::desc("A param: a number, true or false; several times")};
  cl::opt<std::string> outputs{"outputs", cl::value_desc("Y.npz"),
                               cl::cat(category),
                               cl::desc("Where to write the results")};
  cl::opt<std::string> estimator{
      "estimator", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("Which estimator, where the recipe has several")};
  cl::opt<std::string> target{"target", cl::init("cpu"),
                              cl::value_desc("cpu|cuda|hip|sim|sim:wave64"),
                              cl::cat(category),
                              cl::desc("Where to run (default: cpu); sim "
                                       "executes a GPU's kernel on the CPU "
                                       "and reports its faults")};
  cl::opt<std::string> schedule{
      "schedule", cl::value_desc("v4_l32_g1_r4_loop_a4"), cl::cat(category),
      cl::desc("How a GPU splits the work (default: chosen by the shape)")};
  cl::opt<std::string> order{
      "order", cl::value_desc("SEED"), cl::cat(category),
      cl::desc("Simulator: run workgroups in an order that the seed chooses "
               "(default: in the order of their numbers)")};
  cl::opt<int64_t> resident{
      "resident", cl::value_desc("K"), cl::init(0), cl::cat(category),
      cl::desc("Simulator: workgroups that are there at a time (default: 4)")};
  cl::opt<bool> traffic{"traffic", cl::cat(category),
                        cl::desc("Simulator: print what the kernel moved")};
  cl::opt<std::string> layout{
      "layout", cl::init("given"), cl::value_desc("nt|tn|given"),
      cl::cat(category),
      cl::desc("Memory order of inputs and results: nt keeps the steps of a "
               "row together, tn the rows of a step (default: as stored)")};
  cl::opt<std::string> dtype{
      "dtype", cl::value_desc("f32|f64|bf16|f16"), cl::cat(category),
      cl::desc("Type of arrays of reals and of results; f64 computes in f64, "
               "all others in f32 (default: as stored, computes in f32)")};
  cl::opt<unsigned> threads{"threads", cl::value_desc("K"), cl::init(0),
                            cl::cat(category),
                            cl::desc("Number of threads (default: all)")};
  cl::opt<bool> check{
      "check", cl::cat(category),
      cl::desc("Compare with the serial float64 reference: print the largest "
               "errors, fail past the tolerance")};
  cl::opt<bool> bench{
      "bench", cl::cat(category),
      cl::desc("Print the median time, and that of a plain copy")};
  cl::opt<bool> printCoefficients{
      "print-coefficients", cl::cat(category),
      cl::desc("Print alpha and beta of each recurrence; needs no inputs")};
};

} // namespace

/// Prints what is wrong with the command line.
static bool usage(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "; see rlscan-run --help\n";
  return false;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Splits `NAME=value` options. No name may be given twice: which one counts
/// would be a guess.
static bool split(const cl::list<std::string> &list, llvm::StringSet<> &names,
                  Pairs &pairs) {
  for (StringRef text : list) {
    auto [name, value] = text.split('=');
    if (name.empty() || value.empty())
      return usage("--" + list.ArgStr + " " + text + ": expected " +
                   list.ValueStr);
    if (!names.insert(name).second)
      return usage("--" + list.ArgStr + " " + text + ": '" + name +
                   "' is given twice");
    pairs.emplace_back(name, value);
  }
  return true;
}

/// The target, and the options that only some have.
static bool parseTarget(const CommandLine &line, RunOptions &options) {
  auto target = llvm::StringSwitch<int32_t>(line.target)
                    .Case("cuda", RLSCAN_TARGET_CUDA)
                    .Case("hip", RLSCAN_TARGET_HIP)
                    .Default(RLSCAN_TARGET_CPU);
  options.target = target;
  options.simulated = SimDevice::parse(line.target);
  bool isOnCPU = target == RLSCAN_TARGET_CPU && !options.simulated;
  if (isOnCPU && line.target != "cpu")
    return usage("--target=" + line.target +
                 ": expected cpu, cuda, hip, sim or sim:wave64");
  if (isOnCPU && !line.schedule.empty())
    return usage("--schedule=" + line.schedule +
                 ": needs --target=cuda, hip or sim");
  bool isSimulated = options.simulated.has_value();
  if (!isSimulated && (!line.order.empty() || line.resident || line.traffic))
    return usage("--order, --resident and --traffic need --target=sim");
  if (isSimulated && line.bench)
    return usage("--bench: the simulator says nothing about time");
  uint64_t seed = 0;
  if (!line.order.empty()) {
    if (StringRef(line.order).getAsInteger(10, seed))
      return usage("--order=" + line.order + ": expected a number");
    options.order = seed;
  }
  if (line.resident < 0)
    return usage("--resident=" + llvm::Twine(line.resident) +
                 ": expected at least 1");
  if (line.resident)
    options.simulated->residentWorkgroups = line.resident;
  options.traffic = line.traffic;
  return true;
}

/// Options whose value is one of a few words.
static bool parseWords(const CommandLine &line, RunOptions &options) {
  if (!parseTarget(line, options))
    return false;
  if (line.layout == "nt" || line.layout == "tn")
    options.layout = line.layout == "nt" ? Layout::Steps : Layout::Rows;
  else if (line.layout != "given")
    return usage("--layout=" + line.layout + ": expected nt, tn or given");
  if (line.dtype.empty())
    return true;
  options.dtype = llvm::StringSwitch<std::optional<DType>>(line.dtype)
                      .Case("f32", DType::F32)
                      .Case("f64", DType::F64)
                      .Case("bf16", DType::BF16)
                      .Case("f16", DType::F16)
                      .Default(std::nullopt);
  if (!options.dtype)
    return usage("--dtype=" + line.dtype + ": expected f32, f64, bf16 or f16");
  return true;
}

static bool parse(const CommandLine &line, RunOptions &options) {
  constexpr unsigned mostThreads = 1024;
  if (line.threads > mostThreads)
    return usage("--threads=" + llvm::Twine(line.threads) +
                 ": expected at most " + llvm::Twine(mostThreads));
  options.recipe = line.recipe;
  options.estimator = line.estimator;
  options.inputs = line.inputs;
  options.outputs = line.outputs;
  options.schedule = line.schedule;
  options.threads = line.threads;
  options.check = line.check;
  options.bench = line.bench;
  options.printCoefficients = line.printCoefficients;
  llvm::StringSet<> names;
  return parseWords(line, options) &&
         split(line.inputFiles, names, options.inputFiles) &&
         split(line.params, names, options.params);
}

std::optional<RunOptions> rlscan::parseCommandLine(int argc, char **argv) {
  removeOptionsOfLLVM();
  // Never destroyed: LLVM keeps the addresses, and its linker resets them.
  CommandLine &line = *new CommandLine;
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "rlscan-run " RLSCAN_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  RunOptions options;
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles a recipe for this machine and runs it\n",
          &llvm::errs()) ||
      !parse(line, options))
    return std::nullopt;
  return options;
}
