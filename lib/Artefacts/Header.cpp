//===- Header.cpp - The C header of a compiled estimator ------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Library.h"
#include "RecipeToRecurrence/RowInputs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace rlscan;

namespace {

/// Writes the header of one estimator.
class HeaderWriter {
public:
  HeaderWriter(const CompiledEstimator &compiled, llvm::raw_ostream &out)
      : symbol(compiled.symbol), recipe(compiled.recipe),
        estimator(compiled.estimator), args(compiled.estimator), out(out) {}

  void write();

private:
  void writeStruct();
  void writeMember(unsigned index);
  void writeInit();
  void writeFunctions();

  StringRef symbol, recipe;
  EstimatorOp estimator;
  ArgsStruct args;
  llvm::raw_ostream &out;
};

} // namespace

static StringRef signalWord(Type signal) {
  if (signal.isInteger(1))
    return "flag";
  return isa<IndexType>(signal) ? "index" : "real";
}

static StringRef numberType(Type signal) {
  if (signal.isInteger(1))
    return "int32_t";
  return isa<IndexType>(signal) ? "int64_t" : "double";
}

/// The fewest digits that are this number.
static std::string shortest(double number) {
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, number);
    if (std::strtod(text, nullptr) == number)
      break;
  }
  return text;
}

/// What INIT gives a param: its default, or what stands for none.
static std::string initialNumber(InputAttr input, Type signal) {
  Attribute value = input.getDefaultValue();
  if (auto number = dyn_cast_if_present<FloatAttr>(value)) {
    std::string text = shortest(number.getValueAsDouble());
    bool isWhole = text.find_first_not_of("-0123456789") == std::string::npos;
    return isWhole ? text + ".0" : text;
  }
  if (auto flag = dyn_cast_if_present<BoolAttr>(value))
    return flag.getValue() ? "1" : "0";
  if (auto index = dyn_cast_if_present<IntegerAttr>(value))
    return std::to_string(index.getInt());
  if (signal.isInteger(1))
    return "INT32_MIN";
  return isa<IndexType>(signal) ? "INT64_MIN" : "(0.0 / 0.0)";
}

static std::string shapeOf(EstimatorOp estimator, unsigned index) {
  bool isRow = index < estimator.getNumArguments() &&
               estimator.getInput(index).getKind() == InputKind::Row;
  if (isRow)
    return estimator.getInput(index).getName() == boundsName ? "[rows + 1]"
                                                             : "[rows]";
  bool hasExtra = index < estimator.getNumArguments() &&
                  estimator.getInput(index).getExtraSteps() > 0;
  if (hasExtra)
    return "[rows, steps + 1]";
  StringRef axis = axisName(estimator, index);
  return axis.empty() ? "[rows, steps]" : ("[rows, steps, " + axis + "]").str();
}

void HeaderWriter::writeMember(unsigned index) {
  const ArgsMember &member = args.members[index];
  Type signal = signalType(estimator, index);
  bool isResult = index >= estimator.getNumArguments();
  InputAttr input = isResult ? InputAttr() : estimator.getInput(index);
  if (member.numberOffset >= 0) {
    out << "  " << numberType(signal) << ' ' << member.numberName << "; /* "
        << (input.isOptional() ? "default " + initialNumber(input, signal)
                               : std::string("to be set"))
        << " */\n"
        << "  rlscan_tensor " << member.name
        << "; /* where it is instead, if it lies in memory */\n";
    return;
  }
  out << "  rlscan_tensor " << member.name << "; /* "
      << shapeOf(estimator, index) << ", " << signalWord(signal)
      << (isResult             ? ", result"
          : input.isOptional() ? ", optional"
                               : "")
      << " */\n";
}

void HeaderWriter::writeStruct() {
  out << "typedef struct " << symbol << "_args {\n"
      << "  size_t size;            /* of the struct, from the INIT macro */\n"
         "  int32_t device;         /* RLSCAN_DEVICE_AUTO, or where to run */\n"
         "  int32_t reserved;\n"
         "  void *workspace;        /* see "
      << symbol << "_workspace_size */\n"
      << "  size_t workspace_size;  /* in bytes */\n"
         "  const rlscan_parallel *parallel; /* on the CPU; null: "
         "rlscan_threads */\n";
  for (unsigned i = 0; i < args.members.size(); ++i)
    writeMember(i);
  out << "} " << symbol << "_args;\n\n"
      << "typedef char " << symbol << "_args_have_their_size[sizeof(" << symbol
      << "_args) == " << args.size << " ? 1 : -1];\n\n";
}

void HeaderWriter::writeInit() {
  out << "#define " << symbol.upper() << "_ARGS_INIT \\\n  {sizeof(" << symbol
      << "_args), RLSCAN_DEVICE_AUTO, 0, 0, 0, 0";
  for (auto [i, member] : llvm::enumerate(args.members)) {
    if (member.numberOffset >= 0)
      out << ", \\\n   "
          << initialNumber(estimator.getInput(i), signalType(estimator, i));
    out << ", \\\n   RLSCAN_NO_TENSOR";
  }
  out << "}\n\n";
}

void HeaderWriter::writeFunctions() {
  auto declare = [&](StringRef comment, StringRef name, StringRef parameters) {
    out << comment << "rlscan_status " << symbol << '_' << name << '('
        << parameters << ");\n\n";
  };
  std::string args = (symbol + "_args").str();
  declare("/* Loads all code for a GPU, or checks that there is some for the "
          "CPU\n   (RLSCAN_DEVICE_CPU). Launches may then be captured. */\n",
          "prepare", "int32_t device");
  declare("/* Loads what a call like this one needs. */\n", "prepare_for",
          "const " + args + " *args, int32_t device");
  declare(
      "/* Computes the results: on a GPU queued on the stream (a CUstream or\n"
      "   hipStream_t), on the CPU done on return, with a null stream. */\n",
      "launch", "const " + args + " *args, void *stream");
  declare("/* The workspace with which the call is fastest; often 0. On a GPU "
          "it is zeroed\n   once, and belongs to one stream at a time. */\n",
          "workspace_size", "const " + args + " *args, size_t *size");
  declare("/* Unloads the code from all GPUs; no launch may be under way. */\n",
          "release", "void");
}

void HeaderWriter::write() {
  std::string guard = symbol.upper() + "_H";
  out << "/* " << symbol << ".h - made by rlscan-compile from " << recipe
      << "; do not edit.\n   The guide is docs/linking.md of rlscan. */\n\n"
      << "#ifndef " << guard << "\n#define " << guard << "\n\n"
      << "#include \"rlscan/runtime.h\"\n\n"
         "#if RLSCAN_ABI_VERSION != "
      << RLSCAN_ABI_VERSION
      << "\n#error \"made for another version of rlscan/runtime.h\"\n#endif\n\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  writeStruct();
  writeInit();
  writeFunctions();
  out << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}

std::string rlscan::writeHeader(const CompiledEstimator &compiled) {
  std::string text;
  llvm::raw_string_ostream out(text);
  HeaderWriter(compiled, out).write();
  return text;
}
