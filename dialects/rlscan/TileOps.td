//===- TileOps.td - Level 2: sweeps over tiles -------------*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILE_OPS_TD
#define RLSCAN_TILE_OPS_TD

include "dialects/rlscan/RecurrenceOps.td"

//===----------------------------------------------------------------------===//
// kernel and sweep
//===----------------------------------------------------------------------===//

def RLScan_KernelOp : RLScan_Op<"kernel",
    [FunctionOpInterface, IsolatedFromAbove, NoTerminator]> {
  let summary = "an estimator over arrays: a sequence of sweeps";
  let description = [{
    The arguments are the arrays of the inputs, then those of the outputs, each
    of type `!rlscan.array` and named by its `rlscan.input` or `rlscan.output`
    attribute. The body is a list of `rlscan.sweep`s, run one after the other
    over all steps of a row, and the `rlscan.temporary` arrays between them.
    Rows are independent of each other.

    ```mlir
    rlscan.kernel @linear_scan_forward(
        %alpha: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"alpha", step>},
        %beta: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"beta", step>},
        %state: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"state">}) {
      rlscan.sweep forward {
        %a = rlscan.load %alpha : !rlscan.array<step, f32, steps> -> f32
        %b = rlscan.load %beta : !rlscan.array<step, f32, steps> -> f32
        %zero = arith.constant 0.0 : f32
        %s = rlscan.accumulate %a, %b init %zero : f32
        rlscan.store %s, %state : f32, !rlscan.array<step, f32, steps>
      }
    }
    ```

    - kernel_c1: arguments are arrays; there are no results
    - kernel_c2: the body is one block of sweeps, temporaries, `rlscan.after` and
      constants
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<TypedArrayAttrBase<RLScan_ScheduleAttr, "schedules">>:$schedules);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def RLScan_SweepOp : RLScan_Op<"sweep",
    [HasParent<"KernelOp">, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "one pass over the steps of a row";
  let description = [{
    Visits the steps at positions 0, 1, ..., T-1. Position p is step p of the
    arrays (`forward`) or step T-1-p (`backward`). The body holds signals, as in
    level 1, but looks only to positions before it: what was a neighbour in the
    recipe is `rlscan.previous` here, and a recurrence is `rlscan.accumulate`.
    Below this op the direction is nothing but an index map.

    - sweep_c1: the body has level-2 ops, `rlscan.reduce`, and ops without side
      effects only
  }];
  let arguments = (ins RLScan_Direction:$direction);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$direction attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "Direction":$direction)>];
}

