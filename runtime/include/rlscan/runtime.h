/*===- runtime.h - What compiled estimators need while they run ---*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* C99. The header of a compiled estimator includes this one; a program calls *|
|* the functions that are declared there. docs/linking.md is the guide.       *|
|*                                                                            *|
|* Every function may be called from any thread. None prints, exits or throws.*|
|* What goes wrong is a status, with a text in rlscan_last_error().           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef RLSCAN_RUNTIME_H
#define RLSCAN_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RLSCAN_VERSION "0.1.0"

/* The contract between compiled estimators and this library. */
#define RLSCAN_ABI_VERSION 3

#if defined(__GNUC__)
#define RLSCAN_API __attribute__((visibility("default")))
#else
#define RLSCAN_API
#endif

/*===----------------------------------------------------------------------===*\
|* Status
\*===----------------------------------------------------------------------===*/

/* docs/linking.md says of each what it means and what to do. */
typedef enum rlscan_status {
  RLSCAN_OK = 0,
  RLSCAN_INVALID_ARGUMENT = 1, /* missing, null, misaligned, out of range */
  RLSCAN_INVALID_SHAPE = 2,    /* sizes do not fit each other */
  RLSCAN_INVALID_DTYPE = 3,    /* no such type for this argument */
  RLSCAN_INVALID_DEVICE = 4,   /* none such, no code for it, or other memory */
  RLSCAN_OVERLAP = 5,          /* a result shares memory with something */
  RLSCAN_NO_VARIANT = 6,       /* the library was compiled for other calls */
  RLSCAN_SMALL_WORKSPACE = 7,  /* the call needs more than it was given */
  RLSCAN_NOT_PREPARED = 8,     /* the first launch in a capture, no prepare */
  RLSCAN_WRONG_ABI = 9,        /* header, library and runtime do not match */
  RLSCAN_NO_DRIVER = 10,       /* the driver of a GPU cannot be opened */
  RLSCAN_DRIVER_ERROR = 11,    /* the driver said no; the text has its words */
  RLSCAN_FORKED = 12,          /* forked off after a GPU was used */
  RLSCAN_OUT_OF_MEMORY = 13,   /* the host has none for what the call needs */
  RLSCAN_DAMAGED = 14          /* code of the library is not what it was */
} rlscan_status;

/* "RLSCAN_INVALID_SHAPE: sizes do not fit each other". */
RLSCAN_API const char *rlscan_status_string(rlscan_status status);

/* What was wrong with the last call on this thread that failed: which argument,
   which dimension, what was expected and what was given. Never null. Valid
   until the next failure on this thread. */
RLSCAN_API const char *rlscan_last_error(void);

/* RLSCAN_ABI_VERSION of the library that is there at run time. */
RLSCAN_API int32_t rlscan_abi_version(void);

/*===----------------------------------------------------------------------===*\
|* Arrays
\*===----------------------------------------------------------------------===*/

typedef enum rlscan_dtype {
  RLSCAN_NONE = 0,
  RLSCAN_F32 = 1,
  RLSCAN_F64 = 2,
  RLSCAN_BF16 = 3,
  RLSCAN_F16 = 4,
  RLSCAN_BOOL = 5, /* flags: one byte, set where it is not 0 */
  RLSCAN_I8 = 6,
  RLSCAN_U8 = 7,
  RLSCAN_I32 = 8,
  RLSCAN_I64 = 9
} rlscan_dtype;

/* A view of the caller's memory, which stays the caller's (DLPack's model).
   Dimensions are rows, steps, positions of an axis, in this order whatever the
   order in memory. Strides count elements and may be 0 or negative; `data` is
   the element with all indices 0. All zero: not given. */
typedef struct rlscan_tensor {
  void *data;
  int32_t dtype; /* rlscan_dtype */
  int32_t rank;  /* 0: one number */
  int64_t sizes[3];
  int64_t strides[3];
} rlscan_tensor;

#define RLSCAN_NO_TENSOR {0, 0, 0, {0, 0, 0}, {0, 0, 0}}

static inline rlscan_tensor
rlscan_make_tensor(const void *data, rlscan_dtype dtype, int32_t rank) {
  rlscan_tensor tensor = RLSCAN_NO_TENSOR;
  tensor.data = (void *)(uintptr_t)data;
  tensor.dtype = (int32_t)dtype;
  tensor.rank = rank;
  return tensor;
}

/* One number in memory: of the device that the call runs on. */
static inline rlscan_tensor rlscan_number(const void *data,
                                          rlscan_dtype dtype) {
  return rlscan_make_tensor(data, dtype, 0);
}

/* One value a row. */
static inline rlscan_tensor rlscan_rows(const void *data, rlscan_dtype dtype,
                                        int64_t rows, int64_t stride) {
  rlscan_tensor tensor = rlscan_make_tensor(data, dtype, 1);
  tensor.sizes[0] = rows;
  tensor.strides[0] = stride;
  return tensor;
}

/* One value a row and step: [rows, steps]. In memory of [N, T] the row stride
   is T and the step stride 1; in memory of [T, N] they are 1 and N. */
static inline rlscan_tensor rlscan_steps(const void *data, rlscan_dtype dtype,
                                         int64_t rows, int64_t steps,
                                         int64_t row_stride,
                                         int64_t step_stride) {
  rlscan_tensor tensor = rlscan_make_tensor(data, dtype, 2);
  tensor.sizes[0] = rows;
  tensor.sizes[1] = steps;
  tensor.strides[0] = row_stride;
  tensor.strides[1] = step_stride;
  return tensor;
}

/* One value a row, step and position of an axis: [rows, steps, positions]. */
static inline rlscan_tensor rlscan_along(const void *data, rlscan_dtype dtype,
                                         int64_t rows, int64_t steps,
                                         int64_t positions, int64_t row_stride,
                                         int64_t step_stride,
                                         int64_t position_stride) {
  rlscan_tensor tensor =
      rlscan_steps(data, dtype, rows, steps, row_stride, step_stride);
  tensor.rank = 3;
  tensor.sizes[2] = positions;
  tensor.strides[2] = position_stride;
  return tensor;
}

/*===----------------------------------------------------------------------===*\
|* Calls
\*===----------------------------------------------------------------------===*/

/* Where a call runs. AUTO: on the GPU of the stream; without a stream, where
   the memory of the first array is. A GPU is its number in the driver's list:
   CUDA's or HIP's, whichever the estimator was compiled for. */
enum { RLSCAN_DEVICE_AUTO = -2, RLSCAN_DEVICE_CPU = -1 };

/* Who runs the pieces of a call on the CPU. */
typedef struct rlscan_parallel {
  /* Runs body(context, i) for every i of 0..count-1, on any threads, and
     returns when all are done. */
  void (*run)(const struct rlscan_parallel *self, int64_t count,
              void (*body)(void *context, int64_t index), void *context);
  void *self;      /* the caller's */
  int32_t threads; /* about how many run at a time: at least 1 */
} rlscan_parallel;

/* The calling thread alone. */
RLSCAN_API extern const rlscan_parallel rlscan_serial;

/* The threads that the library keeps: as many as the process may run on. They
   start with the first call that has work for them. A call that finds them busy
   with another runs on its own thread alone. */
RLSCAN_API extern const rlscan_parallel rlscan_threads;

#ifdef __cplusplus
}
#endif

#endif /* RLSCAN_RUNTIME_H */
