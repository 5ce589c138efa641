//===- RecurrenceOps.td - Level 1: recurrences -------------*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECURRENCE_OPS_TD
#define RLSCAN_RECURRENCE_OPS_TD

include "dialects/rlscan/RLScanTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// estimator
//===----------------------------------------------------------------------===//

def RLScan_EstimatorOp : RLScan_Op<"estimator",
    [FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "one estimator: named inputs, equations, named results";
  let description = [{
    A symbol whose single block holds the equations of one recipe. Its arguments
    are the inputs, each described by a `#rlscan.input` attribute; its results
    are signals, each named by a `#rlscan.output`. Order in the block is that of
    definition only: every value exists at every row and step.

    The equation of a discounted return,
    `target[t] = reward + gamma * target[t+1 | last_value]`, is

    ```mlir
    rlscan.estimator @discounted_return(
        %gamma: f32 {rlscan.input = #rlscan.input<"gamma", param>},
        %last_value: f32 {rlscan.input = #rlscan.input<"last_value", row, default = 0.0>},
        %reward: f32 {rlscan.input = #rlscan.input<"reward", step>})
        -> (f32 {rlscan.output = #rlscan.output<"target">}) {
      %target = rlscan.recurrence backward init %last_value : f32 {
      ^bb0(%carry: f32):
        %discounted = arith.mulf %gamma, %carry : f32
        %sum = arith.addf %reward, %discounted : f32
        rlscan.yield %sum : f32
      }
      rlscan.return %target : f32
    }
    ```

    Constraints:
    - estimator_c1: has a body of exactly one block that ends in `rlscan.return`
    - estimator_c2: every argument has an `rlscan.input` attribute
    - estimator_c3: every result has an `rlscan.output` attribute
    - estimator_c4: names of inputs and results are distinct
    - estimator_c5: a default has the type of its input: a number for a real, a
      boolean for a flag, an index for an index, or the symbol of an earlier
      input with the same type; or it is `unit`, of a row's index that no
      equation reads, and its absence says something of the rows
    - estimator_c6: arguments are signals, or `!rlscan.along` where the kind is
      `step`
    - estimator_c7: results are reals, flags or indices
    - estimator_c8: an axis that is reduced has an input along it
    - estimator_c9: `extra_steps` is 0, or 1 where the input is a step's signal
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
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

    /// The description of argument or result `index`.
    InputAttr getInput(unsigned index);
    OutputAttr getOutput(unsigned index);
    void setInput(unsigned index, InputAttr input);
    void setOutput(unsigned index, OutputAttr output);

    /// The position of the input of that name.
    std::optional<unsigned> findInput(::llvm::StringRef name);

    /// The `rlscan.return` at the end.
    ReturnOp getReturn();

    static ::llvm::StringRef getInputAttrName() { return "rlscan.input"; }
    static ::llvm::StringRef getOutputAttrName() { return "rlscan.output"; }
  }];
}

