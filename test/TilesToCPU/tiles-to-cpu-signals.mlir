// Types in memory, neighbours and axes.

// RUN: rlscan-opt %s --rlscan-to-cpu=lanes=4 | FileCheck %s

// A flag is set where anything but 0 is stored, NaN included, and is written as 0
// or 1.
// CHECK-LABEL: func.func @rlscan_run_flags(
// CHECK-DAG: %[[BYTE:.*]] = llvm.load %{{.*}} -> vector<4xi8>
// CHECK-DAG: arith.cmpi ne, %[[BYTE]], %{{.*}} : vector<4xi8>
// CHECK-DAG: %[[HALF:.*]] = llvm.load %{{.*}} -> vector<4xf16>
// CHECK-DAG: %[[BITS:.*]] = arith.bitcast %[[HALF]] : vector<4xf16> to vector<4xi16>
// CHECK-DAG: %[[UNSIGNED:.*]] = arith.shli %[[BITS]], %{{.*}} : vector<4xi16>
// CHECK-DAG: arith.cmpi ne, %[[UNSIGNED]], %{{.*}} : vector<4xi16>
// CHECK-DAG: %[[INT:.*]] = llvm.load %{{.*}} -> vector<4xi64>
// CHECK-DAG: arith.cmpi ne, %[[INT]], %{{.*}} : vector<4xi64>
// CHECK-DAG: arith.extui %{{.*}} : vector<4xi1> to vector<4xi8>
// CHECK-DAG: arith.uitofp %{{.*}} : vector<4xi1> to vector<4xf32>
// CHECK: scf.if
rlscan.kernel @flags(%i8: !rlscan.array<step, i8, rows>, %f16: !rlscan.array<step, f16, rows>, %i64: !rlscan.array<step, i64, rows>,
                     %o8: !rlscan.array<step, i8, rows>, %of: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %i8 : !rlscan.array<step, i8, rows> -> i1
    %1 = rlscan.load %f16 : !rlscan.array<step, f16, rows> -> i1
    %2 = rlscan.load %i64 : !rlscan.array<step, i64, rows> -> i1
    %3 = arith.andi %0, %1 : i1
    %4 = arith.ori %3, %2 : i1
    rlscan.store %4, %o8 : i1, !rlscan.array<step, i8, rows>
    rlscan.store %4, %of : i1, !rlscan.array<step, f32, rows>
  }
}

// Reals are rounded where they are stored, indices are widened or cut.
// CHECK-LABEL: func.func @rlscan_run_conversions(
// CHECK-DAG: arith.bitcast %{{.*}} : vector<4xf32> to vector<4xi32>
// CHECK-DAG: arith.cmpf uno, %{{.*}} : vector<4xf32>
// CHECK-DAG: arith.trunci %{{.*}} : vector<4xi32> to vector<4xi16>
// CHECK-DAG: arith.index_cast %{{.*}} : vector<4xi32> to vector<4xindex>
// CHECK-DAG: arith.index_cast %{{.*}} : vector<4xindex> to vector<4xi64>
// CHECK: scf.if
rlscan.kernel @conversions(%x: !rlscan.array<step, f32, rows>, %i: !rlscan.array<step, i32, rows>,
                           %y: !rlscan.array<step, bf16, rows>, %j: !rlscan.array<step, i64, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %i : !rlscan.array<step, i32, rows> -> index
    rlscan.store %0, %y : f32, !rlscan.array<step, bf16, rows>
    rlscan.store %1, %j : index, !rlscan.array<step, i64, rows>
  }
}

// A lane for each row: the position before is kept in memory of the function, in
// the type of the signal.
// CHECK-LABEL: func.func @rlscan_run_previous_of_rows(
// CHECK: %[[KEPT:.*]] = llvm.alloca %{{.*}} x f32
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg3
// CHECK: scf.for
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[KEPT]]
// CHECK: %[[BEFORE:.*]] = llvm.load %[[SLOT]] {{.*}} -> vector<4xf32>
// CHECK: %[[X:.*]] = llvm.load
// CHECK: llvm.store %[[X]], %[[SLOT]]
// CHECK: llvm.store %[[BEFORE]],
// CHECK: scf.if
rlscan.kernel @previous_of_rows(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep backward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %zero = arith.constant 0.0 : f32
    %1 = rlscan.previous %0 init %zero : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, rows>
  }
}

