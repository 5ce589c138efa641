/*===- decay.c - A compiled estimator, written by hand ------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"

#include <string.h>

decay_args decay_init(void) {
  decay_args args = {sizeof(decay_args),
                     RLSCAN_DEVICE_AUTO,
                     0,
                     0,
                     0,
                     0,
                     0.5,
                     RLSCAN_NO_TENSOR,
                     0.0,
                     RLSCAN_NO_TENSOR,
                     RLSCAN_NO_TENSOR,
                     RLSCAN_NO_TENSOR,
                     RLSCAN_NO_TENSOR,
                     RLSCAN_NO_TENSOR,
                     RLSCAN_NO_TENSOR};
  args.limit = 1e300;
  return args;
}

/*===----------------------------------------------------------------------===*\
|* The code for the CPU
\*===----------------------------------------------------------------------===*/

static double step(double x, double gamma, double limit, double before) {
  double y = x + gamma * before;
  return y < limit ? y : limit;
}

/* gamma, limit, x, y: no done, no seed. */
static void runPlain(const rlscan_host_array *arrays, const int64_t *axisSizes,
                     void *workspace, int64_t steps, int64_t begin,
                     int64_t end) {
  const double gamma = *(const double *)arrays[0].data;
  const double limit = *(const double *)arrays[1].data;
  const rlscan_host_array *x = &arrays[2], *y = &arrays[3];
  (void)axisSizes;
  (void)workspace;
  for (int64_t row = begin; row < end; ++row) {
    double carry = 0.0;
    for (int64_t t = 0; t < steps; ++t) {
      int64_t from = row * x->row_stride + t * x->step_stride;
      carry = step(((const float *)x->data)[from], gamma, limit, carry);
      ((float *)y->data)[row * y->row_stride + t * y->step_stride] =
          (float)carry;
    }
  }
}

/* gamma, limit, x, done, seed, y; through workspace of a double a step. */
static void runFull(const rlscan_host_array *arrays, const int64_t *axisSizes,
                    void *workspace, int64_t steps, int64_t begin,
                    int64_t end) {
  const double gamma = *(const double *)arrays[0].data;
  const double limit = *(const double *)arrays[1].data;
  const rlscan_host_array *x = &arrays[2], *done = &arrays[3];
  const rlscan_host_array *seed = &arrays[4], *y = &arrays[5];
  double *kept = workspace;
  (void)axisSizes;
  for (int64_t row = begin; row < end; ++row) {
    double carry = ((const float *)seed->data)[row * seed->row_stride];
    for (int64_t t = 0; t < steps; ++t) {
      int64_t from = row * x->row_stride + t * x->step_stride;
      int64_t flag = row * done->row_stride + t * done->step_stride;
      int isDone = ((const char *)done->data)[flag] != 0;
      carry = step(((const float *)x->data)[from], isDone ? 0.0 : gamma, limit,
                   carry);
      kept[t] = carry;
    }
    for (int64_t t = 0; t < steps; ++t)
      ((float *)y->data)[row * y->row_stride + t * y->step_stride] =
          (float)kept[t];
  }
}

static int64_t noWorkspace(int64_t steps) { return 0 * steps; }
static int64_t someWorkspace(int64_t steps) { return 8 * steps; }

/*===----------------------------------------------------------------------===*\
|* The tables
\*===----------------------------------------------------------------------===*/

enum { GAMMA, LIMIT, X, WEIGHT, DONE, SEED, Y };

#define AT(member) (int32_t)offsetof(decay_args, member)

static const rlscan_argument arguments[] = {
    {"gamma", AT(gamma_at), AT(gamma), RLSCAN_PARAM, RLSCAN_REAL, 0, 1, -1, 0,
     0},
    {"limit", AT(limit_at), AT(limit), RLSCAN_PARAM, RLSCAN_REAL, 0, 0, -1, 0,
     0},
    {"x", AT(x), -1, RLSCAN_STEP, RLSCAN_REAL, 0, 0, -1, 0, 0},
    {"weight", AT(weight), -1, RLSCAN_STEP, RLSCAN_REAL, 0, 1, 0, 0, 0},
    {"done", AT(done), -1, RLSCAN_STEP, RLSCAN_FLAG, 0, 1, -1, 0, 0},
    {"seed", AT(seed), -1, RLSCAN_ROW, RLSCAN_REAL, 0, 1, -1, 0, 0},
    {"y", AT(y), -1, RLSCAN_STEP, RLSCAN_REAL, 1, 0, -1, 0, 0}};
