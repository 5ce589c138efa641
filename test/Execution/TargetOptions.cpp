//===- TargetOptions.cpp - Where a test runs, and for how long ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetOptions.h"
#include "runtime/device/Driver.h"

using namespace rlscan::test;
using llvm::StringRef;

bool TargetOptions::consume(StringRef argument, bool &isGood) {
  if (argument.consume_front("--target=")) {
    target = argument.str();
    bool isHip = argument == "hip";
    where = isHip                ? RLSCAN_TARGET_HIP
            : argument == "cuda" ? RLSCAN_TARGET_CUDA
                                 : RLSCAN_TARGET_CPU;
    simulator = SimDevice::parse(argument);
    isGood &= onGPU() || argument == "cpu";
    return true;
  }
  if (argument.consume_front("--schedules=")) {
    schedules = argument.str();
    isGood &= !schedules.empty();
    return true;
  }
  // Of a simulated device, which has been named before.
  if (argument.consume_front("--resident=")) {
    resident = (" --resident=" + argument).str();
    isGood &= simulator &&
              !argument.getAsInteger(10, simulator->residentWorkgroups) &&
              simulator->residentWorkgroups > 0;
    return true;
  }
  if (argument.consume_front("--limit-seconds=")) {
    isGood &= !argument.getAsDouble(limit) && limit > 0.0;
    return true;
  }
  return false;
}

StringRef TargetOptions::schedule() const {
  return schedules == "auto" || schedules == "all" ? StringRef() : schedules;
}

bool TargetOptions::isOver() const {
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - begin;
  return limit > 0.0 && passed.count() > limit;
}

std::string TargetOptions::replay() const {
  return onGPU()
             ? " --target=" + target + " --schedules=" + schedules + resident
             : "";
}
