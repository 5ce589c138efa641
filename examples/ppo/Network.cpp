//===- Network.cpp - A small multilayer perceptron ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"

#include <cmath>

using Eigen::MatrixXf;
using Eigen::VectorXf;

/// Normally distributed, by Box and Muller: the same numbers everywhere.
static float normal(std::mt19937 &random) {
  float u = (static_cast<float>(random() >> 8) + 1.0f) / ((1 << 24) + 1.0f);
  float v = static_cast<float>(random() >> 8) / (1 << 24);
  return std::sqrt(-2.0f * std::log(u)) * std::cos(6.2831853f * v);
}

Network::Network(int inputs, int hidden, int outputs, float outputScale,
                 std::mt19937 &random) {
  int sizes[] = {inputs, hidden, hidden, outputs};
  for (int i = 0; i < 3; ++i) {
    Layer &layer = layers.emplace_back();
    float scale = i == 2 ? outputScale : 1.4f;
    layer.weight = MatrixXf::NullaryExpr(sizes[i + 1], sizes[i], [&] {
      return normal(random) * scale / std::sqrt(static_cast<float>(sizes[i]));
    });
    layer.bias = VectorXf::Zero(sizes[i + 1]);
    layer.weightGradient = layer.weightMean = layer.weightSquare =
        MatrixXf::Zero(sizes[i + 1], sizes[i]);
    layer.biasGradient = layer.biasMean = layer.biasSquare = layer.bias;
  }
}

const MatrixXf &Network::forward(const MatrixXf &examples) {
  const MatrixXf *input = &examples;
  for (Layer &layer : layers) {
    layer.input = *input;
    layer.output.noalias() = layer.weight * layer.input;
    layer.output.colwise() += layer.bias;
    if (&layer != &layers.back())
      layer.output = layer.output.array().tanh();
    input = &layer.output;
  }
  return layers.back().output;
}

void Network::backward(const MatrixXf &outputGradient) {
  MatrixXf gradient = outputGradient;
  for (size_t i = layers.size(); i-- > 0;) {
    Layer &layer = layers[i];
    layer.weightGradient.noalias() += gradient * layer.input.transpose();
    layer.biasGradient += gradient.rowwise().sum();
    if (i > 0)
      gradient = ((layer.weight.transpose() * gradient).array() *
                  (1.0f - layer.input.array().square()))
                     .matrix()
                     .eval();
  }
}

template <typename T>
static void adam(T &value, T &gradient, T &mean, T &square, float rate,
                 float scale, int updates) {
  constexpr float keepMean = 0.9f, keepSquare = 0.999f, tiny = 1e-5f;
  gradient *= scale;
  mean = keepMean * mean + (1.0f - keepMean) * gradient;
  square = keepSquare * square +
           (1.0f - keepSquare) * gradient.array().square().matrix();
  float meanScale = 1.0f - std::pow(keepMean, static_cast<float>(updates));
  float squareScale = 1.0f - std::pow(keepSquare, static_cast<float>(updates));
  value.array() -= rate * (mean.array() / meanScale) /
                   ((square.array() / squareScale).sqrt() + tiny);
  gradient.setZero();
}

void Network::update(float rate, float longest) {
  float squares = 0.0f;
  for (const Layer &layer : layers)
    squares +=
        layer.weightGradient.squaredNorm() + layer.biasGradient.squaredNorm();
  float scale = std::min(1.0f, longest / (std::sqrt(squares) + 1e-6f));
  ++updates;
  for (Layer &layer : layers) {
    adam(layer.weight, layer.weightGradient, layer.weightMean,
         layer.weightSquare, rate, scale, updates);
    adam(layer.bias, layer.biasGradient, layer.biasMean, layer.biasSquare, rate,
         scale, updates);
  }
}
