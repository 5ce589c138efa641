//===- Rollout.h - What was seen between two updates ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXAMPLES_PPO_ROLLOUT_H
#define RLSCAN_EXAMPLES_PPO_ROLLOUT_H

#include <Eigen/Dense>

#include <cstdint>
#include <vector>

/// Some steps of some environments, in [T, N] memory: what belongs to step t of
/// environment n is at t * rows + n.
struct Rollout {
  Rollout(int rows, int steps, int observations)
      : rows(rows), steps(steps), reward(size()), value(size()),
        bootstrap(size()), lastValue(rows), advantage(size()), target(size()),
        terminated(size()), truncated(size()), action(size()),
        logProbability(size()), observation(observations, size()) {}

  int size() const { return rows * steps; }
  int at(int step, int row) const { return step * rows + row; }

  int rows, steps;
  std::vector<float> reward, value;
  /// The value of the state that a truncation cut off.
  std::vector<float> bootstrap;
  /// The values of the states after the last step.
  std::vector<float> lastValue;
  std::vector<float> advantage, target;
  std::vector<uint8_t> terminated, truncated;
  std::vector<int> action;
  std::vector<float> logProbability;
  Eigen::MatrixXf observation;
};

#endif // RLSCAN_EXAMPLES_PPO_ROLLOUT_H
