//===- Passes.h - Every pass of the project ---------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PASSES_H
#define RLSCAN_PASSES_H

#include "dialects/rlscan/RLScan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace rlscan {

/// Who makes a device.
enum class Vendor { NVIDIA, AMD };

#define GEN_PASS_DECL
#include "rlscan/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rlscan/Passes.h.inc"

} // namespace rlscan

#endif // RLSCAN_PASSES_H
