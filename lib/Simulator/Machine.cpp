//===- Machine.cpp - Which workgroup runs when ----------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine.h"
#include "Simulator/ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <cstring>

using namespace rlscan;
using namespace rlscan::sim;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Subgroups
//===----------------------------------------------------------------------===//

static void fill(char *registers, const Uniform &uniform, uint64_t bits,
                 unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane)
    std::memcpy(registers + uniform.place + lane * uniform.width, &bits,
                uniform.width);
}

Subgroup::Subgroup(Workgroup &workgroup, unsigned number)
    : workgroup(workgroup), number(number), lastSync(workgroup.lastBarrier),
      copyGroups(lanes(), 0), registers(new char[program().registerBytes]()) {
  unsigned there = std::min(program().threads - number * lanes(), lanes());
  existing = mask = there == 64 ? ~Mask(0) : (Mask(1) << there) - 1;
  for (const Uniform &constant : program().constants)
    fill(registers.get(), constant, constant.bits, lanes());
  for (auto [argument, bits] :
       llvm::zip_equal(program().arguments, machine().arguments))
    fill(registers.get(), argument, bits, lanes());
}

Machine &Subgroup::machine() const { return workgroup.machine; }
const Program &Subgroup::program() const { return machine().program; }
unsigned Subgroup::lanes() const { return program().lanes; }

uint32_t Subgroup::thread(unsigned lane) const {
  return workgroup.number * program().threads + number * lanes() + lane + 1;
}

void Subgroup::run() {
  const Instruction *code = program().code.data();
  int64_t count = 0;
  while (true) {
    const Instruction &instruction = code[next++];
    ++count;
    if (instruction.run(*this, instruction) == Outcome::Pause)
      break;
  }
  machine().traffic.instructions += count;
}

Outcome Subgroup::fail(const Twine &message) {
  machine().fail(
      std::make_unique<Fault>(program().locations[place()], message.str()));
  return Outcome::Pause;
}

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

/// Arrays of shared memory have numbers of their own.
static constexpr unsigned firstShared = 1 << 16;

static constexpr unsigned launchNumber = firstShared - 1;

static uint64_t addressOf(unsigned number) {
  Region region;
  placeRegion(region, number, 0);
  return region.address;
}

uint64_t sim::sharedAddress(unsigned number) {
  return addressOf(firstShared + number);
}
uint64_t sim::launchAddress() { return addressOf(launchNumber); }

Workgroup::Workgroup(Machine &machine, int64_t number)
    : machine(machine), number(number), lastBarrier(machine.tick()) {
  const Program &program = machine.program;
  int64_t bytes = 0;
  for (const SharedArray &array : program.shared)
    bytes += array.bytes;
  // What nobody wrote is not 0.
  memory.assign(bytes, static_cast<char>(0xa5));
  char *data = memory.data();
  for (const SharedArray &array : program.shared) {
    Region region;
    region.kind = RegionKind::Shared;
    region.name = array.name;
    region.data = data;
    region.bytes = array.bytes;
    region.unit = program.sharedUnit;
    placeRegion(region, firstShared + shared.size(), 0);
    shared.push_back(std::move(region));
    data += array.bytes;
  }
  unsigned count = (program.threads + program.lanes - 1) / program.lanes;
  for (unsigned i = 0; i < count; ++i)
    subgroups.push_back(std::make_unique<Subgroup>(*this, i));
}

Region *Workgroup::regionOf(uint64_t address) {
  uint64_t number = (address >> regionShift) - 1;
  if (number < machine.regions.size())
    return &machine.regions[number];
  if (number == launchNumber)
    return &machine.launchArguments;
  number -= firstShared;
  return number < shared.size() ? &shared[number] : nullptr;
}

static bool isReady(const Subgroup &subgroup, int64_t version) {
  return subgroup.state == Subgroup::Ready ||
         (subgroup.state == Subgroup::Waiting &&
          subgroup.seenVersion != version);
}

bool Workgroup::canRun() const {
  return llvm::any_of(subgroups, [&](const auto &subgroup) {
    return isReady(*subgroup, machine.version);
  });
}

bool Workgroup::hasEnded() const {
  return lateStores.empty() &&
         llvm::all_of(subgroups, [](const auto &subgroup) {
           return subgroup->state == Subgroup::Ended;
         });
}

void Workgroup::run() {
  std::vector<Subgroup *> turns;
  for (auto &subgroup : subgroups)
    turns.push_back(subgroup.get());
  if (machine.random)
    std::shuffle(turns.begin(), turns.end(), *machine.random);
  for (Subgroup *subgroup : turns) {
    if (!isReady(*subgroup, machine.version))
      continue;
    subgroup->state = Subgroup::Ready;
    subgroup->run();
    if (machine.hasFailed())
      return;
  }
  passBarrier();
}

