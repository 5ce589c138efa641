// Results are held to the rules of inputs; entries may be incomplete.

rlscan.estimator @e(
    %p: f32 {rlscan.input = #rlscan.input<"p", param, default = 0.5>},
    %i: index {rlscan.input = #rlscan.input<"i", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        index {rlscan.output = #rlscan.output<"j">}) {
  rlscan.return %p, %i : f32, index
}

// RUN: not rlscan-opt %s --rlscan-specialize=bindings=y:i8:steps,j:f32:rows 2>&1 | FileCheck %s --check-prefix=STORAGE
// STORAGE: error: 'y' ('f32') cannot be stored as 'i8'
// STORAGE: error: 'j' ('index') cannot be stored as 'f32'

// RUN: not rlscan-opt %s --rlscan-specialize=bindings=y:f32:steps:row 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: only a param can have another kind; 'y' is a result

// RUN: not rlscan-opt %s --rlscan-specialize=bindings=p= 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: 'p' cannot be fixed to '': expected a param and a value of its type
