//===- Status.cpp - How a call of the C interface fails -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Status.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace rlscan::runtime;

/// Long enough for what a driver's compiler has to say.
static thread_local char lastError[4096];

rlscan_status rlscan::runtime::fail(rlscan_status status, const char *format,
                                    ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(lastError, sizeof lastError, format, arguments);
  va_end(arguments);
  return status;
}

const char *rlscan_last_error(void) { return lastError; }

int32_t rlscan_abi_version(void) { return RLSCAN_ABI_VERSION; }

const char *rlscan_status_string(rlscan_status status) {
  switch (status) {
  case RLSCAN_OK:
    return "RLSCAN_OK: done, or queued on the stream";
  case RLSCAN_INVALID_ARGUMENT:
    return "RLSCAN_INVALID_ARGUMENT: an argument is missing, null, misaligned "
           "or out of range";
  case RLSCAN_INVALID_SHAPE:
    return "RLSCAN_INVALID_SHAPE: sizes do not fit each other";
  case RLSCAN_INVALID_DTYPE:
    return "RLSCAN_INVALID_DTYPE: an argument does not take this type";
  case RLSCAN_INVALID_DEVICE:
    return "RLSCAN_INVALID_DEVICE: no such device, or memory of another";
  case RLSCAN_OVERLAP:
    return "RLSCAN_OVERLAP: a result shares memory with another array";
  case RLSCAN_NO_VARIANT:
    return "RLSCAN_NO_VARIANT: the library was compiled for other calls";
  case RLSCAN_SMALL_WORKSPACE:
    return "RLSCAN_SMALL_WORKSPACE: the call needs more workspace";
  case RLSCAN_NOT_PREPARED:
    return "RLSCAN_NOT_PREPARED: the stream is being captured and the kernel "
           "is not loaded";
  case RLSCAN_WRONG_ABI:
    return "RLSCAN_WRONG_ABI: header, library and runtime do not match";
  case RLSCAN_NO_DRIVER:
    return "RLSCAN_NO_DRIVER: the driver of the GPU cannot be opened";
  case RLSCAN_DRIVER_ERROR:
    return "RLSCAN_DRIVER_ERROR: the driver of the GPU reports an error";
  case RLSCAN_FORKED:
    return "RLSCAN_FORKED: the process was forked off after a GPU was used";
  case RLSCAN_OUT_OF_MEMORY:
    return "RLSCAN_OUT_OF_MEMORY: the host has no memory left";
  case RLSCAN_DAMAGED:
    return "RLSCAN_DAMAGED: code of the library is not what it was";
  }
  return "unknown status";
}

ShapeText::ShapeText(const rlscan_tensor &tensor) {
  if (tensor.rank <= 0) {
    std::strcpy(text, "a single number");
    return;
  }
  size_t used = 0;
  for (int32_t dim = 0; dim < tensor.rank && dim < 3; ++dim)
    used += std::snprintf(text + used, sizeof text - used, "%s%" PRId64,
                          dim ? ", " : "[", tensor.sizes[dim]);
  std::snprintf(text + used, sizeof text - used, "]");
}

namespace {
struct DType {
  const char *name;
  int64_t bytes;
};
} // namespace

static DType describe(int32_t dtype) {
  switch (dtype) {
  case RLSCAN_F32:
    return {"f32", 4};
  case RLSCAN_F64:
    return {"f64", 8};
  case RLSCAN_BF16:
    return {"bf16", 2};
  case RLSCAN_F16:
    return {"f16", 2};
  case RLSCAN_BOOL:
    return {"bool", 1};
  case RLSCAN_I8:
    return {"i8", 1};
  case RLSCAN_U8:
    return {"u8", 1};
  case RLSCAN_I32:
    return {"i32", 4};
  case RLSCAN_I64:
    return {"i64", 8};
  default:
    return {"?", 0};
  }
}

const char *rlscan::runtime::spelling(int32_t dtype) {
  return describe(dtype).name;
}

int64_t rlscan::runtime::byteWidth(int32_t dtype) {
  return describe(dtype).bytes;
}

bool rlscan::runtime::isFloat(int32_t dtype) {
  return dtype >= RLSCAN_F32 && dtype <= RLSCAN_F16;
}
