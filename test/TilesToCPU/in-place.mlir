// A recurrence reads and writes arrays where they lie, if they hold what is computed
// with; there is no buffer then but its carry.

// RUN: rlscan-opt %s --rlscan-to-cpu=lanes=4 | FileCheck %s

// CHECK-LABEL: func.func @rlscan_run_in_place(
// CHECK: %[[CARRY:.*]] = llvm.alloca {{.*}} x f64
// CHECK-NOT: llvm.alloca
// The loop over tiles holds no phase, only the recurrence over its chunks.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.store %{{.*}}, %{{.*}} : f64
// CHECK: scf.for
// CHECK: scf.for
// Lines of both arrays are asked for by it: those of four rows.
// CHECK-COUNT-4: "llvm.intr.prefetch"(%{{.*}}) <{{{.*}}rw = 0 : i32}>
// CHECK-COUNT-4: "llvm.intr.prefetch"(%{{.*}}) <{{{.*}}rw = 1 : i32}>
// CHECK: llvm.load %[[CARRY]] {{.*}} -> vector<4xf64>
// CHECK: %[[ROWS:.*]]:4 = scf.if
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-COUNT-4: llvm.intr.masked.load %{{.*}} {alignment = 4 : i32} : {{.*}} -> vector<4xf32>
// CHECK: vector.shuffle %[[ROWS]]#0, %[[ROWS]]#1
// CHECK-COUNT-4: llvm.intr.fma
// CHECK: llvm.store %{{.*}}, %[[CARRY]]
// What lies past the end of a row and past the last row is not written.
// CHECK: scf.if
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 4 : i64} : vector<4xf32>
// CHECK: else
// CHECK-COUNT-4: llvm.intr.masked.store %{{.*}} {alignment = 4 : i32} : vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: return
rlscan.kernel @in_place(%x: !rlscan.array<step, f32, steps>, %p: !rlscan.array<param, f64, strided>, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep backward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.load %p : !rlscan.array<param, f64, strided> -> f32
    %zero = arith.constant 0.0 : f32
    %2 = rlscan.accumulate %0, %1 init %zero : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, steps>
  }
}

// Alpha and beta are arrays, the result is needed as well as stored: a buffer for it
// beside the carry.
// CHECK-LABEL: func.func @rlscan_run_needed(
// CHECK-DAG: llvm.alloca {{.*}} x f64
// CHECK-DAG: llvm.alloca {{.*}} x f32
// CHECK-NOT: llvm.alloca
// CHECK: return
rlscan.kernel @needed(%x: !rlscan.array<step, f32, steps>, %w: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>, %z: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.load %w : !rlscan.array<step, f32, steps> -> f32
    %zero = arith.constant 0.0 : f32
    %2 = rlscan.accumulate %0, %1 init %zero : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, steps>
    %3 = arith.mulf %2, %2 : f32
    rlscan.store %3, %z : f32, !rlscan.array<step, f32, steps>
  }
}

// Arrays of another type or layout, and neighbours, go through buffers: alpha's, in
// which the result takes its place, and beta's.
// CHECK-LABEL: func.func @rlscan_run_converted(
// CHECK-COUNT-2: llvm.alloca {{.*}} x f32
// CHECK: llvm.alloca {{.*}} x f64
// CHECK-NOT: llvm.alloca
// CHECK: return
rlscan.kernel @converted(%x: !rlscan.array<step, bf16, steps>, %w: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f16, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, bf16, steps> -> f32
    %1 = rlscan.load %w : !rlscan.array<step, f32, rows> -> f32
    %zero = arith.constant 0.0 : f32
    %2 = rlscan.accumulate %0, %1 init %zero : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f16, steps>
  }
}

// CHECK-LABEL: func.func @rlscan_run_neighbours(
// CHECK-COUNT-2: llvm.alloca {{.*}} x f32
// CHECK: llvm.alloca {{.*}} x f64
// CHECK-NOT: llvm.alloca
// CHECK: return
rlscan.kernel @neighbours(%x: !rlscan.array<step, f32, steps>, %q: !rlscan.array<step, f32, steps, "a">, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x by 1 : !rlscan.array<step, f32, steps> -> f32
    %i = arith.constant 1 : index
    %1 = rlscan.load %q[%i] : !rlscan.array<step, f32, steps, "a"> -> f32
    %zero = arith.constant 0.0 : f32
    %2 = rlscan.accumulate %0, %1 init %zero : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, steps>
  }
}
