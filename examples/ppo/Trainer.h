//===- Trainer.h - Proximal policy optimisation -----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXAMPLES_PPO_TRAINER_H
#define RLSCAN_EXAMPLES_PPO_TRAINER_H

#include "Advantages.h"
#include "CartPole.h"
#include "Network.h"

#include <deque>

/// Schulman et al. (2017), "Proximal policy optimization algorithms", on some
/// environments at a time.
class Trainer {
public:
  Trainer(std::unique_ptr<Advantages> advantages, unsigned seed);

  /// Collects a rollout and learns from it.
  void update(float progress);
  /// The mean return of the last 100 episodes.
  float meanReturn() const;

  static constexpr int rows = 16, steps = 128;

private:
  void collect();
  void act(int step);
  float valueOf(const float *state);
  void learn(float rate);
  void learnFrom(const std::vector<int> &examples, float rate);
  float uniform();

  std::unique_ptr<Advantages> advantages;
  std::mt19937 random;
  Network policy, critic;
  std::vector<CartPole> carts;
  Rollout rollout;
  std::deque<int> lengths;
};

#endif // RLSCAN_EXAMPLES_PPO_TRAINER_H
