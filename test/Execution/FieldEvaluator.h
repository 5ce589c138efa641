//===- FieldEvaluator.h - Estimators at a point of a field ---- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_FIELDEVALUATOR_H
#define RLSCAN_TEST_EXECUTION_FIELDEVALUATOR_H

#include "dialects/rlscan/RLScan.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace rlscan::test::field {

/// The largest prime below 2^31.
constexpr uint64_t prime = 2147483647;

/// Where recurrence `number` is, for mark and Evaluator.
mlir::Location locationOf(mlir::Builder &builder, unsigned number);

/// Evaluates an estimator at one step of one row. Inputs, the neighbours of
/// recurrences and what functions make of their operands are hashes of the
/// seed, so that two estimators of one seed get the same. A recurrence and the
/// scan that it became get the same neighbour.
class Evaluator {
public:
  explicit Evaluator(uint64_t seed) : seed(seed) {}

  /// The operands of its return: reals are elements of the field, flags 0 or 1,
  /// anything else a hash.
  std::vector<uint64_t> evaluate(EstimatorOp estimator);

  /// Directions and initial values as a hash, by the number of a recurrence.
  std::map<unsigned, uint64_t> edges;
  /// The number of a recurrence that is not affine.
  std::optional<unsigned> isCurved;

private:
  uint64_t run(mlir::Operation &op);
  uint64_t runRegion(mlir::Block &block, uint64_t argument);
  uint64_t runRecurrence(RecurrenceOp op);
  uint64_t runScan(ScanOp op);
  uint64_t runReduce(ReduceOp op);
  std::optional<uint64_t> runArithmetic(mlir::Operation &op);
  uint64_t runOther(mlir::Operation &op);
  uint64_t of(mlir::Value value) const { return values.lookup(value); }
  uint64_t hash(uint64_t a, uint64_t b) const;
  uint64_t asType(uint64_t bits, mlir::Type type) const;
  uint64_t neighbour(mlir::Operation *op, uint64_t which);

  uint64_t seed;
  llvm::DenseMap<mlir::Value, uint64_t> values;
};

} // namespace rlscan::test::field

#endif // RLSCAN_TEST_EXECUTION_FIELDEVALUATOR_H
