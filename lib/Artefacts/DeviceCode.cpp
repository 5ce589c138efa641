//===- DeviceCode.cpp - The code of a kind of call for GPUs ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/DeviceCode.h"
#include "Artefacts/NumberAddresses.h"
#include "Artefacts/Reproducer.h"
#include "KernelToBinary/ChipCode.h"
#include "KernelToBinary/KernelModule.h"
#include "RecipeToRecurrence/RowInputs.h"
#include "rlscan/Passes.h"
#include "rlscan/Pipelines.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace rlscan;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// Where neighbours are neighbours in memory, the schedule of a call is that
/// which the compiler would choose for it, to a factor of two; other arrays are
/// slow whatever the schedule is, and have few.
static std::vector<rlscan_shape> defaultShapes(Layout layout, bool isPacked) {
  if (isPacked)
    return {{1, 256},   {1, 1024},    {1, 4096},    {1, 16384},
            {1, 65536}, {1, 1 << 18}, {1, 1 << 20}, {1, 1 << 23}};
  if (layout == Layout::Strided)
    return {{16384, 16},  {4096, 128}, {512, 128},
            {1024, 1024}, {256, 8192}, {16, 131072}};
  std::vector<rlscan_shape> shapes;
  for (int64_t rows : {16, 64, 128, 512, 1024, 2048, 4096, 8192, 32768})
    for (int64_t steps :
         {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 65536, 1 << 20})
      shapes.push_back({rows, steps});
  return shapes;
}

/// Those of kernels that take nothing for granted; the last one's schedule
/// takes every call.
static std::vector<rlscan_shape> plainShapes(bool isPacked) {
  if (isPacked)
    return {{1, 4096}, {1, 1 << 20}};
  return {{4096, 128}, {16, 131072}, {4096, 1 << 20}};
}

/// Those of kernels for packed entries.
static constexpr rlscan_shape packedShapes[] = {
    {4096, 128}, {4096, 512}, {512, 4096}, {16, 65536}};

static KernelOp kernelOf(ModuleOp module) {
  return *module.getOps<KernelOp>().begin();
}

/// Whether rows follow each other in the one that the kernel sees.
static bool isPacked(ModuleOp sweeps) {
  return llvm::any_of(kernelOf(sweeps).getArgumentTypes(), [](Type type) {
    StringAttr axis = cast<ArrayType>(type).getAxis();
    return axis && axis == boundAxis;
  });
}

/// What all of a vendor's chips have: what the oldest has. Those of AMD come
/// one at a time.
static void describeChips(llvm::ArrayRef<Target> targets, GPUOptions &options) {
  auto isOlder = [](const Target &a, const Target &b) {
    return a.number < b.number;
  };
  describeChip(llvm::min_element(targets, isOlder)->chip, options);
}

/// The compiler's choice; the module stays as it is.
static Expected<ScheduleAttr> chooseSchedule(ModuleOp sweeps,
                                             const rlscan_shape &shape,
                                             unsigned access, unsigned entries,
                                             unsigned subgroupSize) {
  OwningOpRef<ModuleOp> copy = sweeps.clone();
  SelectScheduleOptions select;
  select.rows = shape.rows;
  select.steps = shape.steps;
  select.access = access;
  select.entries = entries;
  select.axis = entries;
  select.subgroupSize = subgroupSize;
  PassManager passes(sweeps.getContext());
  passes.addPass(createSelectSchedule(select));
  if (Error error =
          runReproducibly(passes, *copy, kernelOf(sweeps).getSymName()))
    return error;
  return cast<ScheduleAttr>(kernelOf(*copy).getSchedulesAttr()[0]);
}

/// 16 bytes of reals, where steps are neighbours.
static unsigned widestAccess(const CallKind &kind) {
  if (kind.layout != Layout::Steps)
    return 1;
  return kind.storing.type == "f64" ? 2 : kind.storing.type == "f32" ? 4 : 8;
}

/// Whether a workgroup has room for what the schedule keeps. The choice does
/// not know how much a recipe keeps.
static bool isPossible(ModuleOp sweeps, ScheduleAttr schedule,
                       const GPUOptions &gpu) {
  OwningOpRef<ModuleOp> copy = sweeps.clone();
  MLIRContext *context = sweeps.getContext();
  kernelOf(*copy).setSchedulesAttr(ArrayAttr::get(context, {schedule}));
  PassManager passes(context);
  buildToTilesPipeline(passes, TileOptions());
  buildToGPUPipeline(passes, gpu);
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  return succeeded(passes.run(*copy));
}

namespace {

/// A schedule and the calls that it is for.
struct Choice {
  ScheduleAttr schedule;
  std::vector<rlscan_shape> shapes;
  size_t streams; // for how many of them it would be one that streams
};

} // namespace

static ScheduleAttr withStream(ScheduleAttr schedule, bool isStreamed) {
  return ScheduleAttr::get(schedule.getContext(), schedule.getStepsPerThread(),
                           schedule.getLanes(), schedule.getGroups(),
                           schedule.getRows(), schedule.getChain(),
                           schedule.getAccess(), schedule.getResident(),
                           schedule.getEntries(), isStreamed);
}

