// The levels of a scan: registers, lanes, groups; and the neighbours.

// RUN: rlscan-opt %s --rlscan-to-gpu --split-input-file | FileCheck %s

// Registers. A thread composes its positions in order, and the product of their betas
// is 0 only where one of them is: else a small product stays the least normal number,
// with its sign. A state is alpha where beta is 0, not a product with 0. The
// state goes from tile to tile in f64.
// CHECK-LABEL: gpu.func @registers(
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: scf.for %{{.*}} iter_args(%[[CARRY:[a-z0-9]*]] = %{{.*}}) -> (f64,
// CHECK-DAG: %[[A0:.*]] = vector.extract %[[XS:.*]][0] : f32
// CHECK-DAG: %[[A1:.*]] = vector.extract %[[XS]][1] : f32
// CHECK-DAG: %[[B0:.*]] = vector.extract %[[BS:.*]][0] : f32
// CHECK-DAG: %[[B1:.*]] = vector.extract %[[BS]][1] : f32
// CHECK-DAG: %[[CUT0:.*]] = arith.cmpf oeq, %[[B0]], %[[ZERO:.*]] : f32
// CHECK-DAG: %[[CUT1:.*]] = arith.cmpf oeq, %[[B1]], %[[ZERO]] : f32
// CHECK-DAG: %[[MOVED:.*]] = math.fma %[[B1]], %[[A0]], %[[A1]] : f32
// CHECK-DAG: %[[A:.*]] = arith.select %[[CUT1]], %[[A1]], %[[MOVED]] : f32
// CHECK-DAG: %[[PRODUCT:.*]] = arith.mulf %[[B0]], %[[B1]] : f32
// CHECK-DAG: %[[CUT:.*]] = arith.ori %[[CUT0]], %[[CUT1]] : i1
// CHECK-DAG: %[[SIZE:.*]] = math.absf %[[PRODUCT]] : f32
// CHECK-DAG: %[[KEPT:.*]] = arith.maximumf %[[SIZE]], %cst{{.*}} : f32
// CHECK-DAG: %[[BITS:.*]] = arith.bitcast %[[PRODUCT]] : f32 to i32
// CHECK-DAG: %[[SIGN:.*]] = arith.andi %[[BITS]], %c-2147483648_i32 : i32
// CHECK-DAG: %[[SIGNED:.*]] = arith.ori %{{.*}}, %[[SIGN]] : i32
// CHECK-DAG: %[[FLOAT:.*]] = arith.bitcast %[[SIGNED]] : i32 to f32
// CHECK-DAG: %[[B:.*]] = arith.select %[[CUT]], %[[ZERO]], %[[FLOAT]] : f32
// CHECK-DAG: %[[STATE:.*]] = arith.truncf %[[CARRY]] : f64 to f32
// CHECK-DAG: %[[WIDE_A:.*]] = arith.extf %[[A]] : f32 to f64
// CHECK-DAG: %[[WIDE_B:.*]] = arith.extf %[[B]] : f32 to f64
// CHECK-DAG: %[[WIDE:.*]] = math.fma %[[WIDE_B]], %[[CARRY]], %[[WIDE_A]] : f64
// CHECK-DAG: %[[NEXT:.*]] = arith.select %{{.*}}, %[[WIDE_A]], %[[WIDE]] : f64
// CHECK-DAG: %[[S0:.*]] = math.fma %[[B0]], %[[STATE]], %[[A0]] : f32
// CHECK-DAG: arith.select %[[CUT0]], %[[A0]], %[[S0]] : f32
// CHECK: scf.yield %[[NEXT]],
rlscan.kernel @registers(%xs: !rlscan.array<step, f32, rows>, %bs: !rlscan.array<step, f32, rows>, %ys: !rlscan.array<step, f32, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 1, rows = 128, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, rows> -> vector<2xf32>
    %b = rlscan.load %bs : !rlscan.array<step, f32, rows> -> vector<2xf32>
    %zero = arith.constant 0.0 : f32
    %a0, %b0 = rlscan.compose %x, %b : vector<2xf32> -> f32
    %c = rlscan.carry %a0, %b0 init %zero : f32
    %states, %before = rlscan.advance %x, %b from %c : f32, vector<2xf32>
    rlscan.store %states, %ys : vector<2xf32>, !rlscan.array<step, f32, rows>
  }
}

