//===- Passes.td - Every pass, in pipeline order -----------*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_PASSES_TD
#define RLSCAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExtractCoefficients
    : Pass<"rlscan-extract-coefficients", "::rlscan::EstimatorOp"> {
  let summary = "turn recurrences into scans by deriving alpha and beta";
  let description = [{
    Rewrites every `rlscan.recurrence` as an `rlscan.scan` whose coefficients
    are derived from the region: each value that depends on the carry is written
    as `alpha + beta * carry`, through sums, differences, negations, products and
    quotients by values free of the carry, and selects between such forms. A
    region that is not affine is refused where the recipe says so, with the
    sub-expression at fault.

    Before:

    ```mlir
    %a = rlscan.recurrence backward init %zero : f32 {
    ^bb0(%carry: f32):
      %0 = arith.mulf %gamma, %carry : f32
      %1 = arith.select %alive, %0, %zero : f32
      %2 = arith.addf %reward, %1 : f32
      rlscan.yield %2 : f32
    }
    ```

    After:

    ```mlir
    %beta = arith.select %alive, %gamma, %zero : f32
    %a = rlscan.scan backward %reward, %beta init %zero : f32
    ```
  }];
}

def Specialize : Pass<"rlscan-specialize", "::rlscan::EstimatorOp"> {
  let summary = "fix types, layouts, absent inputs and constants of a call";
  let description = [{
    Takes what is known about the calls to compile for, one entry an input or
    result, separated by commas:

    - `name:storage:layout` - how the array is stored: the element type in
      memory (`f32`, `bf16`, `i8`, ...) and what is contiguous (`steps`, `rows`
      or `strided`);
    - `name:storage:layout:kind` - a param that is an array: one value a row
      (`row`) or a row and step (`step`);
    - `name:absent` - an optional input that is left out: its default replaces
      it, and the argument disappears;
    - `name=value` - a param with a fixed value.

    Inputs without an entry keep their type as storage and are `strided`. Run
    `canonicalize` and `cse` afterwards: an absent input then leaves no load and
    no arithmetic behind.

    Before, with `bindings=truncated:absent,reward:bf16:steps`:

    ```mlir
    rlscan.estimator @e(
        %reward: f32 {rlscan.input = #rlscan.input<"reward", step>},
        %truncated: i1 {rlscan.input = #rlscan.input<"truncated", step, default = false>},
    ```

    After:

    ```mlir
    rlscan.estimator @e(
        %reward: f32 {rlscan.input = #rlscan.input<"reward", step, storage = bf16, layout = steps>},
    ```
  }];
  let options = [ListOption<"bindings", "bindings", "std::string",
                            "name:storage:layout, name:absent, name=value">];
}

def MakeSweeps : Pass<"rlscan-make-sweeps", "::mlir::ModuleOp"> {
  let summary = "choose an order of evaluation: estimators to kernels of sweeps";
  let description = [{
    Turns each `rlscan.estimator` into an `rlscan.kernel`: as few sweeps over the
    steps as its directions allow, each computing everything that can be known
    by then. Scans of one direction share a sweep, however they are chained. A
    neighbour behind the sweep becomes `rlscan.previous`; a neighbour ahead of it
    is computed at that position from the inputs where that is possible, and else
    in a later sweep. Results of a sweep that a later one reads are kept in an
    `rlscan.temporary`.

    Before:

    ```mlir
    rlscan.estimator @e(%x: f32 {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = steps>}, ...)
        -> (f32 {rlscan.output = #rlscan.output<"y", storage = f32, layout = steps>}) {
      %y = rlscan.scan backward %x, %beta init %zero : f32
      rlscan.return %y : f32
    }
    ```

    After:

    ```mlir
    rlscan.kernel @e(%x: !rlscan.array<step, f32, steps>, ..., %y: !rlscan.array<step, f32, steps>) {
      rlscan.sweep backward {
        %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
        %1 = rlscan.accumulate %0, %beta init %zero : f32
        rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
      }
    }
    ```
  }];
}

def TilesToCPU : Pass<"rlscan-tiles-to-cpu", "::mlir::ModuleOp"> {
  let summary = "lower kernels to vector code for one CPU thread";
  let description = [{
    Replaces each `rlscan.kernel` by a `func.func` that runs it over a range of
    rows, and one that says how much workspace it needs. docs/cpu.md describes the
    ABI and the shape of the code.

    Where steps are contiguous in any array a vector holds neighbouring steps of
    one row: what is computed step by step needs no more, and only the recurrences
    themselves are run with a lane for each row, their coefficients and results
    transposed in registers. Else a lane is a row throughout. Other arrays are
    reached by gathers. Recurrences carry f64 where reals are f32, so that the
    length of a row costs no accuracy.

    Before:

    ```mlir
    rlscan.kernel @e(%x: !rlscan.array<step, f32, rows>, ...) { ... }
    ```

    After:

    ```mlir
    func.func @rlscan_run_e(%arrays: !llvm.ptr, %axes: !llvm.ptr, %workspace: !llvm.ptr,
                        %steps: i64, %row_begin: i64, %row_end: i64) {
      scf.for %row = %row_begin to %row_end step %block {
        scf.for %position = ... {
          %x = llvm.load ... : !llvm.ptr -> vector<16xf32>
          ...
    ```
  }];
  let options = [Option<"lanes", "lanes", "unsigned", "16",
                        "reals that a vector holds (a power of two up to 32)">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ApproximateMath : Pass<"rlscan-approximate-math"> {
  let summary = "expand exp and log of f32 vectors, and minima";
  let description = [{
    Vectors of f32 get polynomial approximations of `math.exp` and `math.log`
    (MLIR's), accurate to 2 units in the last place; a call of the C library for
    each lane would be an order of magnitude slower. Other functions, f64
    included, are left to the C library.

    `arith.minimumf` of vectors becomes two comparisons, of which the results
    are joined. It stays exact.

    Before:

    ```mlir
    %ratio = math.exp %x : vector<16xf32>
    ```

    After: multiplications, additions and integer shifts on `vector<16xf32>`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // RLSCAN_PASSES_TD