/// Of a kernel's calls, small ones would stream and others not. That changes
/// little: there is one kernel, which streams where all of them would.
static Error addChoice(ModuleOp sweeps, const rlscan_shape &shape,
                       unsigned access, unsigned entries, const GPUOptions &gpu,
                       SmallVectorImpl<Choice> &choices) {
  Expected<ScheduleAttr> chosen =
      chooseSchedule(sweeps, shape, access, entries, gpu.subgroupSize);
  if (!chosen)
    return chosen.takeError();
  ScheduleAttr schedule = withStream(*chosen, false);
  if (schedule.getEntries() != entries)
    return Error::success();
  auto *found = llvm::find_if(
      choices, [&](Choice &choice) { return choice.schedule == schedule; });
  if (found == choices.end()) {
    if (!isPossible(sweeps, schedule, gpu))
      return Error::success();
    found = &choices.emplace_back(Choice{schedule, {}, 0});
  }
  found->shapes.push_back(shape);
  found->streams += chosen->getStream() != 0;
  return Error::success();
}

/// One for each kind of call that the options know of.
static Error addChoices(ModuleOp sweeps, const CallKind &kind,
                        const DeviceOptions &options, const GPUOptions &gpu,
                        SmallVectorImpl<Choice> &choices) {
  unsigned widest = widestAccess(kind);
  for (const rlscan_shape &shape :
       options.shapes.empty() ? defaultShapes(kind.layout, isPacked(sweeps))
                              : options.shapes)
    if (Error error = addChoice(sweeps, shape, widest, 0, gpu, choices))
      return error;
  for (const rlscan_shape &shape : plainShapes(isPacked(sweeps)))
    if (Error error = addChoice(sweeps, shape, 1, 0, gpu, choices))
      return error;
  bool hasAxis =
      llvm::any_of(kernelOf(sweeps).getArgumentTypes(), [](Type type) {
        return cast<ArrayType>(type).getAxis() != nullptr;
      });
  if (!hasAxis || kind.layout != Layout::Steps)
    return Error::success();
  for (unsigned entries : options.entries)
    for (const rlscan_shape &shape : packedShapes)
      if (Error error = addChoice(sweeps, shape, widest, entries, gpu, choices))
        return error;
  return Error::success();
}

Expected<std::vector<std::vector<rlscan_shape>>>
rlscan::chooseSchedules(ModuleOp sweeps, const CallKind &kind,
                        llvm::ArrayRef<Target> targets,
                        const DeviceOptions &options) {
  KernelOp kernel = kernelOf(sweeps);
  GPUOptions gpu;
  describeChips(targets, gpu);
  SmallVector<Attribute> schedules;
  std::vector<std::vector<rlscan_shape>> shapes;
  if (!options.schedule.empty()) {
    FailureOr<ScheduleAttr> schedule =
        ScheduleAttr::fromSuffix(sweeps.getContext(), options.schedule,
                                 [&] { return kernel.emitError(); });
    if (failed(schedule))
      return llvm::createStringError("cannot schedule '" + kernel.getSymName() +
                                     "'");
    schedules.push_back(*schedule);
    shapes.push_back(options.shapes);
  } else {
    SmallVector<Choice> choices;
    if (Error error = addChoices(sweeps, kind, options, gpu, choices))
      return error;
    for (Choice &choice : choices) {
      bool isStreamed = choice.streams == choice.shapes.size();
      schedules.push_back(withStream(choice.schedule, isStreamed));
      shapes.push_back(std::move(choice.shapes));
    }
    if (schedules.empty())
      return llvm::make_error<InternalError>(
          ("no schedule for '" + kernel.getSymName() + "' is possible").str());
  }
  kernel.setSchedulesAttr(ArrayAttr::get(sweeps.getContext(), schedules));
  return shapes;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// A schedule of the user's may ask for more than there is; not one that was
/// chosen.
static Error run(PassManager &passes, ModuleOp module, StringRef symbol,
                 bool isChosen) {
  if (isChosen)
    return runReproducibly(passes, module, symbol);
  if (succeeded(passes.run(module)))
    return Error::success();
  return llvm::createStringError("cannot schedule '" + symbol + "'");
}

/// A recipe is named without the folder in which it was compiled, so that the
/// same one gives the same bytes. NVIDIA's assembler keeps the time of a file
/// that it finds: it finds none here.
static void forgetFolders(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FileLineColLoc loc) -> Attribute {
    StringRef name = llvm::sys::path::filename(loc.getFilename().getValue());
    return FileLineColLoc::get(loc.getContext(), ("/rlscan/" + name).str(),
                               loc.getLine(), loc.getColumn());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
}

Error rlscan::lowerToGPU(ModuleOp sweeps, StringRef symbol,
                         llvm::ArrayRef<Target> targets,
                         const DeviceOptions &options,
                         std::vector<ScheduledKernel> &kernels) {
  kernelOf(sweeps).setSymName(symbol);
  bool isF64 = computesInF64(kernelOf(sweeps));
  bool isChosen = options.schedule.empty();
  PassManager toTiles(sweeps.getContext());
  buildToTilesPipeline(toTiles, TileOptions());
  if (Error error = run(toTiles, sweeps, symbol, isChosen))
    return error;
  SmallVector<unsigned> numbers = positionsOfNumbers(kernelOf(sweeps));
  for (KernelOp kernel : sweeps.getOps<KernelOp>())
    kernels.push_back({kernel.getSymName().str(),
                       cast<ScheduleAttr>(kernel.getSchedulesAttr()[0]),
                       describeLaunch(kernel),
                       {}});
  GPUOptions gpu;
  describeChips(targets, gpu);
  PassManager toGPU(sweeps.getContext());
  buildToGPUPipeline(toGPU, gpu);
  if (Error error = run(toGPU, sweeps, symbol, isChosen))
    return error;
  sweeps.walk([&](gpu::GPUFuncOp function) {
    addNumberAddresses(function, numbers, isF64);
  });
  forgetFolders(sweeps);
  return Error::success();
}

Expected<std::string> rlscan::lowerToAssembly(ModuleOp module, StringRef symbol,
                                              const Target &target) {
  PassManager passes(module.getContext());
  buildToAssemblyPipeline(passes, target.chip);
  if (Error error = runReproducibly(passes, module, symbol))
    return error;
  return binaryOf(module);
}

Expected<std::string> rlscan::lowerToImage(ModuleOp module, StringRef symbol,
                                           const Target &target) {
  PassManager passes(module.getContext());
  buildToImagePipeline(passes, target.chip);
  if (Error error = runReproducibly(passes, module, symbol))
    return error;
  return binaryOf(module);
}

static Error runAssembler(StringRef ptxas, llvm::ArrayRef<StringRef> arguments,
                          StringRef log) {
  std::string message;
  std::optional<StringRef> redirects[] = {StringRef(), log, log};
  if (llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, 0, 0,
                                &message) == 0)
    return Error::success();
  if (message.empty())
    if (auto text = llvm::MemoryBuffer::getFile(log))
      message = (*text)->getBuffer().str();
  return llvm::createStringError(ptxas + " failed: " + message);
}

