//===- fake-cuda-work.c - A driver's modules, memory and streams ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fake-cuda.h"

#include <stdlib.h>
#include <string.h>

/// The device's clock.
static double now;

//===----------------------------------------------------------------------===//
// Modules and functions
//===----------------------------------------------------------------------===//

/// As a text that cannot be compiled: one that begins with "bad".
static int reject(unsigned count, const int *options, void **values) {
  char *log = NULL;
  size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 5)
      log = values[i];
    if (options[i] == 6)
      size = (uintptr_t)values[i];
  }
  if (log)
    snprintf(log, size, "line 1: this is bad\nline 2: so is this\n");
  return INVALID_PTX;
}

/// Streams that are captured; and whether this thread may load and allocate
/// then.
enum { RELAXED = 2 };
static int captures;
static __thread int captureMode;

API cuThreadExchangeStreamCaptureMode(int *mode) {
  ENTER(cuThreadExchangeStreamCaptureMode);
  int before = captureMode;
  captureMode = *mode;
  *mode = before;
  return 0;
}

API cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  ENTER(cuModuleLoadDataEx);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(!captures || captureMode == RELAXED, CAPTURE_UNSUPPORTED);
  if (strncmp(image, "bad", 3) == 0)
    return reject(count, options, values);
  struct object *object = makeObject(MODULE);
  object->text = strdup(image);
  *module = object;
  return 0;
}

API cuModuleUnload(void *module) {
  TAKE_TURN;
  int code = enter("cuModuleUnload");
  hasContext();
  int destroyed = destroyObject(module, MODULE);
  return code ? code : destroyed;
}

/// The text has to contain the name.
API cuModuleGetFunction(void **function, void *module, const char *name) {
  ENTER(cuModuleGetFunction);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *owner = findObject(module, MODULE);
  REQUIRE(owner, INVALID_HANDLE);
  REQUIRE(strstr(owner->text, name), NOT_FOUND);
  struct object *object = makeObject(FUNCTION);
  object->text = strdup(name);
  object->owner = owner;
  *function = object;
  return 0;
}

static struct object *findFunction(const void *handle) {
  struct object *function = findObject(handle, FUNCTION);
  return function && findObject(function->owner, MODULE) ? function : NULL;
}

API cuFuncSetAttribute(void *function, int attribute, int value) {
  ENTER(cuFuncSetAttribute);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findFunction(function), INVALID_HANDLE);
  REQUIRE(attribute == 8 && value >= 0, INVALID_VALUE);
  return 0;
}

API cuFuncGetAttribute(int *value, int attribute, void *function) {
  ENTER(cuFuncGetAttribute);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findFunction(function), INVALID_HANDLE);
  *value = 2000 + attribute;
  return 0;
}

API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function,
                                                int blockSize,
                                                size_t sharedBytes) {
  ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findFunction(function), INVALID_HANDLE);
  *blocks = 2048 / blockSize - (int)(sharedBytes / 32768);
  return 0;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

API cuStreamCreate(void **stream, unsigned flags) {
  ENTER(cuStreamCreate);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(flags <= 1, INVALID_VALUE);
  *stream = makeObject(STREAM);
  return 0;
}

API cuStreamDestroy_v2(void *stream) {
  TAKE_TURN;
  int code = enter("cuStreamDestroy_v2");
  int destroyed = destroyObject(stream, STREAM);
  return code ? code : destroyed;
}

API cuStreamSynchronize(void *handle) {
  ENTER(cuStreamSynchronize);
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

API cuLaunchHostFunc(void *handle, void (*function)(void *), void *data) {
  ENTER(cuLaunchHostFunc);
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

/// FAKE_CUDA_PARAMS=N shows as many of a launch's, as numbers of 8 bytes.
static void traceParams(void **params) {
  const char *told = getenv("FAKE_CUDA_PARAMS");
  int count = told ? atoi(told) : 0;
  for (int i = 0; i < count; ++i)
    TRACE("%s%lld", i ? " " : "  ", *(const long long *)params[i]);
  if (count)
    TRACE("\n");
}

API cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *handle,
                   void **params, void **extra) {
  ENTER(cuLaunchKernel);
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
  int isFloor = strcmp(kernel->text, "rlscan_floor") == 0;
  queue(stream, isFloor ? 1e-8 * gridX : 1e-5);
  return 0;
}

API cuStreamGetCtx(void *handle, void **context) {
  ENTER(cuStreamGetCtx);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream, INVALID_HANDLE);
  *context = stream->context;
  return 0;
}

API cuStreamIsCapturing(void *handle, int *status) {
  ENTER(cuStreamIsCapturing);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *stream = findStream(handle);
  REQUIRE(stream, INVALID_HANDLE);
  *status = stream->invalid ? 2 : stream->capture != NULL;
  return 0;
}

API cuStreamBeginCapture_v2(void *handle, int mode) {
  ENTER(cuStreamBeginCapture_v2);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream, INVALID_HANDLE);
  REQUIRE(!stream->capture && mode == 1, INVALID_VALUE);
  TRACE("begin capture\n");
  stream->capture = makeObject(GRAPH);
  ++captures;
  return 0;
}

/// There is no graph if it fails, as after a call that a capture forbids.
API cuStreamEndCapture(void *handle, void **graph) {
  TAKE_TURN;
  int code = enter("cuStreamEndCapture");
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream && stream->capture, INVALID_VALUE);
  TRACE("end capture\n");
  --captures;
  *graph = stream->capture;
  stream->capture = NULL;
  if (!code && stream->invalid)
    code = CAPTURE_INVALIDATED;
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

API cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER(cuMemAlloc_v2);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(bytes, INVALID_VALUE);
  struct object *object = makeObject(MEMORY);
  object->text = malloc(bytes);
  object->bytes = bytes;
  *address = (uintptr_t)object->text;
  return 0;
}

API cuMemFree_v2(uint64_t address) {
  TAKE_TURN;
  int code = enter("cuMemFree_v2");
  struct object *object = findMemory(address, 1);
  REQUIRE(object && (uintptr_t)object->text == address, INVALID_VALUE);
  object->live = 0;
  free(object->text);
  return code;
}

/// Host memory is unknown to the driver, which gives it no type.
API cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                           uint64_t address) {
  enum { MEMORY_TYPE = 2, DEVICE_ORDINAL = 9, DEVICE = 2, NO_DEVICE = -2 };
  ENTER(cuPointerGetAttributes);
  struct object *memory = lookUpMemory(address, 1);
  for (unsigned i = 0; i < count; ++i) {
    int value = 0;
    if (attributes[i] == DEVICE_ORDINAL)
      value = memory ? deviceOfContext(memory->context) : NO_DEVICE;
    else if (attributes[i] == MEMORY_TYPE && memory)
      value = DEVICE;
    *(int *)values[i] = value;
  }
  return 0;
}

API cuMemcpyHtoDAsync_v2(uint64_t target, const void *source, size_t bytes,
                         void *stream) {
  ENTER(cuMemcpyHtoDAsync_v2);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(target, bytes), INVALID_VALUE);
  REQUIRE(findObject(stream, STREAM), INVALID_HANDLE);
  memcpy((void *)(uintptr_t)target, source, bytes);
  return 0;
}

API cuMemcpyDtoHAsync_v2(void *target, uint64_t source, size_t bytes,
                         void *stream) {
  ENTER(cuMemcpyDtoHAsync_v2);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(source, bytes), INVALID_VALUE);
  REQUIRE(findObject(stream, STREAM), INVALID_HANDLE);
  memcpy(target, (const void *)(uintptr_t)source, bytes);
  return 0;
}

API cuMemcpyDtoDAsync_v2(uint64_t target, uint64_t source, size_t bytes,
                         void *stream) {
  ENTER(cuMemcpyDtoDAsync_v2);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(target, bytes) && findMemory(source, bytes),
          INVALID_VALUE);
  REQUIRE(findStream(stream), INVALID_HANDLE);
  memcpy((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes);
  return 0;
}

API cuMemsetD8Async(uint64_t target, unsigned char value, size_t bytes,
                    void *stream) {
  ENTER(cuMemsetD8Async);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findMemory(target, bytes), INVALID_VALUE);
  REQUIRE(findStream(stream), INVALID_HANDLE);
  memset((void *)(uintptr_t)target, value, bytes);
  return 0;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

#ifndef FAKE_CUDA_OLD
API cuGraphInstantiateWithFlags(void **exec, void *handle,
                                unsigned long long flags) {
  ENTER(cuGraphInstantiateWithFlags);
  struct object *graph = findObject(handle, GRAPH);
  REQUIRE(graph && flags == 0, INVALID_VALUE);
  TRACE("instantiate\n");
  struct object *object = makeObject(EXEC);
  object->seconds = graph->seconds;
  *exec = object;
  return 0;
}
#endif

API cuGraphLaunch(void *exec, void *handle) {
  ENTER(cuGraphLaunch);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *graph = findObject(exec, EXEC);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(graph && stream && !stream->capture, INVALID_VALUE);
  TRACE("launch graph\n");
  queue(stream, graph->seconds);
  return 0;
}

API cuGraphExecDestroy(void *exec) {
  TAKE_TURN;
  int code = enter("cuGraphExecDestroy");
  int destroyed = destroyObject(exec, EXEC);
  return code ? code : destroyed;
}

API cuGraphDestroy(void *graph) {
  TAKE_TURN;
  int code = enter("cuGraphDestroy");
  TRACE("destroy graph\n");
  int destroyed = destroyObject(graph, GRAPH);
  return code ? code : destroyed;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

API cuEventCreate(void **event, unsigned flags) {
  ENTER(cuEventCreate);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(flags == 0, INVALID_VALUE);
  *event = makeObject(EVENT);
  return 0;
}

API cuEventDestroy_v2(void *event) {
  TAKE_TURN;
  int code = enter("cuEventDestroy_v2");
  int destroyed = destroyObject(event, EVENT);
  return code ? code : destroyed;
}

API cuEventRecord(void *handle, void *on) {
  ENTER(cuEventRecord);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *event = findObject(handle, EVENT);
  struct object *stream = findObject(on, STREAM);
  REQUIRE(event && stream, INVALID_HANDLE);
  TRACE("%srecord event\n", place(stream));
  event->seconds = now;
  return 0;
}

API cuEventSynchronize(void *event) {
  ENTER(cuEventSynchronize);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(findObject(event, EVENT), INVALID_HANDLE);
  return 0;
}

API cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  ENTER(cuEventElapsedTime);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  struct object *first = findObject(begin, EVENT);
  struct object *last = findObject(end, EVENT);
  REQUIRE(first && last, INVALID_HANDLE);
  *milliseconds = (float)((last->seconds - first->seconds) * 1e3);
  return 0;
}
