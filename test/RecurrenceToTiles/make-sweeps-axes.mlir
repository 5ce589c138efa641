// Entries of inputs along an axis, and reductions over it.

// RUN: rlscan-opt %s --rlscan-specialize --rlscan-make-sweeps --cse | FileCheck %s

#x = #rlscan.input<"x", step>
#i = #rlscan.input<"i", step>
#q = #rlscan.input<"q", step>
#w = #rlscan.input<"w", step>
#a = #rlscan.output<"a">
#b = #rlscan.output<"b">

// An entry is a load with an index.
// CHECK-LABEL: rlscan.kernel @pick(
// CHECK-SAME: %[[Q:[^:]*]]: !rlscan.array<step, f32, strided, "n">
// CHECK: %[[I0:.*]] = rlscan.load %{{.*}} -> index
// CHECK: rlscan.load %[[Q]][%[[I0]]] : !rlscan.array<step, f32, strided, "n"> -> f32
rlscan.estimator @pick(%q: !rlscan.along<"n", f32> {rlscan.input = #q}, %i: index {rlscan.input = #i}) -> (f32 {rlscan.output = #a}) {
  %a = rlscan.pick %q[%i] : !rlscan.along<"n", f32> -> f32
  rlscan.return %a : f32
}

// The entry of a neighbour: at its index.
// CHECK-LABEL: rlscan.kernel @pick_ahead(
// CHECK-SAME: %[[Q:[^:]*]]: !rlscan.array<step, f32, strided, "n"> {rlscan.input{{[^}]*}}}, %[[I:[^:]*]]: !rlscan.array<step, i64
// CHECK: rlscan.sweep backward
// CHECK: %[[I0:.*]] = rlscan.load %[[I]] by 1 :
// CHECK: rlscan.load %[[Q]][%[[I0]]] by 1 :
rlscan.estimator @pick_ahead(%q: !rlscan.along<"n", f32> {rlscan.input = #q}, %i: index {rlscan.input = #i}, %x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}) {
  %0 = rlscan.pick %q[%i] : !rlscan.along<"n", f32> -> f32
  %1 = rlscan.shift %0 by -1 else %x : f32
  %a = rlscan.scan backward %1, %x init %x : f32
  rlscan.return %a : f32
}

// What does not depend on the position in the axis is computed once, before the
// reduction.
// CHECK-LABEL: rlscan.kernel @reduce(
// CHECK-SAME: %[[Q:[^:]*]]: !rlscan.array<step, f32, strided, "n">
// CHECK: %[[X:.*]] = rlscan.load %{{.*}} : !rlscan.array<step, f32, strided> -> f32
// CHECK: rlscan.reduce sum over "n" : f32 {
// CHECK-NEXT: ^bb0(%[[N:.*]]: index):
// CHECK-NEXT: %[[ENTRY:.*]] = rlscan.load %[[Q]][%[[N]]] :
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[ENTRY]], %[[X]]
// CHECK-NEXT: rlscan.yield %[[PRODUCT]]
rlscan.estimator @reduce(%q: !rlscan.along<"n", f32> {rlscan.input = #q}, %x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}) {
  %a = rlscan.reduce sum over "n" : f32 {
  ^bb0(%n: index):
    %0 = rlscan.pick %q[%n] : !rlscan.along<"n", f32> -> f32
    %1 = arith.mulf %0, %x : f32
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}

// A reduction that a neighbour needs is done there: all its loads are ahead.
// CHECK-LABEL: rlscan.kernel @reduce_ahead(
// CHECK-SAME: %[[Q:[^:]*]]: !rlscan.array<step, f32, strided, "n">
// CHECK: rlscan.reduce max over "n"
// CHECK: rlscan.load %[[Q]][%{{.*}}] by 1 :
// CHECK: rlscan.yield
// CHECK: rlscan.accumulate
rlscan.estimator @reduce_ahead(%q: !rlscan.along<"n", f32> {rlscan.input = #q}, %x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}) {
  %0 = rlscan.reduce max over "n" : f32 {
  ^bb0(%n: index):
    %1 = rlscan.pick %q[%n] : !rlscan.along<"n", f32> -> f32
    rlscan.yield %1 : f32
  }
  %2 = rlscan.shift %0 by -1 else %x : f32
  %a = rlscan.scan backward %2, %x init %x : f32
  rlscan.return %a : f32
}

// There is no position before inside of a reduction: a neighbour there is loaded
// on either side.
// CHECK-LABEL: rlscan.kernel @neighbours_inside(
// CHECK-SAME: %[[Q:[^:]*]]: !rlscan.array<step, f32, strided, "n">
// CHECK-NOT: rlscan.previous
// CHECK: rlscan.reduce sum over "n"
// CHECK-DAG: rlscan.load %[[Q]][%{{.*}}] by 1 :
// CHECK-DAG: rlscan.load %[[Q]][%{{.*}}] by -1 :
// CHECK: rlscan.yield
// CHECK-NOT: rlscan.previous
// CHECK: rlscan.store
rlscan.estimator @neighbours_inside(%q: !rlscan.along<"n", f32> {rlscan.input = #q}, %x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}) {
  %a = rlscan.reduce sum over "n" : f32 {
  ^bb0(%n: index):
    %0 = rlscan.pick %q[%n] : !rlscan.along<"n", f32> -> f32
    %next = rlscan.shift %0 by 1 else %x : f32
    %before = rlscan.shift %0 by -1 else %x : f32
    %1 = arith.mulf %next, %before : f32
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}

// A scan of what a reduction gives, and a reduction that uses a scan's result.
// CHECK-LABEL: rlscan.kernel @scans(
// CHECK: %[[SUM:.*]] = rlscan.reduce sum
// CHECK: %[[A:.*]] = rlscan.accumulate %[[SUM]],
// CHECK: rlscan.reduce max
// CHECK: arith.mulf %{{.*}}, %[[A]]
// CHECK-NOT: rlscan.sweep
rlscan.estimator @scans(%q: !rlscan.along<"n", f32> {rlscan.input = #q}, %x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}) {
  %sum = rlscan.reduce sum over "n" : f32 {
  ^bb0(%n: index):
    %0 = rlscan.pick %q[%n] : !rlscan.along<"n", f32> -> f32
    rlscan.yield %0 : f32
  }
  %y = rlscan.scan backward %sum, %x init %x : f32
  %a = rlscan.reduce max over "n" : f32 {
  ^bb0(%n: index):
    %0 = rlscan.pick %q[%n] : !rlscan.along<"n", f32> -> f32
    %1 = arith.mulf %0, %y : f32
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}