Expected<std::string> rlscan::assemble(StringRef ptx, const Target &target,
                                       StringRef ptxas) {
  SmallString<128> source, result, log;
  for (auto [suffix, path] :
       {std::pair("ptx", &source), {"cubin", &result}, {"log", &log}})
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("rlscan", suffix, *path))
      return llvm::createStringError(code, "cannot make a temporary file: " +
                                               code.message());
  llvm::FileRemover removeSource(source), removeResult(result), removeLog(log);
  if (Error error = llvm::writeToOutput(source, [&](llvm::raw_ostream &out) {
        out << ptx;
        return Error::success();
      }))
    return error;
  std::string chip = "-arch=" + target.chip;
  if (Error error = runAssembler(
          ptxas, {ptxas, chip, "-lineinfo", source.str(), "-o", result.str()},
          log))
    return error;
  auto bytes = llvm::MemoryBuffer::getFile(result, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes || (*bytes)->getBufferSize() == 0)
    return llvm::createStringError(ptxas + " left no result");
  return (*bytes)->getBuffer().str();
}

/// The images of a chip, from the module of lowerToGPU.
static Error addImages(ModuleOp module, StringRef symbol, const Target &target,
                       StringRef ptxas, std::vector<DeviceImage> &images) {
  Expected<std::string> image = lowerToImage(module, symbol, target);
  if (!image)
    return image.takeError();
  bool isHip = target.kind == Target::Hip;
  if (!isHip && !ptxas.empty() && !target.isPortable) {
    Expected<std::string> cubin = assemble(*image, target, ptxas);
    if (!cubin)
      return cubin.takeError();
    images.push_back({RLSCAN_IMAGE_CUBIN, target, std::move(*cubin)});
  }
  images.push_back({isHip ? RLSCAN_IMAGE_HSACO : RLSCAN_IMAGE_PTX, target,
                    std::move(*image)});
  return Error::success();
}

Expected<DeviceCode> rlscan::compileForDevice(ModuleOp sweeps, StringRef symbol,
                                              const CallKind &kind,
                                              llvm::ArrayRef<Target> targets,
                                              const DeviceOptions &options) {
  DeviceCode code;
  readSignature(kernelOf(sweeps), code.signature.arguments,
                code.signature.axes);
  code.signature.isF64 = computesInF64(kernelOf(sweeps));
  auto shapes = chooseSchedules(sweeps, kind, targets, options);
  if (!shapes)
    return shapes.takeError();
  if (Error error = lowerToGPU(sweeps, symbol, targets, options, code.kernels))
    return error;
  for (auto [kernel, served] : llvm::zip_equal(code.kernels, *shapes))
    kernel.shapes = served;
  for (const Target &target : targets) {
    OwningOpRef<ModuleOp> copy = sweeps.clone();
    if (Error error =
            addImages(*copy, symbol, target, options.ptxas, code.images))
      return error;
  }
  return code;
}
