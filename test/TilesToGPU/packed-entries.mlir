// Arrays along an axis whose entries are packed.

// RUN: rlscan-opt %s --rlscan-to-gpu --split-input-file | FileCheck %s
// RUN: rlscan-opt %s --rlscan-to-gpu=async-copies=false --split-input-file | \
// RUN:   FileCheck %s --check-prefix=MOVES

// What a reduction reads goes to shared memory first, an element a lane: 64 steps of 18
// entries are 1152 elements, 36 copies; 4 bytes of nothing come after every 128, so
// that copies are 132 bytes apart. Each of 4 subgroups has its own 1188. Nobody else
// waits. Of what there is, sizes and strides are known.
// CHECK-LABEL: llvm.mlir.global internal @packed_
// CHECK-SAME: !llvm.array<4752 x f32>
// CHECK: gpu.func @packed(
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-36: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.for %{{.*}} = %c0_i64 to %c18_i64 step %c1_i64
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: llvm.load
// CHECK: scf.yield
// An element that an index picks of the same array is read there, too; of another
// array it is read from memory.
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<1> -> f32

// Without such copies elements go through registers, in accesses of 16 bytes.
// MOVES-LABEL: gpu.func @packed(
// MOVES-NOT: nvvm.cp.async
// MOVES: scf.for
// MOVES: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// MOVES-COUNT-4: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// MOVES: nvvm.bar.warp.sync
// MOVES: scf.for %{{.*}} = %c0_i64 to %c18_i64
// MOVES-NOT: nvvm.cp.async
// MOVES: gpu.return
rlscan.kernel @packed(
    %qs: !rlscan.array<step, f32, strided, "a">, %ps: !rlscan.array<step, f32, strided, "a">,
    %is: !rlscan.array<step, i32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 1, rows = 4, chain = loop, access = 2, entries = 18>]} {
  rlscan.tiles backward {
    %i = rlscan.load %is : !rlscan.array<step, i32, steps> -> vector<2xindex>
    %sum = rlscan.reduce sum over "a" : vector<2xf32> {
    ^bb0(%n: index):
      %q = rlscan.load %qs[%n] : !rlscan.array<step, f32, strided, "a"> -> vector<2xf32>
      rlscan.yield %q : vector<2xf32>
    }
    %taken = rlscan.load %qs[%i : vector<2xindex>] : !rlscan.array<step, f32, strided, "a"> -> vector<2xf32>
    %other = rlscan.load %ps[%i : vector<2xindex>] : !rlscan.array<step, f32, strided, "a"> -> vector<2xf32>
    %0 = arith.addf %sum, %taken : vector<2xf32>
    %1 = arith.addf %0, %other : vector<2xf32>
    rlscan.store %1, %ys : vector<2xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Copies are of 4 bytes at least: half as wide elements are moved, 8 an access.
// CHECK-LABEL: gpu.func @narrow(
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK-COUNT-8: llvm.store %{{.*}} {alignment = 2 : i64} : bf16, !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> bf16
// CHECK: gpu.return
rlscan.kernel @narrow(%qs: !rlscan.array<step, bf16, strided, "a">, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 1, lanes = 32, groups = 1, rows = 4, chain = loop, access = 1, entries = 3>]} {
  rlscan.tiles forward {
    %max = rlscan.reduce max over "a" : vector<1xf32> {
    ^bb0(%n: index):
      %q = rlscan.load %qs[%n] : !rlscan.array<step, bf16, strided, "a"> -> vector<1xf32>
      rlscan.yield %q : vector<1xf32>
    }
    rlscan.store %max, %ys : vector<1xf32>, !rlscan.array<step, f32, steps>
  }
}
