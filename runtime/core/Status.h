//===- Status.h - How a call of the C interface fails -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CORE_STATUS_H
#define RLSCAN_RUNTIME_CORE_STATUS_H

#include "rlscan/runtime.h"

namespace rlscan::runtime {

/// Keeps a text for rlscan_last_error(); returns the status.
__attribute__((format(printf, 2, 3))) rlscan_status fail(rlscan_status status,
                                                         const char *format,
                                                         ...);

/// "[16, 512]", or "a single number".
struct ShapeText {
  explicit ShapeText(const rlscan_tensor &tensor);
  char text[80];
};

/// "f32", "bool", ...
const char *spelling(int32_t dtype);

/// The bytes of an element; 0 where there is no such type.
int64_t byteWidth(int32_t dtype);
bool isFloat(int32_t dtype);

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_STATUS_H
