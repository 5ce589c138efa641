// What earlier passes must have done.

// RUN: rlscan-opt %s --rlscan-make-sweeps --split-input-file --verify-diagnostics

rlscan.estimator @recurrence(%x: f32 {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = rows>})
    -> (f32 {rlscan.output = #rlscan.output<"y", storage = f32, layout = rows>}) {
  // expected-error @below {{expected no recurrence here}}
  // expected-note @below {{run rlscan-extract-coefficients first}}
  %y = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    rlscan.yield %carry : f32
  }
  rlscan.return %y : f32
}

// -----

// expected-error @below {{input 'x' has no storage type; run rlscan-specialize first}}
rlscan.estimator @input(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y", storage = f32, layout = rows>}) {
  rlscan.return %x : f32
}

// -----

// expected-error @below {{result 'y' has no storage type; run rlscan-specialize first}}
rlscan.estimator @result(%x: f32 {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = rows>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  rlscan.return %x : f32
}
