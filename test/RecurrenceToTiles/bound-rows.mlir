// Rows end where their lengths say; what looks past the window looks past them.

// RUN: rlscan-opt %s --rlscan-bound-rows | FileCheck %s

// Past the end a scan whose init is the same along the row holds it, and a gate
// on beta stays one gate.
// CHECK-LABEL: rlscan.estimator @init_of_row(
// CHECK-SAME: %[[G:[^:]*]]: f32 {{.*}}, %[[LAST:[^:]*]]: f32 {{.*}}, %[[X:[^:]*]]: f32 {{.*}}, %[[D:[^:]*]]: i1 {{.*}}, %[[N:[^:]*]]: index
// CHECK-DAG:  %[[T:.*]] = rlscan.step : index
// CHECK:      %[[IN:.*]] = arith.cmpi slt, %[[T]], %[[N]] : index
// CHECK:      %[[A:.*]] = arith.select %[[IN]], %[[X]], %[[INIT:.*]] : f32
// CHECK:      %[[ON:.*]] = arith.xori %[[D]], %{{.*}} : i1
// CHECK:      %[[OPEN:.*]] = arith.andi %[[IN]], %[[ON]] : i1
// CHECK:      %[[B:.*]] = arith.select %[[OPEN]], %[[G]], %{{.*}} : f32
// CHECK:      %[[S:.*]] = rlscan.scan backward %[[A]], %[[B]] init %[[INIT]] : f32
// CHECK:      %[[R:.*]] = arith.select %[[IN]], %[[S]], %{{.*}} : f32
// CHECK:      rlscan.return %[[R]] : f32
rlscan.estimator @init_of_row(
    %gamma: f32 {rlscan.input = #rlscan.input<"gamma", param>},
    %last: f32 {rlscan.input = #rlscan.input<"last", row>},
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %done: i1 {rlscan.input = #rlscan.input<"done", step>},
    %lengths: index {rlscan.input = #rlscan.input<"lengths", row>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %zero = arith.constant 0.0 : f32
  %init = arith.addf %last, %gamma : f32
  %beta = arith.select %done, %zero, %gamma : f32
  %0 = rlscan.scan backward %x, %beta init %init : f32
  rlscan.return %0 : f32
}

// An init that each step has its own of goes into the last step, where beta is
// not 0.
// CHECK-LABEL: rlscan.estimator @init_of_step(
// CHECK-SAME: %[[X:[^:]*]]: f32 {{.*}}, %[[V:[^:]*]]: f32 {{.*}}, %[[G:[^:]*]]: f32 {{.*}}, %[[N:[^:]*]]: index
// CHECK:      %[[NEXT:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK:      %[[LAST:.*]] = arith.cmpi eq, %[[NEXT]], %[[N]] : index
// CHECK:      %[[CUT:.*]] = arith.cmpf oeq, %[[G]], %[[ZERO:.*]] : f32
// CHECK:      %[[BY:.*]] = arith.mulf %[[G]], %[[V]] : f32
// CHECK:      %[[GATED:.*]] = arith.select %[[CUT]], %[[ZERO]], %[[BY]] : f32
// CHECK:      %[[SUM:.*]] = arith.addf %[[X]], %[[GATED]] : f32
// CHECK:      %[[A:.*]] = arith.select %[[LAST]], %[[SUM]], %[[X]] : f32
// CHECK:      %[[B:.*]] = arith.select %[[LAST]], %{{.*}}, %[[G]] : f32
// CHECK:      rlscan.scan backward %[[A]], %[[B]] init %[[ZERO]] : f32
rlscan.estimator @init_of_step(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %v: f32 {rlscan.input = #rlscan.input<"v", step>},
    %g: f32 {rlscan.input = #rlscan.input<"g", step>},
    %lengths: index {rlscan.input = #rlscan.input<"lengths", row>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %0 = rlscan.scan backward %x, %g init %v : f32
  rlscan.return %0 : f32
}

// Neighbours: the next one ends at the row's end, in a reduction too; the one
// before, and a scan forward, start where they did.
// CHECK-LABEL: rlscan.estimator @neighbours(
// CHECK-SAME: %[[X:[^:]*]]: f32 {{.*}}, %[[I:[^:]*]]: index {{.*}}, %[[Q:[^:]*]]: !rlscan.along
// CHECK:      %[[IN:.*]] = arith.cmpi slt
// CHECK:      %[[LAST:.*]] = arith.cmpi eq
// CHECK:      %[[AHEAD:.*]] = rlscan.shift %[[I]] by 1 else %[[EDGE:.*]] : index
// CHECK-NEXT: %[[NEXT:.*]] = arith.select %[[LAST]], %[[EDGE]], %[[AHEAD]] : index
// CHECK:      %[[BEFORE:.*]] = rlscan.shift %[[X]] by -1
// CHECK-NEXT: %[[S:.*]] = rlscan.scan forward %[[BEFORE]], %[[X]]
// CHECK:      rlscan.reduce sum
// CHECK:        %[[ENTRY:.*]] = rlscan.pick %[[Q]]
// CHECK-NEXT:   %[[LATER:.*]] = rlscan.shift %[[ENTRY]] by 1
// CHECK-NEXT:   arith.select %[[LAST]], %{{.*}}, %[[LATER]]
// CHECK:      %[[R0:.*]] = arith.select %[[IN]], %[[NEXT]], %{{.*}} : index
// CHECK:      rlscan.return %[[R0]]
rlscan.estimator @neighbours(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %i: index {rlscan.input = #rlscan.input<"i", step>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>},
    %lengths: index {rlscan.input = #rlscan.input<"lengths", row>})
    -> (index {rlscan.output = #rlscan.output<"j">},
        f32 {rlscan.output = #rlscan.output<"s">},
        f32 {rlscan.output = #rlscan.output<"r">}) {
  %zero = arith.constant 0.0 : f32
  %edge = arith.constant 2 : index
  %next = rlscan.shift %i by 1 else %edge : index
  %before = rlscan.shift %x by -1 else %zero : f32
  %s = rlscan.scan forward %before, %x init %zero : f32
  %r = rlscan.reduce sum over "a" : f32 {
  ^bb0(%k: index):
    %entry = rlscan.pick %q[%k] : !rlscan.along<"a", f32> -> f32
    %later = rlscan.shift %entry by 1 else %zero : f32
    rlscan.yield %later : f32
  }
  rlscan.return %next, %s, %r : index, f32, f32
}

// Where calls give no lengths, nothing changes.
// CHECK-LABEL: rlscan.estimator @full(
// CHECK-NOT:  rlscan.step
// CHECK:      rlscan.return %{{.*}} : f32
rlscan.estimator @full(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %0 = rlscan.shift %x by 1 else %x : f32
  rlscan.return %0 : f32
}

// Packed rows: what a row has one of is picked by the row's number, and both
// ends are where the bounds are. A scan whose init is 0 has nothing to add.
// CHECK-LABEL: rlscan.estimator @packed(
// CHECK-SAME: %[[LAST:[^:]*]]: !rlscan.along<"row", f32> {rlscan.input = #rlscan.input<"last", step, storage = f32, layout = strided>}
// CHECK-SAME: %[[X:[^:]*]]: f32
// CHECK-SAME: %[[CU:[^:]*]]: !rlscan.along<"row+1", index> {rlscan.input = #rlscan.input<"cu_seqlens", step, storage = i32, layout = strided>}
// CHECK:      %[[T:.*]] = rlscan.step : index
// CHECK:      %[[N:.*]] = rlscan.segment %[[CU]] : !rlscan.along<"row+1", index> -> index
// CHECK:      %[[BEGIN:.*]] = rlscan.pick %[[CU]][%[[N]]]
// CHECK:      %[[END:.*]] = rlscan.pick %[[CU]]
// CHECK:      %[[FIRST:.*]] = arith.cmpi eq, %[[T]], %[[BEGIN]] : index
// CHECK:      %[[ISLAST:.*]] = arith.cmpi eq, %{{.*}}, %[[END]] : index
// CHECK:      %[[EDGE:.*]] = rlscan.pick %[[LAST]][%[[N]]]
// CHECK:      %[[AHEAD:.*]] = rlscan.shift %[[X]] by 1 else %[[EDGE]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.select %[[ISLAST]], %[[EDGE]], %[[AHEAD]]
// CHECK:      %[[BACK:.*]] = rlscan.shift %[[X]] by -1 else %{{.*}}
// CHECK-NEXT: %[[BEFORE:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[BACK]]
// CHECK:      %[[B:.*]] = arith.select %[[ISLAST]], %{{.*}}, %[[X]]
// CHECK:      %[[S:.*]] = rlscan.scan backward %[[NEXT]], %[[B]] init
// CHECK:      %[[F:.*]] = rlscan.scan forward
// CHECK:      rlscan.return %[[S]], %[[F]]
rlscan.estimator @packed(
    %last: f32 {rlscan.input = #rlscan.input<"last", row, storage = f32, layout = rows>},
    %x: f32 {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = steps>},
    %cu: index {rlscan.input = #rlscan.input<"cu_seqlens", row, storage = i32, layout = rows>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        f32 {rlscan.output = #rlscan.output<"z">}) {
  %zero = arith.constant 0.0 : f32
  %next = rlscan.shift %x by 1 else %last : f32
  %before = rlscan.shift %x by -1 else %zero : f32
  %s = rlscan.scan backward %next, %x init %zero : f32
  %f = rlscan.scan forward %before, %x init %last : f32
  rlscan.return %s, %f : f32, f32
}

// What is stored after the row's last step is read there, wherever the row ends: no
// choice. A scan that starts from it takes it into the last step.
// CHECK-LABEL: rlscan.estimator @stored(
// CHECK-SAME: %[[V:[^:]*]]: f32
// CHECK:      %[[IN:.*]] = arith.cmpi slt
// CHECK:      %[[LAST:.*]] = arith.cmpi eq
// CHECK:      %[[AFTER:.*]] = rlscan.after %[[V]] : f32
// CHECK-NEXT: %[[NEXT:.*]] = rlscan.shift %[[V]] by 1 else %[[AFTER]] : f32
// CHECK-NEXT: %[[OTHER:.*]] = rlscan.shift %[[V]] by 1 else %[[ZERO:.*]] : f32
// CHECK-NEXT: arith.select %[[LAST]], %[[ZERO]], %[[OTHER]]
// CHECK:      arith.mulf %[[V]], %[[NEXT]] : f32
// CHECK:      rlscan.scan backward
rlscan.estimator @stored(
    %v: f32 {rlscan.input = #rlscan.input<"v", step, extra_steps = 1>},
    %lengths: index {rlscan.input = #rlscan.input<"lengths", row>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">}) {
  %zero = arith.constant 0.0 : f32
  %after = rlscan.after %v : f32
  %next = rlscan.shift %v by 1 else %after : f32
  %other = rlscan.shift %v by 1 else %zero : f32
  %s = rlscan.scan backward %next, %v init %next : f32
  rlscan.return %s, %other : f32, f32
}

// Without lengths such a scan starts from the value itself, which is the same along the
// row.
// CHECK-LABEL: rlscan.estimator @stored_in_window(
// CHECK:      %[[AFTER:.*]] = rlscan.after
// CHECK:      rlscan.scan backward %{{.*}}, %{{.*}} init %[[AFTER]] : f32
// CHECK-NEXT: rlscan.scan forward %{{.*}}, %{{.*}} init %[[NEXT:.*]] : f32
rlscan.estimator @stored_in_window(
    %v: f32 {rlscan.input = #rlscan.input<"v", step, extra_steps = 1>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">}) {
  %after = rlscan.after %v : f32
  %next = rlscan.shift %v by 1 else %after : f32
  %s = rlscan.scan backward %v, %v init %next : f32
  %f = rlscan.scan forward %v, %v init %next : f32
  rlscan.return %s, %f : f32, f32
}

// Packed, row n has its entries from its first step + n on. What stands in for an extra
// step is one value a row.
// CHECK-LABEL: rlscan.estimator @packed_stored(
// CHECK-SAME: %[[R:[^:]*]]: !rlscan.along<"row", f32>
// CHECK-SAME: %[[V:[^:]*]]: !rlscan.along<"step+row", f32> {rlscan.input = #rlscan.input<"v", step, storage = f32, layout = strided>}
// CHECK:      %[[N:.*]] = rlscan.segment
// CHECK:      %[[OWN:.*]] = rlscan.pick %[[R]][%[[N]]]
// CHECK:      %[[AT:.*]] = arith.addi %{{.*}}, %[[N]] : index
// CHECK:      %[[NEXTAT:.*]] = arith.addi %[[AT]], %{{.*}} : index
// CHECK-NEXT: %[[HERE:.*]] = rlscan.pick %[[V]][%[[AT]]]
// CHECK-NEXT: %[[NEXT:.*]] = rlscan.pick %[[V]][%[[NEXTAT]]]
// CHECK-NOT:  rlscan.after
// CHECK:      %[[AHEAD:.*]] = rlscan.shift %[[OWN]] by 1 else %[[OWN]]
// CHECK:      %[[SUM:.*]] = arith.addf %[[HERE]], %[[NEXT]] : f32
// CHECK:      rlscan.return %[[SUM]],
rlscan.estimator @packed_stored(
    %r: f32 {rlscan.input = #rlscan.input<"r", row, storage = f32>},
    %v: f32 {rlscan.input = #rlscan.input<"v", step, extra_steps = 1, storage = f32, layout = steps>},
    %cu: index {rlscan.input = #rlscan.input<"cu_seqlens", row, storage = i32>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">}) {
  %after = rlscan.after %v : f32
  %next = rlscan.shift %v by 1 else %after : f32
  %own = rlscan.after %r : f32
  %other = rlscan.shift %r by 1 else %own : f32
  %a = arith.addf %v, %next : f32
  rlscan.return %a, %other : f32, f32
}
