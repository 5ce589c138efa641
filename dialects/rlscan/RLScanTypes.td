//===- RLScanTypes.td - Types of the rlscan dialect --------*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TYPES_TD
#define RLSCAN_TYPES_TD

include "dialects/rlscan/RLScanAttrs.td"

def RLScan_AlongType : TypeDef<RLScan_Dialect, "Along"> {
  let mnemonic = "along";
  let summary = "a signal with one entry for each position of an inner axis";
  let description = [{
    `!rlscan.along<"a", f32>` is what `step q[a]` declares: at each row and step
    a small vector (over actions, say). Its entries are read by `rlscan.pick`.
  }];
  let parameters = (ins "::mlir::StringAttr":$axis, "::mlir::Type":$element);
  let assemblyFormat = "`<` $axis `,` $element `>`";
}

def RLScan_ArrayType : TypeDef<RLScan_Dialect, "Array"> {
  let mnemonic = "array";
  let summary = "an array in memory: level 2's view of an input or output";
  let description = [{
    Has one element (`param`), one a row (`row`), or one a row and step
    (`step`); with an `axis`, as many again for each of its positions. `storage`
    is the type in memory (f16, bf16, f32, f64, i8, i32 or i64), `layout` says which neighbours are contiguous.

    ```mlir
    !rlscan.array<step, bf16, rows>
    !rlscan.array<step, f32, strided, "a">
    ```
  }];
  let parameters = (ins
    EnumParameter<RLScan_InputKind>:$kind,
    "::mlir::Type":$storage,
    EnumParameter<RLScan_Layout>:$layout,
    OptionalParameter<"::mlir::StringAttr">:$axis);
  let assemblyFormat = "`<` $kind `,` $storage `,` $layout (`,` $axis^)? `>`";
  let genVerifyDecl = 1;
}

def RLScan_Real : AnyTypeOf<[F32, F64], "a real (f32 or f64)">;
def RLScan_Signal : AnyTypeOf<[F32, F64, I1, Index],
    "a signal (f32, f64, i1 or index)">;

def RLScan_RealFragment : VectorOfRankAndType<[1], [F32, F64]>;
def RLScan_Fragment : VectorOfRankAndType<[1], [F32, F64, I1, Index]>;
def RLScan_SignalOrFragment : AnyTypeOf<[RLScan_Signal, RLScan_Fragment],
    "a signal or a fragment of one">;
def RLScan_IndexOrFragment : AnyTypeOf<[Index, VectorOfRankAndType<[1], [Index]>],
    "an index or a fragment of indices">;
def RLScan_RealOrFragment : AnyTypeOf<[RLScan_Real, RLScan_RealFragment],
    "a real or a fragment of reals">;

#endif // RLSCAN_TYPES_TD