// -----

// f64 is carried as it is, and its least normal number kept.
// CHECK-LABEL: gpu.func @wide(
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: %[[LEAST:.*]] = arith.constant 2.2250738585072014E-308 : f64
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: arith.maximumf %{{.*}}, %[[LEAST]] : f64
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: gpu.return
rlscan.kernel @wide(%xs: !rlscan.array<step, f64, rows>, %ys: !rlscan.array<step, f64, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 1, rows = 128, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f64, rows> -> vector<2xf64>
    %zero = arith.constant 0.0 : f64
    %a0, %b0 = rlscan.compose %x, %x : vector<2xf64> -> f64
    %c = rlscan.carry %a0, %b0 init %zero : f64
    %states, %before = rlscan.advance %x, %x from %c : f64, vector<2xf64>
    rlscan.store %states, %ys : vector<2xf64>, !rlscan.array<step, f64, rows>
  }
}

// -----

// Lanes. One vote tells each how far back in its row the last boundary is: its own lane's
// bit moved to the top, the zeros before the next one. log2(lanes) rounds of shuffles
// follow, each at twice the distance of the one before and of a map: two words; a lane
// takes what comes from no farther back. One more hands each lane what is before it, and
// another the total to all. There is no barrier.
// CHECK-LABEL: gpu.func @lanes(
// CHECK-NOT: gpu.barrier
// CHECK: %[[NEVER:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: %[[IS_CUT:.*]] = arith.ori %{{.*}}, %[[NEVER]] : i1
// CHECK-NEXT: %[[CUTS:.*]] = nvvm.vote.sync ballot %c-1_i32, %[[IS_CUT]] -> i32
// CHECK-NEXT: %[[ABOVE:.*]] = arith.shli %[[CUTS]], %{{.*}} : i32
// CHECK-NEXT: %[[TO_CUT:.*]] = "llvm.intr.ctlz"(%[[ABOVE]])
// CHECK-NEXT: %[[REACH:.*]] = arith.minsi %[[TO_CUT]], %[[LANE:.*]] : i32
// CHECK-NEXT: arith.cmpi sle, %[[TO_CUT]], %[[LANE]] : i32
// CHECK-COUNT-2: gpu.shuffle up %{{.*}}, %c1_i32, %c32_i32 : f32
// CHECK-COUNT-2: gpu.shuffle up %{{.*}}, %c2_i32, %c32_i32 : f32
// CHECK-COUNT-2: gpu.shuffle up %{{.*}}, %c4_i32, %c32_i32 : f32
// CHECK-COUNT-2: gpu.shuffle up %{{.*}}, %c1_i32, %c32_i32 : f32
// The last lane of the row's, of several rows in the subgroup.
// CHECK: gpu.shuffle idx %{{.*}}, %[[LAST:[0-9]+]], %c32_i32 : f32
// CHECK-NEXT: gpu.shuffle idx %{{.*}}, %[[LAST]], %c32_i32 : f32
// CHECK-NOT: gpu.shuffle
// CHECK: scf.yield
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
rlscan.kernel @lanes(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 8, groups = 1, rows = 4, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<2xf32>
    %zero = arith.constant 0.0 : f32
    %a0, %b0 = rlscan.compose %x, %x : vector<2xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a0, %b0 : f32
    %c = rlscan.carry %ta, %tb init %zero : f32
    %s = rlscan.apply %ea, %eb to %c : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<2xf32>
    rlscan.store %states, %ys : vector<2xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Groups of whole subgroups. One lane of each puts its group's map into shared memory;
// one barrier a tile; then each group scans all maps by shuffles. Two sets of maps take
// turns: 2 sets of 4 groups of 2 rows.
// CHECK-LABEL: llvm.mlir.global internal @groups_
// CHECK-SAME: {{.*}}() {addr_space = 3 : i32, {{.*}}} : !llvm.array<16 x vector<2xf32>>
// CHECK: gpu.func @groups(
// CHECK-NOT: gpu.barrier
// CHECK: scf.for %[[TILE:.*]] = %c0_i64 to
// CHECK: %[[PARITY:.*]] = arith.andi %[[TILE]], %c1_i64
// CHECK-COUNT-2: gpu.shuffle idx
// CHECK: scf.if %{{.*}} {
// CHECK: arith.muli %[[PARITY]], %c8_i64
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
// CHECK: }
// CHECK: gpu.barrier
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
// CHECK: gpu.shuffle up %{{.*}}, %c1_i32,
// CHECK: gpu.shuffle up %{{.*}}, %c2_i32,
// CHECK-COUNT-4: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
// CHECK: gpu.return
rlscan.kernel @groups(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 4, rows = 2, chain = loop, access = 2>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<2xf32>
    %zero = arith.constant 0.0 : f32
    %a0, %b0 = rlscan.compose %x, %x : vector<2xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a0, %b0 : f32
    %ga, %gb, %wa, %wb = rlscan.scan_workgroup %ta, %tb : f32
    %c = rlscan.carry %wa, %wb init %zero : f32
    %g = rlscan.apply %ga, %gb to %c : f32
    %s = rlscan.apply %ea, %eb to %g : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<2xf32>
    rlscan.store %states, %ys : vector<2xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Groups of single lanes: every thread puts its map there, in f64, and takes the
// state through those of its row. No thread needs another's registers.
// CHECK-LABEL: llvm.mlir.global internal @single_lanes_
// CHECK-SAME: {{.*}}() {addr_space = 3 : i32, {{.*}}} : !llvm.array<192 x vector<2xf64>>
// CHECK: gpu.func @single_lanes(
// CHECK-NOT: gpu.shuffle
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<2xf64>, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK-COUNT-3: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<2xf64>
// CHECK-NOT: !llvm.ptr<3> -> vector<2xf64>
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.return
rlscan.kernel @single_lanes(%xs: !rlscan.array<step, f32, rows>, %ys: !rlscan.array<step, f32, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 3, rows = 32, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, rows> -> vector<2xf32>
    %zero = arith.constant 0.0 : f32
    %a0, %b0 = rlscan.compose %x, %x : vector<2xf32> -> f32
    %ga, %gb, %wa, %wb = rlscan.scan_workgroup %a0, %b0 : f32
    %c = rlscan.carry %wa, %wb init %zero : f32
    %s = rlscan.apply %ga, %gb to %c : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<2xf32>
    rlscan.store %states, %ys : vector<2xf32>, !rlscan.array<step, f32, rows>
  }
}

// -----

// Where a subgroup has several groups of its rows, they are first composed by
// shuffles, at distances of whole groups, and only the last one's map is shared. Many
// are gone through a few at a time, in a loop that stays one.
// CHECK-LABEL: llvm.mlir.global internal @bundles_
// CHECK-SAME: {{.*}}() {addr_space = 3 : i32, {{.*}}} : !llvm.array<512 x vector<2xf64>>
// CHECK: gpu.func @bundles(
// CHECK-COUNT-2: gpu.shuffle up %{{.*}}, %c16_i32, %c32_i32 : f32
// CHECK: arith.cmpi eq, %{{.*}}, %c1_i32
// CHECK: llvm.store %{{.*}} : vector<2xf64>, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c4_i64 iter_args({{.*}}) -> (f64, f64)
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<2xf64>
// CHECK: } {loop_annotation = #{{.*}}}
// CHECK: gpu.return
rlscan.kernel @bundles(%xs: !rlscan.array<step, f32, rows>, %ys: !rlscan.array<step, f32, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 32, rows = 16, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, rows> -> vector<2xf32>
    %zero = arith.constant 0.0 : f32
    %a0, %b0 = rlscan.compose %x, %x : vector<2xf32> -> f32
    %ga, %gb, %wa, %wb = rlscan.scan_workgroup %a0, %b0 : f32
    %c = rlscan.carry %wa, %wb init %zero : f32
    %s = rlscan.apply %ga, %gb to %c : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<2xf32>
    rlscan.store %states, %ys : vector<2xf32>, !rlscan.array<step, f32, rows>
  }
}

