//===- Estimator.cpp - A compiled estimator, known at run time ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Estimator.h"

#include <algorithm>
#include <dlfcn.h>

using namespace rlscan::python;

/// Optional arrays have bits, params do not.
static std::vector<uint32_t> choicesOf(const rlscan_estimator &estimator) {
  std::vector<uint32_t> choices;
  for (int i = 0; i < estimator.variant_count; ++i) {
    uint32_t choice = 0;
    for (int a = 0; a < estimator.argument_count; ++a) {
      uint64_t stored =
          estimator.variants[i].storage[a / 16] >> a % 16 * 4 & 15;
      if (estimator.arguments[a].is_optional &&
          estimator.arguments[a].kind != RLSCAN_PARAM &&
          stored != RLSCAN_STORED_ABSENT)
        choice |= 1u << a;
    }
    if (std::find(choices.begin(), choices.end(), choice) == choices.end())
      choices.push_back(choice);
  }
  return choices;
}

bool Estimator::add(const Library &library, Tables &tables, Failure &failure) {
  void *opened = dlopen(library.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened)
    return fail(failure, Failure::Runtime, dlerror());
  std::string symbol = library.symbol + "_table";
  using TableFunction = const rlscan_estimator *();
  auto *function =
      reinterpret_cast<TableFunction *>(dlsym(opened, symbol.c_str()));
  if (!function)
    return fail(failure, Failure::Runtime,
                library.path + " has no function " + symbol);
  const rlscan_estimator *table = function();
  if (table->abi_version != RLSCAN_ABI_VERSION ||
      table->argument_count != static_cast<int32_t>(names.size()))
    return fail(failure, Failure::Runtime,
                library.path + " is of another version of rlscan");
  tables.push_back({table, choicesOf(*table)});
  return true;
}

bool Estimator::open(std::vector<Library> libraries, Failure &failure) {
  for (Library &library : libraries)
    if (library.isForDevices)
      forDevices.push_back(std::move(library));
    else if (!add(library, host, failure))
      return false;
  if (!host.empty())
    return true;
  return fail(failure, Failure::Runtime, name + " has no code for the CPU");
}

int Estimator::inputCount() const {
  int count = 0;
  while (count < signature().argument_count &&
         !signature().arguments[count].is_result)
    ++count;
  return count;
}

bool Estimator::tables(bool isForDevices, const Tables *&found,
                       Failure &failure) {
  found = &host;
  if (!isForDevices)
    return true;
  found = &device;
  std::lock_guard<std::mutex> lock(mutex);
  while (device.size() < forDevices.size())
    if (!add(forDevices[device.size()], device, failure))
      return false;
  if (!device.empty())
    return true;
  return fail(failure, Failure::Runtime,
              name + " has no code for GPUs: this build of rlscan was made "
                     "without such targets");
}

static Estimator *estimators[maxEstimators];
static int count = 0;

Estimator *rlscan::python::estimatorAt(int slot) {
  return slot >= 0 && slot < count ? estimators[slot] : nullptr;
}

int rlscan::python::keep(Estimator *estimator) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (count == maxEstimators)
    return -1;
  estimators[count] = estimator;
  return count++;
}
