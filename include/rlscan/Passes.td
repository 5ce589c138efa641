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

def BoundRows : Pass<"rlscan-bound-rows", "::rlscan::EstimatorOp"> {
  let summary = "end each row where its length says";
  let description = [{
    Where the input `lengths` is present, row n has the steps
    0..lengths[n]-1. What the window's last step is to equations becomes the
    row's:

    - a neighbour at t+1 is `otherwise` at the row's last step;
    - a backward scan starts there: past the end alpha is the init and beta 0
      where the init is the same along the row; else the init goes into the last
      step's coefficients;
    - results are 0 past the end.

    Rows start at step 0, so what looks back stays as it is. Nothing past the
    end reaches a result: a choice does not look at what it did not choose, nor
    a scan at a neighbour where beta is 0. Lengths are to be from 0 to the number
    of steps.

    Where the input `cu_seqlens` is present, the window is one row in which
    those of the call follow each other, row n from step cu_seqlens[n] to before
    cu_seqlens[n+1]. It becomes an array along an axis, and so does everything
    that a row has one of, which is picked by the row's number, an
    `rlscan.segment`. Both ends of a row are then inside the window, and every
    init goes into the coefficients of a row's first or last step.

    It stands behind `rlscan-specialize`, which removes either input where calls
    do not give it. Run `canonicalize` and `cse` afterwards.

    Before:

    ```mlir
    %a = rlscan.scan backward %x, %beta init %init : f32
    rlscan.return %a : f32
    ```

    After:

    ```mlir
    %t = rlscan.step : index
    %inside = arith.cmpi slt, %t, %lengths : index
    %alpha1 = arith.select %inside, %x, %init : f32
    %beta1 = arith.select %inside, %beta, %zero : f32
    %a = rlscan.scan backward %alpha1, %beta1 init %init : f32
    %result = arith.select %inside, %a, %zero : f32
    rlscan.return %result : f32
    ```
  }];
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

def ShrinkTemporaries : Pass<"rlscan-shrink-temporaries", "::mlir::ModuleOp"> {
  let summary = "keep no more of a sweep's signals than later sweeps read";
  let description = [{
    An `rlscan.temporary` of which only the first position of sweeps in the other
    direction is read becomes one of a value a row: that of the position where
    the sweep ends that writes it.

    Before:

    ```mlir
    %t = rlscan.temporary : !rlscan.array<step, f32, rows>
    rlscan.sweep forward {
      ...
      rlscan.store %ended, %t : f32, !rlscan.array<step, f32, rows>
    }
    rlscan.sweep backward {
      %init = rlscan.load %t : !rlscan.array<step, f32, rows> -> f32
      %target = rlscan.accumulate %alpha, %beta init %init : f32
      ...
    }
    ```

    After:

    ```mlir
    %t = rlscan.temporary : !rlscan.array<row, f32, strided>
    rlscan.sweep forward {
      ...
      rlscan.store %ended, %t : f32, !rlscan.array<row, f32, strided>
    }
    rlscan.sweep backward {
      %init = rlscan.load %t : !rlscan.array<row, f32, strided> -> f32
      %target = rlscan.accumulate %alpha, %beta init %init : f32
      ...
    }
    ```
  }];
}

def SelectSchedule : Pass<"rlscan-select-schedule", "::mlir::ModuleOp"> {
  let summary = "choose which thread of a device holds what";
  let description = [{
    Writes the attribute `schedules`, one `#rlscan.schedule` or more, into every
    `rlscan.kernel` that has none. A kernel is later compiled once for each.
    docs/gpu.md says what is chosen when, and why.

    Before:

    ```mlir
    rlscan.kernel @e(%x: !rlscan.array<step, f32, steps>, ...) { ... }
    ```

    After, with `rows=4096 steps=512 access=4`:

    ```mlir
    rlscan.kernel @e(%x: !rlscan.array<step, f32, steps>, ...) attributes {schedules = [
        #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} { ... }
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "4096", "rows that calls have, about">,
    Option<"steps", "steps", "int64_t", "128", "steps that calls have">,
    Option<"access", "access", "unsigned", "1",
           "steps that one access may move: a power of two that divides the "
           "number of steps and the strides of rows, and that addresses are "
           "aligned to">,
    Option<"axis", "axis", "int64_t", "4", "entries of the largest axis">,
    Option<"entries", "entries", "unsigned", "0",
           "entries of every axis, where they are packed (0: they are not)">,
    Option<"multiprocessors", "multiprocessors", "unsigned", "132",
           "multiprocessors of the device">,
    Option<"subgroupSize", "subgroup-size", "unsigned", "32",
           "threads of the device's subgroup">,
    ListOption<"schedules", "schedules", "std::string",
               "schedules to use instead, such as v4_l32_g1_r4_loop_a4">];
}

def MakeTiles : Pass<"rlscan-make-tiles", "::mlir::ModuleOp"> {
  let summary = "sweeps to what each thread of a device does for a tile";
  let description = [{
    Turns each `rlscan.kernel` into one for each of its schedules, named by it,
    and its sweeps into `rlscan.tiles`: signals become fragments, a recurrence
    one op for each level of the schedule, and neighbours registers and shuffles.
    A recurrence that only carries on an init which is the same along the row is
    that init.

    Before:

    ```mlir
    rlscan.sweep backward {
      %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
      %1 = rlscan.accumulate %0, %beta init %zero : f32
      rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
    }
    ```

    After:

    ```mlir
    rlscan.tiles backward {
      %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> vector<4xf32>
      %a, %b = rlscan.compose %0, %beta : vector<4xf32> -> f32
      %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
      %c = rlscan.carry %ta, %tb init %zero : f32
      %s = rlscan.apply %ea, %eb to %c : f32
      %1, %before = rlscan.advance %0, %beta from %s : f32, vector<4xf32>
      rlscan.store %1, %y : vector<4xf32>, !rlscan.array<step, f32, steps>
    }
    ```
  }];
  let dependentDialects = ["::mlir::vector::VectorDialect"];
}

def TilesToGPU : Pass<"rlscan-tiles-to-gpu", "::mlir::ModuleOp"> {
  let summary = "lower kernels of tiles to functions of a device";
  let description = [{
    Replaces each `rlscan.kernel` whose sweeps are tiles by a `gpu.func` in the
    `gpu.module` `@rlscan_device`: gpu, scf, arith, math, vector and loads and
    stores of the LLVM dialect. The schedule decides everything; docs/gpu.md
    describes the ABI and the code.

    Before:

    ```mlir
    rlscan.kernel @e_v4_l32_g1_r4_loop_a4(...) attributes {schedules = [...]} {
      rlscan.tiles backward { ... }
    }
    ```

    After:

    ```mlir
    gpu.module @rlscan_device {
      gpu.func @e_v4_l32_g1_r4_loop_a4(%x: !llvm.ptr<1>, ...) kernel { ... }
    }
    ```
  }];
  let options = [Option<"vendor", "vendor", "::rlscan::Vendor",
                        "::rlscan::Vendor::NVIDIA", "whose operations are used",
                        "::llvm::cl::values("
                        "clEnumValN(::rlscan::Vendor::NVIDIA, \"nvidia\", \"\"), "
                        "clEnumValN(::rlscan::Vendor::AMD, \"amd\", \"\"))">,
                 Option<"subgroupSize", "subgroup-size", "unsigned", "32",
                        "threads of the target's subgroup">,
                 Option<"sharedBytes", "shared-bytes", "int64_t", "49152",
                        "shared memory that a workgroup may have">,
                 Option<"asyncCopies", "async-copies", "bool", "true",
                        "whether the target copies from global to shared memory "
                        "past the registers">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LinkCodeObjects : Pass<"rlscan-link-code-objects", "::mlir::ModuleOp"> {
  let summary = "assemble and link what AMD's driver loads";
  let description = [{
    Replaces the assembly of every object for AMD's chips in a `gpu.binary` by a
    code object (an ELF file, also called hsaco). Nothing of ROCm is needed: the
    assembler and the linker are LLVM's.

    Before:

    ```mlir
    gpu.binary @rlscan_device [#gpu.object<#rocdl.target<chip = "gfx942">, assembly = "...">]
    ```

    After:

    ```mlir
    gpu.binary @rlscan_device [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "\7FELF...">]
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
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
  let summary = "expand exp and log of f32, and minima of vectors";
  let description = [{
    f32, in vectors or alone, gets polynomial approximations of `math.exp` and
    `math.log` (MLIR's), accurate to 2 units in the last place; a call of the C
    library for each lane would be an order of magnitude slower. Other functions,
    f64 included, are left to the C library.

    With `minima`, `arith.minimumf` of vectors becomes two comparisons, of which
    the results are joined. It stays exact.

    Before:

    ```mlir
    %ratio = math.exp %x : vector<16xf32>
    ```

    After: multiplications, additions and integer shifts on `vector<16xf32>`.
  }];
  let options = [Option<"minima", "minima", "bool", "true",
                        "expand minima: for targets with no instruction that "
                        "keeps NaN">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def DeviceMath : Pass<"rlscan-device-math"> {
  let summary = "expand what a device would call a library for";
  let description = [{
    A device has no C library, and its vendor's is not everywhere: `math.exp` and
    `math.log` of f64 become series, accurate to a few units in the last place;
    `math.floor`, `math.sqrt` and `math.absf` become LLVM's intrinsics, for which
    devices have instructions. Runs after `rlscan-approximate-math`.

    Before:

    ```mlir
    %0 = math.sqrt %x : vector<4xf32>
    ```

    After:

    ```mlir
    %0 = llvm.call_intrinsic "llvm.sqrt"(%x) : (vector<4xf32>) -> vector<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

#endif // RLSCAN_PASSES_TD
