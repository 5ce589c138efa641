// What is kept between sweeps is allocated for a block of rows at each call.

// RUN: rlscan-opt %s --rlscan-to-cpu=lanes=4 | FileCheck %s

// CHECK-DAG: func.func private @free(!llvm.ptr)
// CHECK-DAG: func.func private @aligned_alloc(i64, i64) -> !llvm.ptr
// CHECK-LABEL: func.func @temporary(
// CHECK: %[[KEPT:.*]] = call @aligned_alloc(%c64_i64, %{{.*}})
// CHECK: scf.for
// CHECK: llvm.getelementptr %[[KEPT]]
// CHECK: call @free(%[[KEPT]])
// CHECK-NEXT: return
rlscan.kernel @temporary(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  %t = rlscan.temporary : !rlscan.array<step, f32, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %t : f32, !rlscan.array<step, f32, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %t : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, rows>
  }
}

// One declaration of each, however many kernels there are.
// CHECK-NOT: @free(!llvm.ptr)
// CHECK-LABEL: func.func @flags(
// CHECK: call @aligned_alloc
// A flag is kept as a byte.
// CHECK: llvm.store %{{.*}} : vector<4xi8>
// CHECK: llvm.load %{{.*}} -> vector<4xi8>
// CHECK: call @free
// CHECK-NOT: @free(!llvm.ptr)
rlscan.kernel @flags(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, i8, rows>) {
  %t = rlscan.temporary : !rlscan.array<step, i8, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    %2 = arith.cmpf olt, %0, %1 : f32
    rlscan.store %2, %t : i1, !rlscan.array<step, i8, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %t : !rlscan.array<step, i8, rows> -> i1
    rlscan.store %0, %y : i1, !rlscan.array<step, i8, rows>
  }
}
