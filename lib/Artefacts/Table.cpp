//===- Table.cpp - The runtime's types as LLVM constants ------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Table.h"
#include "RecipeToRecurrence/RowInputs.h"
#include "runtime/core/Image.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Compression.h"

using namespace rlscan;
using llvm::Constant;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Constant *TableWriter::i32(int32_t value) const {
  return llvm::ConstantInt::getSigned(
      llvm::Type::getInt32Ty(module.getContext()), value);
}

Constant *TableWriter::i64(int64_t value) const {
  return llvm::ConstantInt::getSigned(
      llvm::Type::getInt64Ty(module.getContext()), value);
}

Constant *TableWriter::null() const {
  return llvm::ConstantPointerNull::get(
      llvm::PointerType::get(module.getContext(), 0));
}

Constant *TableWriter::bytes(StringRef bytes, bool endsWithZero) {
  Constant *data = llvm::ConstantDataArray::getString(module.getContext(),
                                                      bytes, endsWithZero);
  auto *global =
      new llvm::GlobalVariable(module, data->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, data);
  // A cubin is read as words.
  global->setAlignment(llvm::Align(endsWithZero ? 1 : 16));
  return global;
}

Constant *TableWriter::text(StringRef text) { return bytes(text, true); }

/// Laid out as C does it: the size says whether no field was forgotten.
Constant *TableWriter::record(Fields fields, size_t size) const {
  Constant *made = llvm::ConstantStruct::getAnon(fields);
  assert(module.getDataLayout().getTypeAllocSize(made->getType()) == size &&
         "as in rlscan/abi.h");
  (void)size;
  return made;
}

Constant *TableWriter::array(Fields elements, StringRef name) {
  if (elements.empty())
    return null();
  auto *type =
      llvm::ArrayType::get(elements.front()->getType(), elements.size());
  return new llvm::GlobalVariable(
      module, type, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantArray::get(type, elements), "rlscan." + name);
}

