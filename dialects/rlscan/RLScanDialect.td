//===- RLScanDialect.td - The rlscan dialect ---------------*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_DIALECT_TD
#define RLSCAN_DIALECT_TD

include "mlir/IR/OpBase.td"

def RLScan_Dialect : Dialect {
  let name = "rlscan";
  let cppNamespace = "::rlscan";
  let summary = "affine recurrences of reinforcement learning";
  let description = [{
    An estimator of credit assignment (GAE, V-Trace, returns, traces, ...) is a
    set of equations over rows (environments, sequences) and steps. Those that
    refer to their own neighbour are affine recurrences:

        A[t] = alpha[t] + beta[t] * A[t+1]     backward
        A[t] = alpha[t] + beta[t] * A[t-1]     forward

    The dialect writes them down at two levels.

    **Level 1, recurrence** (`RecurrenceOps.td`): `rlscan.estimator` holds one
    estimator. Inside it an SSA value of type `f32`, `f64`, `i1` or `index` is a
    *signal*: one value a row and step. `arith` and `math` ops apply step by
    step; `rlscan.shift` refers to the neighbouring step, `rlscan.recurrence`
    to the carry, `rlscan.scan` is its coefficient form. Nothing says in which
    order steps are computed or where arrays are stored.

    **Level 2, tiles** (`TileOps.td`): `rlscan.kernel` holds what level 1 becomes
    once an order is chosen: *sweeps* over the steps. A sweep always goes
    forward through its own positions; the direction of the recurrence is only
    an index map from positions to steps. Arrays are explicit, with storage
    type and layout.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class RLScan_Op<string mnemonic, list<Trait> traits = []>
    : Op<RLScan_Dialect, mnemonic, traits>;

#endif // RLSCAN_DIALECT_TD