// -----

// A neighbour is the register beside, and one shuffle between lanes. The first lane
// takes the last value of the tile before, which the loop hands on: at first the init.
// A flag goes as a word; f64 and indices as two.
// CHECK-LABEL: gpu.func @neighbours(
// CHECK: %[[INIT:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: scf.for %{{.*}} iter_args(%[[LAST:[a-z0-9]*]] = %[[INIT]], %{{[a-z0-9]*}} = %false{{.*}}) -> (f32, i1,
// CHECK-DAG: %[[X0:.*]] = vector.extract %[[XS:.*]][0] : f32
// CHECK-DAG: %[[X1:.*]] = vector.extract %[[XS]][1] : f32
// CHECK-DAG: %[[NEXT:.*]], %{{.*}} = gpu.shuffle idx %[[X1]], %c31_i32, %c32_i32 : f32
// CHECK-DAG: %[[BESIDE:.*]], %{{.*}} = gpu.shuffle up %[[X1]], %c1_i32, %c32_i32 : f32
// CHECK-DAG: %[[FIRST:.*]] = arith.select %{{.*}}, %[[LAST]], %[[BESIDE]] : f32
// CHECK-DAG: vector.from_elements %[[FIRST]], %[[X0]] : vector<2xf32>
// CHECK-DAG: gpu.shuffle up %{{.*}}, %c1_i32, %c32_i32 : i32
// CHECK: scf.yield %[[NEXT]],
rlscan.kernel @neighbours(
    %xs: !rlscan.array<step, f32, steps>, %fs: !rlscan.array<step, i8, steps>, %ls: !rlscan.array<row, f32, rows>,
    %ys: !rlscan.array<step, f32, steps>, %zs: !rlscan.array<step, i8, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 1, rows = 4, chain = loop, access = 2>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<2xf32>
    %f = rlscan.load %fs : !rlscan.array<step, i8, steps> -> vector<2xi1>
    %l = rlscan.load %ls : !rlscan.array<row, f32, rows> -> f32
    %false = arith.constant false
    %0 = rlscan.neighbour %x init %l : f32, vector<2xf32>
    %1 = rlscan.neighbour %f init %false : i1, vector<2xi1>
    rlscan.store %0, %ys : vector<2xf32>, !rlscan.array<step, f32, steps>
    rlscan.store %1, %zs : vector<2xi1>, !rlscan.array<step, i8, steps>
  }
}

