// Entries that say nothing, or what cannot be.

rlscan.estimator @e(
    %p: f32 {rlscan.input = #rlscan.input<"p", param, default = 0.5>},
    %on: i1 {rlscan.input = #rlscan.input<"on", param>},
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %i: index {rlscan.input = #rlscan.input<"i", step>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        i1 {rlscan.output = #rlscan.output<"g">},
        index {rlscan.output = #rlscan.output<"j">}) {
  %0 = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f32
  %1 = arith.mulf %0, %p : f32
  %2 = arith.addf %1, %x : f32
  rlscan.return %2, %on, %i : f32, i1, index
}

// The form of an entry. All entries are looked at.
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=x,x:f32,x:f32:rows:step:1 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: [[#@LINE-17]]:1: error: expected a binding 'name:storage:layout', 'name:absent' or 'name=value', got 'x'
// FORM: error: expected a binding 'name:storage:layout', 'name:absent' or 'name=value', got 'x:f32'
// FORM: error: expected a binding 'name:storage:layout', 'name:absent' or 'name=value', got 'x:f32:rows:step:1'
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=x:f8:rows,x:f32:columns,p:f32:rows:column 2>&1 | FileCheck %s --check-prefix=WORDS
// WORDS: error: expected a storage type (f32, f64, bf16, f16, i8, i32, i64) for 'x', got 'f8'
// WORDS: error: expected a layout (steps, rows, strided) for 'x', got 'columns'
// WORDS: error: expected a kind (param, row, step) for 'p', got 'column'

// Names.
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=z:f32:rows,z:absent,z=1,y:absent 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES-COUNT-3: error: 'z' is no input and no result of 'e'
// NAMES: error: 'y' is no input and no result of 'e'

// What an input allows.
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=x:absent 2>&1 | FileCheck %s --check-prefix=NEEDED
// NEEDED: error: 'x' has no default and cannot be absent
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=x:f32:rows:row 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: only a param can have another kind; 'x' is a step
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=x:i32:rows,i:f32:rows,q:i8:rows 2>&1 | FileCheck %s --check-prefix=STORAGE
// STORAGE: error: 'x' ('f32') cannot be stored as 'i32'
// STORAGE: error: 'i' ('index') cannot be stored as 'f32'
// STORAGE: error: 'q' ('f32') cannot be stored as 'i8'
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=p=true,p=x,on=1,x=1,i=1 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: 'p' cannot be fixed to 'true': expected a param and a value of its type
// VALUE: error: 'p' cannot be fixed to 'x': expected a param and a value of its type
// VALUE: error: 'on' cannot be fixed to '1': expected a param and a value of its type
// VALUE: error: 'x' cannot be fixed to '1': expected a param and a value of its type
// VALUE: error: 'i' cannot be fixed to '1': expected a param and a value of its type

// One error leaves the estimator as it was.
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=p:absent,z:absent 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: 'z' is no input
// ONE-NOT: error:
