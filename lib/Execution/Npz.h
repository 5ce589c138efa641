//===- Npz.h - NumPy .npz and .npy files ------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The zip container is libzip's work. The header of an .npy array is parsed
// here, strictly, because the packaged library for it does not fit: xtensor
// 0.24's load_npy wants the element type at compile time (what finds it at run
// time lies in a `detail` namespace), throws, refuses bfloat16 ('<V2'), format
// 3.0, keys out of order and any header whose length has a low byte above 127
// (it is sign-extended), and takes a file whose data is cut short or whose
// shape reads (2x, 3) without complaint.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_NPZ_H
#define RLSCAN_EXECUTION_NPZ_H

#include "Execution/Tensor.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace rlscan {

/// The arrays of one archive, in the file's order; no name occurs twice.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// Reads every array of a NumPy .npz archive; names come without ".npy". An
/// array in Fortran order becomes a tensor with such strides. The error names
/// the file, the array and what is wrong.
llvm::Expected<NamedTensors> readNpz(llvm::StringRef path);

/// Reads one .npy file.
llvm::Expected<Tensor> readNpy(llvm::StringRef path);

/// Writes an uncompressed .npz archive, each array packed in C order, bf16 with
/// the descr '<V2' (what NumPy writes for ml_dtypes.bfloat16). The bytes depend
/// on the arrays alone. `path` is replaced whole or, on an error, not at all.
llvm::Error writeNpz(llvm::StringRef path,
                     llvm::ArrayRef<std::pair<std::string, Tensor>> arrays);

} // namespace rlscan

#endif // RLSCAN_EXECUTION_NPZ_H
