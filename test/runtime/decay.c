/*===- decay.c - A compiled estimator, written by hand ------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"

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
    {"gamma", AT(gamma_at), AT(gamma), RLSCAN_PARAM, RLSCAN_REAL, 0, 1, -1, 0},
    {"limit", AT(limit_at), AT(limit), RLSCAN_PARAM, RLSCAN_REAL, 0, 0, -1, 0},
    {"x", AT(x), -1, RLSCAN_STEP, RLSCAN_REAL, 0, 0, -1, 0},
    {"weight", AT(weight), -1, RLSCAN_STEP, RLSCAN_REAL, 0, 1, 0, 0},
    {"done", AT(done), -1, RLSCAN_STEP, RLSCAN_FLAG, 0, 1, -1, 0},
    {"seed", AT(seed), -1, RLSCAN_ROW, RLSCAN_REAL, 0, 1, -1, 0},
    {"y", AT(y), -1, RLSCAN_STEP, RLSCAN_REAL, 1, 0, -1, 0}};
static const char *const axes[] = {"a"};

#define STORED(argument, type)                                                 \
  ((uint64_t)RLSCAN_STORED_##type << (4 * (argument)))
#define PLAIN                                                                  \
  (STORED(GAMMA, NUMBER) | STORED(LIMIT, NUMBER) | STORED(X, F32) |            \
   STORED(Y, F32))
#define FULL (PLAIN | STORED(DONE, I8) | STORED(SEED, F32))

static const int32_t plainArguments[] = {GAMMA, LIMIT, X, Y};
static const int32_t fullArguments[] = {GAMMA, LIMIT, X, DONE, SEED, Y};

/* The fake driver only looks for names in the text. */
static const char text75[] = "wide back plain // for 7.5";
/* "wide back plain // for 9.0" as zlib packs it. */
static const unsigned char text90[] = {
    120, 156, 43,  207, 76,  73, 85,  72,  74,  76, 206, 86,
    40,  200, 73,  204, 204, 83, 208, 215, 87,  72, 203, 47,
    82,  176, 212, 51,  96,  0,  0,   128, 189, 8,  43};
static const char bad[] = "bad";
static const rlscan_image images[] = {
    {RLSCAN_IMAGE_PTX, 75, text75, sizeof text75, 0},
    {RLSCAN_IMAGE_PTX, 90, text90, sizeof text90, 27},
    /* Machine code that the driver does not take: the PTX is there. */
    {RLSCAN_IMAGE_CUBIN, 90, bad, sizeof bad, 0}};
static const rlscan_image badImages[] = {
    {RLSCAN_IMAGE_PTX, 75, bad, sizeof bad, 99}};

static const rlscan_shape middle[] = {{4096, 128}}, long_[] = {{16, 65536}};
static const rlscan_kernel kernels[] = {
    {"wide", 128, 4, 128, RLSCAN_ONCE, 4, 1, 0, 16, 0, 1, middle},
    {"back", 256, 2, 1024, RLSCAN_LOOK_BACK, 4, 1, 0, 16, 0, 1, long_},
    {"plain", 64, 8, 64, RLSCAN_LOOP, 1, 1, 0, 16, 0, 1, middle}};
/* One for axes of 4 entries. */
static const rlscan_kernel packed[] = {
    {"wide", 64, 8, 64, RLSCAN_LOOP, 1, 1, 0, 16, 4, 1, middle},
    {"plain", 64, 8, 64, RLSCAN_LOOP, 1, 1, 0, 16, 0, 1, middle}};
/* One that keeps a value a row and step. */
static const rlscan_kernel keeping[] = {
    {"plain", 64, 8, 64, RLSCAN_LOOP, 1, 1, 1, 16, 0, 1, middle}};

static const rlscan_variant variants[] = {
    {.name = "decay_cpu_f32",
     .target = RLSCAN_TARGET_CPU,
     .level = 0,
     .storage = {PLAIN, 0},
     .argument_count = 4,
     .arguments = plainArguments,
     .run = runPlain,
     .workspace = noWorkspace},
    {.name = "decay_cpu_f32_done_seed",
     .target = RLSCAN_TARGET_CPU,
     .level = 0,
     .storage = {FULL, 0},
     .argument_count = 6,
     .arguments = fullArguments,
     .run = runFull,
     .workspace = someWorkspace},
    {.name = "decay_cpu_new",
     .target = RLSCAN_TARGET_CPU,
     .level = 9,
     .storage = {PLAIN | STORED(SEED, F32), 0},
     .argument_count = 4,
     .arguments = plainArguments,
     .run = runPlain,
     .workspace = noWorkspace},
    {.name = "decay_cuda_f32_nt",
     .target = RLSCAN_TARGET_CUDA,
     .layout = RLSCAN_STEPS,
     .storage = {PLAIN, 0},
     .argument_count = 4,
     .arguments = plainArguments,
     .images = images,
     .image_count = 3,
     .kernels = kernels,
     .kernel_count = 3},
    {.name = "decay_cuda_f32_tn",
     .target = RLSCAN_TARGET_CUDA,
     .layout = RLSCAN_ROWS,
     .storage = {PLAIN, 0},
     .argument_count = 4,
     .arguments = plainArguments,
     .images = images,
     .image_count = 3,
     .kernels = keeping,
     .kernel_count = 1},
    {.name = "decay_cuda_bad",
     .target = RLSCAN_TARGET_CUDA,
     .layout = RLSCAN_STEPS,
     .storage = {PLAIN | STORED(SEED, F32), 0},
     .argument_count = 4,
     .arguments = plainArguments,
     .images = badImages,
     .image_count = 1,
     .kernels = kernels,
     .kernel_count = 3},
    {.name = "decay_cuda_f32_nt_weight",
     .target = RLSCAN_TARGET_CUDA,
     .layout = RLSCAN_STEPS,
     .storage = {PLAIN | STORED(WEIGHT, F32), 0},
     .argument_count = 4,
     .arguments = plainArguments,
     .images = images,
     .image_count = 3,
     .kernels = packed,
     .kernel_count = 2}};

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
                          variants,
                          &state};
