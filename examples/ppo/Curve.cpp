//===- Curve.cpp - A learning curve ---------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Curve.h"

#include <fstream>

static constexpr float width = 640, height = 360, margin = 50, top = 500;

static void writeText(std::ofstream &out, float x, float y, const char *anchor,
                      const std::string &text) {
  out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
      << "\">" << text << "</text>\n";
}

bool writeCurve(const std::string &path, const std::vector<float> &returns,
                int stepsPerUpdate) {
  std::ofstream out(path);
  float wide = width - 2 * margin, high = height - 2 * margin;
  auto x = [&](size_t i) {
    return margin + wide * static_cast<float>(i + 1) /
                        static_cast<float>(returns.size());
  };
  auto y = [&](float value) { return height - margin - high * value / top; };
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
      << "\" height=\"" << height
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (int value = 0; value <= 500; value += 100) {
    float line = y(static_cast<float>(value));
    out << "<path d=\"M" << margin << ' ' << line << 'H' << width - margin
        << "\" stroke=\"#ddd\"/>\n";
    writeText(out, margin - 6, line + 4, "end", std::to_string(value));
  }
  out << "<polyline fill=\"none\" stroke=\"#0b62a4\" stroke-width=\"2\" "
         "points=\"";
  for (size_t i = 0; i < returns.size(); ++i)
    out << x(i) << ',' << y(returns[i]) << ' ';
  out << "\"/>\n";
  writeText(out, width / 2, margin / 2, "middle",
            "CartPole: mean return of the last 100 episodes");
  writeText(out, width / 2, height - margin / 4, "middle", "environment steps");
  writeText(out, width - margin, height - margin + 18, "end",
            std::to_string(returns.size() * stepsPerUpdate));
  writeText(out, margin, height - margin + 18, "start", "0");
  out << "</svg>\n";
  return out.good();
}
