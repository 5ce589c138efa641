// What attributes and types say is printed, and read again.

// RUN: rlscan-opt %s --split-input-file | FileCheck %s
// RUN: rlscan-opt %s --split-input-file --verify-roundtrip -o %t

// Names are strings like any other.
// CHECK: !rlscan.array<step, f32, rows, "an \22axis\22">
// CHECK-SAME: #rlscan.input<"a \22quoted\22 name, with a comma", step>
rlscan.kernel @names(
    %x: !rlscan.array<step, f32, rows, "an \"axis\"">
      {rlscan.input = #rlscan.input<"a \"quoted\" name, with a comma", step>}) {
  rlscan.sweep forward {
  }
}

// -----

// Fields come in any order.
// CHECK: #rlscan.input<"x", step, default = 1.000000e+00 : f32, storage = f32, layout = rows>
rlscan.kernel @order(
    %x: !rlscan.array<step, f32, rows>
      {rlscan.input = #rlscan.input<"x", step, layout = rows, storage = f32, default = 1.0 : f32>}) {
  rlscan.sweep forward {
  }
}

// -----

// A layout without a storage type is kept as well.
// CHECK-LABEL: rlscan.estimator @layout_alone
// CHECK-SAME: #rlscan.input<"x", step, layout = rows>
// CHECK-SAME: #rlscan.output<"y", layout = steps>
rlscan.estimator @layout_alone(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, layout = rows>})
    -> (f32 {rlscan.output = #rlscan.output<"y", layout = steps>}) {
  rlscan.return %x : f32
}
