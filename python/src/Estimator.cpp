//===- Estimator.cpp - A compiled estimator, known at run time ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Estimator.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

using namespace rlscan::python;

static std::vector<uint32_t> choicesOf(const Table &table) {
  std::vector<uint32_t> choices;
  const rlscan_estimator &estimator = *table.estimator;
  for (int i = 0; i < estimator.variant_count; ++i) {
    uint32_t choice = 0;
    for (int a = 0; a < estimator.argument_count; ++a) {
      uint64_t stored =
          estimator.variants[i].storage[a / 16] >> a % 16 * 4 & 15;
      if (isChosen(estimator.arguments[a]) && stored != RLSCAN_STORED_ABSENT)
        choice |= 1u << table.places[a];
    }
    if (std::find(choices.begin(), choices.end(), choice) == choices.end())
      choices.push_back(choice);
  }
  return choices;
}

bool Estimator::findPlaces(Table &table, Failure &failure) const {
  const rlscan_estimator &own = *table.estimator;
  for (int a = 0; a < own.argument_count; ++a) {
    int place = 0;
    while (place < signature().argument_count &&
           std::strcmp(own.arguments[a].name,
                       signature().arguments[place].name) != 0)
      ++place;
    if (place == signature().argument_count)
      return fail(failure, Failure::Runtime,
                  std::string(own.name) + " has an argument '" +
                      own.arguments[a].name + "' that " + name + " has not");
    table.places.push_back(place);
  }
  table.choices = choicesOf(table);
  return true;
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
  if (table->abi_version != RLSCAN_ABI_VERSION)
    return fail(failure, Failure::Runtime,
                library.path + " is of another version of rlscan");
  tables.push_back({table, {}, {}});
  return !widest || findPlaces(tables.back(), failure);
}

bool Estimator::open(std::vector<Library> libraries, Failure &failure) {
  for (Library &library : libraries)
    if (library.isForDevices)
      forDevices.push_back(std::move(library));
    else if (!add(library, host, failure))
      return false;
  if (host.empty())
    return fail(failure, Failure::Runtime, name + " has no code for the CPU");
  auto isNarrower = [](const Table &a, const Table &b) {
    return a.estimator->argument_count < b.estimator->argument_count;
  };
  widest = std::max_element(host.begin(), host.end(), isNarrower)->estimator;
  if (widest->argument_count != static_cast<int32_t>(names.size()))
    return fail(failure, Failure::Runtime,
                name + " has other arguments than its functions");
  for (int i = 0; i < widest->argument_count; ++i)
    if (widest->arguments[i].role != RLSCAN_PLAIN)
      ofRows |= 1u << i;
  return std::all_of(host.begin(), host.end(),
                     [&](Table &table) { return findPlaces(table, failure); });
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
