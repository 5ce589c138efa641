// As few sweeps as the directions of the scans allow.

// RUN: rlscan-opt %s --rlscan-specialize --rlscan-make-sweeps --cse | FileCheck %s

#x = #rlscan.input<"x", step>
#y = #rlscan.input<"y", step>
#f = #rlscan.input<"f", step>
#r = #rlscan.input<"r", row>
#a = #rlscan.output<"a">
#b = #rlscan.output<"b">
#c = #rlscan.output<"c">

// The arrays of inputs, then those of results, each with its name. A value is
// loaded once, where it is first needed.
// CHECK-LABEL: rlscan.kernel @arrays(
// CHECK-SAME: %[[X:[^:]*]]: !rlscan.array<step, f32, strided> {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = strided>}
// CHECK-SAME: %[[R:[^:]*]]: !rlscan.array<row, f32, strided> {rlscan.input = #rlscan.input<"r", row, storage = f32, layout = strided>}
// CHECK-SAME: %[[A:[^:]*]]: !rlscan.array<step, f32, strided> {rlscan.output = #rlscan.output<"a", storage = f32, layout = strided>}) {
// CHECK-NEXT: rlscan.sweep backward {
// CHECK-NEXT: %[[X0:.*]] = rlscan.load %[[X]] :
// CHECK-NEXT: %[[R0:.*]] = rlscan.load %[[R]] :
// CHECK-NEXT: %[[A0:.*]] = rlscan.accumulate %[[X0]], %[[X0]] init %[[R0]] : f32
// CHECK-NEXT: rlscan.store %[[A0]], %[[A]] :
// CHECK-NEXT: }
// CHECK-NEXT: }
rlscan.estimator @arrays(%x: f32 {rlscan.input = #x}, %r: f32 {rlscan.input = #r}) -> (f32 {rlscan.output = #a}) {
  %a = rlscan.scan backward %x, %x init %r : f32
  rlscan.return %a : f32
}

// No scan at all: one sweep.
// CHECK-LABEL: rlscan.kernel @pointwise(
// CHECK-COUNT-1: rlscan.sweep
// CHECK-NOT: rlscan.sweep
// CHECK: arith.mulf
// CHECK-NOT: rlscan.sweep
rlscan.estimator @pointwise(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}) {
  %a = arith.mulf %x, %x : f32
  rlscan.return %a : f32
}

// Scans of one direction share a sweep, however they are chained, as do
// neighbours behind the sweep.
// CHECK-LABEL: rlscan.kernel @one_direction(
// CHECK-NOT: rlscan.temporary
// CHECK: rlscan.sweep forward {
// CHECK: %[[A:.*]] = rlscan.accumulate
// CHECK: %[[BEFORE:.*]] = rlscan.previous %[[A]] init
// CHECK: %[[B:.*]] = rlscan.accumulate %[[BEFORE]], %[[A]]
// CHECK-NOT: rlscan.sweep
rlscan.estimator @one_direction(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #b}) {
  %a = rlscan.scan forward %x, %x init %x : f32
  %before = rlscan.shift %a by -1 else %x : f32
  %b = rlscan.scan forward %before, %a init %x : f32
  rlscan.return %b : f32
}

// What needs no scan is computed at the neighbour's position from the inputs;
// past the window the other value is taken.
// CHECK-LABEL: rlscan.kernel @ahead(
// CHECK-SAME: %[[X:[^:]*]]: !rlscan.array
// CHECK: rlscan.sweep backward {
// CHECK-DAG: %[[OUTSIDE:.*]] = rlscan.outside 1
// CHECK-DAG: %[[AHEAD:.*]] = rlscan.load %[[X]] by 1 :
// CHECK-DAG: %[[SQUARE:.*]] = arith.mulf %[[AHEAD]], %[[AHEAD]]
// CHECK-DAG: %[[HERE:.*]] = rlscan.load %[[X]] :
// CHECK: %[[BEFORE:.*]] = arith.select %[[OUTSIDE]], %[[HERE]], %[[SQUARE]]
// CHECK: rlscan.accumulate %[[BEFORE]]
rlscan.estimator @ahead(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}) {
  %square = arith.mulf %x, %x : f32
  %before = rlscan.shift %square by -1 else %x : f32
  %a = rlscan.scan backward %before, %x init %x : f32
  rlscan.return %a : f32
}

// Both neighbours of an input in one sweep, one on each side; a neighbour's
// neighbour on the way back is the value itself, but for the ends.
// CHECK-LABEL: rlscan.kernel @both_sides(
// CHECK-SAME: %[[X:[^:]*]]: !rlscan.array
// CHECK-NOT: rlscan.temporary
// CHECK: rlscan.sweep
// CHECK-DAG: rlscan.previous
// CHECK-DAG: rlscan.load %[[X]] by 1 :
// CHECK-NOT: rlscan.sweep
rlscan.estimator @both_sides(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}, f32 {rlscan.output = #b}) {
  %next = rlscan.shift %x by 1 else %x : f32
  %before = rlscan.shift %x by -1 else %x : f32
  rlscan.return %next, %before : f32, f32
}

