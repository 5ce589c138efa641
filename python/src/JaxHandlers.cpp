//===- JaxHandlers.cpp - Foreign functions for XLA ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JaxHandlers.h"
#include "Call.h"
#include "Device.h"
#include "Objects.h"
#include "XlaFfi.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

using namespace rlscan::python;

//===----------------------------------------------------------------------===//
// What XLA hands over is as large as what is read of it
//===----------------------------------------------------------------------===//

/// Where a field of a struct ends, which says how large it is.
#define END_OF(type, field) (offsetof(type, field) + sizeof(type::field))

static bool refuse(const std::string &what, const std::string &expected,
                   Failure &failure) {
  return fail(failure, Failure::Runtime,
              "XLA's " + what + ", expected " + expected +
                  ": this version of jaxlib does not go with this version of "
                  "rlscan");
}

/// Structs grow at their ends, and what is new there is not looked at.
static bool hasAtLeast(size_t needed, size_t actual, const char *name,
                       Failure &failure) {
  return actual >= needed ||
         refuse(std::string(name) + " has " + std::to_string(actual) + " bytes",
                "at least " + std::to_string(needed), failure);
}

/// Of what lies within the frame: where it grows, all behind it moves.
static bool hasExactly(size_t needed, size_t actual, const char *name,
                       Failure &failure) {
  return actual == needed ||
         refuse(std::string(name) + " has " + std::to_string(actual) + " bytes",
                std::to_string(needed), failure);
}

/// The frame up to its interface, and that up to its first function, which
/// makes errors, have been the same in every version; no more of either is read
/// before this.
static bool isKnown(const xla::CallFrame &frame, bool isForDevices,
                    Failure &failure) {
  const xla::ApiVersion &version = frame.api->version;
  if (version.major != 0 || version.minor < 1)
    return refuse("interface has version " + std::to_string(version.major) +
                      "." + std::to_string(version.minor),
                  "0.1 or a later 0", failure);
  return hasAtLeast(END_OF(xla::CallFrame, attributes), frame.structSize,
                    "call frame", failure) &&
         hasAtLeast(isForDevices ? END_OF(xla::Api, getDeviceOrdinal)
                                 : END_OF(xla::Api, destroyError),
                    frame.api->structSize, "interface", failure);
}

static bool areKnown(const xla::CallFrame &frame, Failure &failure) {
  return hasExactly(sizeof(xla::Buffers), frame.arguments.structSize,
                    "table of arguments", failure) &&
         hasExactly(sizeof(xla::Buffers), frame.results.structSize,
                    "table of results", failure) &&
         hasExactly(sizeof(xla::Attributes), frame.attributes.structSize,
                    "table of attributes", failure);
}

//===----------------------------------------------------------------------===//
// Workspace
//===----------------------------------------------------------------------===//

/// What XLA says of an error, which is no more afterwards.
static std::string textOf(xla::Error *error, const xla::CallFrame &frame) {
  xla::ErrorMessage message = {sizeof message, nullptr, error, nullptr};
  frame.api->getMessage(&message);
  std::string text = message.text;
  xla::ErrorDestroy destroyed = {sizeof destroyed, nullptr, error};
  frame.api->destroyError(&destroyed);
  return text;
}

namespace {

class XlaWorkspace final : public Workspace {
public:
  XlaWorkspace(const xla::CallFrame &frame, void *stream)
      : frame(frame), stream(stream) {}

  ~XlaWorkspace() { release(); }

  void *allocate(int32_t device, size_t bytes, Failure &failure) override {
    if (device == host) {
      onHost.reset(new char[bytes]);
      return onHost.get();
    }
    release();
    // XLA refuses more than 16; its addresses are multiples of 256.
    xla::MemoryAllocate arguments = {
        sizeof arguments, nullptr, frame.context, bytes, 16, nullptr};
    if (xla::Error *error = frame.api->allocate(&arguments)) {
      fail(failure, Failure::Runtime,
           "XLA gives no workspace of " + std::to_string(bytes) +
               " bytes: " + textOf(error, frame));
      return nullptr;
    }
    onDevice = arguments.data;
    size = bytes;
    return zeroOn(device, onDevice, bytes, stream, failure) ? onDevice
                                                            : nullptr;
  }

private:
  /// XLA hands it out in the order of the stream.
  void release() {
    xla::MemoryFree arguments = {sizeof arguments, nullptr, frame.context, size,
                                 onDevice};
    if (onDevice)
      frame.api->free(&arguments);
    onDevice = nullptr;
  }