def RLScan_ReturnOp : RLScan_Op<"return",
    [Pure, Terminator, HasParent<"EstimatorOp">]> {
  let summary = "the results of an estimator";
  let description = [{
    - return_c1: as many operands as the estimator has results, of their types

    ```mlir
    rlscan.return %advantage, %target : f32, f32
    ```
  }];
  let arguments = (ins Variadic<RLScan_Signal>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Steps, neighbours and recurrences
//===----------------------------------------------------------------------===//

def RLScan_StepOp : RLScan_Op<"step", [Pure]> {
  let summary = "the number of the step";
  let description = [{
    Steps of a row count from 0. In a sweep, `by k` is that of the position `k`
    further on; the count goes on past the ends of the window. In
    `rlscan.tiles` a fragment, or the number at the edge.

    ```mlir
    %t = rlscan.step : index
    ```

    - step_c1: an offset only in a sweep or in tiles
  }];
  let arguments = (ins DefaultValuedAttr<SI64Attr, "0">:$offset);
  let results = (outs RLScan_IndexOrFragment:$result);
  let assemblyFormat = [{
    (`by` custom<Offset>($offset)^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def RLScan_SegmentOp : RLScan_Op<"segment", [Pure]> {
  let summary = "the number of the packed row that the step is in";
  let description = [{
    In: the steps at which rows begin that follow each other without a gap,
    ascending from 0, and behind them the one at which the last row ends. Out:
    the number of the row that has the step; in a sweep, with `by k`, that of
    the position `k` further on. Past the ends of the window it is the first or
    the last row's.

    ```mlir
    %n = rlscan.segment %cu_seqlens : !rlscan.along<"boundary", index> -> index
    ```

    - segment_c1: the bounds are indices along an axis
  }];
  let arguments = (ins AnyTypeOf<[RLScan_AlongType, RLScan_ArrayType]>:$bounds,
                       DefaultValuedAttr<SI64Attr, "0">:$offset);
  let results = (outs RLScan_IndexOrFragment:$result);
  let assemblyFormat = [{
    $bounds (`by` custom<Offset>($offset)^)? attr-dict `:`
    qualified(type($bounds)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def RLScan_ShiftOp : RLScan_Op<"shift",
    [Pure, AllTypesMatch<["input", "otherwise", "result"]>]> {
  let summary = "the neighbouring step's value, or another past the window";
  let description = [{
    With `by 1`: `result[t] = input[t+1]`, and `otherwise[T-1]` at the last step.
    With `by -1`: `result[t] = input[t-1]`, and `otherwise[0]` at the first.
    What `otherwise` holds at other steps is never read.

    ```mlir
    %next_value = rlscan.shift %value by 1 else %last_value : f32
    ```

    - shift_c1: the offset is 1 or -1
  }];
  let arguments = (ins RLScan_Signal:$input, RLScan_Signal:$otherwise,
                       SI64Attr:$offset);
  let results = (outs RLScan_Signal:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$otherwise,
                   "int64_t":$offset)>];
  let assemblyFormat = [{
    $input `by` custom<Offset>($offset) `else` $otherwise attr-dict `:`
    type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def RLScan_AfterOp : RLScan_Op<"after",
    [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "what an input has after the last step";
  let description = [{
    In: a step input with `extra_steps = 1`. Out: its entry after the last step,
    the same along the row. In a kernel both are arrays: out comes the array of
    these entries, one a row, in the memory of the other. What may stand in for
    such an input, a constant or one value a row, is its own.

    ```mlir
    %last = rlscan.after %values : f32
    %next = rlscan.shift %values by 1 else %last : f32
    ```

    - after_c1: a step input has an extra step; an array has kind `step` and no
      axis
  }];
  let arguments = (ins AnyTypeOf<[RLScan_Signal, RLScan_ArrayType]>:$input);
  let results = (outs AnyTypeOf<[RLScan_Signal, RLScan_ArrayType]>:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def RLScan_RecurrenceOp : RLScan_Op<"recurrence",
    [Pure, SingleBlockImplicitTerminator<"YieldOp">,
     AllTypesMatch<["init", "result"]>]> {
  let summary = "a signal defined through its own neighbour";
  let description = [{
    The region maps the carry to the value of the step:

        backward: result[t] = region(result[t+1]),  result[T] := init[T-1]
        forward:  result[t] = region(result[t-1]),  result[-1] := init[0]

    The region may be any expression of the carry; `rlscan-extract-coefficients`
    turns it into an `rlscan.scan` where it is affine and refuses it otherwise.

    ```mlir
    %a = rlscan.recurrence backward init %zero : f32 {
    ^bb0(%carry: f32):
      %decayed = arith.mulf %beta, %carry : f32
      %sum = arith.addf %alpha, %decayed : f32
      rlscan.yield %sum : f32
    }
    ```

    - recurrence_c1: the region has one argument, of the result's type
    - recurrence_c2: the region yields one value of the result's type
    - recurrence_c3: ops in the region have no side effects
  }];
  let arguments = (ins RLScan_Direction:$direction, RLScan_Real:$init);
  let results = (outs RLScan_Real:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $direction `init` $init attr-dict `:` type($result) $body
  }];
  let hasRegionVerifier = 1;
}

def RLScan_YieldOp : RLScan_Op<"yield",
    [Pure, Terminator, ParentOneOf<["RecurrenceOp", "ReduceOp"]>]> {
  let summary = "the value of a region";
  let arguments = (ins Optional<RLScan_RealOrFragment>:$value);
  let builders = [OpBuilder<(ins), [{ /* verified by the parent */ }]>];
  let assemblyFormat = "($value^ `:` type($value))? attr-dict";
}

def RLScan_ScanOp : RLScan_Op<"scan",
    [Pure, AllTypesMatch<["alpha", "beta", "init", "result"]>]> {
  let summary = "an affine recurrence by its coefficients";
  let description = [{
        backward: result[t] = alpha[t] + beta[t] * result[t+1],  result[T]  := init[T-1]
        forward:  result[t] = alpha[t] + beta[t] * result[t-1],  result[-1] := init[0]

    Where `beta[t]` is exactly 0 the neighbour is not read: the result is
    `alpha[t]` whatever the neighbour holds, inf and NaN included. This is what
    makes an episode boundary exact.

    ```mlir
    %advantage = rlscan.scan backward %delta, %decay init %zero : f32
    ```
  }];
  let arguments = (ins RLScan_Direction:$direction, RLScan_Real:$alpha,
                       RLScan_Real:$beta, RLScan_Real:$init);
  let results = (outs RLScan_Real:$result);
  let assemblyFormat = [{
    $direction $alpha `,` $beta `init` $init attr-dict `:` type($result)
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Inner axes
//===----------------------------------------------------------------------===//

def RLScan_PickOp : RLScan_Op<"pick", [Pure]> {
  let summary = "one entry of a signal along an axis";
  let description = [{
    `result = input[index]`. An index outside the axis is clamped to it, so that
    no memory outside the array is read; callers check indices beforehand.

    ```mlir
    %p = rlscan.pick %target_prob[%action] : !rlscan.along<"a", f32> -> f32
    ```

    - pick_c1: the result has the element type of the input
  }];
  let arguments = (ins RLScan_AlongType:$input, Index:$index);
  let results = (outs RLScan_Signal:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$index)>];
  let assemblyFormat = "$input `[` $index `]` attr-dict `:` qualified(type($input)) `->` type($result)";
  let hasVerifier = 1;
}

def RLScan_ReduceOp : RLScan_Op<"reduce",
    [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a sum, maximum or minimum over an axis";
  let description = [{
    Evaluates the region for each position of the axis, in order, and combines
    what it yields. The empty sum is 0, the empty maximum -inf, the empty minimum
    +inf.

    ```mlir
    %expected_q = rlscan.reduce sum over "a" : f32 {
    ^bb0(%i: index):
      %p = rlscan.pick %prob[%i] : !rlscan.along<"a", f32> -> f32
      %q = rlscan.pick %next_q[%i] : !rlscan.along<"a", f32> -> f32
      %pq = arith.mulf %p, %q : f32
      rlscan.yield %pq : f32
    }
    ```

    - reduce_c1: the region has one argument, an index
    - reduce_c2: the region yields one value of the result's type
  }];
  let arguments = (ins RLScan_ReduceKind:$kind, StrAttr:$axis);
  let results = (outs RLScan_RealOrFragment:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind `over` $axis attr-dict `:` type($result) $body
  }];
  let hasRegionVerifier = 1;
}

#endif // RLSCAN_RECURRENCE_OPS_TD
