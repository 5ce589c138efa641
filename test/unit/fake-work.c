//===- fake-work.c - A driver's modules, memory and streams ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE 1 // memmem

#include "fake-driver.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/// The device's clock.
static double now;

//===----------------------------------------------------------------------===//
// Modules and functions
//===----------------------------------------------------------------------===//

/// An ELF file ends with the table of its sections; all else is text.
static size_t sizeOfImage(const char *image) {
  Elf64_Ehdr header;
  if (strncmp(image, ELFMAG, SELFMAG) != 0)
    return strlen(image);
  memcpy(&header, image, sizeof header);
  return header.e_shoff + (size_t)header.e_shentsize * header.e_shnum;
}

enum { RELAXED = 2 };
static int captures; // streams that are captured in another mode
static _Thread_local int captureMode;

int mayLoad(void) { return !captures || captureMode == RELAXED; }

API(cuThreadExchangeStreamCaptureMode,
    hipThreadExchangeStreamCaptureMode)(int *mode) {
  ENTER;
  int before = captureMode;
  captureMode = *mode;
  *mode = before;
  return 0;
}

static unsigned imageSum;

/// Tells images apart: of the last one that was loaded.
EXPORT fakeImage(void) {
  TAKE_TURN;
  return (int)imageSum;
}

/// AMD's driver goes on reading the caller's image.
struct object *makeModule(const char *image) {
  struct object *object = makeObject(MODULE);
  object->bytes = sizeOfImage(image);
  imageSum = 0;
  for (size_t i = 0; i < object->bytes; ++i)
    imageSum = imageSum * 31 + (unsigned char)image[i];
  object->text = (char *)(uintptr_t)image;
  if (!IS_HIP)
    object->text = memcpy(malloc(object->bytes), image, object->bytes);
  return object;
}

API(cuModuleUnload, hipModuleUnload)(void *module) {
  TAKE_TURN;
  int code = enter(__func__);
  hasContext();
  int destroyed = destroyObject(module, MODULE);
  return code ? code : destroyed;
}

/// The image has to contain the name.
API(cuModuleGetFunction, hipModuleGetFunction)(void **function, void *module,
                                               const char *name) {
  ENTER_MAKING(function);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *owner = findObject(module, MODULE);
  REQUIRE(owner, INVALID_HANDLE);
  REQUIRE(memmem(owner->text, owner->bytes, name, strlen(name)), NOT_FOUND);
  struct object *object = makeObject(FUNCTION);
  object->text = copyText(name);
  object->owner = owner;
  *function = object;
  return 0;
}

static struct object *findFunction(const void *handle) {
  struct object *function = findObject(handle, FUNCTION);
  return function && findObject(function->owner, MODULE) ? function : NULL;
}

API(cuFuncGetAttribute, hipFuncGetAttribute)(int *value, int attribute,
                                             void *function) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findFunction(function), INVALID_HANDLE);
  *value = 2000 + attribute;
  return 0;
}

API(cuOccupancyMaxActiveBlocksPerMultiprocessor,
    hipModuleOccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks,
                                                        void *function,
                                                        int blockSize,
                                                        size_t sharedBytes) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findFunction(function), INVALID_HANDLE);
  *blocks = 2048 / blockSize - (int)(sharedBytes / 32768);
  return 0;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

API(cuStreamCreate, hipStreamCreateWithFlags)(void **stream, unsigned flags) {
  ENTER_MAKING(stream);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(flags <= 1, INVALID_VALUE);
  *stream = makeObject(STREAM);
  return 0;
}

API(cuStreamDestroy_v2, hipStreamDestroy)(void *stream) {
  TAKE_TURN;
  int code = enter(__func__);
  int destroyed = destroyObject(stream, STREAM);
  return code ? code : destroyed;
}

API(cuStreamSynchronize, hipStreamSynchronize)(void *handle) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream, INVALID_HANDLE);
  stream->invalid = stream->capture != NULL;
  REQUIRE(!stream->invalid, CAPTURE_UNSUPPORTED);
  TRACE("synchronize\n");
  return 0;
}

