//===- Launch.cpp - A call's launches -------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "Device.h"

#include <algorithm>
#include <cstring>

using namespace rlscan::python;

/// The struct of a call, as the library of a table reads it.
struct Call::Launch {
  static constexpr size_t most =
      sizeof(rlscan_args_head) + maxArguments * (sizeof(rlscan_tensor) + 8);
  const rlscan_estimator *table;
  const int *places;
  uint32_t filled; // a bit for each array that is left out and read as zeros
  alignas(16) char args[most];

  rlscan_args_head &head() {
    return *reinterpret_cast<rlscan_args_head *>(args);
  }
  rlscan_tensor &tensor(int argument) {
    return *reinterpret_cast<rlscan_tensor *>(
        args + table->arguments[argument].offset);
  }
  void setNumber(int argument, double real, int64_t whole) {
    const rlscan_argument &input = table->arguments[argument];
    char *place = args + input.number_offset;
    auto flag = static_cast<int32_t>(whole);
    if (input.element == RLSCAN_REAL)
      std::memcpy(place, &real, sizeof real);
    else if (input.element == RLSCAN_FLAG)
      std::memcpy(place, &flag, sizeof flag);
    else
      std::memcpy(place, &whole, sizeof whole);
  }
};

static bool failed(rlscan_status status, Failure &failure) {
  Failure::Kind kind = Failure::Runtime;
  if (status == RLSCAN_INVALID_ARGUMENT || status == RLSCAN_INVALID_SHAPE ||
      status == RLSCAN_OVERLAP)
    kind = Failure::Value;
  if (status == RLSCAN_INVALID_DTYPE || status == RLSCAN_NO_VARIANT)
    kind = Failure::Type;
  return fail(failure, kind, rlscan_last_error());
}

/// The arrays that have to be there beside those that are given: as few as
/// possible, of those that are zeros if absent. Without code for any such
/// choice, none: the runtime says what is missing.
static uint32_t toFill(const std::vector<uint32_t> &choices, uint32_t given,
                       uint32_t isZeroIfAbsent) {
  uint32_t best = 0;
  bool found = false;
  for (uint32_t choice : choices) {
    uint32_t more = choice & ~given;
    if ((given & ~choice) || (more & ~isZeroIfAbsent))
      continue;
    if (!found || __builtin_popcount(more) < __builtin_popcount(best))
      best = more;
    found = true;
  }
  return best;
}

int32_t Call::typeOfZeros(int argument) const {
  int32_t element = signature.arguments[argument].element;
  if (element == RLSCAN_REAL)
    return result.dtype;
  if (element == RLSCAN_INDEX)
    return RLSCAN_I64;
  int32_t type = RLSCAN_BOOL;
  for (int i = 0; i < signature.argument_count; ++i)
    if (signature.arguments[i].element == RLSCAN_FLAG && arrays[i].isGiven())
      type = arrays[i].dtype;
  return type;
}

/// The sizes of an array in a launch, and its strides.
void Call::setShape(int argument, rlscan_tensor &tensor, bool isFilled) const {
  const Array &array = arrays[argument];
  auto add = [&](int64_t size, int64_t stride) {
    tensor.sizes[tensor.rank] = size;
    tensor.strides[tensor.rank++] = isFilled ? 0 : stride;
  };
  tensor.rank = 0;
  const Group &rows = groups[rowGroup];
  if (!isPacked())
    add(rows.size, rows.strides[argument]);
  else if (isRow(argument))
    add(isFilled ? packedRows : array.sizes[0],
        isFilled ? 0 : array.strides[0]);
  if (isStep(argument))
    add(steps() + extraOf(argument), strides[argument][timeDim]);
  if (hasAxis(argument))
    add(axisSizes[signature.arguments[argument].axis], axisStrides[argument]);
}

bool Call::setArgument(Launch &launch, int number, Failure &failure) {
  int i = launch.places[number];
  const rlscan_argument &argument = signature.arguments[i];
  rlscan_tensor &tensor = launch.tensor(number);
  if (argument.kind == RLSCAN_PARAM)
    launch.setNumber(number, reals[i], wholes[i]);
  bool isFilled = launch.filled >> i & 1;
  if (!arrays[i].isGiven() && !isFilled)
    return true;
  tensor.data = isFilled ? zerosOn(device(), failure) : arrays[i].data;
  if (isFilled && !tensor.data)
    return false;
  tensor.dtype = isFilled ? typeOfZeros(i) : arrays[i].dtype;
  if (argument.kind != RLSCAN_PARAM)
    setShape(i, tensor, isFilled);
  return true;
}