  const xla::CallFrame &frame;
  void *stream;
  void *onDevice = nullptr;
  size_t size = 0;
  std::unique_ptr<char[]> onHost;
};

} // namespace

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static xla::Error *errorOf(const xla::CallFrame &frame,
                           const Failure &failure) {
  constexpr int32_t invalidArgument = 3, internal = 13;
  xla::ErrorCreate arguments = {
      sizeof arguments, nullptr, failure.text.c_str(),
      failure.kind == Failure::Runtime ? internal : invalidArgument};
  return frame.api->createError(&arguments);
}

static int32_t typeOf(int32_t xlaType) {
  const int32_t types[][2] = {
      {1, RLSCAN_BOOL}, {2, RLSCAN_I8},   {4, RLSCAN_I32},
      {5, RLSCAN_I64},  {6, RLSCAN_U8},   {10, RLSCAN_F16},
      {11, RLSCAN_F32}, {12, RLSCAN_F64}, {16, RLSCAN_BF16}};
  for (const int32_t *type : types)
    if (type[0] == xlaType)
      return type[1];
  return RLSCAN_NONE;
}

static bool readBuffer(const xla::Buffer &buffer, const std::string &name,
                       int32_t device, Array &array, Failure &failure) {
  if (!hasAtLeast(END_OF(xla::Buffer, dims), buffer.structSize, "buffer",
                  failure))
    return false;
  if (buffer.rank > maxRank)
    return fail(failure, Failure::Type, name + ": more than 16 dimensions");
  array.dtype = typeOf(buffer.dtype);
  if (array.dtype == RLSCAN_NONE)
    return fail(failure, Failure::Type,
                name + ": expected elements of type float16, bfloat16, "
                       "float32, float64, bool, int8, uint8, int32 or int64");
  array.data = buffer.data;
  array.device = device;
  array.rank = static_cast<int>(buffer.rank);
  int64_t dense = 1;
  for (int dim = array.rank; dim-- > 0;) {
    array.sizes[dim] = buffer.dims[dim];
    array.strides[dim] = dense;
    dense *= buffer.dims[dim];
  }
  return true;
}

/// A scalar attribute, or null.
static const xla::Scalar *find(const xla::Attributes &attributes,
                               const std::string &name) {
  for (int64_t i = 0; i < attributes.count; ++i)
    if (name.compare(0, std::string::npos, attributes.names[i]->data,
                     attributes.names[i]->size) == 0)
      return static_cast<const xla::Scalar *>(attributes.values[i]);
  return nullptr;
}

static int64_t wholeOf(const xla::Attributes &attributes,
                       const std::string &name) {
  const xla::Scalar *scalar = find(attributes, name);
  int64_t number = 0;
  if (scalar)
    std::memcpy(&number, scalar->value, sizeof number);
  return number;
}

static void readNumber(const xla::Attributes &attributes,
                       const Estimator &estimator, int argument, Call &call) {
  const std::string &name = estimator.names[argument];
  if (estimator.signature().arguments[argument].element != RLSCAN_REAL) {
    call.setNumber(argument, wholeOf(attributes, name));
    return;
  }
  double number = 0.0;
  if (const xla::Scalar *scalar = find(attributes, name))
    std::memcpy(&number, scalar->value, sizeof number);
  call.setNumber(argument, number);
}

static bool findPlace(const xla::CallFrame &frame, int32_t &device,
                      void *&stream, Failure &failure) {
  xla::StreamGet getStream = {sizeof getStream, nullptr, frame.context,
                              nullptr};
  xla::DeviceOrdinalGet getOrdinal = {sizeof getOrdinal, nullptr, frame.context,
                                      0};
  xla::Error *error = frame.api->getStream(&getStream);
  if (!error)
    error = frame.api->getDeviceOrdinal(&getOrdinal);
  if (error)
    return fail(failure, Failure::Runtime,
                "XLA does not say where it runs: " + textOf(error, frame));
  stream = getStream.stream;
  device = getOrdinal.ordinal;
  return true;
}

