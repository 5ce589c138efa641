//===- TorchShim.h - PyTorch's stable C interface ---------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The functions of torch/csrc/inductor/aoti_torch/c/shim.h that are used here.
// They are looked up in the libraries that the process has loaded: one build
// serves every PyTorch from 2.9 on, and none is needed to build. test/python
// compares the types with PyTorch's headers.

#ifndef RLSCAN_PYTHON_TORCHSHIM_H
#define RLSCAN_PYTHON_TORCHSHIM_H

#include <cstdint>
#include <string>

namespace rlscan::python::torch {

/// An integer, a number, a flag or a pointer. A tensor is a handle that the
/// receiver owns; what is optional a pointer to a value of its own, or null.
using Value = uint64_t;
/// PyTorch's at::Tensor.
struct TensorObject;
using Tensor = TensorObject *;
struct LibraryObject;
using Library = LibraryObject *;
/// 0 where all is well.
using Error = int32_t;
using Kernel = void(Value *stack, uint64_t inputs, uint64_t outputs);

struct Shim {
  Error (*newFragment)(const char *space, const char *file, uint32_t line,
                       Library *library);
  Error (*newImplementation)(const char *space, const char *key,
                             const char *file, uint32_t line, Library *library);
  Error (*define)(Library library, const char *schema);
  Error (*implement)(Library library, const char *name, Kernel *kernel);
  Error (*deleteTensor)(Tensor tensor);
  Error (*dataOf)(Tensor tensor, void **data);
  Error (*rankOf)(Tensor tensor, int64_t *rank);
  Error (*sizesOf)(Tensor tensor, int64_t **sizes);
  Error (*stridesOf)(Tensor tensor, int64_t **strides);
  Error (*dtypeOf)(Tensor tensor, int32_t *dtype);
  Error (*deviceTypeOf)(Tensor tensor, int32_t *type);
  Error (*deviceIndexOf)(Tensor tensor, int32_t *index);
  Error (*emptyStrided)(int64_t rank, const int64_t *sizes,
                        const int64_t *strides, int32_t dtype,
                        int32_t deviceType, int32_t deviceIndex,
                        Tensor *tensor);
  Error (*zero)(Tensor tensor);
  /// Null where PyTorch was built for the CPU alone.
  Error (*currentStream)(int32_t deviceIndex, void **stream);
  /// Python's object of a tensor, which shares it, or null with an exception.
  /// Not of the C interface: null where PyTorch has none of this name.
  struct _object *(*wrap)(const TensorObject &tensor);
  /// As rlscan_dtype counts them; -1 where there is none.
  int32_t dtypes[10];
  int32_t cpu, cuda;

  /// Looks everything up, once; what is missing, or an empty text.
  static std::string open(const std::string &folder);
  static const Shim &get();
};

} // namespace rlscan::python::torch

#endif // RLSCAN_PYTHON_TORCHSHIM_H