bool Call::prepare(Launch &launch, const Table &made, Failure &failure) {
  const rlscan_estimator &table = *made.estimator;
  launch.table = &table;
  launch.places = made.places.data();
  if (static_cast<size_t>(table.args_size) > Launch::most)
    return fail(failure, Failure::Runtime, estimator.name + ": too large");
  std::memset(launch.args, 0, static_cast<size_t>(table.args_size));
  launch.head().size = static_cast<size_t>(table.args_size);
  launch.head().device = device();
  for (int k = 0; k < table.argument_count; ++k)
    if (!setArgument(launch, k, failure))
      return false;
  return true;
}

/// Short or many rows have kernels that need none, on a GPU, but for recipes
/// that keep something from sweep to sweep.
static bool isWorthAsking(int32_t device, int64_t rows, int64_t steps) {
  return device == host || (steps > 256 && rows < 4096);
}

/// The first launch in a capture finds its code not loaded.
static rlscan_status launchOnce(const rlscan_estimator *table, void *args,
                                int32_t device, void *stream) {
  rlscan_status status = rlscan_launch(table, args, stream);
  if (status != RLSCAN_NOT_PREPARED)
    return status;
  {
    RelaxedCapture relaxed;
    status = rlscan_prepare_for(table, args, device);
  }
  return status ? status : rlscan_launch(table, args, stream);
}

bool Call::addWorkspace(Launch &launch, Workspace &workspace,
                        Failure &failure) {
  rlscan_args_head &head = launch.head();
  if (rlscan_status status = rlscan_workspace_size(launch.table, launch.args,
                                                   &head.workspace_size))
    return failed(status, failure);
  if (head.workspace_size > 0)
    head.workspace = workspace.allocate(device(), head.workspace_size, failure);
  return head.workspace || head.workspace_size == 0;
}

bool Call::launchAll(Launch &launch, void *stream, Workspace &workspace,
                     Failure &failure) {
  bool asks = isWorthAsking(device(), groups[rowGroup].size, steps());
  if (asks && !addWorkspace(launch, workspace, failure))
    return false;
  int64_t index[maxRank] = {};
  while (true) {
    rlscan_status status =
        launchOnce(launch.table, launch.args, device(), stream);
    if (status == RLSCAN_SMALL_WORKSPACE && !asks) {
      asks = true;
      if (!addWorkspace(launch, workspace, failure))
        return false;
      continue;
    }
    if (status)
      return failed(status, failure);
    // The next element of the groups that are not the rows.
    int i = groupCount - 1;
    for (; i >= 0; --i) {
      if (i == rowGroup)
        continue;
      bool isLast = ++index[i] == groups[i].size;
      int64_t by = isLast ? 1 - groups[i].size : 1;
      for (int k = 0; k < launch.table->argument_count; ++k) {
        int a = launch.places[k];
        if (arrays[a].isGiven() && (isStep(a) || isRow(a))) {
          rlscan_tensor &tensor = launch.tensor(k);
          tensor.data = static_cast<char *>(tensor.data) +
                        by * groups[i].strides[a] * byteWidth(tensor.dtype);
        }
      }
      if (!isLast)
        break;
      index[i] = 0;
    }
    if (i < 0)
      return true;
  }
}

uint32_t Call::givenChoice() const {
  uint32_t given = 0;
  for (int i = 0; i < signature.argument_count; ++i)
    if (isChosen(signature.arguments[i]) && arrays[i].isGiven())
      given |= 1u << i;
  return given;
}

/// Whether a library has code for rows as the call has them: those of the whole
/// window, with lengths, or packed ones. The others are not asked: what they
/// lack would be said first, and saying it takes as long as a launch.
static bool takesRows(const Table &table, uint32_t ofRows, uint32_t given) {
  return std::any_of(
      table.choices.begin(), table.choices.end(), [&](uint32_t choice) {
        return given & ofRows ? choice & given & ofRows : !(choice & ofRows);
      });
}

