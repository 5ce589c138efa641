// A param may be an index, and be fixed like any other.

// RUN: rlscan-opt %s --rlscan-specialize=bindings=k=2 | FileCheck %s
// CHECK: rlscan.estimator @e(%[[Q:[^:]*]]: !rlscan.along<"a", f32>
// CHECK-NOT: "k"
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: rlscan.pick %[[Q]][%[[TWO]]]
rlscan.estimator @e(
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>},
    %k: index {rlscan.input = #rlscan.input<"k", param>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %0 = rlscan.pick %q[%k] : !rlscan.along<"a", f32> -> f32
  rlscan.return %0 : f32
}

// RUN: not rlscan-opt %s --rlscan-specialize=bindings=k=-1 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not rlscan-opt %s --rlscan-specialize=bindings=k=1.5 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: 'k' cannot be fixed to '{{.*}}': expected a param and a value of its type
