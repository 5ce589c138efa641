/*===- abi.h - What rlscan-compile leaves for the runtime ----------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Not for users. A compiled estimator is constant data of these types, kernel*|
|* code, and functions of one line that call those at the end of this file.   *|
|* lib/Artefacts/Table.cpp writes the data; any change of a type, of what a   *|
|* field means or of a kernel's arguments takes another RLSCAN_ABI_VERSION.   *|
|* docs/abi.md says what is promised.                                         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef RLSCAN_ABI_H
#define RLSCAN_ABI_H

#include "rlscan/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The struct of a call begins so; RLSCAN_..._ARGS_INIT fills it in. */
typedef struct rlscan_args_head {
  size_t size; /* of the whole struct */
  int32_t device;
  int32_t reserved;
  void *workspace;
  size_t workspace_size;
  const rlscan_parallel *parallel;
} rlscan_args_head;

/* As the dialect's InputKind. */
enum { RLSCAN_PARAM = 0, RLSCAN_ROW = 1, RLSCAN_STEP = 2 };
enum { RLSCAN_REAL = 0, RLSCAN_FLAG = 1, RLSCAN_INDEX = 2 };
/* What an argument says of the rows of a call: nothing, how long each is, or
   where each begins that is packed. */
enum { RLSCAN_PLAIN = 0, RLSCAN_LENGTHS = 1, RLSCAN_BOUNDS = 2 };

/* An input or a result: the inputs in the order of the recipe, then the results
   in the order of `return`. At most 32. */
typedef struct rlscan_argument {
  const char *name;
  int32_t offset; /* of its rlscan_tensor in the struct of a call */
  int32_t
      number_offset; /* of a param's number: double, int32_t (flag), int64_t */
  int32_t kind, element;
  int32_t is_result;
  int32_t is_optional;
  int32_t axis; /* into the estimator's axes, or -1; of what a row has one of,
                   or an extra step of: in packed calls */
  int32_t role;
  int32_t extra_steps; /* of a step input: entries of a row past its steps, 0 or
                          1; such rows begin at any element */
} rlscan_argument;

/* How a variant stores an argument: 4 bits of `storage` each. */
enum {
  RLSCAN_STORED_ABSENT = 0,
  RLSCAN_STORED_F32 = 1,
  RLSCAN_STORED_F64 = 2,
  RLSCAN_STORED_BF16 = 3,
  RLSCAN_STORED_F16 = 4,
  RLSCAN_STORED_I8 = 5, /* bool, i8 and u8 */
  RLSCAN_STORED_I32 = 6,
  RLSCAN_STORED_I64 = 7,
  RLSCAN_STORED_NUMBER = 8 /* a param */
};

/* As the dialect's Layout; of all arrays of one value a row and step. */
enum { RLSCAN_STRIDED = 0, RLSCAN_STEPS = 1, RLSCAN_ROWS = 2 };

enum { RLSCAN_TARGET_CPU = 0, RLSCAN_TARGET_CUDA = 1, RLSCAN_TARGET_HIP = 2 };

/* As generated code for the CPU reads it; docs/cpu.md. */
typedef struct rlscan_host_array {
  void *data;
  int64_t row_stride, step_stride, axis_stride;
} rlscan_host_array;

typedef void (*rlscan_host_run)(const rlscan_host_array *arrays,
                                const int64_t *axis_sizes, void *workspace,
                                int64_t steps, int64_t row_begin,
                                int64_t row_end);
typedef int64_t (*rlscan_host_workspace)(int64_t steps);

/* As the dialect's Chain. */
enum { RLSCAN_ONCE = 0, RLSCAN_LOOP = 1, RLSCAN_LOOK_BACK = 2 };

typedef struct rlscan_shape {
  int64_t rows, steps;
} rlscan_shape;

/* One kernel of a GPU module: a schedule. docs/gpu.md has its arguments, but
   that a param is two here: its number, and an address that holds the number
   instead where it is not null (f32, or f64 where reals are f64; a byte for a
   flag; an i64 for an index). */
typedef struct rlscan_kernel {
  const char *name;
  int32_t threads;    /* of a workgroup */
  int32_t rows;       /* of a workgroup */
  int32_t tile_steps; /* of a tile */
  int32_t chain;
  int32_t access; /* steps that one access moves: what it takes for granted */
  int32_t scans;
  int32_t temporaries;
  int32_t state_bytes; /* of a tile, row and scan in look-back */
  int32_t entries;     /* of every axis, packed: taken for granted if not 0 */
  int32_t shape_count;
  const rlscan_shape *shapes; /* that it was chosen for */
} rlscan_kernel;

enum { RLSCAN_IMAGE_PTX = 0, RLSCAN_IMAGE_CUBIN = 1, RLSCAN_IMAGE_HSACO = 2 };

/* The kernels of a variant for a chip. PTX runs on later chips too, a cubin on
   later ones of the same generation, a code object of AMD's on this one. */
typedef struct rlscan_image {
  int32_t kind;
  int32_t capability; /* 90: compute capability 9.0; 0x90a: gfx90a */
  const void *data;   /* PTX ends with a 0 byte */
  uint64_t size;
  uint64_t unpacked_size; /* not 0: what the bytes, a stream of zlib's, give:
                             behind the code, a seal (runtime/core/Image.h) */
} rlscan_image;

/* The code for one kind of call. */
typedef struct rlscan_variant {
  const char *name;
  int32_t target;
  int32_t level; /* CPU: of x86-64 (1 to 4); 0: any CPU */
  int32_t layout;
  int32_t is_f64; /* what reals are computed in */
  uint64_t storage[2];
  int32_t argument_count, axis_count;
  const int32_t *arguments; /* of the kernel, in its order */
  const int32_t *axes;
  rlscan_host_run run; /* CPU */
  rlscan_host_workspace workspace;
  int32_t image_count, kernel_count;
  const rlscan_image *images; /* GPU */
  const rlscan_kernel *kernels;
} rlscan_variant;

typedef struct rlscan_estimator {
  int32_t abi_version;
  int32_t args_size;
  const char *name; /* with the prefix: the functions begin so */
  int32_t argument_count, axis_count, variant_count;
  int32_t reserved;
  const rlscan_argument *arguments;
  const char *const *axes;
  const rlscan_variant *variants;
  void **state; /* a null pointer at first; the runtime's */
} rlscan_estimator;

/* What a launch of a call runs that has the workspace it is fastest with. */
typedef struct rlscan_choice {
  const rlscan_variant *variant;
  const rlscan_kernel *kernel; /* null on the CPU, and where nothing is to do */
  size_t workspace;
} rlscan_choice;

RLSCAN_API rlscan_status rlscan_choose(const rlscan_estimator *estimator,
                                       const void *args, rlscan_choice *choice);
RLSCAN_API rlscan_status rlscan_prepare(const rlscan_estimator *estimator,
                                        int32_t device);
RLSCAN_API rlscan_status rlscan_prepare_for(const rlscan_estimator *estimator,
                                            const void *args, int32_t device);
RLSCAN_API rlscan_status rlscan_launch(const rlscan_estimator *estimator,
                                       const void *args, void *stream);
RLSCAN_API rlscan_status rlscan_workspace_size(
    const rlscan_estimator *estimator, const void *args, size_t *size);
RLSCAN_API rlscan_status rlscan_release(const rlscan_estimator *estimator);

#ifdef __cplusplus
}
#endif

#endif /* RLSCAN_ABI_H */
