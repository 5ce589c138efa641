//===- device-bench.cpp - Many shapes and schedules on one GPU ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// device-bench PLAN: times each line of a plan,
//
//   RECIPE ROWSxSTEPS nt|tn REAL FLAG PRESENT [SCHEDULE...]
//
// beside a kernel that only moves the same bytes. REAL and FLAG are dtypes
// (f32, bf16; f32, u8), PRESENT the optional inputs that are given, such as
// truncated+bootstrap, or -. With lengths among them rows have from 1 to all
// steps; with cu_seqlens, ROWS 1 and so many tokens as STEPS, there are packed
// rows of 16 to 32768, of any order of magnitude as often. Without schedules
// the compiler chooses. A line that begins with # is a comment.
//
//===----------------------------------------------------------------------===//

#include "Execution/DeviceBench.h"
#include "Execution/DeviceCall.h"
#include "RecipeToRecurrence/Parser.h"
#include "RecipeToRecurrence/RowInputs.h"
#include "rlscan/Recipe.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <random>

using namespace rlscan;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// One line of the plan.
struct Line {
  std::string recipe;
  int64_t rows = 0, steps = 0;
  bool isTimeMajor = false;
  DType real = DType::F32, flag = DType::F32;
  std::vector<std::string> present, schedules;
  int64_t axisSize = 4;
  std::vector<int64_t> bounds; // of packed rows

  bool has(StringRef name) const { return llvm::is_contained(present, name); }
  /// What [rows] are in the call.
  int64_t givenRows() const {
    return bounds.empty() ? rows : static_cast<int64_t>(bounds.size()) - 1;
  }
};

} // namespace

static DType dtypeOf(StringRef word) {
  for (DType dtype : {DType::F32, DType::F64, DType::BF16, DType::F16,
                      DType::Bool, DType::U8, DType::I32, DType::I64})
    if (spelling(dtype) == word)
      return dtype;
  llvm::reportFatalUsageError("unknown dtype '" + word + "'");
}

/// Where rows begin and end that have so many tokens together.
static std::vector<int64_t> packedBounds(int64_t tokens) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> bits(4.0, 15.0);
  std::vector<int64_t> bounds = {0};
  while (bounds.back() < tokens)
    bounds.push_back(std::min<int64_t>(
        tokens, bounds.back() + std::llround(std::exp2(bits(random)))));
  return bounds;
}

static Line parseLine(StringRef text) {
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.size() < 6)
    llvm::reportFatalUsageError("too few words in '" + text + "'");
  Line line;
  auto [recipe, axis] = words[0].split('/');
  line.recipe = recipe;
  if (!axis.empty())
    axis.getAsInteger(10, line.axisSize);
  auto [rows, steps] = words[1].split('x');
  rows.getAsInteger(10, line.rows);
  steps.getAsInteger(10, line.steps);
  line.isTimeMajor = words[2] == "tn";
  line.real = dtypeOf(words[3]);
  line.flag = dtypeOf(words[4]);
  llvm::SmallVector<StringRef> present;
  if (words[5] != "-")
    words[5].split(present, '+');
  for (StringRef name : present)
    line.present.push_back(name.str());
  if (line.has(boundsName))
    line.bounds = packedBounds(line.steps);
  for (StringRef schedule : llvm::ArrayRef(words).drop_front(6))
    line.schedules.push_back(schedule.str());
  return line;
}

/// Fills memory with a pattern of numbers between 0 and 1, or of flags of which
/// one in 64 is set.
static void fill(Tensor &tensor, bool isFlag, bool isIndex, int64_t axisSize,
                 unsigned seed) {
  constexpr int64_t period = 1 << 16;
  std::mt19937 random(seed);
  int64_t count = tensor.numElements(), width = byteWidth(tensor.dtype);
  Tensor pattern = Tensor::allocate(tensor.dtype, {std::min(count, period)});
  for (int64_t i = 0; i < pattern.sizes[0]; ++i) {
    double number = (random() % 1000 + 1) / 1001.0;
    if (isFlag)
      number = random() % 64 == 0;
    if (isIndex)
      number = random() % axisSize;
    pattern.write({i}, number);
  }
  for (int64_t i = 0; i < count; i += period)
    memcpy(tensor.data + i * width, pattern.data,
           std::min(period, count - i) * width);
}

/// Lengths from 1 to all steps, or where packed rows begin.
static Tensor makeRowInput(const Line &line, StringRef name) {
  std::mt19937 random(7);
  bool isBounds = name == boundsName;
  int64_t count = line.givenRows() + isBounds;
  Tensor tensor = Tensor::allocate(DType::I32, {count});
  for (int64_t i = 0; i < count; ++i)
    tensor.write({i}, isBounds ? line.bounds[i] : 1 + random() % line.steps);
  return tensor;
}

/// As the line stores it; steps or rows together.
static Tensor makeArray(const Line &line, DType dtype, bool hasAxis,
                        int64_t extraSteps) {
  llvm::SmallVector<int64_t> sizes = {line.rows, line.steps + extraSteps};
  if (!line.bounds.empty())
    sizes = {line.steps + extraSteps * line.givenRows()};
  if (line.isTimeMajor)
    std::swap(sizes[0], sizes[1]);
  if (hasAxis)
    sizes.push_back(line.axisSize);
  Tensor tensor = Tensor::allocate(dtype, sizes);
  if (line.isTimeMajor) {
    std::swap(tensor.sizes[0], tensor.sizes[1]);
    std::swap(tensor.strides[0], tensor.strides[1]);
  }
  return tensor;
}

