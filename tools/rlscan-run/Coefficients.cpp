//===- Coefficients.cpp - Recurrences as equations ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "RecipeToRecurrence/EquationPrinter.h"
#include "rlscan/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace rlscan;

namespace {

/// Prints one estimator in coefficient form.
class Printer {
public:
  explicit Printer(EstimatorOp estimator) : estimator(estimator) {}

  void print();

private:
  /// Names with their right-hand sides.
  using Lines = std::vector<std::pair<std::string, std::string>>;

  void printScan(ScanOp scan);
  void printReturn();
  void addMentioned(Lines &lines);
  void printEquations(const Lines &lines);

  EstimatorOp estimator;
  EquationPrinter equations;
  /// How many of the values that the printer mentioned have been looked at.
  size_t visited = 0;
  /// Values whose equation is written; recurrences have their own.
  llvm::DenseSet<Value> done;
  raw_ostream &out = llvm::outs();
};

} // namespace

/// Aligned at the equals sign.
void Printer::printEquations(const Lines &lines) {
  size_t width = 0;
  for (const auto &[name, text] : lines)
    width = std::max(width, name.size());
  for (const auto &[name, text] : lines)
    out << "  " << name << std::string(width - name.size(), ' ') << " = "
        << text << '\n';
}

/// The equations behind the names that equations refer to.
void Printer::addMentioned(Lines &lines) {
  for (; visited < equations.mentioned().size(); ++visited) {
    Value value = equations.mentioned()[visited];
    if (done.insert(value).second)
      lines.emplace_back(EquationPrinter::nameOf(value),
                         equations.equation(value));
  }
}

void Printer::printScan(ScanOp scan) {
  bool isBackward = scan.getDirection() == Direction::Backward;
  StringRef name = EquationPrinter::nameOf(scan.getResult());
  if (name.empty())
    name = "y";
  out << name << "[t] = alpha[t] + beta[t] * " << name
      << (isBackward ? "[t+1]" : "[t-1]") << "     "
      << stringifyDirection(scan.getDirection()) << ", " << name
      << (isBackward ? "[T]" : "[-1]") << " = "
      << equations.reference(scan.getInit()) << '\n';
  Lines lines;
  auto add = [&](StringRef coefficient, Value value) {
    std::string text = equations.reference(value);
    // Where the recipe has the name itself, that says it all.
    if (text != coefficient)
      lines.emplace_back(coefficient, text);
  };
  add("alpha", scan.getAlpha());
  add("beta", scan.getBeta());
  printEquations(lines);
  lines.clear();
  addMentioned(lines);
  printEquations(lines);
}

/// The results, and the equations of those that are no recurrences.
void Printer::printReturn() {
  out << "return ";
  Lines lines;
  for (auto [i, value] : llvm::enumerate(estimator.getReturn().getOperands())) {
    StringRef name = estimator.getOutput(i).getName().getValue();
    out << (i ? ", " : "") << name;
    bool isNamed = EquationPrinter::nameOf(value) == name;
    bool isInput = !value.getDefiningOp();
    if (isNamed && !isInput && done.insert(value).second)
      lines.emplace_back(name, equations.equation(value));
    else if (!isNamed)
      lines.emplace_back(name, equations.reference(value));
  }
  out << '\n';
  addMentioned(lines);
  printEquations(lines);
}

void Printer::print() {
  auto scans = estimator.getBody().getOps<ScanOp>();
  for (ScanOp scan : scans)
    done.insert(scan.getResult());
  for (ScanOp scan : scans)
    printScan(scan);
  printReturn();
}

LogicalResult rlscan::printCoefficients(ModuleOp module) {
  PassManager passes(module.getContext());
  OpPassManager &nested = passes.nest<EstimatorOp>();
  nested.addPass(createExtractCoefficients());
  nested.addPass(createCanonicalizerPass());
  nested.addPass(createCSEPass());
  if (failed(passes.run(module)))
    return failure();
  bool hasSeveral = llvm::hasNItemsOrMore(module.getOps<EstimatorOp>(), 2);
  for (EstimatorOp estimator : module.getOps<EstimatorOp>()) {
    if (hasSeveral)
      llvm::outs() << "estimator " << estimator.getSymName() << '\n';
    Printer(estimator).print();
    if (hasSeveral)
      llvm::outs() << '\n';
  }
  return success();
}