/// Queues work that takes a time.
static void queue(struct object *stream, double seconds) {
  if (stream->capture)
    stream->capture->seconds += seconds;
  else
    now += seconds;
}

static const char *place(const struct object *stream) {
  return stream->capture ? "  " : "";
}

API(cuLaunchHostFunc, hipLaunchHostFunc)(void *handle, void (*function)(void *),
                                         void *data) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findObject(handle, STREAM), INVALID_HANDLE);
  function(data);
  return 0;
}

/// The null pointer is the default stream, which cannot be captured.
static struct object *findStream(const void *handle) {
  static struct object theDefault = {.kind = STREAM, .live = 1};
  return handle ? findObject(handle, STREAM) : &theDefault;
}

/// FAKE_PARAMS=N shows as many of a launch's, as numbers of 8 bytes.
static void traceParams(void **params) {
  const char *told = getenv("FAKE_PARAMS");
  int count = told ? atoi(told) : 0;
  for (int i = 0; i < count; ++i)
    TRACE("%s%lld", i ? " " : "  ", *(const long long *)params[i]);
  if (count)
    TRACE("\n");
}

API(cuLaunchKernel,
    hipModuleLaunchKernel)(void *function, unsigned gridX, unsigned gridY,
                           unsigned gridZ, unsigned blockX, unsigned blockY,
                           unsigned blockZ, unsigned sharedBytes, void *handle,
                           void **params, void **extra) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *kernel = findFunction(function);
  struct object *stream = findStream(handle);
  REQUIRE(kernel && stream, INVALID_HANDLE);
  REQUIRE(hasContextOf(kernel) && (!handle || hasContextOf(stream)),
          INVALID_CONTEXT);
  REQUIRE(gridX && gridY == 1 && gridZ == 1 && blockX && blockY == 1 &&
              blockZ == 1 && !extra,
          INVALID_VALUE);
  TRACE("%slaunch %s <<<%u, %u, %u>>>\n", place(stream), kernel->text, gridX,
        blockX, sharedBytes);
  traceParams(params);
  if (stream->capture)
    stream->capture->owner = kernel->owner;
  int isFloor = strcmp(kernel->text, "rlscan_floor") == 0;
  queue(stream, isFloor ? 1e-8 * gridX : 1e-5);
  return 0;
}

API(cuStreamIsCapturing, hipStreamIsCapturing)(void *handle, int *status) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *stream = findStream(handle);
  REQUIRE(stream, INVALID_HANDLE);
  *status = stream->invalid ? 2 : stream->capture != NULL;
  return 0;
}

API(cuStreamBeginCapture_v2, hipStreamBeginCapture)(void *handle, int mode) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream, INVALID_HANDLE);
  REQUIRE(!stream->capture && 0 <= mode && mode <= RELAXED, INVALID_VALUE);
  TRACE("begin capture\n");
  stream->capture = makeObject(GRAPH);
  stream->mode = mode;
  captures += mode != RELAXED;
  return 0;
}

/// There is no graph if it fails, as after a call that a capture forbids.
API(cuStreamEndCapture, hipStreamEndCapture)(void *handle, void **graph) {
  TAKE_TURN;
  int code = enter(__func__);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream && stream->capture, INVALID_VALUE);
  TRACE("end capture\n");
  captures -= stream->mode != RELAXED;
  *graph = stream->capture;
  stream->capture = NULL;
  if (!code && stream->invalid)
    code = leaveError(CAPTURE_INVALIDATED);
  stream->invalid = 0;
  if (code) {
    destroyObject(*graph, GRAPH);
    *graph = NULL;
  }
  return code;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

API(cuMemAlloc_v2, hipMalloc)(uint64_t *address, size_t bytes) {
  ENTER_MAKING(address);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(bytes, INVALID_VALUE);
  struct object *object = makeObject(MEMORY);
  object->text = malloc(bytes);
  object->bytes = bytes;
  *address = (uintptr_t)object->text;
  return 0;
}

API(cuMemFree_v2, hipFree)(uint64_t address) {
  TAKE_TURN;
  int code = enter(__func__);
  struct object *object = findMemory(address, 1);
  REQUIRE(object && (uintptr_t)object->text == address, INVALID_VALUE);
  object->live = 0;
  free(object->text);
  return code;
}

