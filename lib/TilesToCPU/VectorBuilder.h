//===- VectorBuilder.h - Short names for vector and index code --*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOCPU_VECTORBUILDER_H
#define RLSCAN_TILESTOCPU_VECTORBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rlscan {

/// Builds the code of CPU kernels: i64 for sizes, strides and loop counters;
/// vectors of `lanes` elements, a lane for each row.
class VectorBuilder : public mlir::ImplicitLocOpBuilder {
public:
  VectorBuilder(mlir::Location loc, mlir::OpBuilder builder, unsigned lanes,
                mlir::FloatType real)
      : ImplicitLocOpBuilder(loc, builder), lanes(lanes), real(real) {}

  const unsigned lanes;
  mlir::FloatType real;

  mlir::VectorType vectorOf(mlir::Type element) {
    return mlir::VectorType::get({lanes}, element);
  }
  /// An integer as wide as a real, so that flags and indices can share its
  /// memory and its shuffles.
  mlir::IntegerType realSizedInt() { return getIntegerType(real.getWidth()); }
  mlir::Type pointer() {
    return mlir::LLVM::LLVMPointerType::get(getContext());
  }

  mlir::Value i64(int64_t value);
  mlir::Value constant(mlir::TypedAttr value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value minimum(mlir::Value a, mlir::Value b);
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  mlir::Value ceilDiv(mlir::Value a, int64_t b);
  mlir::Value less(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, mlir::Value b);

  /// A scalar in every lane.
  mlir::Value splat(mlir::Value scalar);
  /// 0, 1, ... lanes - 1, as i64.
  mlir::Value laneNumbers();
  mlir::Value allLanes();

  /// base + offset elements; offset may be a vector.
  mlir::Value elementPointer(mlir::Value base, mlir::Type element,
                             mlir::Value offset);
  /// Memory of the function's frame, aligned for vectors.
  mlir::Value allocate(mlir::Type element, int64_t count);
  mlir::Value loadVector(mlir::Type element, mlir::Value address,
                         unsigned alignment);
  void storeVector(mlir::Value vector, mlir::Value address, unsigned alignment);

  /// The next value of a recurrence, in vectors of f64: alpha + beta * carry,
  /// but alpha alone where `isCut`, which is where beta is 0.
  mlir::Value carryOn(mlir::Value alpha, mlir::Value beta, mlir::Value carry,
                      mlir::Value isCut);
  mlir::Value isZero(mlir::Value vector);

  /// for (i = begin; i < end; i += step) body(i)
  void loop(mlir::Value begin, mlir::Value end, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);
};

} // namespace rlscan

#endif // RLSCAN_TILESTOCPU_VECTORBUILDER_H
