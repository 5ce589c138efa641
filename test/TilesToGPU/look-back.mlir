// The tiles of a row in many workgroups: by ticket, with states through memory.

// RUN: rlscan-opt %s --rlscan-to-gpu --split-input-file -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=FENCES
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=ATOMICS

// The start. Every thread reads the epoch, 64 bytes into the workspace, before its
// workgroup draws its second ticket. They wrap to 0 with the last one of the launch.
// Who draws that begins the next epoch: the next launch finds the workspace as this one
// did.
// CHECK-LABEL: gpu.func @look_back(
// CHECK-SAME: %[[ROWS:[a-z0-9]*]]: i64, %[[STEPS:[a-z0-9]*]]: i64, %[[WORKSPACE:[a-z0-9]*]]: !llvm.ptr<1>)
// CHECK-DAG: %[[ITEMS:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK-DAG: gpu.grid_dim x
// CHECK-DAG: %[[TICKETS:.*]] = arith.addi %[[ITEMS]], %{{.*}} : i32
// CHECK-DAG: %[[EPOCH_AT:.*]] = llvm.getelementptr %[[WORKSPACE]][64] : {{.*}}, i8
// CHECK: %[[EPOCH:.*]] = llvm.load %[[EPOCH_AT]] atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: llvm.fence syncscope("device") acq_rel
// CHECK-NOT: gpu.barrier
// CHECK: scf.if %[[LEADER:.*]] {
// CHECK: %[[LAST:.*]] = arith.subi %[[TICKETS]], %c1_i32
// CHECK: %[[TICKET:.*]] = llvm.atomicrmw uinc_wrap %[[WORKSPACE]], %[[LAST]] syncscope("device") monotonic : !llvm.ptr<1>, i32
// CHECK: %[[IS_LAST:.*]] = arith.cmpi eq, %[[TICKET]], %[[LAST]] : i32
// CHECK: scf.if %[[IS_LAST]] {
// CHECK: %[[NEXT_EPOCH:.*]] = arith.addi %[[EPOCH]], %c1_i32
// CHECK: llvm.store %[[NEXT_EPOCH]], %[[EPOCH_AT]] atomic syncscope("device") monotonic
// CHECK: llvm.store %[[TICKET]], %{{.*}} : i32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32

// As long as there is a tile in the front or in the back: the ticket of the next one,
// whose elements come from memory ahead, if it is a tile.
// CHECK: %[[FIRST:.*]]:{{[0-9]+}} = scf.while (%[[BLOCK:[a-z0-9]*]] = %c-1_i32, %[[BACK:[a-z0-9]*]] = %c-1_i32, %{{[a-z0-9]*}} = %{{[0-9]*}}, %[[FRONT:[a-z0-9]*]] = %{{[0-9]*}},
// CHECK-DAG: %[[HAS_BACK:.*]] = arith.cmpi ult, %[[BACK]], %[[TILES:[a-z0-9]*]] : i32
// CHECK-DAG: %[[HAS_FRONT:.*]] = arith.cmpi ult, %[[FRONT]], %{{.*}} : i32
// CHECK: %[[HAS_ANY:.*]] = arith.ori %[[HAS_BACK]], %[[HAS_FRONT]]
// CHECK: scf.condition(%[[HAS_ANY]])
// CHECK: gpu.barrier
// CHECK: %[[DRAWN:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: llvm.atomicrmw uinc_wrap %[[WORKSPACE]],
// CHECK: %[[NEXT:.*]] = arith.divui %[[DRAWN]],
// CHECK: %[[HAS_NEXT:.*]] = arith.cmpi ult, %[[NEXT]], %{{.*}} : i32
// CHECK: %[[AHEAD:.*]] = scf.if %[[HAS_NEXT]] -> (vector<4xf32>) {
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xf32>

// The front: what needs no state. It gives what the back will need of it, the maps of
// the lanes and of the groups before.
// CHECK: %[[PENDING:.*]]:{{[0-9]+}} = scf.if %{{.*}} -> (f32, f32,
// CHECK: gpu.barrier
// The tile's own map is published as soon as it is known: two words that are valid by
// themselves, 32 bits of payload below `epoch * 4 + 1`. Where the state after the
// tile is known, at a row's start or behind a boundary, it is that, in f64, with 2.
// CHECK: scf.if %{{.*}} {
// CHECK: scf.if %{{.*}} {
// CHECK: llvm.bitcast %{{.*}} : f64 to vector<2xi32>
// CHECK: %[[TAG:.*]] = arith.muli %[[EPOCH]], %c4_i32
// CHECK: %[[INCLUSIVE:.*]] = arith.addi %[[TAG]], %c2_i32
// CHECK: %[[INCLUSIVE64:.*]] = arith.extui %[[INCLUSIVE]] : i32 to i64
// CHECK: %[[HIGH:.*]] = arith.shli %[[INCLUSIVE64]], %c32_i64
// CHECK: %[[WORD:.*]] = arith.ori %[[HIGH]], %{{.*}} : i64
// CHECK: llvm.store %[[WORD]], %{{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64} : i64, !llvm.ptr<1>
// CHECK: llvm.store %{{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64} : i64, !llvm.ptr<1>
// CHECK: } else {
// CHECK: arith.addi %{{.*}}, %c1_i32
// CHECK-COUNT-2: llvm.store %{{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64} : i64, !llvm.ptr<1>
// CHECK: }

// CHECK: scf.yield %{{.*}} : f32, f32,