def RLScan_TemporaryOp : RLScan_Op<"temporary",
    [HasParent<"KernelOp">, MemoryEffects<[MemAlloc]>]> {
  let summary = "an array that lives between two sweeps";
  let description = [{
    In: nothing. Out: an array of one value a row and step, or of one a row,
    written by one sweep and read by later ones, in the kernel's own memory.
    With `workgroup` that is a device's memory of a workgroup, for its rows.

    ```mlir
    %ahead = rlscan.temporary : !rlscan.array<step, f32, rows>
    %ended = rlscan.temporary workgroup : !rlscan.array<row, f32, strided>
    ```

    - temporary_c1: the array has kind `step` or `row` and no axis
  }];
  let arguments = (ins UnitAttr:$workgroup);
  let results = (outs RLScan_ArrayType:$array);
  let assemblyFormat = [{
    (`workgroup` $workgroup^)? attr-dict `:` qualified(type($array))
  }];
  let builders = [OpBuilder<(ins "::rlscan::ArrayType":$array)>];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Inside a sweep
//===----------------------------------------------------------------------===//

def RLScan_LoadOp : RLScan_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "an array's element at the present position, as a signal";
  let description = [{
    In: an array; for one with an axis, an index. Out: the element, converted
    from storage to the signal's type: floats to the real type, anything
    non-zero to a set flag, integers to an index; in `rlscan.tiles` a fragment or
    the element at the edge. With `by k` the element k
    positions further on; outside the window that is the nearest element inside,
    whose value nobody may use (guard it with `rlscan.outside`). An index outside
    the axis is clamped to it.

    ```mlir
    %reward = rlscan.load %rewards : !rlscan.array<step, bf16, steps> -> f32
    %q = rlscan.load %qs[%i] by 1 : !rlscan.array<step, f32, strided, "a"> -> f32
    ```

    - load_c1: an index if and only if the array has an axis
    - load_c2: an offset only where the array has kind `step`
    - load_c3: float storage gives a real, a flag may be stored as anything, an
      index as an integer
  }];
  let arguments = (ins RLScan_ArrayType:$array,
                       Optional<RLScan_IndexOrFragment>:$index,
                       DefaultValuedAttr<SI64Attr, "0">:$offset);
  let results = (outs RLScan_SignalOrFragment:$result);
  let assemblyFormat = [{
    $array (`[` $index^ `` custom<IndexType>(type($index)) `]`)?
    (`by` custom<Offset>($offset)^)? attr-dict `:`
    qualified(type($array)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def RLScan_StoreOp : RLScan_Op<"store",
    [ParentOneOf<["SweepOp", "TilesOp"]>, MemoryEffects<[MemWrite]>]> {
  let summary = "writes a signal to an array at the present position";
  let description = [{
    In: a signal and an array of kind `step` without axis. After: the array holds
    the signal at this position, converted to its storage type (floats rounded
    to nearest even, flags as 0 or 1). One of kind `row` holds the signal at the
    sweep's last position.

    - store_c1: the array has kind `step` or `row` and no axis
    - store_c2: a real is stored as a float, an index as an integer, a flag as
      anything
  }];
  let arguments = (ins RLScan_SignalOrFragment:$value, RLScan_ArrayType:$array);
  let assemblyFormat = [{
    $value `,` $array attr-dict `:` type($value) `,` qualified(type($array))
  }];
  let hasVerifier = 1;
}

def RLScan_PreviousOp : RLScan_Op<"previous",
    [Pure, HasParent<"SweepOp">,
     AllTypesMatch<["input", "init", "result"]>]> {
  let summary = "a signal's value at the position before this one";
  let description = [{
    `result[0] = init[0]`, `result[p] = input[p-1]`.

    ```mlir
    %next_value = rlscan.previous %value init %last_value : f32
    ```
  }];
  let arguments = (ins RLScan_Signal:$input, RLScan_Signal:$init);
  let results = (outs RLScan_Signal:$result);
  let assemblyFormat = "$input `init` $init attr-dict `:` type($result)";
}

def RLScan_AccumulateOp : RLScan_Op<"accumulate",
    [Pure, HasParent<"SweepOp">,
     AllTypesMatch<["alpha", "beta", "init", "result"]>]> {
  let summary = "an affine recurrence along the sweep";
  let description = [{
    `result[p] = alpha[p] + beta[p] * result[p-1]` with `init[0]` for
    `result[-1]`. Where `beta[p]` is exactly 0, `result[p] = alpha[p]` whatever
    was carried.
  }];
  let arguments = (ins RLScan_Real:$alpha, RLScan_Real:$beta,
                       RLScan_Real:$init);
  let results = (outs RLScan_Real:$result);
  let assemblyFormat = [{
    $alpha `,` $beta `init` $init attr-dict `:` type($result)
  }];
}

def RLScan_OutsideOp : RLScan_Op<"outside", [Pure]> {
  let summary = "whether the position `offset` further on is past the window";
  let description = [{
    Set where position p + offset is not in 0..T-1; the same for all rows.
  }];
  let arguments = (ins SI64Attr:$offset);
  let results = (outs AnyTypeOf<[I1, VectorOfRankAndType<[1], [I1]>]>:$result);
  let assemblyFormat = [{
    custom<Offset>($offset) attr-dict `` custom<FlagType>(type($result))
  }];
}

#endif // RLSCAN_TILE_OPS_TD
