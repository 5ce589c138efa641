//===- sim-test.cpp - Runs device functions in the simulator --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// sim-test [OPTIONS] FILE.mlir FUNCTION ARGUMENT...:
// runs one function of a file with the stage's IR that the simulator takes. An
// argument is
//
//   KIND:NAME:COUNT[xSTRIDE]  an array of f32, STRIDE elements apart; input,
//                             output, zeroed or scratch. Inputs hold 0, 1, ...
//   NUMBER                    an i64
//
// and options are --lanes=32|64, --workgroups=N, --resident=N, --order=SEED,
// --traffic. Prints what outputs hold then.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Simulator.h"
#include "rlscan/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::sim;
using llvm::StringRef;

namespace {

/// What the function is called with.
struct Arguments {
  std::vector<sim::Region> regions;
  std::vector<std::vector<float>> memory; // of the regions
  std::vector<uint64_t> bits;

  bool add(StringRef text);
  bool addArray(StringRef text);
};

struct Options {
  StringRef file, function;
  unsigned lanes = 32;
  LaunchOptions launch;
  bool traffic = false;
  Arguments arguments;

  bool parse(llvm::ArrayRef<char *> words);
  bool parseOption(StringRef word);
};

} // namespace

bool Arguments::addArray(StringRef text) {
  auto [kind, rest] = text.split(':');
  auto [name, size] = rest.split(':');
  auto [countText, strideText] = size.split('x');
  unsigned count, stride = 1;
  if (countText.getAsInteger(10, count) || count == 0 ||
      (!strideText.empty() && strideText.getAsInteger(10, stride)))
    return false;
  auto known = llvm::StringSwitch<std::optional<RegionKind>>(kind)
                   .Case("input", RegionKind::Input)
                   .Case("output", RegionKind::Output)
                   .Case("zeroed", RegionKind::Zeroed)
                   .Case("scratch", RegionKind::Scratch)
                   .Default(std::nullopt);
  if (!known)
    return false;
  std::vector<float> values((count - 1) * stride + 1);
  if (known == RegionKind::Input)
    for (unsigned i = 0; i < values.size(); ++i)
      values[i] = i;
  sim::Region region;
  region.kind = *known;
  region.name = name.str();
  region.bytes = values.size() * sizeof(float);
  if (stride > 1)
    for (unsigned i = 0; i < count; ++i)
      region.cells.addElement(i * stride);
  memory.push_back(std::move(values));
  placeRegion(region, regions.size(), 0);
  bits.push_back(region.address);
  regions.push_back(std::move(region));
  return true;
}

bool Arguments::add(StringRef text) {
  if (text.contains(':'))
    return addArray(text);
  int64_t number = 0;
  bool isNumber = !text.getAsInteger(10, number);
  bits.push_back(number);
  return isNumber;
}

bool Options::parseOption(StringRef word) {
  uint64_t seed;
  if (word == "--traffic")
    return traffic = true;
  if (word.consume_front("--lanes="))
    return !word.getAsInteger(10, lanes) && (lanes == 32 || lanes == 64);
  if (word.consume_front("--workgroups="))
    return !word.getAsInteger(10, launch.workgroups);
  if (word.consume_front("--resident="))
    return !word.getAsInteger(10, launch.resident);
  if (!word.consume_front("--order=") || word.getAsInteger(10, seed))
    return false;
  launch.seed = seed;
  return true;
}

bool Options::parse(llvm::ArrayRef<char *> words) {
  for (StringRef word : words) {
    if (word.starts_with("--")) {
      if (!parseOption(word))
        return false;
    } else if (file.empty())
      file = word;
    else if (function.empty())
      function = word;
    else if (!arguments.add(word))
      return false;
  }
  for (auto [region, values] :
       llvm::zip_equal(arguments.regions, arguments.memory))
    region.data = reinterpret_cast<char *>(values.data());
  return !function.empty();
}

static void printOutputs(const Arguments &arguments) {
  for (auto [region, values] :
       llvm::zip_equal(arguments.regions, arguments.memory)) {
    if (region.kind == RegionKind::Input)
      continue;
    llvm::outs() << region.name << ':';
    for (float value : values)
      llvm::outs() << llvm::format(" %.9g", value);
    llvm::outs() << '\n';
  }
}

static int run(mlir::ModuleOp module, Options &options) {
  mlir::gpu::GPUFuncOp function;
  module.walk([&](mlir::gpu::GPUFuncOp candidate) {
    if (candidate.getName() == options.function)
      function = candidate;
  });
  if (!function) {
    llvm::errs() << "no function '" << options.function << "'\n";
    return 2;
  }
  std::unique_ptr<Program> program = buildProgram(function, options.lanes);
  if (!program)
    return 1;
  if (program->arguments.size() != options.arguments.bits.size()) {
    llvm::errs() << "expected " << program->arguments.size() << " arguments\n";
    return 2;
  }
  llvm::Expected<Traffic> traffic =
      launch(*program, options.arguments.bits, options.arguments.regions,
             options.launch);
  if (!traffic) {
    llvm::handleAllErrors(traffic.takeError(),
                          [](const Fault &fault) { fault.emit(); });
    return 1;
  }
  printOutputs(options.arguments);
  if (options.traffic)
    traffic->print(llvm::outs());
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  if (!options.parse(llvm::ArrayRef(argv, argc).drop_front())) {
    llvm::errs() << "usage: sim-test [--lanes=32|64] [--workgroups=N] "
                    "[--resident=N] [--order=SEED] [--traffic] FILE.mlir "
                    "FUNCTION [KIND:NAME:COUNT[xSTRIDE] | NUMBER]...\n";
    return 2;
  }
  std::string message;
  auto file = mlir::openInputFile(options.file, &message);
  if (!file) {
    llvm::errs() << message << '\n';
    return 2;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  return module ? run(*module, options) : 1;
}
