/*===- damage-test.c - Images that are not what they were ---------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: damage-test cuda|hip LIBRARY.so ESTIMATOR OTHER.so ESTIMATOR        *|
|* Prepares each variant of a library for a GPU as it is, then with its image *|
|* cut short at every byte, with 5,000 of its bits flipped, with every image  *|
|* of both libraries in its place, and with other entries in the tables.      *|
|* RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the fake driver, which must  *|
|* load the first alone.                                                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, FLIPS = 5000, LAST = 64 };

static int tried, failures;

/* An estimator with one variant, which has one image. */
static struct {
  rlscan_estimator estimator;
  rlscan_variant variant;
  rlscan_image image;
  rlscan_kernel kernels[MOST];
  int32_t arguments[MOST];
  void *state;
} copy;

static const rlscan_image *imageOf(const rlscan_variant *variant) {
  return &variant->images[variant->image_count - 1];
}

static void makeCopy(const rlscan_estimator *from, int variant) {
  copy.estimator = *from;
  copy.variant = from->variants[variant];
  copy.image = *imageOf(&copy.variant);
  memcpy(copy.kernels, copy.variant.kernels,
         (size_t)copy.variant.kernel_count * sizeof *copy.kernels);
  memcpy(copy.arguments, copy.variant.arguments,
         (size_t)copy.variant.argument_count * sizeof *copy.arguments);
  copy.estimator.variants = &copy.variant;
  copy.estimator.variant_count = 1;
  copy.estimator.state = &copy.state;
  copy.variant.images = &copy.image;
  copy.variant.image_count = 1;
  copy.variant.kernels = copy.kernels;
  copy.variant.arguments = copy.arguments;
}

static void complain(const char *what, long where, const char *why) {
  if (++failures < 10)
    printf("FAIL: %s: %s %ld: %s\n", copy.variant.name, what, where, why);
}

static void take(void) {
  int before = countModules();
  if (rlscan_prepare(&copy.estimator, 0))
    complain("as it was", 0, rlscan_last_error());
  if (countModules() != before + 1)
    complain("as it was", 0, "not loaded");
  rlscan_release(&copy.estimator);
}

/* There are several streams for the same bytes: a bit of one may make another.
 */
static int mayBeSame, same, sum;

static void refuse(const char *what, long where) {
  int before = countModules();
  rlscan_status status = rlscan_prepare(&copy.estimator, 0);
  ++tried;
  if (!status && mayBeSame && askFake("fakeImage") == sum) {
    ++same;
    rlscan_release(&copy.estimator);
    return;
  }
  if (status != RLSCAN_DAMAGED)
    complain(what, where, status ? rlscan_last_error() : "taken");
  else if (!strstr(rlscan_last_error(), " does not have its checksum: "))
    complain(what, where, rlscan_last_error());
  if (tried == 1)
    printf("%s\n", rlscan_last_error());
  if (countModules() != before)
    complain(what, where, "the driver was asked to load it");
  rlscan_release(&copy.estimator);
}

/*===----------------------------------------------------------------------===*\
|* Damages
\*===----------------------------------------------------------------------===*/

/* In memory of that size, so that sanitizers see what is read past it. */
static void cutShort(void) {
  const rlscan_image whole = copy.image;
  for (uint64_t size = 0; size < whole.size; ++size) {
    char *bytes = malloc(size ? size : 1);
    memcpy(bytes, whole.data, size);
    copy.image.data = bytes;
    copy.image.size = size;
    refuse("cut to", (long)size);
    free(bytes);
  }
  copy.image = whole;
}

static void flip(void) {
  const rlscan_image whole = copy.image;
  uint64_t random = 1;
  unsigned char *bytes = malloc(whole.size);
  memcpy(bytes, whole.data, whole.size);
  copy.image.data = bytes;
  sum = askFake("fakeImage");
  for (int i = 0; i < FLIPS; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = whole.size * 8, bit = (random >> 20) % bits;
    if (i < LAST) /* the checksum, and what fills up the byte before it */
      bit = bits - 1 - (uint64_t)i;
    mayBeSame = i >= LAST;
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    refuse("bit", (long)bit);
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  mayBeSame = 0;
  copy.image = whole;
  free(bytes);
}

static void swapWith(const rlscan_estimator *other, const char *what) {
  const rlscan_image own = copy.image;
  for (int i = 0; i < other->variant_count; ++i) {
    const rlscan_variant *variant = &other->variants[i];
    if (variant->target != copy.variant.target ||
        imageOf(variant)->data == own.data)
      continue;
    copy.image = *imageOf(variant);
    refuse(what, i);
    copy.image = own;
    copy.image.data = imageOf(variant)->data;
    copy.image.size = imageOf(variant)->size;
    refuse(what, i);
    copy.image = own;
  }
}

static void change(int32_t *entry, const char *what) {
  const int32_t own = *entry;
  for (int bit = 0; bit < 31; ++bit) {
    *entry = own ^ INT32_C(1) << bit;
    refuse(what, bit);
  }
  *entry = own;
}

static void changeTables(void) {
  rlscan_kernel *kernel = &copy.kernels[copy.variant.kernel_count - 1];
  const char *name = kernel->name;
  change(&kernel->threads, "threads");
  change(&kernel->rows, "rows");
  change(&kernel->tile_steps, "steps of a tile");
  change(&kernel->chain, "chain");
  change(&kernel->access, "access");
  change(&kernel->scans, "scans");
  change(&kernel->temporaries, "temporaries");
  change(&kernel->state_bytes, "bytes of a state");
  change(&kernel->entries, "entries");
  change(&copy.variant.layout, "layout");
  change(&copy.variant.is_f64, "is_f64");
  change(&copy.arguments[0], "argument");
  for (int bit = 0; bit < 64; ++bit) {
    uint64_t flag = UINT64_C(1) << bit;
    copy.variant.storage[0] ^= flag;
    refuse("storage", bit);
    copy.variant.storage[0] ^= flag;
    copy.image.unpacked_size ^= flag;
    refuse("size", bit);
    copy.image.unpacked_size ^= flag;
  }
  kernel->name = "another";
  refuse("name", 0);
  kernel->name = name;
}

static const rlscan_estimator *openTable(const char *path, const char *name) {
  char symbol[128];
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  snprintf(symbol, sizeof symbol, "%s_table", name);
  void *found = library ? dlsym(library, symbol) : NULL;
  const rlscan_estimator *(*table)(void) = NULL;
  memcpy(&table, &found, sizeof found);
  if (table)
    return table();
  printf("%s: %s\n", path, dlerror());
  exit(2);
}

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  openDriver(argv[1]);
  const rlscan_estimator *library = openTable(argv[2], argv[3]);
  const rlscan_estimator *other = openTable(argv[4], argv[5]);
  int32_t target = driver.isHip ? RLSCAN_TARGET_HIP : RLSCAN_TARGET_CUDA;
  int variants = 0;
  for (int i = 0; i < library->variant_count; ++i) {
    if (library->variants[i].target != target)
      continue;
    makeCopy(library, i);
    take();
    swapWith(library, "the image of variant");
    swapWith(other, "the other library's image of variant");
    if (variants++ == 0) {
      cutShort();
      flip();
      changeTables();
    }
    take();
  }
  printf("%d variants, %d damages, %d to the same bytes, %d failures\n",
         variants, tried, same, failures);
  return failures != 0 || variants == 0;
}
