//===- XlaFfi.h - XLA's stable interface for foreign functions --*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The part of xla/ffi/api/c_api.h, version 0.1 and later, that is used here: no
// jaxlib is needed to build. Structs grow at their ends only; test/python
// compares the layouts with jaxlib's header.

#ifndef RLSCAN_PYTHON_XLAFFI_H
#define RLSCAN_PYTHON_XLAFFI_H

#include <cstddef>
#include <cstdint>

namespace rlscan::python::xla {

struct Extension {
  size_t structSize;
  int32_t type; // 1: metadata
  Extension *next;
};

struct ApiVersion {
  size_t structSize;
  Extension *extensions;
  int32_t major, minor;
};

struct Error;
struct Context;

struct ErrorCreate {
  size_t structSize;
  Extension *extensions;
  const char *message;
  int32_t code; // 3: invalid argument, 13: internal
};

struct ErrorMessage {
  size_t structSize;
  Extension *extensions;
  Error *error;
  const char *text;
};

struct ErrorDestroy {
  size_t structSize;
  Extension *extensions;
  Error *error;
};

/// Of DataType: 1 bool, 2 i8, 4 i32, 5 i64, 6 u8, 10 f16, 11 f32, 12 f64, 16
/// bf16.
struct Buffer {
  size_t structSize;
  Extension *extensions;
  int32_t dtype;
  void *data;
  int64_t rank;
  int64_t *dims;
};

struct Text {
  const char *data;
  size_t size;
};

struct Scalar {
  int32_t dtype;
  void *value;
};

/// Arguments, or results.
struct Buffers {
  size_t structSize;
  Extension *extensions;
  int64_t count;
  int32_t *types;
  Buffer **buffers;
};

struct Attributes {
  size_t structSize;
  Extension *extensions;
  int64_t count;
  int32_t *types; // 3: scalar
  Text **names;
  void **values;
};

struct StreamGet {
  size_t structSize;
  Extension *extensions;
  Context *context;
  void *stream;
};

struct DeviceOrdinalGet {
  size_t structSize;
  Extension *extensions;
  Context *context;
  int32_t ordinal;
};

struct MemoryAllocate {
  size_t structSize;
  Extension *extensions;
  Context *context;
  size_t size, alignment;
  void *data;
};

struct MemoryFree {
  size_t structSize;
  Extension *extensions;
  Context *context;
  size_t size;
  void *data;
};

struct Api {
  size_t structSize;
  Extension *extensions;
  ApiVersion version;
  const void *internal;
  Error *(*createError)(ErrorCreate *arguments);
  void (*getMessage)(ErrorMessage *arguments);
  void (*destroyError)(ErrorDestroy *arguments);
  void *registerHandler;
  Error *(*getStream)(StreamGet *arguments);
  void *registerType, *getContext, *setState, *getState;
  Error *(*allocate)(MemoryAllocate *arguments);
  Error *(*free)(MemoryFree *arguments);
  void *schedule, *threadCount;
  void *createFuture, *setAvailable, *setError, *getRunId;
  Error *(*getDeviceOrdinal)(DeviceOrdinalGet *arguments);
};

struct CallFrame {
  size_t structSize;
  Extension *extensions;
  const Api *api;
  Context *context;
  int32_t stage; // 3: execute
  Buffers arguments, results;
  Attributes attributes;
};

struct Metadata {
  size_t structSize;
  ApiVersion version;
  uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

using Handler = Error *(CallFrame *frame);

} // namespace rlscan::python::xla

#endif // RLSCAN_PYTHON_XLAFFI_H
