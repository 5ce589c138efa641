// What is kept between sweeps lies in the caller's workspace: for a block of rows, as
// many steps as there are. A second function says how much that is.

// RUN: rlscan-opt %s --rlscan-to-cpu=lanes=4 | FileCheck %s

// CHECK-LABEL: func.func @rlscan_workspace_two(
// CHECK-SAME: %[[STEPS:.*]]: i64) -> i64
// 512 rows of 4 bytes and 512 rows of one byte, each rounded up to 64 bytes.
// CHECK: %[[REALS:.*]] = arith.muli %[[STEPS]], %c2048_i64
// CHECK: %[[FLAGS:.*]] = arith.muli %[[STEPS]], %c512_i64
// CHECK: return

// CHECK-LABEL: func.func @rlscan_run_two(
// CHECK-SAME: %{{[^,]*}}, %{{[^,]*}}, %[[WORKSPACE:.*]]: !llvm.ptr, %[[STEPS:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-NOT: call
// The first temporary is where the workspace begins, the second after it.
// CHECK-DAG: arith.muli %[[STEPS]], %c2048_i64
// CHECK-DAG: %[[SECOND:.*]] = llvm.getelementptr %[[WORKSPACE]][%{{.*}}] : {{.*}}, i8
// CHECK: scf.for
// CHECK-DAG: %[[REALS:.*]] = llvm.getelementptr %[[WORKSPACE]][%{{.*}}] : {{.*}}, f32
// CHECK-DAG: %[[FLAGS:.*]] = llvm.getelementptr %[[SECOND]][%{{.*}}] : {{.*}}, i8
// CHECK-DAG: llvm.getelementptr %[[REALS]][%{{.*}}] : {{.*}}, f32
// CHECK-DAG: llvm.getelementptr %[[FLAGS]][%{{.*}}] : {{.*}}, i8
// CHECK-NOT: call
// CHECK: return
rlscan.kernel @two(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  %a = rlscan.temporary : !rlscan.array<step, f32, rows>
  %b = rlscan.temporary : !rlscan.array<step, i8, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %a : f32, !rlscan.array<step, f32, rows>
    %2 = arith.cmpf olt, %0, %1 : f32
    rlscan.store %2, %b : i1, !rlscan.array<step, i8, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %a : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %b : !rlscan.array<step, i8, rows> -> i1
    %2 = rlscan.accumulate %0, %0 init %0 : f32
    %3 = arith.select %1, %0, %2 : f32
    rlscan.store %3, %y : f32, !rlscan.array<step, f32, rows>
  }
}

// One sweep needs none.
// CHECK-LABEL: func.func @rlscan_workspace_one(
// CHECK-NEXT: %[[NONE:.*]] = arith.constant 0 : i64
// CHECK-NEXT: return %[[NONE]]
rlscan.kernel @one(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    rlscan.store %0, %y : f32, !rlscan.array<step, f32, rows>
  }
}