// A scan of the other direction needs a sweep of its own, with what it reads kept
// in between. The first sweep is the one that lets the plan be short.
// CHECK-LABEL: rlscan.kernel @two(
// CHECK-SAME: %{{[^:]*}}: !rlscan.array{{.*}}, %{{[^:]*}}: !rlscan.array{{.*}}, %[[OUT:[^:]*]]: !rlscan.array<step, f32, strided> {rlscan.output
// CHECK-NEXT: %[[KEPT:.*]] = rlscan.temporary : !rlscan.array<step, f32, rows>
// CHECK-NEXT: rlscan.sweep forward {
// CHECK: %[[A:.*]] = rlscan.accumulate
// CHECK: rlscan.store %[[A]], %[[KEPT]] :
// CHECK: rlscan.sweep backward {
// CHECK: %[[A:.*]] = rlscan.load %[[KEPT]] :
// CHECK: %[[B:.*]] = rlscan.accumulate %[[A]],
// CHECK: rlscan.store %[[B]], %[[OUT]]
// CHECK-NOT: rlscan.sweep
rlscan.estimator @two(%x: f32 {rlscan.input = #x}, %r: f32 {rlscan.input = #r}) -> (f32 {rlscan.output = #b}) {
  %a = rlscan.scan forward %x, %x init %r : f32
  %b = rlscan.scan backward %a, %x init %r : f32
  rlscan.return %b : f32
}

// Scans of both directions that do not need each other: two sweeps, no
// temporary.
// CHECK-LABEL: rlscan.kernel @independent(
// CHECK-NOT: rlscan.temporary
// CHECK: rlscan.sweep [[FIRST:forward|backward]] {
// CHECK: rlscan.accumulate
// CHECK-NOT: rlscan.sweep [[FIRST]] {
// CHECK: rlscan.sweep
// CHECK: rlscan.accumulate
// CHECK-NOT: rlscan.sweep
rlscan.estimator @independent(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}, f32 {rlscan.output = #b}) {
  %a = rlscan.scan forward %x, %x init %x : f32
  %b = rlscan.scan backward %x, %x init %x : f32
  rlscan.return %a, %b : f32, f32
}

// backward, forward, backward: three sweeps. What one reads of an earlier one is
// kept, flags as bytes and indices as i64.
// CHECK-LABEL: rlscan.kernel @three(
// CHECK-DAG: rlscan.temporary : !rlscan.array<step, f32, rows>
// CHECK-DAG: rlscan.temporary : !rlscan.array<step, i8, rows>
// CHECK-DAG: rlscan.temporary : !rlscan.array<step, i64, rows>
// CHECK: rlscan.sweep backward {
// CHECK: rlscan.accumulate
// CHECK: rlscan.sweep forward {
// CHECK-DAG: rlscan.load %{{.*}} : !rlscan.array<step, f32, rows> -> f32
// CHECK-DAG: rlscan.load %{{.*}} : !rlscan.array<step, i8, rows> -> i1
// CHECK-DAG: rlscan.load %{{.*}} : !rlscan.array<step, i64, rows> -> index
// CHECK: rlscan.sweep backward {
// CHECK: rlscan.accumulate
// CHECK-NOT: rlscan.sweep
rlscan.estimator @three(%x: f32 {rlscan.input = #x}, %i: index {rlscan.input = #y}) -> (f32 {rlscan.output = #c}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %a = rlscan.scan backward %x, %x init %zero : f32
  %f = arith.cmpf olt, %a, %zero : f32
  %j = arith.select %f, %i, %one : index
  %b = rlscan.scan forward %a, %x init %zero : f32
  %is_one = arith.cmpi eq, %j, %one : index
  %0 = arith.select %is_one, %b, %zero : f32
  %1 = arith.select %f, %b, %0 : f32
  %before = rlscan.shift %j by -1 else %one : index
  %is_first = arith.cmpi eq, %before, %one : index
  %2 = arith.select %is_first, %1, %zero : f32
  %c = rlscan.scan backward %2, %x init %zero : f32
  rlscan.return %c : f32
}

// The neighbour of a result on the side that the sweep comes to later: out of
// reach, so the next sweep reads it, from the other side.
// CHECK-LABEL: rlscan.kernel @out_of_reach(
// CHECK: rlscan.temporary
// CHECK: rlscan.sweep backward {
// CHECK: rlscan.accumulate
// CHECK: rlscan.sweep forward {
// CHECK: %[[KEPT:.*]] = rlscan.load
// CHECK: rlscan.previous %[[KEPT]]
rlscan.estimator @out_of_reach(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #b}) {
  %a = rlscan.scan backward %x, %x init %x : f32
  %b = rlscan.shift %a by -1 else %x : f32
  rlscan.return %b : f32
}

// Starting forward would take three sweeps here, starting backward two.
// CHECK-LABEL: rlscan.kernel @fewest(
// CHECK: rlscan.sweep backward {
// CHECK: rlscan.sweep forward {
// CHECK-NOT: rlscan.sweep
rlscan.estimator @fewest(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}, f32 {rlscan.output = #b}) {
  %a = rlscan.scan backward %x, %x init %x : f32
  %b = rlscan.scan forward %a, %x init %x : f32
  %c = rlscan.scan backward %x, %a init %x : f32
  rlscan.return %b, %c : f32, f32
}

// What holds past the window may itself be a result.
// CHECK-LABEL: rlscan.kernel @otherwise(
// CHECK: %[[A:.*]] = rlscan.accumulate
// CHECK: rlscan.previous %{{.*}} init %[[A]] : f32
rlscan.estimator @otherwise(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #b}) {
  %a = rlscan.scan backward %x, %x init %x : f32
  %b = rlscan.shift %x by 1 else %a : f32
  rlscan.return %b : f32
}

// What comes after the last step is an array of one value a row: behind a sweep it
// stands before position 0, ahead of one it is chosen.
// CHECK-LABEL: rlscan.kernel @after(
// CHECK-SAME: %[[X:[^:]*]]: !rlscan.array<step, f32, strided>
// CHECK-NEXT: %[[LASTS:.*]] = rlscan.after %[[X]] : !rlscan.array<step, f32, strided>
// CHECK-NEXT: rlscan.sweep backward {
// CHECK:      %[[LAST:.*]] = rlscan.load %[[LASTS]] : !rlscan.array<row, f32, strided> -> f32
// CHECK:      rlscan.previous %{{.*}} init %[[LAST]] : f32
// CHECK-LABEL: rlscan.kernel @after_ahead(
// CHECK:      rlscan.sweep forward {
// CHECK-DAG:  %[[NEXT:.*]] = rlscan.load %{{.*}} by 1 : !rlscan.array<step, f32, strided> -> f32
// CHECK-DAG:  %[[LAST:.*]] = rlscan.load %{{.*}} : !rlscan.array<row, f32, strided> -> f32
// CHECK-DAG:  %[[OUT:.*]] = rlscan.outside 1
// CHECK:      arith.select %[[OUT]], %[[LAST]], %[[NEXT]] : f32
#stored = #rlscan.input<"x", step, extra_steps = 1, storage = f32>
rlscan.estimator @after(%x: f32 {rlscan.input = #stored}) -> (f32 {rlscan.output = #a}, f32 {rlscan.output = #b}) {
  %after = rlscan.after %x : f32
  %next = rlscan.shift %x by 1 else %after : f32
  %s = rlscan.scan backward %next, %x init %after : f32
  rlscan.return %next, %s : f32, f32
}
rlscan.estimator @after_ahead(%x: f32 {rlscan.input = #stored}) -> (f32 {rlscan.output = #a}) {
  %after = rlscan.after %x : f32
  %next = rlscan.shift %x by 1 else %after : f32
  %s = rlscan.scan forward %next, %x init %after : f32
  rlscan.return %s : f32
}

// An input that is a result, and one result twice.
// CHECK-LABEL: rlscan.kernel @copies(
// CHECK-SAME: %[[X:[^:]*]]: !rlscan.array<step, f32, strided> {rlscan.input{{[^}]*}}}, %[[A:[^:]*]]: !rlscan.array{{[^}]*}}}, %[[B:[^:]*]]: !rlscan.array
// CHECK: %[[X0:.*]] = rlscan.load %[[X]] :
// CHECK-DAG: rlscan.store %[[X0]], %[[A]] :
// CHECK-DAG: rlscan.store %[[X0]], %[[B]] :
rlscan.estimator @copies(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #a}, f32 {rlscan.output = #b}) {
  rlscan.return %x, %x : f32, f32
}

// Params and rows have no neighbours: no offset.
// CHECK-LABEL: rlscan.kernel @row_ahead(
// CHECK-SAME: %{{[^:]*}}: {{[^%]*}}, %[[R:[^:]*]]: !rlscan.array<row
// CHECK-NOT: rlscan.load %[[R]] by
// CHECK: rlscan.load %{{.*}} by {{-?}}1
// CHECK-NOT: rlscan.load %[[R]] by
// CHECK: }
rlscan.estimator @row_ahead(%x: f32 {rlscan.input = #x}, %r: f32 {rlscan.input = #r}) -> (f32 {rlscan.output = #a}, f32 {rlscan.output = #b}) {
  %0 = arith.addf %x, %r : f32
  %next = rlscan.shift %0 by 1 else %x : f32
  %before = rlscan.shift %0 by -1 else %x : f32
  rlscan.return %next, %before : f32, f32
}