static const char *const axes[] = {"a"};

#define STORED(argument, type)                                                 \
  ((uint64_t)RLSCAN_STORED_##type << (4 * (argument)))
#define PLAIN                                                                  \
  (STORED(GAMMA, NUMBER) | STORED(LIMIT, NUMBER) | STORED(X, F32) |            \
   STORED(Y, F32))
#define FULL (PLAIN | STORED(DONE, I8) | STORED(SEED, F32))

static const int32_t plainArguments[] = {GAMMA, LIMIT, X, Y};
static const int32_t fullArguments[] = {GAMMA, LIMIT, X, DONE, SEED, Y};

/* The fake drivers only look for names in the text. */
static const char text[] = "wide back plain";
/* "wide back plain // for 9.0" as zlib packs it. */
static const unsigned char zlib[] = {120, 156, 43, 207, 76,  73,  85,  72,  74,
                                     76,  206, 86, 40,  200, 73,  204, 204, 83,
                                     208, 215, 87, 72,  203, 47,  82,  176, 212,
                                     51,  96,  0,  0,   128, 189, 8,   43};
static const char bad[] = "bad";
static const rlscan_image cudaImages[] = {
    {RLSCAN_IMAGE_PTX, 75, text, sizeof text, 0},
    {RLSCAN_IMAGE_PTX, 90, zlib, sizeof zlib, 27},
    /* Machine code that the driver does not take: the PTX is there. */
    {RLSCAN_IMAGE_CUBIN, 90, bad, sizeof bad, 0}};
static const rlscan_image cudaBad[] = {
    {RLSCAN_IMAGE_PTX, 75, bad, sizeof bad, 0}};
static const rlscan_image hipImages[] = {
    {RLSCAN_IMAGE_HSACO, 0x90a, text, sizeof text, 0},
    {RLSCAN_IMAGE_HSACO, 0x942, zlib, sizeof zlib, 27},
    {RLSCAN_IMAGE_HSACO, 0x950, bad, sizeof bad, 0}};
static const rlscan_image hipBad[] = {
    {RLSCAN_IMAGE_HSACO, 0x942, bad, sizeof bad, 0},
    {RLSCAN_IMAGE_HSACO, 0x90a, text, sizeof text, 0},
    {RLSCAN_IMAGE_HSACO, 0x950, bad, sizeof bad, 0}};
static const rlscan_image hipSmall[] = {
    {RLSCAN_IMAGE_HSACO, 0x1100, text, sizeof text, 0}};

static const rlscan_shape middle[] = {{4096, 128}}, long_[] = {{16, 65536}};
static const rlscan_kernel kernels[] = {
    {"wide", 128, 4, 128, RLSCAN_ONCE, 4, 1, 0, 16, 0, 1, middle},
    {"back", 256, 2, 1024, RLSCAN_LOOK_BACK, 4, 1, 0, 16, 0, 1, long_},
    {"plain", 64, 8, 64, RLSCAN_LOOP, 1, 1, 0, 16, 0, 1, middle}};
/* Of a chip with smaller subgroups. */
static const rlscan_kernel small[] = {
    {"plain", 32, 4, 64, RLSCAN_LOOP, 1, 1, 0, 16, 0, 1, middle}};
/* One for axes of 4 entries, which is better however far its shape is. */
static const rlscan_kernel packed[] = {
    {"wide", 64, 8, 64, RLSCAN_LOOP, 1, 1, 0, 16, 4, 1, long_},
    {"plain", 64, 8, 64, RLSCAN_LOOP, 1, 1, 0, 16, 0, 1, middle}};
/* One that keeps a value a row and step. */
static const rlscan_kernel keeping[] = {
    {"plain", 64, 8, 64, RLSCAN_LOOP, 1, 1, 1, 16, 0, 1, middle}};

#define HOST_VARIANTS                                                          \
  {.name = "decay_cpu_f32",                                                    \
   .target = RLSCAN_TARGET_CPU,                                                \
   .level = 0,                                                                 \
   .storage = {PLAIN, 0},                                                      \
   .argument_count = 4,                                                        \
   .arguments = plainArguments,                                                \
   .run = runPlain,                                                            \
   .workspace = noWorkspace},                                                  \
      {.name = "decay_cpu_f32_done_seed",                                      \
       .target = RLSCAN_TARGET_CPU,                                            \
       .level = 0,                                                             \
       .storage = {FULL, 0},                                                   \
       .argument_count = 6,                                                    \
       .arguments = fullArguments,                                             \
       .run = runFull,                                                         \
       .workspace = someWorkspace},                                            \
  {                                                                            \
    .name = "decay_cpu_new", .target = RLSCAN_TARGET_CPU, .level = 9,          \
    .storage = {PLAIN | STORED(SEED, F32), 0}, .argument_count = 4,            \
    .arguments = plainArguments, .run = runPlain, .workspace = noWorkspace     \
  }

#define GPU_VARIANT(vendor, VENDOR, kind, order, stored, code, kerneled)       \
  {.name = "decay_" #vendor "_" kind,                                          \
   .target = RLSCAN_TARGET_##VENDOR,                                           \
   .layout = order,                                                            \
   .storage = {stored, 0},                                                     \
   .argument_count = 4,                                                        \
   .arguments = plainArguments,                                                \
   .images = code,                                                             \
   .image_count = sizeof code / sizeof *code,                                  \
   .kernels = kerneled,                                                        \
   .kernel_count = sizeof kerneled / sizeof *kerneled}
#define GPU_VARIANTS(vendor, VENDOR)                                           \
  GPU_VARIANT(vendor, VENDOR, "f32_nt", RLSCAN_STEPS, PLAIN, vendor##Images,   \
              kernels),                                                        \
      GPU_VARIANT(vendor, VENDOR, "f32_tn", RLSCAN_ROWS, PLAIN,                \
                  vendor##Images, keeping),                                    \
      GPU_VARIANT(vendor, VENDOR, "bad", RLSCAN_STEPS,                         \
                  PLAIN | STORED(SEED, F32), vendor##Bad, kernels),            \
      GPU_VARIANT(vendor, VENDOR, "f32_nt_weight", RLSCAN_STEPS,               \
                  PLAIN | STORED(WEIGHT, F32), vendor##Images, packed)
#define HIP_VARIANTS                                                           \
  GPU_VARIANTS(hip, HIP), GPU_VARIANT(hip, HIP, "f32_nt_small", RLSCAN_STEPS,  \
                                      PLAIN, hipSmall, small)

static const rlscan_variant ofCuda[] = {HOST_VARIANTS,
                                        GPU_VARIANTS(cuda, CUDA)};
static const rlscan_variant ofHip[] = {HOST_VARIANTS, HIP_VARIANTS};
static const rlscan_variant ofBoth[] = {HOST_VARIANTS, GPU_VARIANTS(cuda, CUDA),
                                        HIP_VARIANTS};

void decay_choose(const char *vendor) {
  int isHip = strcmp(vendor, "hip") == 0, isBoth = strcmp(vendor, "both") == 0;
  decay.variants = isBoth ? ofBoth : isHip ? ofHip : ofCuda;
  decay.variant_count = isBoth  ? sizeof ofBoth / sizeof *ofBoth
                        : isHip ? sizeof ofHip / sizeof *ofHip
                                : sizeof ofCuda / sizeof *ofCuda;
}

static void *state;
rlscan_estimator decay = {RLSCAN_ABI_VERSION,
                          (int32_t)sizeof(decay_args),
                          "decay",
                          7,
                          1,
                          7,
                          0,
                          arguments,
                          axes,
                          ofCuda,
                          &state};
