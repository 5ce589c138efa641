//===- Curve.h - A learning curve -------------------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXAMPLES_PPO_CURVE_H
#define RLSCAN_EXAMPLES_PPO_CURVE_H

#include <string>
#include <vector>

/// Writes a picture of the curve as SVG.
bool writeCurve(const std::string &path, const std::vector<float> &returns,
                int stepsPerUpdate);

#endif // RLSCAN_EXAMPLES_PPO_CURVE_H
