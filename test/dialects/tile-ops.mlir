// Level 2 is printed as it is parsed, in both syntaxes.

// RUN: rlscan-opt %s | rlscan-opt | FileCheck %s
// RUN: rlscan-opt %s --mlir-print-op-generic | rlscan-opt | FileCheck %s
// RUN: rlscan-opt %s --verify-roundtrip --mlir-print-debuginfo -o %t
// RUN: rlscan-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Every kind and layout of an array.
// CHECK-LABEL: rlscan.kernel @arrays(
// CHECK-SAME: %[[PARAM:[^:]*]]: !rlscan.array<param, f64, strided> {rlscan.input = #rlscan.input<"gamma", param>}
// CHECK-SAME: %[[ROW:[^:]*]]: !rlscan.array<row, f32, rows>
// CHECK-SAME: %[[STEP:[^:]*]]: !rlscan.array<step, bf16, steps>
// CHECK-SAME: %[[AXIS:[^:]*]]: !rlscan.array<step, f32, strided, "a">
// CHECK-SAME: !rlscan.array<step, i32, strided, "b">
// CHECK-SAME: %[[OUT:[^:]*]]: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y">}) {
rlscan.kernel @arrays(
    %gamma: !rlscan.array<param, f64, strided> {rlscan.input = #rlscan.input<"gamma", param>},
    %last: !rlscan.array<row, f32, rows>,
    %x: !rlscan.array<step, bf16, steps>,
    %q: !rlscan.array<step, f32, strided, "a">,
    %bounds: !rlscan.array<step, i32, strided, "b">,
    %y: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y">}) {
  // CHECK-NEXT: %[[AFTER:.*]] = rlscan.after %[[STEP]] : !rlscan.array<step, bf16, steps>
  // GENERIC: "rlscan.after"(%{{.*}}) : (!rlscan.array<step, bf16, steps>) -> !rlscan.array<row, bf16, strided>
  %after = rlscan.after %x : !rlscan.array<step, bf16, steps>
  // CHECK-NEXT: %[[TMP:.*]] = rlscan.temporary : !rlscan.array<step, f32, rows>
  %tmp = rlscan.temporary : !rlscan.array<step, f32, rows>
  // CHECK-NEXT: %[[KEPT:.*]] = rlscan.temporary workgroup : !rlscan.array<row, f32, strided>
  %kept = rlscan.temporary workgroup : !rlscan.array<row, f32, strided>
  // CHECK-NEXT: rlscan.sweep forward {
  rlscan.sweep forward {
    // CHECK-NEXT: %[[G:.*]] = rlscan.load %[[PARAM]] : !rlscan.array<param, f64, strided> -> f32
    %g = rlscan.load %gamma : !rlscan.array<param, f64, strided> -> f32
    // CHECK-NEXT: %[[X:.*]] = rlscan.load %[[STEP]] : !rlscan.array<step, bf16, steps> -> f32
    %0 = rlscan.load %x : !rlscan.array<step, bf16, steps> -> f32
    // CHECK-NEXT: %[[L:.*]] = rlscan.load %[[ROW]] : !rlscan.array<row, f32, rows> -> f32
    %l = rlscan.load %last : !rlscan.array<row, f32, rows> -> f32
    // CHECK-NEXT: %[[BEFORE:.*]] = rlscan.previous %[[X]] init %[[L]] : f32
    %before = rlscan.previous %0 init %l : f32
    // CHECK-NEXT: %[[SUM:.*]] = rlscan.accumulate %[[BEFORE]], %[[G]] init %[[L]] : f32
    %sum = rlscan.accumulate %before, %g init %l : f32
    // CHECK-NEXT: rlscan.store %[[SUM]], %[[TMP]] : f32, !rlscan.array<step, f32, rows>
    rlscan.store %sum, %tmp : f32, !rlscan.array<step, f32, rows>
    // CHECK-NEXT: rlscan.store %[[SUM]], %[[KEPT]] : f32, !rlscan.array<row, f32, strided>
    rlscan.store %sum, %kept : f32, !rlscan.array<row, f32, strided>
  }
  // CHECK: rlscan.sweep backward {
  // GENERIC: "rlscan.sweep"() <{direction = 1 : i32}> ({
  rlscan.sweep backward {
    // An offset of 0 is the default, and not printed.
    // CHECK-NEXT: rlscan.load %[[TMP]] : !rlscan.array<step, f32, rows> -> f32
    // GENERIC: "rlscan.load"(%{{.*}}) <{offset = 0 : si64}>
    %0 = rlscan.load %tmp by 0 : !rlscan.array<step, f32, rows> -> f32
    // CHECK-NEXT: rlscan.load %[[TMP]] by -1 : !rlscan.array<step, f32, rows> -> f32
    // GENERIC: "rlscan.load"(%{{.*}}) <{offset = -1 : si64}>
    %1 = rlscan.load %tmp by -1 : !rlscan.array<step, f32, rows> -> f32
    %two = arith.constant 2 : index
    // CHECK: rlscan.load %[[AXIS]][%{{.*}}] by 1 : !rlscan.array<step, f32, strided, "a"> -> f32
    %2 = rlscan.load %q[%two] by 1 : !rlscan.array<step, f32, strided, "a"> -> f32
    // CHECK-NEXT: %{{.*}} = rlscan.outside 1
    %outside = rlscan.outside 1
    // CHECK-NEXT: rlscan.outside -2
    %outside2 = rlscan.outside -2
    // CHECK-NEXT: rlscan.step : index
    %step = rlscan.step : index
    // CHECK-NEXT: rlscan.step by -1 : index
    %step2 = rlscan.step by -1 : index
    // CHECK-NEXT: rlscan.segment %{{.*}} by 1 : !rlscan.array<step, i32, strided, "b"> -> index
    %segment = rlscan.segment %bounds by 1 : !rlscan.array<step, i32, strided, "b"> -> index
    // CHECK-NEXT: rlscan.reduce sum over "a" : f32 {
    %3 = rlscan.reduce sum over "a" : f32 {
    ^bb0(%i: index):
      // CHECK: rlscan.load %[[AXIS]][%{{.*}}] : !rlscan.array<step, f32, strided, "a"> -> f32
      %4 = rlscan.load %q[%i] : !rlscan.array<step, f32, strided, "a"> -> f32
      rlscan.yield %4 : f32
    }
    rlscan.store %3, %y : f32, !rlscan.array<step, f32, steps>
  }
}

// What a signal may be stored as.
// CHECK-LABEL: rlscan.kernel @storage
rlscan.kernel @storage(
    %f8: !rlscan.array<step, i8, rows>, %fr: !rlscan.array<step, f16, rows>,
    %i32: !rlscan.array<step, i32, rows>, %i64: !rlscan.array<step, i64, rows>) {
  rlscan.sweep forward {
    // CHECK: !rlscan.array<step, i8, rows> -> i1
    %0 = rlscan.load %f8 : !rlscan.array<step, i8, rows> -> i1
    // CHECK: !rlscan.array<step, f16, rows> -> i1
    %1 = rlscan.load %fr : !rlscan.array<step, f16, rows> -> i1
    // CHECK: !rlscan.array<step, i32, rows> -> index
    %2 = rlscan.load %i32 : !rlscan.array<step, i32, rows> -> index
    // CHECK: !rlscan.array<step, i64, rows> -> i1
    %3 = rlscan.load %i64 : !rlscan.array<step, i64, rows> -> i1
    // CHECK: !rlscan.array<step, f16, rows> -> f64
    %4 = rlscan.load %fr : !rlscan.array<step, f16, rows> -> f64
    // CHECK: rlscan.store {{.*}} : i1, !rlscan.array<step, i8, rows>
    rlscan.store %0, %f8 : i1, !rlscan.array<step, i8, rows>
    // CHECK: rlscan.store {{.*}} : i1, !rlscan.array<step, f16, rows>
    rlscan.store %0, %fr : i1, !rlscan.array<step, f16, rows>
    // CHECK: rlscan.store {{.*}} : index, !rlscan.array<step, i32, rows>
    rlscan.store %2, %i32 : index, !rlscan.array<step, i32, rows>
    // CHECK: rlscan.store {{.*}} : f64, !rlscan.array<step, f16, rows>
    rlscan.store %4, %fr : f64, !rlscan.array<step, f16, rows>
  }
}

// Constants may stand outside of sweeps: that is where they are put when equal ones
// are made one.
// CHECK-LABEL: rlscan.kernel @constants
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: rlscan.sweep forward {
// CHECK-NEXT: rlscan.store %[[ONE]], %{{.*}} : f32
// CHECK: rlscan.sweep backward {
// CHECK-NEXT: rlscan.store %[[ONE]], %{{.*}} : f32
rlscan.kernel @constants(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  %one = arith.constant 1.0 : f32
  rlscan.sweep forward {
    rlscan.store %one, %x : f32, !rlscan.array<step, f32, rows>
  }
  rlscan.sweep backward {
    rlscan.store %one, %y : f32, !rlscan.array<step, f32, rows>
  }
}
