//===- Trainer.cpp - Proximal policy optimisation -------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using Eigen::MatrixXf;

static constexpr int hidden = 64, epochs = 4, minibatches = 4;
static constexpr double discount = 0.99, traceDecay = 0.95;
static constexpr float learningRate = 2.5e-3f, clipping = 0.2f,
                       entropyWeight = 0.01f, longestGradient = 0.5f;

Trainer::Trainer(std::unique_ptr<Advantages> advantages, unsigned seed)
    : advantages(std::move(advantages)), random(seed),
      policy(CartPole::observations, hidden, CartPole::actions, 0.01f, random),
      critic(CartPole::observations, hidden, 1, 1.0f, random),
      rollout(rows, steps, CartPole::observations) {
  for (int row = 0; row < rows; ++row)
    carts.emplace_back(seed * 1000 + row);
}

float Trainer::uniform() {
  return static_cast<float>(random() >> 8) / (1 << 24);
}

float Trainer::meanReturn() const {
  if (lengths.empty())
    return 0.0f;
  return static_cast<float>(
             std::accumulate(lengths.begin(), lengths.end(), 0)) /
         static_cast<float>(lengths.size());
}

/// Logarithms of the probabilities: a column an example.
static MatrixXf logSoftmax(const MatrixXf &logits) {
  Eigen::RowVectorXf largest = logits.colwise().maxCoeff();
  MatrixXf shifted = logits.rowwise() - largest;
  Eigen::RowVectorXf sums = shifted.array().exp().matrix().colwise().sum();
  return shifted.rowwise() - sums.array().log().matrix();
}

//===----------------------------------------------------------------------===//
// Acting
//===----------------------------------------------------------------------===//

float Trainer::valueOf(const float *state) {
  return critic.forward(
      Eigen::Map<const Eigen::VectorXf>(state, CartPole::observations))(0, 0);
}

void Trainer::act(int step) {
  int first = rollout.at(step, 0);
  for (int row = 0; row < rows; ++row)
    rollout.observation.col(first + row) = Eigen::Map<const Eigen::VectorXf>(
        carts[row].state(), CartPole::observations);
  MatrixXf states = rollout.observation.middleCols(first, rows);
  MatrixXf logs = logSoftmax(policy.forward(states));
  const MatrixXf &values = critic.forward(states);
  for (int row = 0; row < rows; ++row)
    rollout.value[first + row] = values(0, row);
  for (int row = 0; row < rows; ++row) {
    int i = first + row;
    CartPole &cart = carts[row];
    int action = uniform() < std::exp(logs(1, row));
    cart.step(action);
    rollout.action[i] = action;
    rollout.logProbability[i] = logs(action, row);
    rollout.reward[i] = 1.0f;
    rollout.terminated[i] = cart.isTerminated();
    rollout.truncated[i] = cart.isTruncated();
    rollout.bootstrap[i] = cart.isTruncated() ? valueOf(cart.state()) : 0.0f;
    if (!cart.isTerminated() && !cart.isTruncated())
      continue;
    lengths.push_back(cart.length());
    if (lengths.size() > 100)
      lengths.pop_front();
    cart.reset();
  }
}

void Trainer::collect() {
  for (int step = 0; step < steps; ++step)
    act(step);
  for (int row = 0; row < rows; ++row)
    rollout.lastValue[row] = valueOf(carts[row].state());
}

//===----------------------------------------------------------------------===//
// Learning
//===----------------------------------------------------------------------===//

/// The gradient of the clipped objective of one example, by its logits.
static void policyGradient(const Eigen::VectorXf &logs, int action,
                           float oldLog, float advantage,
                           Eigen::Ref<Eigen::VectorXf> gradient) {
  float ratio = std::exp(logs(action) - oldLog);
  bool isClipped = advantage > 0 ? ratio > 1 + clipping : ratio < 1 - clipping;
  float weight = isClipped ? 0.0f : -advantage * ratio;
  Eigen::VectorXf probabilities = logs.array().exp();
  float entropy = -(probabilities.array() * logs.array()).sum();
  gradient = -weight * probabilities;
  gradient(action) += weight;
  gradient.array() +=
      entropyWeight * probabilities.array() * (logs.array() + entropy);
}

void Trainer::learnFrom(const std::vector<int> &examples, float rate) {
  auto count = static_cast<int>(examples.size());
  MatrixXf states(CartPole::observations, count);
  Eigen::VectorXf advantage(count);
  for (int i = 0; i < count; ++i) {
    states.col(i) = rollout.observation.col(examples[i]);
    advantage(i) = rollout.advantage[examples[i]];
  }
  advantage.array() -= advantage.mean();
  advantage /= std::sqrt(advantage.squaredNorm() / count) + 1e-8f;
  MatrixXf logs = logSoftmax(policy.forward(states));
  MatrixXf gradient(CartPole::actions, count);
  for (int i = 0; i < count; ++i)
    policyGradient(logs.col(i), rollout.action[examples[i]],
                   rollout.logProbability[examples[i]], advantage(i),
                   gradient.col(i));
  policy.backward(gradient / count);
  policy.update(rate, longestGradient);

  MatrixXf error = critic.forward(states);
  for (int i = 0; i < count; ++i)
    error(0, i) -= rollout.target[examples[i]];
  critic.backward(error / count);
  critic.update(rate, longestGradient);
}

void Trainer::learn(float rate) {
  std::vector<int> order(rollout.size());
  std::iota(order.begin(), order.end(), 0);
  int count = rollout.size() / minibatches;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[random() % (i + 1)]);
    for (int batch = 0; batch < minibatches; ++batch)
      learnFrom(
          {order.begin() + batch * count, order.begin() + (batch + 1) * count},
          rate);
  }
}

void Trainer::update(float progress) {
  collect();
  advantages->compute(rollout, discount, traceDecay);
  learn(learningRate * (1.0f - progress));
}