/// Arrays come in the order of the recipe; "present" has a bit for each that is
/// there.
static bool execute(Estimator &estimator, const xla::CallFrame &frame,
                    bool isForDevices, Failure &failure) {
  int32_t device = host;
  void *stream = nullptr;
  if (isForDevices && !findPlace(frame, device, stream, failure))
    return false;
  const rlscan_estimator &signature = estimator.signature();
  auto call =
      std::make_unique<Call>(estimator, wholeOf(frame.attributes, "time_dim"));
  int64_t present = wholeOf(frame.attributes, "present");
  int64_t next = 0;
  int inputs = estimator.inputCount();
  int results = signature.argument_count - inputs;
  if (frame.results.count != results)
    return fail(failure, Failure::Value,
                "expected " + std::to_string(results) + " results, XLA has " +
                    std::to_string(frame.results.count));
  for (int i = 0; i < inputs; ++i) {
    if (signature.arguments[i].kind == RLSCAN_PARAM)
      readNumber(frame.attributes, estimator, i, *call);
    else if (present >> i & 1 && next < frame.arguments.count)
      if (!readBuffer(*frame.arguments.buffers[next++], estimator.names[i],
                      device, call->arrays[i], failure))
        return false;
  }
  for (int i = 0; i < results; ++i)
    if (!readBuffer(*frame.results.buffers[i], estimator.names[inputs + i],
                    device, call->arrays[inputs + i], failure))
      return false;
  XlaWorkspace workspace(frame, stream);
  return call->plan(failure) && call->run(stream, workspace, failure);
}

static bool isQuestion(const xla::CallFrame &frame) {
  constexpr int32_t isMetadata = 1;
  return frame.extensions && frame.extensions->type == isMetadata;
}

/// XLA asks what it may do with a handler before it calls it. Not capture it
/// into a graph: workspace is XLA's for the call alone.
static bool answer(xla::Extension &question, Failure &failure) {
  if (!hasAtLeast(END_OF(xla::MetadataExtension, metadata), question.structSize,
                  "question", failure))
    return false;
  xla::Metadata &metadata =
      *reinterpret_cast<xla::MetadataExtension &>(question).metadata;
  if (!hasAtLeast(END_OF(xla::Metadata, traits), metadata.structSize,
                  "metadata", failure))
    return false;
  metadata.version.major = 0;
  metadata.version.minor = 1;
  metadata.traits = 0;
  return true;
}

static xla::Error *handle(int slot, bool isForDevices, xla::CallFrame &frame) {
  constexpr int32_t executeStage = 3;
  Failure failure;
  if (!isKnown(frame, isForDevices, failure))
    return errorOf(frame, failure);
  if (isQuestion(frame))
    return answer(*frame.extensions, failure) ? nullptr
                                              : errorOf(frame, failure);
  if (frame.stage != executeStage)
    return nullptr;
  if (areKnown(frame, failure) &&
      execute(*estimatorAt(slot), frame, isForDevices, failure))
    return nullptr;
  return errorOf(frame, failure);
}

// A handler is a function alone: one for each number of an estimator.
template <int slot, bool isForDevices>
static xla::Error *handler(xla::CallFrame *frame) {
  return handle(slot, isForDevices, *frame);
}

template <bool isForDevices, int... slots>
static xla::Handler *handlerOf(int slot, std::integer_sequence<int, slots...>) {
  static xla::Handler *const handlers[] = {&handler<slots, isForDevices>...};
  return handlers[slot];
}

PyObject *rlscan::python::jaxHandler(PyObject *, PyObject *arguments) {
  int slot = 0, isForDevices = 0;
  if (!PyArg_ParseTuple(arguments, "ip", &slot, &isForDevices))
    return nullptr;
  if (!estimatorAt(slot))
    return raise({Failure::Value, "no such estimator"});
  std::make_integer_sequence<int, maxEstimators> slots;
  xla::Handler *found = isForDevices ? handlerOf<true>(slot, slots)
                                     : handlerOf<false>(slot, slots);
  return PyCapsule_New(reinterpret_cast<void *>(found), nullptr, nullptr);
}
