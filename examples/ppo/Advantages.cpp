//===- Advantages.cpp - Where the advantages come from --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Advantages.h"
#include "Gpu.h"
#include "ppo_gae.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {
/// As precise as the library: what is carried from step to step is a double.
class Loop : public Advantages {
public:
  void compute(Rollout &rollout, double gamma, double lambda) override {
    for (int row = 0; row < rollout.rows; ++row)
      computeRow(rollout, row, gamma, lambda);
  }

private:
  static void computeRow(Rollout &r, int row, double gamma, double lambda) {
    double carry = 0.0;
    float next = r.lastValue[row], factor = static_cast<float>(gamma);
    for (int step = r.steps; step-- > 0;) {
      int i = r.at(step, row);
      float after = r.truncated[i] ? r.bootstrap[i] : next;
      float future = r.terminated[i] ? 0.0f : factor * after;
      float delta = r.reward[i] + future - r.value[i];
      bool ends = r.terminated[i] || r.truncated[i];
      carry = ends ? delta : std::fma(gamma * lambda, carry, delta);
      next = r.value[i];
      r.advantage[i] = static_cast<float>(carry);
      r.target[i] = r.advantage[i] + r.value[i];
    }
  }
};
} // namespace

std::unique_ptr<Advantages> makeLoop() { return std::make_unique<Loop>(); }

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

static void check(rlscan_status status) {
  if (status == RLSCAN_OK)
    return;
  std::fprintf(stderr, "%s\n", rlscan_last_error());
  std::exit(1);
}

/// The struct of a call. `place` gives the address of each array where the call
/// runs.
template <typename Place>
static ppo_gae_args argsOf(Rollout &r, double gamma, double lambda,
                           Place place) {
  auto steps = [&](auto &array, rlscan_dtype type) {
    return rlscan_steps(place(array), type, r.rows, r.steps, 1, r.rows);
  };
  ppo_gae_args args = PPO_GAE_ARGS_INIT;
  args.gamma = gamma;
  args.lambda = lambda;
  args.reward = steps(r.reward, RLSCAN_F32);
  args.value = steps(r.value, RLSCAN_F32);
  args.bootstrap = steps(r.bootstrap, RLSCAN_F32);
  args.terminated = steps(r.terminated, RLSCAN_BOOL);
  args.truncated = steps(r.truncated, RLSCAN_BOOL);
  args.last_value = rlscan_rows(place(r.lastValue), RLSCAN_F32, r.rows, 1);
  args.advantage = steps(r.advantage, RLSCAN_F32);
  args.target = steps(r.target, RLSCAN_F32);
  return args;
}

namespace {

class Library : public Advantages {
public:
  Library() { check(ppo_gae_prepare(RLSCAN_DEVICE_CPU)); }

  void compute(Rollout &rollout, double gamma, double lambda) override {
    ppo_gae_args args = argsOf(rollout, gamma, lambda,
                               [](auto &array) { return array.data(); });
    args.device = RLSCAN_DEVICE_CPU;
    check(ppo_gae_launch(&args, nullptr));
  }
};

class GpuLibrary : public Advantages {
public:
  GpuLibrary() { check(ppo_gae_prepare(0)); }

  void compute(Rollout &r, double gamma, double lambda) override {
    ppo_gae_args args = argsOf(r, gamma, lambda, [&](auto &array) {
      return gpu.place(array.data(), array.size() * sizeof array[0]);
    });
    gpu.send();
    check(ppo_gae_launch(&args, gpu.stream()));
    gpu.fetch(r.advantage.data());
    gpu.fetch(r.target.data());
    gpu.wait();
  }

  Gpu gpu;
};

} // namespace

std::unique_ptr<Advantages> makeLibrary() {
  return std::make_unique<Library>();
}

std::unique_ptr<Advantages> makeGpuLibrary() {
  if (!Gpu::isThere())
    return nullptr;
  return std::make_unique<GpuLibrary>();
}