API(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync)(uint64_t target,
                                              const void *source, size_t bytes,
                                              void *stream) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(target, bytes), INVALID_VALUE);
  REQUIRE(findObject(stream, STREAM), INVALID_HANDLE);
  memcpy((void *)(uintptr_t)target, source, bytes);
  return 0;
}

API(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync)(void *target, uint64_t source,
                                              size_t bytes, void *stream) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(source, bytes), INVALID_VALUE);
  REQUIRE(findObject(stream, STREAM), INVALID_HANDLE);
  memcpy(target, (const void *)(uintptr_t)source, bytes);
  return 0;
}

API(cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync)(uint64_t target, uint64_t source,
                                              size_t bytes, void *stream) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(target, bytes) && findMemory(source, bytes),
          INVALID_VALUE);
  REQUIRE(findStream(stream), INVALID_HANDLE);
  memcpy((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes);
  return 0;
}

API(cuMemsetD8Async, hipMemsetD8Async)(uint64_t target, unsigned char value,
                                       size_t bytes, void *stream) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(target, bytes), INVALID_VALUE);
  REQUIRE(findStream(stream), INVALID_HANDLE);
  memset((void *)(uintptr_t)target, value, bytes);
  return 0;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

#if !defined(FAKE_OLD) || defined(FAKE_HIP)
API(cuGraphInstantiateWithFlags,
    hipGraphInstantiateWithFlags)(void **exec, void *handle,
                                  unsigned long long flags) {
  ENTER_MAKING(exec);
  struct object *graph = findObject(handle, GRAPH);
  REQUIRE(graph && flags == 0, INVALID_VALUE);
  TRACE("instantiate\n");
  struct object *object = makeObject(EXEC);
  object->seconds = graph->seconds;
  object->owner = graph->owner;
  *exec = object;
  return 0;
}
#endif

API(cuGraphLaunch, hipGraphLaunch)(void *exec, void *handle) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *graph = findObject(exec, EXEC);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(graph && stream && !stream->capture, INVALID_VALUE);
  REQUIRE(!graph->owner || findObject(graph->owner, MODULE), INVALID_HANDLE);
  TRACE("launch graph\n");
  queue(stream, graph->seconds);
  return 0;
}

API(cuGraphExecDestroy, hipGraphExecDestroy)(void *exec) {
  TAKE_TURN;
  int code = enter(__func__);
  int destroyed = destroyObject(exec, EXEC);
  return code ? code : destroyed;
}

API(cuGraphDestroy, hipGraphDestroy)(void *graph) {
  TAKE_TURN;
  int code = enter(__func__);
  TRACE("destroy graph\n");
  int destroyed = destroyObject(graph, GRAPH);
  return code ? code : destroyed;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

API(cuEventCreate, hipEventCreateWithFlags)(void **event, unsigned flags) {
  ENTER_MAKING(event);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(flags == 0, INVALID_VALUE);
  *event = makeObject(EVENT);
  return 0;
}

API(cuEventDestroy_v2, hipEventDestroy)(void *event) {
  TAKE_TURN;
  int code = enter(__func__);
  int destroyed = destroyObject(event, EVENT);
  return code ? code : destroyed;
}

API(cuEventRecord, hipEventRecord)(void *handle, void *on) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *event = findObject(handle, EVENT);
  struct object *stream = findObject(on, STREAM);
  REQUIRE(event && stream, INVALID_HANDLE);
  TRACE("%srecord event\n", place(stream));
  event->seconds = now;
  return 0;
}

API(cuEventSynchronize, hipEventSynchronize)(void *event) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findObject(event, EVENT), INVALID_HANDLE);
  return 0;
}

API(cuEventElapsedTime, hipEventElapsedTime)(float *milliseconds, void *begin,
                                             void *end) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *first = findObject(begin, EVENT);
  struct object *last = findObject(end, EVENT);
  REQUIRE(first && last, INVALID_HANDLE);
  *milliseconds = (float)((last->seconds - first->seconds) * 1e3);
  return 0;
}
