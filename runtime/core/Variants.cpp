//===- Variants.cpp - Which code of a library fits a call -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Variants.h"
#include "runtime/core/Status.h"
#include "runtime/device/Modules.h"

#include <cstdio>
#include <initializer_list>

using namespace rlscan;
using namespace rlscan::runtime;

int32_t rlscan::runtime::hostLevel() {
#if defined(__x86_64__)
  static const int32_t level = __builtin_cpu_supports("x86-64-v4")   ? 4
                               : __builtin_cpu_supports("x86-64-v3") ? 3
                               : __builtin_cpu_supports("x86-64-v2") ? 2
                                                                     : 1;
  return level;
#else
  return 0;
#endif
}

bool rlscan::runtime::hasTarget(const rlscan_estimator &estimator,
                                int32_t target) {
  for (int i = 0; i < estimator.variant_count; ++i)
    if (estimator.variants[i].target == target)
      return true;
  return false;
}

static const char *nameOf(int32_t target) {
  return target == RLSCAN_TARGET_CPU ? "cpu" : device::nameOf(target);
}

rlscan_status rlscan::runtime::checkTarget(const rlscan_estimator &estimator,
                                           int32_t target) {
  if (hasTarget(estimator, target))
    return RLSCAN_OK;
  return fail(RLSCAN_NO_VARIANT,
              "%s has no code for %s; compile it with --target=%s",
              estimator.name, nameOf(target), nameOf(target));
}

static bool fits(const rlscan_variant &variant, const Call &call,
                 const Machine &machine, int32_t layout) {
  return variant.target == machine.target && variant.layout == layout &&
         variant.level <= machine.level &&
         variant.storage[0] == call.storage[0] &&
         variant.storage[1] == call.storage[1] &&
         (!machine.gpu || device::runsOn(variant, *machine.gpu));
}

static const rlscan_variant *find(const Call &call, const Machine &machine,
                                  int32_t layout) {
  const rlscan_variant *best = nullptr;
  for (int i = 0; i < call.estimator.variant_count; ++i) {
    const rlscan_variant &variant = call.estimator.variants[i];
    if (fits(variant, call, machine, layout) &&
        (!best || variant.level > best->level))
      best = &variant;
  }
  return best;
}

/// Where neighbours both ways are neighbours in memory, the longer side counts.
const rlscan_variant *rlscan::runtime::bestVariant(const Call &call,
                                                   const Machine &machine) {
  bool rowsFirst = call.rowsAdjoin && (!call.stepsAdjoin || call.steps < 2);
  const rlscan_variant *variant = nullptr;
  if (rowsFirst)
    variant = find(call, machine, RLSCAN_ROWS);
  if (!variant && call.stepsAdjoin)
    variant = find(call, machine, RLSCAN_STEPS);
  if (!variant && call.rowsAdjoin)
    variant = find(call, machine, RLSCAN_ROWS);
  if (!variant)
    variant = find(call, machine, RLSCAN_STRIDED);
  return variant;
}

//===----------------------------------------------------------------------===//
// Where there is none
//===----------------------------------------------------------------------===//

static const char *const storages[] = {"absent", "f32", "f64", "bf16",  "f16",
                                       "i8",     "i32", "i64", "number"};

/// "reward:bf16 value:f32 ...": what is given, params aside.
static void describe(const Call &call, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < call.estimator.argument_count && used < size; ++i) {
    int stored = storageOf(call.storage, i);
    if (stored == RLSCAN_STORED_ABSENT || stored == RLSCAN_STORED_NUMBER)
      continue;
    used += std::snprintf(text + used, size - used, "%s%s:%s", used ? " " : "",
                          call.estimator.arguments[i].name, storages[stored]);
  }
}

/// "done+seed", as --present of rlscan-compile takes it.
static void describePresence(const Call &call, char *text, size_t size) {
  size_t used = 0;
  std::snprintf(text, size, "none");
  for (int i = 0; i < call.estimator.argument_count && used < size; ++i) {
    const rlscan_argument &argument = call.estimator.arguments[i];
    if (argument.is_optional && argument.kind != RLSCAN_PARAM &&
        call.isGiven(i))
      used += std::snprintf(text + used, size - used, "%s%s", used ? "+" : "",
                            argument.name);
  }
}

static const char *layoutOf(const Call &call) {
  if (call.stepsAdjoin || call.rowsAdjoin)
    return call.stepsAdjoin ? "nt" : "tn";
  return "strided";
}

/// Whether the arrays that are given are those of some variant.
static bool isPresenceKnown(const Call &call, int32_t target) {
  auto isSame = [&](const rlscan_variant &variant) {
    for (int i = 0; i < call.estimator.argument_count; ++i)
      if ((storageOf(variant.storage, i) == 0) !=
          (storageOf(call.storage, i) == 0))
        return false;
    return variant.target == target;
  };
  for (int i = 0; i < call.estimator.variant_count; ++i)
    if (isSame(call.estimator.variants[i]))
      return true;
  return false;
}

static rlscan_status noVariant(const Call &call, const Machine &machine) {
  const char *name = call.estimator.name;
  int32_t target = machine.target;
  const char *where = nameOf(target);
  if (rlscan_status status = checkTarget(call.estimator, target))
    return status;
  for (int32_t layout : {RLSCAN_STRIDED, RLSCAN_STEPS, RLSCAN_ROWS})
    if (find(call, {target, INT32_MAX, nullptr}, layout)) {
      if (find(call, machine, layout))
        return fail(RLSCAN_NO_VARIANT,
                    "%s has no code for arrays in layout %s; compile it with "
                    "--layout=%s",
                    name, layoutOf(call), layoutOf(call));
      return fail(RLSCAN_NO_VARIANT,
                  "%s needs a CPU of a higher level than x86-64-v%d; compile "
                  "it with --target=cpu",
                  name, machine.level);
    }
  if (!isPresenceKnown(call, target)) {
    char given[512];
    describePresence(call, given, sizeof given);
    return fail(RLSCAN_NO_VARIANT,
                "%s has no code for this choice of optional inputs on %s; "
                "compile it with --present=%s",
                name, where, given);
  }
  char text[512];
  describe(call, text, sizeof text);
  return fail(
      RLSCAN_NO_VARIANT,
      "%s has no code for %s on %s; compile it with these types in --io", name,
      text, where);
}

rlscan_status rlscan::runtime::findVariant(const Call &call,
                                           const Machine &machine,
                                           const rlscan_variant *&variant) {
  variant = bestVariant(call, machine);
  return variant ? RLSCAN_OK : noVariant(call, machine);
}