/// Once all subgroups are at one barrier they go on. It is a fault where one
/// has ended or stands at another.
void Workgroup::passBarrier() {
  Subgroup *first = nullptr;
  for (auto &subgroup : subgroups) {
    if (subgroup->state == Subgroup::Ready ||
        subgroup->state == Subgroup::Waiting)
      return;
    if (subgroup->state == Subgroup::AtBarrier && !first)
      first = subgroup.get();
  }
  if (!first)
    return;
  const auto &locations = machine.program.locations;
  for (auto &subgroup : subgroups) {
    if (subgroup->state == Subgroup::AtBarrier && subgroup->next == first->next)
      continue;
    auto fault = std::make_unique<Fault>(
        locations[first->place()],
        ("subgroup " + Twine(first->number) + " of workgroup " + Twine(number) +
         " waits at a barrier that subgroup " + Twine(subgroup->number) +
         " does not come to")
            .str());
    fault->notes.push_back(
        {locations[subgroup->place()], subgroup->state == Subgroup::Ended
                                           ? "it has ended here"
                                           : "it waits here"});
    return machine.fail(std::move(fault));
  }
  lastBarrier = machine.tick();
  for (auto &subgroup : subgroups) {
    subgroup->state = Subgroup::Ready;
    subgroup->lastSync = lastBarrier;
    ++subgroup->writes; // others may have written
  }
  ++machine.traffic.barriers;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

Machine::Machine(const Program &program, llvm::ArrayRef<uint64_t> arguments,
                 std::vector<Region> &regions, const LaunchOptions &options)
    : program(program), arguments(arguments), regions(regions),
      options(options) {
  workgroupCounts[0] = options.workgroups;
  launchArguments.name = "arguments of the launch";
  launchArguments.data = reinterpret_cast<char *>(workgroupCounts);
  launchArguments.bytes = sizeof(workgroupCounts);
  placeRegion(launchArguments, launchNumber, 0);
  for (int64_t number : llvm::seq(options.workgroups))
    order.push_back(number);
  if (!options.seed)
    return;
  random.emplace(*options.seed);
  turnsInOrder = 1u << (*random)() % 8;
  std::shuffle(order.begin(), order.end(), *random);
}

/// Which of the resident workgroups has the next turn: one after the other, or
/// as the seed says: for a while all are nearly in step, in one direction or
/// the other, or one gets far ahead.
size_t Machine::nextTurn() {
  size_t count = resident.size();
  if (random && (*random)() % turnsInOrder == 0) {
    turn = (*random)() % count;
    advance = (*random)() % 3;
  } else if (random) {
    turn += advance == 2 ? count - 1 : advance;
  }
  return turn %= count;
}

bool Machine::write(Region &region, int64_t offset, const char *data,
                    unsigned bytes) {
  char *to = region.data + offset;
  if (std::memcmp(to, data, bytes) == 0)
    return false;
  std::memcpy(to, data, bytes);
  if (region.isGlobal()) {
    ++version;
    idleTurns = 0;
  }
  return true;
}

/// Each turn some of what is late, so that little of it gets old. Workgroups
/// that had ended but for that leave.
void Machine::showSomeStores() {
  if (!random)
    return;
  for (auto &workgroup : resident)
    if ((*random)() % 4 == 0)
      workgroup->showSomeStore();
  llvm::erase_if(resident,
                 [](auto &workgroup) { return workgroup->hasEnded(); });
}

/// All resident workgroups take turns, which end when one pauses.
void Machine::runWorkgroups() {
  while (!hasFailed()) {
    showSomeStores();
    while (resident.size() < static_cast<size_t>(options.resident) &&
           started < order.size())
      resident.push_back(std::make_unique<Workgroup>(*this, order[started++]));
    if (resident.empty())
      return;
    size_t first = nextTurn();
    bool hasRun = false;
    for (size_t i = 0; i < resident.size() && !hasRun; ++i) {
      size_t chosen = (first + i) % resident.size();
      Workgroup &workgroup = *resident[chosen];
      if (!workgroup.canRun())
        continue;
      hasRun = true;
      do
        workgroup.run();
      while (!program.hasAtomics && workgroup.canRun() && !hasFailed());
      bool hasEnded = workgroup.hasEnded();
      if (!random) // the next one has the place of one that has ended
        turn = chosen + !hasEnded;
      if (hasEnded)
        resident.erase(resident.begin() + chosen);
    }
    bool hasShown = !hasRun && llvm::any_of(resident, [](auto &workgroup) {
      return workgroup->showSomeStore();
    });
    if (!hasRun && !hasShown)
      return reportDeadlock();
  }
}

void Machine::reportDeadlock() {
  size_t left = order.size() - started;
  for (auto &workgroup : resident)
    for (auto &subgroup : workgroup->subgroups) {
      if (subgroup->state != Subgroup::Waiting)
        continue;
      std::string message =
          ("workgroup " + Twine(workgroup->number) + " waits for ever: " +
           (left ? Twine(left) + " workgroups cannot start before it ends"
                 : Twine("no workgroup is left that could write")))
              .str();
      return fail(std::make_unique<Fault>(program.locations[subgroup->place()],
                                          message));
    }
}

/// Every element of what the kernel has to write.
void Machine::checkOutputs() {
  for (Region &region : regions) {
    if (region.kind != RegionKind::Output)
      continue;
    auto unit = region.cells.findUnwritten(region.bytes / region.unit);
    if (unit)
      return fail(std::make_unique<Fault>(
          program.location, "nothing is written to byte " +
                                std::to_string(*unit * region.unit) + " of '" +
                                region.name + "'"));
  }
}

Error Machine::run() {
  runWorkgroups();
  if (!hasFailed())
    checkOutputs();
  if (fault)
    return Error(std::move(fault));
  return Error::success();
}

Expected<Traffic> sim::launch(const Program &program,
                              llvm::ArrayRef<uint64_t> arguments,
                              std::vector<Region> &regions,
                              const LaunchOptions &options) {
  Machine machine(program, arguments, regions, options);
  if (Error error = machine.run())
    return error;
  return machine.traffic;
}