// The back of the tile before. The row's first group looks back: a window of tiles, one a lane, until all of its
// tiles from some inclusive state on are there. They are folded one by one, in f64.
// CHECK: scf.while
// CHECK: scf.if %{{.*}} -> (i64, i64) {
// CHECK-COUNT-2: llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64} : !llvm.ptr<1> -> i64
// CHECK: {{nvvm.vote.sync|gpu.shuffle}}
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.store %{{.*}} : vector<2xf64>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.for %{{.*}} iter_args(%[[STATE:[a-z0-9]*]] = %{{.*}}) -> (f64)
// CHECK: math.fma %{{.*}}, %[[STATE]], %{{.*}} : f64

// Then its own state is published, and handed to the other groups.
// CHECK-COUNT-2: llvm.store %{{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64} : i64, !llvm.ptr<1>
// CHECK: llvm.store %{{.*}} : {{f32|f64}}, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> {{f32|f64}}

// The front becomes the back, and what was drawn the front.
// CHECK: scf.yield %{{[a-z0-9]*}}, %[[FRONT]], %{{[0-9]*}}, %[[NEXT]], {{.*}}%[[PENDING]]#0, %[[PENDING]]#1, {{.*}}%[[AHEAD]]
// CHECK: gpu.return

// No other fence. Nothing is atomic but what the protocol has.
// FENCES: gpu.func @look_back(
// FENCES: llvm.fence
// FENCES-NOT: llvm.fence
// FENCES: gpu.func @single_lanes(
// FENCES: llvm.fence
// FENCES-NOT: llvm.fence
// FENCES: gpu.func @two_scans(
// FENCES: llvm.fence
// FENCES-NOT: llvm.fence
// ATOMICS-NOT: {{(acquire|release|seq_cst)}}
// ATOMICS-NOT: syncscope("{{[^d]}}
// ATOMICS-NOT: volatile
// ATOMICS: gpu.func @two_scans
rlscan.kernel @look_back(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 4, rows = 1, chain = look_back, access = 4>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %zero = arith.constant 0.0 : f32
    %a, %b = rlscan.compose %x, %x : vector<4xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    %ga, %gb, %wa, %wb = rlscan.scan_workgroup %ta, %tb : f32
    %c = rlscan.carry %wa, %wb init %zero : f32
    %g = rlscan.apply %ga, %gb to %c : f32
    %s = rlscan.apply %ea, %eb to %g : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<4xf32>
    rlscan.store %states, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// A lane with a row for itself looks back alone, one tile at a time: no shuffles. Each
// row has its states, those past the last row too. f64 has states of four words, but
// for the inclusive one, which has two. What belongs to a row is read with the tile.
// CHECK-LABEL: gpu.func @single_lanes(
// CHECK-SAME: %[[ROWS:[a-z0-9]*]]: i64, %[[STEPS:[a-z0-9]*]]: i64, %[[WORKSPACE:[a-z0-9]*]]: !llvm.ptr<1>)
// CHECK-NOT: gpu.shuffle
// CHECK: arith.ceildivui %[[ROWS]], %c32_i64
// CHECK: scf.while {{.*}}f64
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> f64
// CHECK-COUNT-2: llvm.store %{{.*}} atomic {{.*}} : i64, !llvm.ptr<1>
// CHECK: } else {
// CHECK-COUNT-4: llvm.store %{{.*}} atomic {{.*}} : i64, !llvm.ptr<1>
// CHECK: scf.while
// CHECK: scf.if %{{.*}} -> (i64, i64, i64, i64) {
// CHECK-COUNT-4: llvm.load %{{.*}} atomic {{.*}} -> i64
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.return
rlscan.kernel @single_lanes(%xs: !rlscan.array<step, f64, rows>, %ls: !rlscan.array<row, f64, rows>, %ys: !rlscan.array<step, f64, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 2, rows = 32, chain = look_back, access = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f64, rows> -> vector<4xf64>
    %l = rlscan.load %ls : !rlscan.array<row, f64, rows> -> f64
    %a, %b = rlscan.compose %x, %x : vector<4xf64> -> f64
    %ga, %gb, %wa, %wb = rlscan.scan_workgroup %a, %b : f64
    %c = rlscan.carry %wa, %wb init %l : f64
    %g = rlscan.apply %ga, %gb to %c : f64
    %states, %before = rlscan.advance %x, %x from %g : f64, vector<4xf64>
    rlscan.store %states, %ys : vector<4xf64>, !rlscan.array<step, f64, rows>
  }
}

// -----

// Scans have states of their own, one after the other's. With one group a row, nobody
// waits for another's search, and the ticket's are the only barriers. The second scan
// needs the states of the first, so it is all in the back, where its map is published
// between the two searches.
// CHECK-LABEL: gpu.func @two_scans(
// CHECK: gpu.barrier
// CHECK: scf.while
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: llvm.store %{{.*}} atomic {{.*}} : i64, !llvm.ptr<1>
// CHECK: scf.while
// CHECK: llvm.store %{{.*}} atomic {{.*}} : i64, !llvm.ptr<1>
// CHECK: gpu.shuffle up
// CHECK: llvm.store %{{.*}} atomic {{.*}} : i64, !llvm.ptr<1>
// CHECK: scf.while
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
rlscan.kernel @two_scans(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = look_back, access = 4>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %zero = arith.constant 0.0 : f32
    %a, %b = rlscan.compose %x, %x : vector<4xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    %c = rlscan.carry %ta, %tb init %zero : f32
    %s = rlscan.apply %ea, %eb to %c : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<4xf32>
    %a2, %b2 = rlscan.compose %states, %x : vector<4xf32> -> f32
    %ea2, %eb2, %ta2, %tb2 = rlscan.scan_subgroup %a2, %b2 : f32
    %c2 = rlscan.carry %ta2, %tb2 init %zero : f32
    %s2 = rlscan.apply %ea2, %eb2 to %c2 : f32
    %states2, %before2 = rlscan.advance %states, %x from %s2 : f32, vector<4xf32>
    rlscan.store %states2, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}