// A lane for each step: it is the vector shifted by one lane, from the side that
// the sweep comes from.
// CHECK-LABEL: func.func @rlscan_run_previous_of_steps(
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [3, 4, 5, 6] : vector<4xf32>, vector<4xf32>
// CHECK-LABEL: func.func @rlscan_run_next_of_steps(
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 2, 3, 4] : vector<4xf32>, vector<4xf32>
rlscan.kernel @previous_of_steps(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %zero = arith.constant 0.0 : f32
    %1 = rlscan.previous %0 init %zero : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
  }
}
rlscan.kernel @next_of_steps(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep backward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %zero = arith.constant 0.0 : f32
    %1 = rlscan.previous %0 init %zero : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
  }
}

// A load ahead stays inside of the window, and whether it is outside is the same
// for all rows.
// CHECK-LABEL: func.func @rlscan_run_ahead(
// CHECK-SAME: %[[STEPS:[a-z0-9]*]]: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64)
// CHECK: scf.for %[[POSITION:.*]] = %{{.*}} to %[[STEPS]]
// CHECK-DAG: %[[NEXT:.*]] = arith.addi %[[POSITION]], %c1_i64
// CHECK-DAG: %[[LAST:.*]] = arith.subi %[[STEPS]], %c1_i64
// CHECK-DAG: arith.cmpi slt, %[[LAST]], %[[NEXT]] : i64
// CHECK-DAG: %[[CLAMPED:.*]] = arith.minsi %[[NEXT]], %[[LAST]]
// CHECK-DAG: arith.maxsi %[[CLAMPED]], %c0_i64
// CHECK: scf.if
rlscan.kernel @ahead(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x by 1 : !rlscan.array<step, f32, rows> -> f32
    %zero = arith.constant 0.0 : f32
    %out = rlscan.outside 1
    %1 = arith.select %out, %zero, %0 : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, rows>
  }
}

// Entries along an axis are gathered, at an index kept inside of it; a reduction
// is a loop over it, which starts from the empty sum, maximum or minimum.
// CHECK-LABEL: func.func @rlscan_run_axes(
// CHECK-SAME: %{{[^,]*}}, %[[AXES:[^:]*]]: !llvm.ptr,
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK-DAG: %[[HIGHEST:.*]] = arith.constant dense<0x7F800000> : vector<4xf32>
// CHECK: %[[SIZE:.*]] = llvm.load %[[AXES]] : !llvm.ptr -> i64
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg3
// CHECK-DAG: %[[LEAST:.*]] = arith.minsi %{{.*}} : vector<4xi64>
// CHECK-DAG: arith.maxsi %[[LEAST]], %{{.*}} : vector<4xi64>
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[SIZE]] step %c1_i64 iter_args(%[[SUM:.*]] = %[[NONE]]) -> (vector<4xf32>)
// CHECK: llvm.intr.masked.gather
// CHECK: arith.addf %[[SUM]],
// CHECK: scf.for {{.*}} iter_args(%[[MAX:.*]] = %[[LOWEST]])
// CHECK: arith.maximumf %[[MAX]],
// CHECK: scf.for {{.*}} iter_args(%[[MIN:.*]] = %[[HIGHEST]])
// CHECK: arith.minimumf %[[MIN]],
rlscan.kernel @axes(%q: !rlscan.array<step, f32, rows, "a">, %i: !rlscan.array<step, i64, rows>,
                    %a: !rlscan.array<step, f32, rows>, %b: !rlscan.array<step, f32, rows>, %c: !rlscan.array<step, f32, rows>, %d: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %i : !rlscan.array<step, i64, rows> -> index
    %1 = rlscan.load %q[%0] : !rlscan.array<step, f32, rows, "a"> -> f32
    rlscan.store %1, %a : f32, !rlscan.array<step, f32, rows>
    %2 = rlscan.reduce sum over "a" : f32 {
    ^bb0(%n: index):
      %5 = rlscan.load %q[%n] : !rlscan.array<step, f32, rows, "a"> -> f32
      rlscan.yield %5 : f32
    }
    rlscan.store %2, %b : f32, !rlscan.array<step, f32, rows>
    %3 = rlscan.reduce max over "a" : f32 {
    ^bb0(%n: index):
      %5 = rlscan.load %q[%n] : !rlscan.array<step, f32, rows, "a"> -> f32
      rlscan.yield %5 : f32
    }
    rlscan.store %3, %c : f32, !rlscan.array<step, f32, rows>
    %4 = rlscan.reduce min over "a" : f32 {
    ^bb0(%n: index):
      %5 = rlscan.load %q[%n] : !rlscan.array<step, f32, rows, "a"> -> f32
      rlscan.yield %5 : f32
    }
    rlscan.store %4, %d : f32, !rlscan.array<step, f32, rows>
  }
}
