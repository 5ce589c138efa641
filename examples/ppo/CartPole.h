//===- CartPole.h - A pole on a cart ----------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXAMPLES_PPO_CARTPOLE_H
#define RLSCAN_EXAMPLES_PPO_CARTPOLE_H

#include <cmath>
#include <random>

/// The cart and pole of Barto, Sutton and Anderson (1983), "Neuronlike adaptive
/// elements that can solve difficult learning control problems", with the
/// constants and limits that are usual since. The reward is 1 a step; an
/// episode terminates where the pole falls or the cart leaves, and is truncated
/// after 500 steps.
class CartPole {
public:
  static constexpr int observations = 4, actions = 2, limit = 500;

  explicit CartPole(unsigned seed) : random(seed) { reset(); }

  const float *state() const { return values; }
  bool isTerminated() const { return terminated; }
  bool isTruncated() const { return !terminated && steps >= limit; }
  int length() const { return steps; }

  void reset() {
    steps = 0;
    terminated = false;
    for (float &value : values)
      value = (static_cast<float>(random() >> 8) / (1 << 24) - 0.5f) * 0.1f;
  }

  /// Pushes the cart to the left (0) or to the right (1).
  void step(int action) {
    constexpr float gravity = 9.8f, poleMass = 0.1f, mass = 1.1f,
                    halfLength = 0.5f, push = 10.0f, seconds = 0.02f;
    auto &[x, speed, angle, turn] = values;
    float force = action == 1 ? push : -push;
    float sine = std::sin(angle), cosine = std::cos(angle);
    float part = (force + poleMass * halfLength * turn * turn * sine) / mass;
    float turning =
        (gravity * sine - cosine * part) /
        (halfLength * (4.0f / 3.0f - poleMass * cosine * cosine / mass));
    float acceleration = part - poleMass * halfLength * turning * cosine / mass;
    x += seconds * speed;
    speed += seconds * acceleration;
    angle += seconds * turn;
    turn += seconds * turning;
    ++steps;
    constexpr float track = 2.4f, tilt = 12 * 3.14159265f / 180;
    terminated = std::fabs(x) > track || std::fabs(angle) > tilt;
  }

private:
  float values[observations];
  int steps = 0;
  bool terminated = false;
  std::mt19937 random;
};

#endif // RLSCAN_EXAMPLES_PPO_CARTPOLE_H
