// Folders of level 1.

// RUN: rlscan-opt %s --canonicalize | FileCheck %s
// RUN: rlscan-opt %s --cse | FileCheck %s --check-prefix=CSE

// A constant that is also what holds past the window.
// CHECK-LABEL: rlscan.estimator @shift_of_constant
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.0
// CHECK-NEXT: %[[SET:.*]] = arith.constant true
// CHECK-NEXT: rlscan.return %[[TWO]], %[[SET]]
rlscan.estimator @shift_of_constant()
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        i1 {rlscan.output = #rlscan.output<"f">}) {
  %two = arith.constant 2.0 : f32
  %true = arith.constant true
  %y = rlscan.shift %two by 1 else %two : f32
  %f = rlscan.shift %true by -1 else %true : i1
  rlscan.return %y, %f : f32, i1
}

// Not one constant, and not constant at all: the last step differs.
// CHECK-LABEL: rlscan.estimator @shift_kept
// CHECK: %[[A:.*]] = rlscan.shift
// CHECK: %[[B:.*]] = rlscan.shift
// CHECK: %[[C:.*]] = rlscan.shift
// CHECK: rlscan.return %[[A]], %[[B]], %[[C]]
rlscan.estimator @shift_kept(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">},
        f32 {rlscan.output = #rlscan.output<"c">}) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %a = rlscan.shift %zero by 1 else %minus_zero : f32
  %b = rlscan.shift %zero by 1 else %x : f32
  // x[t+1] is not x[t], whatever holds past the window.
  %c = rlscan.shift %x by 1 else %x : f32
  rlscan.return %a, %b, %c : f32, f32, f32
}

// Where beta is 0 everywhere, nothing is carried; -0 is 0.
// CHECK-LABEL: rlscan.estimator @scan_of_zero
// CHECK-SAME: (%[[X:[^:]*]]: f32
// CHECK-NEXT: rlscan.return %[[X]], %[[X]]
rlscan.estimator @scan_of_zero(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %init: f32 {rlscan.input = #rlscan.input<"init", row>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">}) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %a = rlscan.scan backward %x, %zero init %init : f32
  %b = rlscan.scan forward %x, %minus_zero init %init : f32
  rlscan.return %a, %b : f32, f32
}

// Any other beta carries, and so does alpha = 0 with an init.
// CHECK-LABEL: rlscan.estimator @scan_kept
// CHECK: %[[A:.*]] = rlscan.scan
// CHECK: %[[B:.*]] = rlscan.scan
// CHECK: %[[C:.*]] = rlscan.scan
// CHECK: rlscan.return %[[A]], %[[B]], %[[C]]
rlscan.estimator @scan_kept(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">},
        f32 {rlscan.output = #rlscan.output<"c">}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = rlscan.scan backward %x, %one init %zero : f32
  %b = rlscan.scan backward %x, %x init %zero : f32
  %c = rlscan.scan forward %zero, %one init %x : f32
  rlscan.return %a, %b, %c : f32, f32, f32
}

// What is not used goes away: signals have no side effects.
// CHECK-LABEL: rlscan.estimator @unused
// CHECK-NEXT: rlscan.return
rlscan.estimator @unused(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>}) {
  %scan = rlscan.scan backward %x, %x init %x : f32
  %recurrence = rlscan.recurrence forward init %x : f32 {
  ^bb0(%carry: f32):
    rlscan.yield %carry : f32
  }
  %reduction = rlscan.reduce max over "a" : f32 {
  ^bb0(%i: index):
    %entry = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f32
    rlscan.yield %entry : f32
  }
  rlscan.return
}

// Equal scans are one, scans of different directions or inits are not.
// CSE-LABEL: rlscan.estimator @equal
// CSE: %[[A:.*]] = rlscan.scan backward
// CSE: %[[B:.*]] = rlscan.scan forward
// CSE: %[[C:.*]] = rlscan.scan backward
// CSE: rlscan.return %[[A]], %[[A]], %[[B]], %[[C]]
rlscan.estimator @equal(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %init: f32 {rlscan.input = #rlscan.input<"init", row>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">},
        f32 {rlscan.output = #rlscan.output<"c">},
        f32 {rlscan.output = #rlscan.output<"d">}) {
  %a = rlscan.scan backward %x, %x init %init : f32
  %b = rlscan.scan backward %x, %x init %init : f32
  %c = rlscan.scan forward %x, %x init %init : f32
  %d = rlscan.scan backward %x, %x init %x : f32
  rlscan.return %a, %b, %c, %d : f32, f32, f32, f32
}

// A constant, or one value a row, that stands in for an input with an extra step has
// the same value after the last step.
// CHECK-LABEL: rlscan.estimator @stand_ins(
// CHECK-SAME: %[[R:[^:]*]]: f32 {{.*}}, %[[X:[^:]*]]: f32
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[LAST:.*]] = rlscan.after %[[X]] : f32
// CHECK: rlscan.return %[[R]], %[[ONE]], %[[LAST]]
rlscan.estimator @stand_ins(
    %r: f32 {rlscan.input = #rlscan.input<"r", row>},
    %x: f32 {rlscan.input = #rlscan.input<"x", step, extra_steps = 1>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">},
        f32 {rlscan.output = #rlscan.output<"c">}) {
  %one = arith.constant 1.0 : f32
  %a = rlscan.after %r : f32
  %b = rlscan.after %one : f32
  %b1 = rlscan.shift %one by 1 else %b : f32
  %c = rlscan.after %x : f32
  rlscan.return %a, %b1, %c : f32, f32, f32
}