static llvm::StringMap<Tensor> makeInputs(const Line &line,
                                          EstimatorOp estimator) {
  llvm::StringMap<Tensor> given;
  for (unsigned i = 0, e = estimator.getNumArguments(); i < e; ++i) {
    InputAttr input = estimator.getInput(i);
    StringRef name = input.getName().getValue();
    bool isGiven = !input.isOptional() || line.has(name);
    if (!isGiven || input.getKind() == InputKind::Param)
      continue;
    if (name == lengthsName || name == boundsName) {
      given[name] = makeRowInput(line, name);
      continue;
    }
    mlir::Type type = estimator.getArgumentTypes()[i];
    auto along = mlir::dyn_cast<AlongType>(type);
    mlir::Type element = along ? along.getElement() : type;
    bool isFlag = element.isInteger(1), isIndex = element.isIndex();
    DType dtype = isFlag ? line.flag : isIndex ? DType::I32 : line.real;
    Tensor tensor =
        input.getKind() == InputKind::Row
            ? Tensor::allocate(dtype, {line.givenRows()})
            : makeArray(line, dtype, along != nullptr, input.getExtraSteps());
    fill(tensor, isFlag, isIndex, line.axisSize, i);
    given[name] = tensor;
  }
  return given;
}

static Error timeSchedule(const Line &line, const Call &call,
                          EstimatorOp estimator, StringRef schedule,
                          const device::Device &device,
                          const device::Stream &stream) {
  DeviceKernelOptions options = optionsFor(call);
  options.schedule = schedule.str();
  Expected<std::unique_ptr<DeviceKernel>> kernel = DeviceKernel::compile(
      estimator->getParentOfType<mlir::ModuleOp>(), estimator.getSymName(),
      bindings(call, estimator), options, device);
  if (!kernel)
    return kernel.takeError();
  int64_t read = bytesRead(call), written = bytesWritten(call);
  constexpr int64_t beyondCache = 260 << 20;
  unsigned sets = std::min<int64_t>(1 + beyondCache / (read + written), 160);
  std::vector<DeviceCall> copies;
  for (unsigned set = 0; set < sets; ++set) {
    Expected<DeviceCall> copy =
        DeviceCall::make(call, **kernel, device, stream);
    if (!copy)
      return copy.takeError();
    copies.push_back(std::move(*copy));
  }
  Expected<DeviceBenchResult> result =
      benchmarkOnDevice(device, read, written, sets,
                        [&](unsigned set, const device::Stream &queue) {
                          return copies[set].launch(**kernel, queue);
                        });
  if (!result)
    return result.takeError();
  device::FunctionResources resources;
  if (Error error = toError((*kernel)->function().resources(resources)))
    return error;
  std::string name = line.recipe;
  if (line.recipe == "retrace")
    name += "/" + std::to_string(line.axisSize);
  llvm::outs() << llvm::format(
      "%-20s %7lldx%-8lld %s %-4s %-4s %-20s %6.1f MB %8.2f us floor %8.2f us "
      "%5.3f  %3d regs %s\n",
      name.c_str(), (long long)line.rows, (long long)line.steps,
      line.isTimeMajor ? "tn" : "nt", spelling(line.real).data(),
      spelling(line.flag).data(), llvm::join(line.present, "+").c_str(),
      (read + written) * 1e-6, result->kernelSeconds * 1e6,
      *result->floorSeconds * 1e6,
      *result->floorSeconds / result->kernelSeconds, resources.registers,
      (*kernel)->schedule().getSuffix().c_str());
  llvm::outs().flush();
  return Error::success();
}

static Error timeLine(const Line &line, const device::Device &device,
                      const device::Stream &stream) {
  std::string message;
  auto file = mlir::openInputFile("recipes/" + line.recipe + ".rls", &message);
  if (!file)
    return llvm::createStringError(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  ImportOptions imported;
  imported.withLengths = line.has(lengthsName);
  imported.withPackedRows = line.has(boundsName);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      importRecipe(sources, &context, imported);
  if (!module)
    return llvm::createStringError("cannot import " + line.recipe);
  EstimatorOp estimator = *module->getOps<EstimatorOp>().begin();
  CallOptions options;
  options.resultType = DType::F32;
  Expected<Call> call =
      makeCall(estimator, makeInputs(line, estimator), options);
  if (!call)
    return call.takeError();
  std::vector<std::string> schedules = line.schedules;
  if (schedules.empty())
    schedules.push_back("");
  for (const std::string &schedule : schedules)
    if (Error error =
            timeSchedule(line, *call, estimator, schedule, device, stream))
      return error;
  return Error::success();
}

static Error runPlan(llvm::MemoryBufferRef plan) {
  device::Device device;
  device::Stream stream;
  if (Error error =
          toError(device::Device::open(RLSCAN_TARGET_CUDA, 0, device)))
    return error;
  if (Error error = toError(device::Stream::create(device, stream)))
    return error;
  llvm::outs() << device.properties().name << ", "
               << device.properties().multiprocessors << " multiprocessors\n";
  for (llvm::line_iterator text(plan, /*SkipBlanks=*/true, '#');
       !text.is_at_eof(); ++text)
    if (Error error = timeLine(parseLine(*text), device, stream))
      llvm::outs() << *text << ": " << llvm::toString(std::move(error)) << '\n';
  return Error::success();
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: device-bench PLAN\n";
    return 2;
  }
  auto plan = llvm::MemoryBuffer::getFile(argv[1]);
  if (!plan) {
    llvm::errs() << "error: " << argv[1] << ": " << plan.getError().message()
                 << '\n';
    return 1;
  }
  if (Error error = runPlan(**plan)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
