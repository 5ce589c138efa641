//===- FragmentOps.td - Level 2: a tile as a thread sees it -*- tablegen -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_FRAGMENT_OPS_TD
#define RLSCAN_FRAGMENT_OPS_TD

include "dialects/rlscan/RecurrenceOps.td"

def RLScan_TilesOp : RLScan_Op<"tiles",
    [HasParent<"KernelOp">, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "a sweep cut into tiles, as each thread of the device runs it";
  let description = [{
    A tile is `rows` rows by `steps_per_thread * lanes * groups` positions, as
    the kernel's `#rlscan.schedule` says; the tiles of a row follow each other.
    The body is what every thread does for every tile. In it

    - a vector, a *fragment*, holds the thread's own `steps_per_thread`
      positions, in order;
    - a scalar is the same along the row, or belongs to the *edge*: the position
      before the first one of the thread's subgroup (of the thread, where it has
      a row for itself).

    Positions past the window hold anything; nothing of theirs is stored or
    reaches an earlier position. The direction is an index map: position p is
    step p or T-1-p.

    - tiles_c1: the body has level-2 ops, `rlscan.reduce`, and ops without side
      effects only
    - tiles_c2: the kernel has one schedule
  }];
  let arguments = (ins RLScan_Direction:$direction);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$direction attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "Direction":$direction)>];
}

class RLScan_FragmentOp<string mnemonic, list<Trait> traits = []>
    : RLScan_Op<mnemonic, !listconcat([Pure, HasParent<"TilesOp">], traits)>;

def RLScan_NeighbourOp : RLScan_FragmentOp<"neighbour",
    [AllTypesMatch<["input", "result"]>]> {
  let summary = "a fragment moved on by one position";
  let description = [{
    In: a fragment; what stands before position 0, one value or a fragment of
    which position 0 counts; where the schedule needs it, the `edge`: the
    input's value at the edge position. Out: the input one position earlier.

    Within a thread that is the register beside, between the lanes of a subgroup
    one shuffle. The first lane takes `edge`; without it, it keeps the last value
    of the tile before in a register.

    - neighbour_c1: `edge` has the input's element type, `init` too or its type
  }];
  let arguments = (ins RLScan_Fragment:$input, RLScan_SignalOrFragment:$init,
                       Optional<RLScan_Signal>:$edge);
  let results = (outs RLScan_Fragment:$result);
  let assemblyFormat = [{
    $input `init` $init (`edge` $edge^ `:` type($edge))? attr-dict `:`
    type($init) `,` type($result)
  }];
  let hasVerifier = 1;
}

def RLScan_ComposeOp : RLScan_FragmentOp<"compose",
    [AllTypesMatch<["alpha", "beta"]>, AllTypesMatch<["a", "b"]>]> {
  let summary = "register level: a thread's positions as one affine map";
  let description = [{
    In: the coefficients of the thread's positions. Out: `a` and `b` of
    `x -> a + b * x`, their composition in order. `b` is 0 exactly where some
    beta is 0, and then `a` is free of what stood before: a product that
    underflows stays the least normal number.
  }];
  let arguments = (ins RLScan_RealFragment:$alpha, RLScan_RealFragment:$beta);
  let results = (outs RLScan_Real:$a, RLScan_Real:$b);
  let assemblyFormat = [{
    $alpha `,` $beta attr-dict `:` type($beta) `->` type($a)
  }];
}

class RLScan_LevelOp<string mnemonic> : RLScan_FragmentOp<mnemonic,
    [AllTypesMatch<["a", "b", "beforeA", "beforeB", "totalA", "totalB"]>]> {
  let arguments = (ins RLScan_Real:$a, RLScan_Real:$b);
  let results = (outs RLScan_Real:$beforeA, RLScan_Real:$beforeB,
                      RLScan_Real:$totalA, RLScan_Real:$totalB);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($a)";
}

def RLScan_ScanSubgroupOp : RLScan_LevelOp<"scan_subgroup"> {
  let summary = "subgroup level: the lanes of a row, by shuffles";
  let description = [{
    In: each lane's map. Out: the composition of the lanes before this one, in
    their order (the identity for the first), and that of all lanes.
  }];
}

def RLScan_ScanWorkgroupOp : RLScan_LevelOp<"scan_workgroup"> {
  let summary = "workgroup level: the groups of a row, through shared memory";
  let description = [{
    In: each group's map, the same in all its lanes. Out: the composition of the
    groups before this one and that of all groups.
  }];
}

def RLScan_CarryOp : RLScan_FragmentOp<"carry",
    [AllTypesMatch<["a", "b", "init", "result"]>]> {
  let summary = "chain level: the state that the tiles before leave";
  let description = [{
    In: the tile's map, the same in all threads of the row, and the state before
    position 0. Out: the state before the tile's first position. Between tiles
    the state is an f64. With `chain = loop` one workgroup walks along the row,
    with `look_back` the tiles of a row go to many workgroups, and each finds
    the state in what its predecessors publish; it is folded from the left, tile
    by tile, so that it never depends on which of them was ready.
  }];
  let arguments = (ins RLScan_Real:$a, RLScan_Real:$b, RLScan_Real:$init);
  let results = (outs RLScan_Real:$result);
  let assemblyFormat = "$a `,` $b `init` $init attr-dict `:` type($result)";
}

def RLScan_ApplyOp : RLScan_FragmentOp<"apply",
    [AllTypesMatch<["a", "b", "state", "result"]>]> {
  let summary = "a map applied to a state";
  let description = [{
    `result = a + b * state`, and `a` where `b` is 0.
  }];
  let arguments = (ins RLScan_Real:$a, RLScan_Real:$b, RLScan_Real:$state);
  let results = (outs RLScan_Real:$result);
  let assemblyFormat = "$a `,` $b `to` $state attr-dict `:` type($result)";
}

def RLScan_AdvanceOp : RLScan_FragmentOp<"advance",
    [AllTypesMatch<["alpha", "beta", "states", "before"]>]> {
  let summary = "the states of a thread's positions, one after the other";
  let description = [{
    In: the thread's coefficients and the state before its first position. Out:
    the states after each of its positions, and those before each: a scan's
    neighbour costs nothing.
  }];
  let arguments = (ins RLScan_RealFragment:$alpha, RLScan_RealFragment:$beta,
                       RLScan_Real:$state);
  let results = (outs RLScan_RealFragment:$states, RLScan_RealFragment:$before);
  let assemblyFormat = [{
    $alpha `,` $beta `from` $state attr-dict `:` type($state) `,` type($beta)
  }];
}

#endif // RLSCAN_FRAGMENT_OPS_TD
