// Of what a sweep leaves, a value a row is kept where later ones read no more.

// RUN: rlscan-opt %s --rlscan-shrink-temporaries --split-input-file | FileCheck %s

// The first position of a sweep in the other direction is where the row ended; what
// follows from it counts for it, too.
// CHECK-LABEL: rlscan.kernel @inits(
// CHECK-NEXT: %[[T:.*]] = rlscan.temporary : !rlscan.array<row, f32, strided>
// CHECK: rlscan.store %{{.*}}, %[[T]] : f32, !rlscan.array<row, f32, strided>
// CHECK: rlscan.load %[[T]] : !rlscan.array<row, f32, strided> -> f32
rlscan.kernel @inits(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>, %z: !rlscan.array<step, f32, steps>) {
  %t = rlscan.temporary : !rlscan.array<step, f32, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %t : f32, !rlscan.array<step, f32, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %t : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %2 = arith.addf %0, %1 : f32
    %3 = rlscan.accumulate %1, %1 init %2 : f32
    rlscan.store %3, %y : f32, !rlscan.array<step, f32, steps>
    %4 = rlscan.previous %1 init %0 : f32
    rlscan.store %4, %z : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// Read at any other position it stays as it is: as a coefficient, as a result, ahead,
// or in a sweep that begins where the first one began.
// CHECK-LABEL: rlscan.kernel @steps(
// CHECK-COUNT-4: rlscan.temporary : !rlscan.array<step, f32, rows>
rlscan.kernel @steps(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>, %z: !rlscan.array<step, f32, steps>) {
  %a = rlscan.temporary : !rlscan.array<step, f32, rows>
  %b = rlscan.temporary : !rlscan.array<step, f32, rows>
  %c = rlscan.temporary : !rlscan.array<step, f32, rows>
  %d = rlscan.temporary : !rlscan.array<step, f32, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %a : f32, !rlscan.array<step, f32, rows>
    rlscan.store %1, %b : f32, !rlscan.array<step, f32, rows>
    rlscan.store %1, %c : f32, !rlscan.array<step, f32, rows>
    rlscan.store %1, %d : f32, !rlscan.array<step, f32, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %a : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %b : !rlscan.array<step, f32, rows> -> f32
    %2 = rlscan.load %c by -1 : !rlscan.array<step, f32, rows> -> f32
    %3 = rlscan.accumulate %0, %0 init %0 : f32
    %4 = rlscan.accumulate %3, %3 init %2 : f32
    rlscan.store %4, %y : f32, !rlscan.array<step, f32, steps>
    rlscan.store %1, %z : f32, !rlscan.array<step, f32, steps>
  }
  rlscan.sweep forward {
    %0 = rlscan.load %d : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %2 = rlscan.accumulate %1, %1 init %0 : f32
    rlscan.store %2, %z : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// What a reduction over an axis reads is read at every step.
// CHECK-LABEL: rlscan.kernel @reduced(
// CHECK-NEXT: rlscan.temporary : !rlscan.array<step, f32, rows>
rlscan.kernel @reduced(%x: !rlscan.array<step, f32, steps>, %q: !rlscan.array<step, f32, strided, "a">, %y: !rlscan.array<step, f32, steps>) {
  %t = rlscan.temporary : !rlscan.array<step, f32, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %t : f32, !rlscan.array<step, f32, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %t : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.reduce sum over "a" : f32 {
    ^bb0(%n: index):
      %2 = rlscan.load %q[%n] : !rlscan.array<step, f32, strided, "a"> -> f32
      %3 = arith.mulf %2, %0 : f32
      rlscan.yield %3 : f32
    }
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
  }
}
