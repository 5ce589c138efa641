//===- Network.h - A small multilayer perceptron ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXAMPLES_PPO_NETWORK_H
#define RLSCAN_EXAMPLES_PPO_NETWORK_H

#include <Eigen/Dense>

#include <random>
#include <vector>

/// Two hidden layers with tanh; examples are columns.
class Network {
public:
  Network(int inputs, int hidden, int outputs, float outputScale,
          std::mt19937 &random);

  /// Keeps what backward needs.
  const Eigen::MatrixXf &forward(const Eigen::MatrixXf &examples);
  /// Adds up gradients, given those of the outputs of the last forward.
  void backward(const Eigen::MatrixXf &outputGradient);
  /// Adam, with gradients no longer than `longest`; clears them.
  void update(float rate, float longest);

private:
  struct Layer {
    Eigen::MatrixXf weight, weightGradient, weightMean, weightSquare;
    Eigen::VectorXf bias, biasGradient, biasMean, biasSquare;
    Eigen::MatrixXf input, output;
  };

  std::vector<Layer> layers;
  int updates = 0;
};

#endif // RLSCAN_EXAMPLES_PPO_NETWORK_H
