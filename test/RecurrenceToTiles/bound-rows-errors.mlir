// Rows are padded or packed.

// RUN: rlscan-opt %s --rlscan-bound-rows --verify-diagnostics

// expected-error @below {{has both lengths and packed rows}}
rlscan.estimator @both(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %lengths: index {rlscan.input = #rlscan.input<"lengths", row>},
    %bounds: index {rlscan.input = #rlscan.input<"cu_seqlens", row>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  rlscan.return %x : f32
}
