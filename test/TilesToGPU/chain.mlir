// How the tiles of a row follow each other in one workgroup: once, or in a loop.

// RUN: rlscan-opt %s --rlscan-to-gpu --split-input-file | FileCheck %s

// A row that fits a tile needs no loop.
// CHECK-LABEL: gpu.func @once(
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
// CHECK: gpu.return
rlscan.kernel @once(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = once, access = 4>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %zero = arith.constant 0.0 : f32
    %a, %b = rlscan.compose %x, %x : vector<4xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    %c = rlscan.carry %ta, %tb init %zero : f32
    %s = rlscan.apply %ea, %eb to %c : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<4xf32>
    rlscan.store %states, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Longer rows are walked along. The loop takes the tiles that the row fills and hands
// on the state, from the init of the row, and the elements of the next tile as they
// are stored: they are on their way from memory while this tile is computed; the last
// tile reads itself ahead. What belongs to the row is read before it, and an element
// that an index picks when it is known. What is left of the row is a tile of its own,
// with the state that the loop leaves.
// CHECK-LABEL: gpu.func @loop(
// CHECK-SAME: %[[STEPS:[a-z0-9]*]]: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: !llvm.ptr<1>)
// CHECK: %[[GAMMA:.*]] = arith.truncf %arg0 : f64 to f32
// CHECK: %[[L:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[FULL:.*]] = arith.divui %[[STEPS]], %c128_i64
// CHECK: %[[INIT:.*]] = arith.extf %[[L]] : f32 to f64
// CHECK: %[[HAS_FULL:.*]] = arith.cmpi sgt, %[[FULL]], %c0_i64
// CHECK: %[[REACHED:.*]] = scf.if %[[HAS_FULL]] -> (f64) {
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xbf16>
// CHECK: %[[FIRST_I:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: %[[LAST:.*]] = arith.subi %[[FULL]], %c1_i64
// CHECK: %[[LOOP:.*]]:3 = scf.for %[[TILE:.*]] = %c0_i64 to %[[LAST]] step %c1_i64
// CHECK-SAME: iter_args(%[[STATE:[a-z0-9]*]] = %[[INIT]], %[[X:[a-z0-9]*]] = %[[FIRST]], %[[I:[a-z0-9]*]] = %[[FIRST_I]]) -> (f64, vector<4xbf16>, vector<4xi32>)
// CHECK: %[[AFTER:.*]] = arith.addi %[[TILE]], %c1_i64
// CHECK: arith.muli %[[AFTER]], %c128_i64
// CHECK: %[[NEXT:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xbf16>
// CHECK: %[[NEXT_I:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: arith.extf %[[X]] : vector<4xbf16> to vector<4xf32>
// CHECK: arith.index_cast %[[I]] : vector<4xi32> to vector<4xindex>
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.store
// CHECK: scf.yield %{{.*}}, %[[NEXT]], %[[NEXT_I]] : f64, vector<4xbf16>, vector<4xi32>
// The last full tile has no next one.
// CHECK-NOT: llvm.load %{{.*}} -> vector<4xbf16>
// CHECK: arith.extf %[[LOOP]]#1 : vector<4xbf16> to vector<4xf32>
// CHECK: llvm.store
// CHECK: scf.yield %{{.*}} : f64
// CHECK: scf.yield %[[INIT]] : f64
// CHECK: %[[IS_LEFT:.*]] = arith.cmpi slt, %{{.*}}, %[[STEPS]]
// CHECK: scf.if %[[IS_LEFT]] {
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xbf16>
// CHECK: arith.truncf %[[REACHED]] : f64 to f32
// CHECK: llvm.store
// CHECK: gpu.return
rlscan.kernel @loop(
    %gammas: !rlscan.array<param, f64, strided>, %xs: !rlscan.array<step, bf16, steps>,
    %is: !rlscan.array<step, i32, steps>, %ls: !rlscan.array<row, f32, rows>,
    %qs: !rlscan.array<step, f32, strided, "a">, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, bf16, steps> -> vector<4xf32>
    %i = rlscan.load %is : !rlscan.array<step, i32, steps> -> vector<4xindex>
    %q = rlscan.load %qs[%i : vector<4xindex>] : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
    %gamma = rlscan.load %gammas : !rlscan.array<param, f64, strided> -> f32
    %l = rlscan.load %ls : !rlscan.array<row, f32, rows> -> f32
    %g = vector.broadcast %gamma : f32 to vector<4xf32>
    %beta = arith.mulf %q, %g : vector<4xf32>
    %a, %b = rlscan.compose %x, %beta : vector<4xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    %c = rlscan.carry %ta, %tb init %l : f32
    %s = rlscan.apply %ea, %eb to %c : f32
    %states, %before = rlscan.advance %x, %beta from %s : f32, vector<4xf32>
    rlscan.store %states, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Nothing to hand on from tile to tile.
// CHECK-LABEL: gpu.func @nothing(
// CHECK: scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c1_i64 {{ *}}: i64 {
// CHECK: scf.for
// CHECK: scf.if
// CHECK: gpu.return
rlscan.kernel @nothing(%qs: !rlscan.array<step, f32, strided, "a">, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %sum = rlscan.reduce sum over "a" : vector<4xf32> {
    ^bb0(%n: index):
      %q = rlscan.load %qs[%n] : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
      rlscan.yield %q : vector<4xf32>
    }
    rlscan.store %sum, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Sweeps go one after the other, a barrier between. What is kept from one to the next
// is in the workspace: 8 bytes for each row and step, array after array; the steps of
// a row together where lanes share one.
// CHECK-LABEL: gpu.func @sweeps(
// CHECK-SAME: %[[ROWS:[a-z0-9]*]]: i64, %[[STEPS:[a-z0-9]*]]: i64, %[[WORKSPACE:[a-z0-9]*]]: !llvm.ptr<1>)
// CHECK-DAG: %[[COUNT:.*]] = arith.muli %[[ROWS]], %[[STEPS]] : i64
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[COUNT]], %c8_i64 : i64
// CHECK-DAG: %[[SECOND:.*]] = llvm.getelementptr %[[WORKSPACE]][%[[BYTES]]] : {{.*}}, i8
// CHECK-DAG: %[[OWN:.*]] = arith.muli %[[ROW:.*]], %[[STEPS]] : i64
// CHECK: scf.for
// CHECK: llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr<1>
// CHECK: llvm.store %{{.*}} : vector<4xi8>, !llvm.ptr<1>
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr<1>
// CHECK: gpu.return
rlscan.kernel @sweeps(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  %t = rlscan.temporary : !rlscan.array<step, f32, rows>
  %u = rlscan.temporary : !rlscan.array<step, i8, rows>
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %f = arith.cmpf ogt, %x, %zeros : vector<4xf32>
    rlscan.store %x, %t : vector<4xf32>, !rlscan.array<step, f32, rows>
    rlscan.store %f, %u : vector<4xi1>, !rlscan.array<step, i8, rows>
  }
  rlscan.tiles backward {
    %x = rlscan.load %t : !rlscan.array<step, f32, rows> -> vector<4xf32>
    %f = rlscan.load %u : !rlscan.array<step, i8, rows> -> vector<4xi1>
    %y = arith.addf %x, %x : vector<4xf32>
    %z = arith.select %f, %x, %y : vector<4xi1>, vector<4xf32>
    rlscan.store %z, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Or in the workgroup's own memory, where each of its rows has a tile's worth of
// elements; nobody needs a workspace. Of a row one value is kept: what the thread with
// its last position has.
// CHECK-DAG: llvm.mlir.global internal @kept_shared0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x f32>
// CHECK-DAG: llvm.mlir.global internal @kept_shared1() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x f32>
// CHECK-LABEL: gpu.func @kept(
// CHECK-SAME: %[[STEPS:[a-z0-9]*]]: i64, %[[WORKSPACE:[a-z0-9]*]]: !llvm.ptr<1>)
// CHECK-NOT: %[[WORKSPACE]]
// CHECK-DAG: %[[T:.*]] = llvm.mlir.addressof @kept_shared0 : !llvm.ptr<3>
// CHECK-DAG: %[[U:.*]] = llvm.mlir.addressof @kept_shared1 : !llvm.ptr<3>
// CHECK: llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: %[[ISLAST:.*]] = arith.cmpi eq, %{{.*}}, %c1_i32
// CHECK-NEXT: scf.if %[[ISLAST]] {
// CHECK-NEXT: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: gpu.return
rlscan.kernel @kept(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = once, access = 4>]} {
  %t = rlscan.temporary workgroup : !rlscan.array<step, f32, rows>
  %u = rlscan.temporary workgroup : !rlscan.array<row, f32, strided>
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    rlscan.store %x, %t : vector<4xf32>, !rlscan.array<step, f32, rows>
    rlscan.store %x, %u : vector<4xf32>, !rlscan.array<row, f32, strided>
  }
  rlscan.tiles backward {
    %x = rlscan.load %t : !rlscan.array<step, f32, rows> -> vector<4xf32>
    %l = rlscan.load %u : !rlscan.array<row, f32, strided> -> f32
    %ls = vector.broadcast %l : f32 to vector<4xf32>
    %y = arith.addf %x, %ls : vector<4xf32>
    rlscan.store %y, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}
