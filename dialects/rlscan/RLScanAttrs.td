//===- RLScanAttrs.td - Attributes of the rlscan dialect ---*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_ATTRS_TD
#define RLSCAN_ATTRS_TD

include "dialects/rlscan/RLScanDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class RLScan_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::rlscan";
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def RLScan_Direction : RLScan_I32Enum<"Direction",
    "forward: A[t] refers to A[t-1]; backward: to A[t+1]", [
      I32EnumAttrCase<"Forward", 0, "forward">,
      I32EnumAttrCase<"Backward", 1, "backward">]>;

def RLScan_InputKind : RLScan_I32Enum<"InputKind",
    "how many values an input has", [
      I32EnumAttrCase<"Param", 0, "param">,
      I32EnumAttrCase<"Row", 1, "row">,
      I32EnumAttrCase<"Step", 2, "step">]>;

def RLScan_Layout : RLScan_I32Enum<"Layout",
    "which neighbours of an array are neighbours in memory", [
      I32EnumAttrCase<"Strided", 0, "strided">,
      I32EnumAttrCase<"Steps", 1, "steps">,
      I32EnumAttrCase<"Rows", 2, "rows">]>;

def RLScan_ReduceKind : RLScan_I32Enum<"ReduceKind",
    "how the entries of an axis are combined", [
      I32EnumAttrCase<"Sum", 0, "sum">,
      I32EnumAttrCase<"Max", 1, "max">,
      I32EnumAttrCase<"Min", 2, "min">]>;

def RLScan_Chain : RLScan_I32Enum<"Chain",
    "how the tiles of a row follow each other", [
      I32EnumAttrCase<"Once", 0, "once">,
      I32EnumAttrCase<"Loop", 1, "loop">,
      I32EnumAttrCase<"LookBack", 2, "look_back">]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def RLScan_InputAttr : AttrDef<RLScan_Dialect, "Input"> {
  let mnemonic = "input";
  let summary = "what an argument of an estimator is and how a call stores it";
  let description = [{
    - `name`: the name in the recipe.
    - `kind`: `param` (one number a call), `row` (one a row), `step` (one a row
      and step).
    - `default`: present where the input is optional: a number, a boolean, or
      the symbol of the input that stands in for it.
    - `extra_steps`: 1 where the array of a `step` has one entry more than the
      row has steps, the value after the last step.
    - `storage`, `layout`: set by `rlscan-specialize`: the element type in
      memory and whether steps or rows are contiguous.

    Examples:

    ```mlir
    #rlscan.input<"reward", step>
    #rlscan.input<"truncated", step, default = false>
    #rlscan.input<"value", step, storage = bf16, layout = rows>
    #rlscan.input<"values", step, extra_steps = 1>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$name,
    "::rlscan::InputKind":$kind,
    OptionalParameter<"::mlir::Attribute">:$default_value,
    OptionalParameter<"::mlir::Type">:$storage,
    "::rlscan::Layout":$layout, "unsigned":$extra_steps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isOptional() const { return static_cast<bool>(getDefaultValue()); }
    /// The same input, which calls have to give.
    InputAttr withoutDefault() const;
    /// The same input with the way a call stores it.
    InputAttr withStorage(::mlir::Type storage, Layout layout,
                          InputKind kind) const;
  }];
}

def RLScan_OutputAttr : AttrDef<RLScan_Dialect, "Output"> {
  let mnemonic = "output";
  let summary = "the name of a result of an estimator and how a call stores it";
  let description = [{
    Outputs have one value a row and step.

    ```mlir
    #rlscan.output<"advantage">
    #rlscan.output<"advantage", storage = f32, layout = steps>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$name,
    OptionalParameter<"::mlir::Type">:$storage,
    "::rlscan::Layout":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def RLScan_ScheduleAttr : AttrDef<RLScan_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "which thread of a device holds what";
  let description = [{
    A tile is `rows` rows by `steps_per_thread * lanes * groups` positions, and a
    workgroup of `lanes * groups * rows` threads holds one:

    - `steps_per_thread` - consecutive positions that a thread composes in its
      registers (1 to 64);
    - `lanes` - threads of a subgroup that share a row, by shuffles (1 to 64, at
      most the subgroup's size); with 1 neighbouring threads are neighbouring
      rows;
    - `groups` - groups of lanes that share a row, through shared memory (1 to
      32); more than one only of whole subgroups or of single lanes;
    - `rows` - rows of a workgroup;
    - `chain` - `once`: a row fits a tile; `loop`: a workgroup walks along its
      rows with a carry; `look_back`: the tiles of a row go to many workgroups;
    - `access` - neighbouring steps that one access to memory may move, by what
      is known of sizes, strides and alignment (divides `steps_per_thread`);
    - `resident` - workgroups that a multiprocessor must have room for at a time;
      it limits their registers (0, the default: the assembler's choice);
    - `entries` - where it is set, what every axis has of entries (0, the
      default, to 256): arrays along an axis then have a step's entries side by
      side and the next step's after them, in rows that start at multiples of 16
      bytes, and subgroups read them together through shared memory; needs whole
      subgroups as lanes;
    - `stream` - 1 where inputs are marked as read once in caches (default: 0):
      it pays while the whole call fits the device's cache.

    ```mlir
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>
    ```

    - schedule_c1: `steps_per_thread`, `lanes` and `access` are powers of two
    - schedule_c2: each number is in its range
    - schedule_c3: more than one group only with 1 lane or whole subgroups (32
      or 64 lanes); `entries` only with whole subgroups
    - schedule_c4: a workgroup has at most 1024 threads; where lanes are shared,
      whole subgroups; the resident ones at most 2048
  }];
  let parameters = (ins "unsigned":$steps_per_thread, "unsigned":$lanes,
                        "unsigned":$groups, "unsigned":$rows,
                        EnumParameter<RLScan_Chain>:$chain, "unsigned":$access,
                        DefaultValuedParameter<"unsigned", "0">:$resident,
                        DefaultValuedParameter<"unsigned", "0">:$entries,
                        DefaultValuedParameter<"unsigned", "0">:$stream);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getThreads() const {
      return getLanes() * getGroups() * getRows();
    }
    /// Positions of a row in a tile.
    unsigned getTileSteps() const {
      return getStepsPerThread() * getLanes() * getGroups();
    }
    /// Words for names: "v4_l32_g1_r4_loop_a4" ("_m2" where `resident` is 2,
    /// "_e18" where `entries` is 18, "_s1" where `stream` is set), and back. An
    /// error says what is wrong with the words or the numbers.
    std::string getSuffix() const;
    static ::mlir::FailureOr<ScheduleAttr> fromSuffix(
        ::mlir::MLIRContext *context, ::llvm::StringRef suffix,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError);
  }];
}

#endif // RLSCAN_ATTRS_TD