bool Call::lacksRows(Failure &failure) const {
  bool isWhole = (givenChoice() & estimator.ofRows) == 0;
  const char *argument = isWhole      ? "rows without lengths"
                         : isPacked() ? "cu_seqlens"
                                      : "lengths";
  const char *rows = isWhole ? "full" : isPacked() ? "packed" : "lengths";
  return fail(failure, Failure::Type,
              estimator.name + ": no code for " + argument + " on " +
                  (device() == host ? "CPUs" : "GPUs") +
                  "; rlscan.load(recipe, rows=['" + rows +
                  "']) compiles a recipe for it");
}

bool Call::checkResults(Failure &failure) {
  for (int i = 0; i < signature.argument_count; ++i)
    if (signature.arguments[i].is_result && !check(i, failure))
      return false;
  group();
  for (int i = 0; i < signature.argument_count; ++i)
    if (signature.arguments[i].is_result && overlapsItself(i, failure))
      return false;
  return true;
}

bool Call::run(void *stream, Workspace &workspace, Failure &failure) {
  const Estimator::Tables *tables = nullptr;
  if (!estimator.tables(device() != host, tables, failure))
    return false;
  if (!checkResults(failure))
    return false;
  uint32_t given = givenChoice();
  for (int i = 0; i < groupCount; ++i)
    if (groups[i].size == 0 || steps() == 0)
      return true;
  Failure first;
  bool isFirst = true;
  for (const Table &table : *tables) {
    if (!takesRows(table, estimator.ofRows, given))
      continue;
    Launch launch;
    launch.filled = toFill(table.choices, given, estimator.isZeroIfAbsent);
    if (!prepare(launch, table, failure))
      return false;
    if (launchAll(launch, stream, workspace, failure))
      return true;
    if (failure.kind != Failure::Type)
      return false;
    if (isFirst)
      first = failure;
    isFirst = false;
  }
  if (isFirst)
    return lacksRows(failure);
  failure = first;
  return false;
}

bool Call::choose(Choice &choice, Failure &failure) {
  const Estimator::Tables *tables = nullptr;
  if (!estimator.tables(device() != host, tables, failure) ||
      !checkResults(failure))
    return false;
  uint32_t given = givenChoice();
  rlscan_status status = RLSCAN_NO_VARIANT;
  bool isTried = false;
  Launch launch;
  rlscan_choice chosen = {};
  for (const Table &table : *tables) {
    if (!takesRows(table, estimator.ofRows, given))
      continue;
    isTried = true;
    launch.filled = toFill(table.choices, given, estimator.isZeroIfAbsent);
    if (!prepare(launch, table, failure))
      return false;
    status = rlscan_choose(table.estimator, launch.args, &chosen);
    if (status != RLSCAN_NO_VARIANT)
      break;
  }
  if (!isTried)
    return lacksRows(failure);
  if (status != RLSCAN_OK)
    return failed(status, failure);
  describe(choice, launch, chosen);
  return true;
}

void Call::describe(Choice &choice, const Launch &launch,
                    const rlscan_choice &chosen) {
  const char *const layouts[] = {"strided", "nt", "tn"};
  choice.variant = chosen.variant->name;
  choice.kernel = chosen.kernel ? chosen.kernel->name : "";
  choice.layout = layouts[chosen.variant->layout];
  choice.workspace = chosen.workspace;
  choice.rows = groups[rowGroup].size;
  choice.steps = steps();
  choice.launches = choice.rows && choice.steps ? 1 : 0;
  for (int i = 0; i < groupCount; ++i)
    choice.launches *= i == rowGroup ? 1 : groups[i].size;
  for (int i = 0; i < signature.argument_count; ++i) {
    if (launch.filled >> i & 1)
      choice.filled.push_back(nameOf(i));
    int64_t bytes = byteWidth(arrays[i].dtype);
    for (int dim = 0; arrays[i].isGiven() && dim < arrays[i].rank; ++dim)
      bytes *= arrays[i].sizes[dim];
    choice.bytes += arrays[i].isGiven() ? bytes : 0;
  }
}
