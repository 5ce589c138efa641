//===- Advantages.h - Where the advantages come from ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXAMPLES_PPO_ADVANTAGES_H
#define RLSCAN_EXAMPLES_PPO_ADVANTAGES_H

#include "Rollout.h"

#include <memory>

/// Fills in advantage and target of a rollout.
class Advantages {
public:
  virtual ~Advantages() = default;
  virtual void compute(Rollout &rollout, double gamma, double lambda) = 0;
};

/// A loop over the equations.
std::unique_ptr<Advantages> makeLoop();
/// The compiled library, on the CPU.
std::unique_ptr<Advantages> makeLibrary();
/// The same on a GPU: the arrays are copied there and back on a stream. Null
/// where there is none.
std::unique_ptr<Advantages> makeGpuLibrary();

#endif // RLSCAN_EXAMPLES_PPO_ADVANTAGES_H
