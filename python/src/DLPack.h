//===- DLPack.h - The part of DLPack 1 that is used here --------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The layouts are DLPack's, https://dmlc.github.io/dlpack; test/python compares
// them with PyTorch's copy of the header.

#ifndef RLSCAN_PYTHON_DLPACK_H
#define RLSCAN_PYTHON_DLPACK_H

#include <cstdint>

namespace rlscan::python::dlpack {

enum DeviceType : int32_t { Cpu = 1, Cuda = 2, CudaHost = 3, Rocm = 10 };

struct Device {
  int32_t type; // DeviceType
  int32_t id;
};

enum TypeCode : uint8_t { Int = 0, UInt = 1, Float = 2, Bfloat = 4, Bool = 6 };

struct DataType {
  uint8_t code; // TypeCode
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void *data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t *shape;
  int64_t *strides; // null: row-major
  uint64_t byte_offset;
};

struct Version {
  uint32_t major, minor;
};

/// Of a capsule "dltensor".
struct ManagedTensor {
  Tensor tensor;
  void *context;
  void (*deleter)(ManagedTensor *self);
};

/// Of a capsule "dltensor_versioned".
struct VersionedTensor {
  Version version;
  void *context;
  void (*deleter)(VersionedTensor *self);
  uint64_t flags;
  Tensor tensor;
};

/// Of a type's __dlpack_c_exchange_api__: its tensors without a capsule each.
/// Functions return 0, or -1 with an exception of Python's.
struct ExchangeApi {
  Version version;
  ExchangeApi *previous;
  int (*allocate)(Tensor *prototype, VersionedTensor **out, void *context,
                  void (*setError)(void *context, const char *kind,
                                   const char *message));
  int (*fromObject)(void *object, VersionedTensor **out);
  int (*toObject)(VersionedTensor *tensor, void **object);
  int (*view)(void *object, Tensor *out); // may be null
  int (*currentStream)(int32_t deviceType, int32_t deviceId, void **stream);
};

} // namespace rlscan::python::dlpack

#endif // RLSCAN_PYTHON_DLPACK_H
