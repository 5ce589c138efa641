//===- Manifest.cpp - What a library has, as JSON -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Artefacts/Library.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace rlscan;
using llvm::json::OStream;

static StringRef elementWord(Type signal) {
  if (signal.isInteger(1))
    return "flag";
  return isa<IndexType>(signal) ? "index" : "real";
}

/// Of an input whose default is a number, a flag or an index.
static void writeDefault(OStream &json, InputAttr input) {
  Attribute value = input.getDefaultValue();
  if (auto number = dyn_cast_if_present<FloatAttr>(value))
    json.attribute("default", number.getValueAsDouble());
  else if (auto flag = dyn_cast_if_present<BoolAttr>(value))
    json.attribute("default", flag.getValue());
  else if (auto index = dyn_cast_if_present<IntegerAttr>(value))
    json.attribute("default", index.getInt());
}

static void writeArgument(OStream &json, EstimatorOp estimator, unsigned index,
                          const ArgsMember &member, StringRef name) {
  bool isResult = index >= estimator.getNumArguments();
  json.object([&] {
    json.attribute("name", name);
    json.attribute("member", member.name);
    if (member.numberOffset >= 0)
      json.attribute("number_member", member.numberName);
    json.attribute("is", isResult ? "result" : "input");
    json.attribute("kind", isResult ? "step"
                                    : stringifyInputKind(
                                          estimator.getInput(index).getKind()));
    json.attribute("element", elementWord(signalType(estimator, index)));
    if (StringRef axis = axisName(estimator, index); !axis.empty())
      json.attribute("axis", axis);
    if (isResult)
      return;
    if (unsigned extra = estimator.getInput(index).getExtraSteps())
      json.attribute("extra_steps", static_cast<int64_t>(extra));
    json.attribute("optional", estimator.getInput(index).isOptional());
    writeDefault(json, estimator.getInput(index));
  });
}

static void writeKernel(OStream &json, const ScheduledKernel &kernel) {
  const rlscan_kernel &launch = kernel.launch;
  json.object([&] {
    json.attribute("name", kernel.name);
    json.attribute("schedule", kernel.schedule.getSuffix());
    json.attribute("threads", launch.threads);
    json.attribute("rows", launch.rows);
    json.attribute("tile_steps", launch.tile_steps);
    json.attribute("chain", stringifyChain(kernel.schedule.getChain()));
    json.attribute("access", launch.access);
    json.attribute("scans", launch.scans);
    json.attribute("temporaries", launch.temporaries);
    json.attribute("state_bytes", launch.state_bytes);
    json.attribute("entries", launch.entries);
    json.attributeArray("shapes", [&] {
      for (const rlscan_shape &shape : kernel.shapes)
        json.array([&] {
          json.value(shape.rows);
          json.value(shape.steps);
        });
    });
  });
}

static StringRef imageWord(int32_t kind) {
  return kind == RLSCAN_IMAGE_PTX     ? "ptx"
         : kind == RLSCAN_IMAGE_CUBIN ? "cubin"
                                      : "hsaco";
}

static void writeVariant(OStream &json, EstimatorOp estimator,
                         const CompiledVariant &variant) {
  json.object([&] {
    json.attribute("name", variant.name);
    bool isHost = variant.target.kind == Target::CPU;
    json.attribute("target", isHost ? variant.target.text()
                                    : Target::word(variant.target.kind).str());
    json.attribute("layout", layoutWord(variant.kind.layout));
    json.attribute("computed_in", variant.signature.isF64 ? "f64" : "f32");
    json.attributeObject("stored", [&] {
      for (auto [name, stored] :
           llvm::zip(argumentNames(estimator), variant.kind.stored))
        if (!stored.empty())
          json.attribute(name, stored);
    });
    json.attributeArray("arguments", [&] {
      for (const std::string &name : variant.signature.arguments)
        json.value(name);
    });
    if (isHost)
      return;
    json.attributeArray("images", [&] {
      for (const DeviceImage &image : variant.device.images)
        json.object([&] {
          json.attribute("kind", imageWord(image.kind));
          json.attribute("chip", image.target.chip);
          json.attribute("bytes", static_cast<int64_t>(image.bytes.size()));
        });
    });
    json.attributeArray("kernels", [&] {
      for (const ScheduledKernel &kernel : variant.device.kernels)
        writeKernel(json, kernel);
    });
  });
}

std::string rlscan::writeManifest(const CompiledEstimator &compiled,
                                  llvm::ArrayRef<std::string> files) {
  std::string text;
  llvm::raw_string_ostream out(text);
  OStream json(out, /*IndentSize=*/2);
  EstimatorOp estimator = compiled.estimator;
  ArgsStruct args(estimator);
  json.object([&] {
    json.attribute("estimator", estimator.getSymName());
    json.attribute("symbol", compiled.symbol);
    json.attribute("recipe", compiled.recipe);
    json.attribute("recipe_sha256", compiled.recipeHash);
    json.attribute("rlscan_version", RLSCAN_VERSION);
    json.attribute("llvm_version", LLVM_VERSION_STRING);
    json.attribute("abi_version", RLSCAN_ABI_VERSION);
    json.attribute("args_size", args.size);
    json.attributeArray("files", [&] {
      for (const std::string &file : files)
        json.value(file);
    });
    json.attributeArray("arguments", [&] {
      for (auto [i, name] : llvm::enumerate(argumentNames(estimator)))
        writeArgument(json, estimator, i, args.members[i], name);
    });
    json.attributeArray("variants", [&] {
      for (const CompiledVariant &variant : compiled.variants)
        writeVariant(json, estimator, variant);
    });
  });
  out << '\n';
  return text;
}