// -----

// With an edge it takes that, and nothing is handed on. At position 0 it is the init.
// CHECK-LABEL: gpu.func @edge(
// CHECK: scf.for %{{.*}} iter_args(%{{[a-z0-9]*}} = %{{[a-z0-9]*}}, %{{[a-z0-9]*}} = %{{[a-z0-9]*}}) -> (vector<2xf32>, f32)
// CHECK: gpu.shuffle up
// CHECK: arith.select %{{.*}} : f32
// CHECK: %[[IS_TILE:.*]] = arith.cmpi eq, %{{.*}}, %c0_i64 : i64
// CHECK: %[[IS_START:.*]] = arith.andi %[[IS_TILE]], %{{.*}} : i1
// CHECK: arith.select %[[IS_START]], %cst{{.*}}, %{{.*}} : f32
// CHECK: gpu.return
rlscan.kernel @edge(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 2, rows = 1, chain = loop, access = 2>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<2xf32>
    %edge = rlscan.load %xs : !rlscan.array<step, f32, steps> -> f32
    %five = arith.constant 5.0 : f32
    %0 = rlscan.neighbour %x init %five edge %edge : f32 : f32, vector<2xf32>
    rlscan.store %0, %ys : vector<2xf32>, !rlscan.array<step, f32, steps>
  }
}