Constant *TableWriter::indices(llvm::ArrayRef<int32_t> values) {
  return array(
      llvm::map_to_vector(values, [&](int32_t value) { return i32(value); }),
      "indices");
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static int32_t elementOf(mlir::Type signal) {
  if (signal.isInteger(1))
    return RLSCAN_FLAG;
  return mlir::isa<mlir::IndexType>(signal) ? RLSCAN_INDEX : RLSCAN_REAL;
}

static uint64_t storedCode(StringRef stored) {
  return llvm::StringSwitch<uint64_t>(stored)
      .Case("f32", RLSCAN_STORED_F32)
      .Case("f64", RLSCAN_STORED_F64)
      .Case("bf16", RLSCAN_STORED_BF16)
      .Case("f16", RLSCAN_STORED_F16)
      .Case("i8", RLSCAN_STORED_I8)
      .Case("i32", RLSCAN_STORED_I32)
      .Case("i64", RLSCAN_STORED_I64)
      .Case("number", RLSCAN_STORED_NUMBER)
      .Default(RLSCAN_STORED_ABSENT);
}

static int32_t targetCode(Target::Kind kind) {
  return kind == Target::CPU    ? RLSCAN_TARGET_CPU
         : kind == Target::Cuda ? RLSCAN_TARGET_CUDA
                                : RLSCAN_TARGET_HIP;
}

static int32_t positionOf(StringRef name, const std::vector<std::string> &in) {
  auto found = llvm::find(in, name);
  return found == in.end() ? -1 : static_cast<int32_t>(found - in.begin());
}

/// What a row has one of runs along an axis where rows may be packed.
static unsigned extraSteps(EstimatorOp estimator, unsigned index) {
  bool isInput = index < estimator.getNumArguments();
  return isInput ? estimator.getInput(index).getExtraSteps() : 0;
}

static StringRef axisInCalls(EstimatorOp estimator, unsigned index) {
  bool isPacked = estimator.findInput(boundsName).has_value();
  if (extraSteps(estimator, index))
    return isPacked ? StringRef(extraStepAxis) : StringRef();
  bool isRow = index < estimator.getNumArguments() &&
               estimator.getInput(index).getKind() == InputKind::Row;
  if (!isRow)
    return axisName(estimator, index);
  if (!isPacked)
    return {};
  bool isBounds = estimator.getInput(index).getName() == boundsName;
  return isBounds ? boundAxis : packedRowAxis;
}

static int32_t roleOf(StringRef name) {
  if (name == lengthsName)
    return RLSCAN_LENGTHS;
  return name == boundsName ? RLSCAN_BOUNDS : RLSCAN_PLAIN;
}

Constant *TableWriter::argument(const CompiledEstimator &compiled,
                                unsigned index, const ArgsMember &member) {
  EstimatorOp estimator = compiled.estimator;
  bool isResult = index >= estimator.getNumArguments();
  InputAttr input = isResult ? InputAttr() : estimator.getInput(index);
  int32_t kind = isResult ? RLSCAN_STEP : static_cast<int32_t>(input.getKind());
  return record({text(names[index]), i32(member.offset),
                 i32(member.numberOffset), i32(kind),
                 i32(elementOf(signalType(estimator, index))), i32(isResult),
                 i32(!isResult && input.isOptional()),
                 i32(positionOf(axisInCalls(estimator, index), axes)),
                 i32(roleOf(names[index])), i32(extraSteps(estimator, index))},
                sizeof(rlscan_argument));
}

Constant *TableWriter::kernel(const ScheduledKernel &kernel) {
  const rlscan_kernel &launch = kernel.launch;
  SmallVector<Constant *> shapes;
  for (const rlscan_shape &shape : kernel.shapes)
    shapes.push_back(
        record({i64(shape.rows), i64(shape.steps)}, sizeof(rlscan_shape)));
  return record({text(kernel.name), i32(launch.threads), i32(launch.rows),
                 i32(launch.tile_steps), i32(launch.chain), i32(launch.access),
                 i32(launch.scans), i32(launch.temporaries),
                 i32(launch.state_bytes), i32(launch.entries),
                 i32(static_cast<int32_t>(shapes.size())),
                 array(shapes, "shapes")},
                sizeof(rlscan_kernel));
}

/// Also what gets no smaller: a stream ends with a checksum.
static std::string pack(const std::string &whole) {
  if (!llvm::compression::zlib::isAvailable())
    return runtime::packStored(whole);
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zlib::compress(
      llvm::arrayRefFromStringRef(whole), packed,
      llvm::compression::zlib::BestSizeCompression);
  return llvm::toStringRef(packed).str();
}

/// PTX is text, and of kernels that resemble each other.
Constant *TableWriter::image(const DeviceImage &image,
                             const rlscan_variant &variant) {
  bool isText = image.kind == RLSCAN_IMAGE_PTX;
  std::string whole = image.bytes + std::string(isText, '\0');
  rlscan_image made = {image.kind, image.target.number, nullptr, 0, 0};
  whole += runtime::sealOf(variant, made, whole);
  std::string stored = pack(whole);
  return record({i32(image.kind), i32(image.target.number),
                 bytes(stored, false), i64(static_cast<int64_t>(stored.size())),
                 i64(static_cast<int64_t>(whole.size()))},
                sizeof(rlscan_image));
}

/// With what the seals of images are of. Texts are those of `variant`, numbers
/// those of the two arrays.
static rlscan_variant sealedPart(const CompiledVariant &variant,
                                 llvm::ArrayRef<int32_t> arguments,
                                 llvm::ArrayRef<int32_t> axes,
                                 SmallVectorImpl<rlscan_kernel> &kernels) {
  rlscan_variant part = {};
  for (const ScheduledKernel &entry : variant.device.kernels) {
    kernels.push_back(entry.launch);
    kernels.back().name = entry.name.c_str();
  }
  part.name = variant.name.c_str();
  part.target = targetCode(variant.target.kind);
  part.layout = static_cast<int32_t>(variant.kind.layout);
  part.is_f64 = variant.signature.isF64;
  for (auto [i, stored] : llvm::enumerate(variant.kind.stored))
    part.storage[i / 16] |= storedCode(stored) << (i % 16 * 4);
  part.argument_count = static_cast<int32_t>(arguments.size());
  part.axis_count = static_cast<int32_t>(axes.size());
  part.arguments = arguments.data();
  part.axes = axes.data();
  part.kernel_count = static_cast<int32_t>(kernels.size());
  part.kernels = kernels.data();
  return part;
}

Constant *TableWriter::variant(const CompiledVariant &variant) {
  bool isHost = variant.target.kind == Target::CPU;
  SmallVector<int32_t> arguments, axisIndices;
  for (const std::string &name : variant.signature.arguments)
    arguments.push_back(llvm::find(names, name) - names.begin());
  for (const std::string &axis : variant.signature.axes)
    axisIndices.push_back(positionOf(axis, axes));
  SmallVector<rlscan_kernel> launches;
  const rlscan_variant part =
      sealedPart(variant, arguments, axisIndices, launches);
  SmallVector<Constant *> kernels, images;
  for (const ScheduledKernel &entry : variant.device.kernels)
    kernels.push_back(kernel(entry));
  for (const DeviceImage &entry : variant.device.images)
    images.push_back(image(entry, part));
  auto function = [&](const std::string &name) -> Constant * {
    return isHost ? module.getFunction(name) : null();
  };
  return record({text(variant.name), i32(part.target),
                 i32(isHost ? variant.target.number : 0), i32(part.layout),
                 i32(part.is_f64), i64(static_cast<int64_t>(part.storage[0])),
                 i64(static_cast<int64_t>(part.storage[1])),
                 i32(part.argument_count), i32(part.axis_count),
                 indices(arguments), indices(axisIndices),
                 function(variant.host.run), function(variant.host.workspace),
                 i32(static_cast<int32_t>(images.size())),
                 i32(static_cast<int32_t>(kernels.size())),
                 array(images, "images"), array(kernels, "kernels")},
                sizeof(rlscan_variant));
}

llvm::GlobalVariable *TableWriter::write(const CompiledEstimator &compiled) {
  names = argumentNames(compiled.estimator);
  ArgsStruct args(compiled.estimator);
  for (unsigned i = 0; i < names.size(); ++i) {
    StringRef axis = axisInCalls(compiled.estimator, i);
    if (!axis.empty() && positionOf(axis, axes) < 0)
      axes.push_back(axis.str());
  }
  SmallVector<Constant *> arguments, axisNames, variants;
  for (auto [i, member] : llvm::enumerate(args.members))
    arguments.push_back(argument(compiled, i, member));
  for (const std::string &axis : axes)
    axisNames.push_back(text(axis));
  for (const CompiledVariant &entry : compiled.variants)
    variants.push_back(variant(entry));
  auto *state = new llvm::GlobalVariable(
      module, null()->getType(), /*isConstant=*/false,
      llvm::GlobalValue::InternalLinkage, null(), "rlscan.state");
  Constant *table =
      record({i32(RLSCAN_ABI_VERSION), i32(args.size), text(compiled.symbol),
              i32(static_cast<int32_t>(arguments.size())),
              i32(static_cast<int32_t>(axisNames.size())),
              i32(static_cast<int32_t>(variants.size())), i32(0),
              array(arguments, "arguments"), array(axisNames, "axes"),
              array(variants, "variants"), state},
             sizeof(rlscan_estimator));
  return new llvm::GlobalVariable(module, table->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage, table,
                                  "rlscan.estimator");
}
