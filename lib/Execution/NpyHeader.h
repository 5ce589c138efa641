//===- NpyHeader.h - What stands before the data of an array ----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .npy format: https://numpy.org/neps/nep-0001-npy-format.html
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_NPYHEADER_H
#define RLSCAN_EXECUTION_NPYHEADER_H

#include "Execution/Tensor.h"

#include "llvm/Support/Error.h"

namespace rlscan {

constexpr llvm::StringRef npyMagic = "\x93NUMPY";

/// Enough for any shape; only structured types need more.
constexpr uint32_t maxHeaderLength = 65535;

/// NumPy's own limit.
constexpr size_t maxRank = 64;

struct NpyHeader {
  DType dtype = DType::F32;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t, 3> sizes;
};

/// Parses the Python dictionary of an .npy header.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);

/// The bytes of an array's data; an error where they cannot be counted.
llvm::Expected<int64_t> byteCount(const NpyHeader &header);

/// What comes before the data of `tensor`, in format 1.0.
std::string npyHeaderOf(const Tensor &tensor);

/// Text of a file, made fit for a message of one line.
std::string escaped(llvm::StringRef text);

} // namespace rlscan

#endif // RLSCAN_EXECUTION_NPYHEADER_H
