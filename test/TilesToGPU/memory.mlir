// How fragments come from memory and go there.

// RUN: rlscan-opt %s --rlscan-to-gpu --split-input-file | FileCheck %s

// Contiguous steps, several an access: one access for all of a thread's positions. A
// tile that the row fills has no conditions; else loads stay inside the window, and
// what lies past the last step goes nowhere. A thread past the last row does what the
// last row's does.
// CHECK-LABEL: gpu.func @pieces(
// CHECK-SAME: %[[ROWS:[a-z0-9]*]]: i64, %[[STEPS:[a-z0-9]*]]: i64, %{{[a-z0-9]*}}: !llvm.ptr<1>)
// CHECK: %[[FULL:.*]] = arith.cmpi eq, %[[STEPS]], %c32_i64 : i64
// CHECK: scf.if %[[FULL]] {
// CHECK: %[[LAST_ROW:.*]] = arith.subi %[[ROWS]], %c1_i64
// CHECK: arith.minsi %{{.*}}, %[[LAST_ROW]] : i64
// CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: scf.if
// CHECK: llvm.store %[[X]], %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: } else {
// CHECK: %[[INSIDE:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[HIGH:.*]] = arith.maxsi %[[INSIDE]], %c1_i32 : i32
// CHECK: %[[LAST:.*]] = arith.subi %[[HIGH]], %c4_i32
// CHECK: arith.minsi %[[FIRST:.*]], %[[LAST]] : i32
// CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %[[FIRST]], %[[INSIDE]] : i32
// CHECK: scf.if %[[HAS]] {
// CHECK: llvm.store %[[X]], %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
rlscan.kernel @pieces(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 8, groups = 1, rows = 16, chain = once, access = 4>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    rlscan.store %x, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// An access moves 16 bytes at most: 4 of f32, 8 of bf16, 16 of bytes. It is aligned as
// a whole.
// CHECK-LABEL: gpu.func @widths(
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<8xi8>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xf64>
// Storage is converted: floats to the real type, what is not 0 to a set flag, integers
// to an index.
// CHECK-DAG: arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK-DAG: arith.cmpi ne, %{{.*}} : vector<8xi8>
// CHECK-DAG: arith.index_cast %{{.*}} : vector<8xi32> to vector<8xindex>
// CHECK-DAG: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK-DAG: %[[H:.*]] = arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK-DAG: arith.extui %{{.*}} : vector<8xi1> to vector<8xi8>
// CHECK-DAG: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK-DAG: llvm.store %{{.*}} {alignment = 8 : i64} : vector<8xi8>, !llvm.ptr<1>
rlscan.kernel @widths(
    %hs: !rlscan.array<step, bf16, steps>, %fs: !rlscan.array<step, i8, steps>,
    %is: !rlscan.array<step, i32, steps>, %ds: !rlscan.array<step, f64, steps>,
    %ys: !rlscan.array<step, f16, steps>, %zs: !rlscan.array<step, i8, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 8, lanes = 16, groups = 1, rows = 8, chain = once, access = 8>]} {
  rlscan.tiles forward {
    %h = rlscan.load %hs : !rlscan.array<step, bf16, steps> -> vector<8xf32>
    %f = rlscan.load %fs : !rlscan.array<step, i8, steps> -> vector<8xi1>
    %i = rlscan.load %is : !rlscan.array<step, i32, steps> -> vector<8xindex>
    %d = rlscan.load %ds : !rlscan.array<step, f64, steps> -> vector<8xf32>
    %zero = arith.constant dense<0> : vector<8xindex>
    %0 = arith.cmpi eq, %i, %zero : vector<8xindex>
    %1 = arith.ori %0, %f : vector<8xi1>
    %2 = arith.select %1, %h, %d : vector<8xi1>, vector<8xf32>
    rlscan.store %2, %ys : vector<8xf32>, !rlscan.array<step, f16, steps>
    rlscan.store %1, %zs : vector<8xi1>, !rlscan.array<step, i8, steps>
  }
}

// -----

// Backward, positions stand in memory the other way round: the last step of an access
// is the first position.
// CHECK-LABEL: gpu.func @backward(
// CHECK-SAME: %[[STEPS:[a-z0-9]*]]: i64, %{{[a-z0-9]*}}: !llvm.ptr<1>)
// CHECK-DAG: %[[LAST:.*]] = arith.subi %[[STEPS]], %c1_i64
// CHECK-DAG: %[[END:.*]] = arith.addi %{{.*}}, %c3_i32 : i32
// CHECK-DAG: %[[SPAN:.*]] = arith.extsi %[[END]] : i32 to i64
// CHECK-DAG: %[[BACK:.*]] = arith.muli %[[SPAN]], %c-1_i64 : i64
// CHECK-DAG: %[[TILE:.*]] = llvm.getelementptr %{{.*}}[%[[LAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK: %[[P:.*]] = llvm.getelementptr %[[TILE]][%[[BACK]]]
// CHECK: %[[X:.*]] = llvm.load %[[P]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-DAG: vector.extract %[[X]][3]
// CHECK-DAG: vector.extract %[[X]][0]
// CHECK: vector.shuffle %{{.*}} [3, 2, 1, 0] : vector<4xf32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
rlscan.kernel @backward(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 8, groups = 1, rows = 16, chain = once, access = 4>]} {
  rlscan.tiles backward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %y = arith.mulf %x, %x : vector<4xf32>
    rlscan.store %y, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// Where an access moves one step, or steps are apart, positions are loaded and stored
// one by one, from each to the next by the stride; where the row does not fill the
// tile, if there is such a position. What is not loaded is 0.
// CHECK-LABEL: gpu.func @each(
// CHECK-SAME: %[[YS:[a-z0-9]*]]: !llvm.ptr<1> {llvm.noalias}, %{{[a-z0-9]*}}: i64, %[[Y_STEP:[a-z0-9]*]]: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: !llvm.ptr<1>)
// CHECK-NOT: vector<2xf32>, !llvm.ptr
// CHECK: scf.if
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: llvm.load
// CHECK: %[[STRIDE:.*]] = arith.subi %c0_i64, %[[Y_STEP]]
// CHECK-NOT: scf.if
// CHECK: llvm.store %{{.*}}, %[[FIRST:.*]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][%[[STRIDE]]]
// CHECK: llvm.store %{{.*}}, %[[SECOND]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK: } else {
// CHECK-COUNT-4: scf.if %{{.*}} -> (f32) {
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
rlscan.kernel @each(%xs: !rlscan.array<step, f32, rows>, %zs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, strided>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 1, rows = 128, chain = once, access = 1>]} {
  rlscan.tiles backward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, rows> -> vector<2xf32>
    %z = rlscan.load %zs : !rlscan.array<step, f32, steps> -> vector<2xf32>
    %0 = arith.addf %x, %z : vector<2xf32>
    rlscan.store %0, %ys : vector<2xf32>, !rlscan.array<step, f32, strided>
  }
}

// -----

// What an access moves of the rows' layout is one step, whatever the schedule says;
// so it is of a load ahead, which is not aligned.
// CHECK-LABEL: gpu.func @not_in_pieces(
// CHECK-NOT: -> vector<{{.*}}>
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: llvm.load
// CHECK: gpu.return
rlscan.kernel @not_in_pieces(%xs: !rlscan.array<step, f32, rows>, %zs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 8, groups = 1, rows = 16, chain = once, access = 2>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, rows> -> vector<2xf32>
    %z = rlscan.load %zs by 1 : !rlscan.array<step, f32, steps> -> vector<2xf32>
    %0 = arith.addf %x, %z : vector<2xf32>
    rlscan.store %0, %ys : vector<2xf32>, !rlscan.array<step, f32, rows>
  }
}

// -----

// Where a whole subgroup shares a row and positions take several accesses, lanes make
// them side by side, and sort out in shared memory what belongs to whom: each exchange
// stores, waits for the subgroup, and loads. No barrier of the workgroup is needed.
// CHECK-LABEL: llvm.mlir.global internal @staged_
// CHECK-SAME: {{.*}}() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<{{[0-9]+}} x i8>
// CHECK: gpu.func @staged(
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: %[[Y:.*]] = arith.mulf %{{.*}} : vector<8xf32>
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: } else {
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
rlscan.kernel @staged(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 8, lanes = 32, groups = 1, rows = 2, chain = once, access = 8>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<8xf32>
    %y = arith.mulf %x, %x : vector<8xf32>
    rlscan.store %y, %ys : vector<8xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// What is streamed is marked so, in accesses of 16 bytes.
// CHECK-LABEL: gpu.func @streamed(
// CHECK: llvm.inline_asm "ld.global.cs.v4.b32
// CHECK-NOT: !llvm.ptr<1> -> vector
// CHECK: gpu.return
rlscan.kernel @streamed(%xs: !rlscan.array<step, bf16, steps>, %ys: !rlscan.array<step, bf16, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 8, lanes = 32, groups = 1, rows = 2, chain = once, access = 8, stream = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, bf16, steps> -> vector<8xf32>
    rlscan.store %x, %ys : vector<8xf32>, !rlscan.array<step, bf16, steps>
  }
}

// -----

// Nothing is staged where one access is enough, nor where rows share a subgroup.
// CHECK-NOT: addr_space = 3
// CHECK-LABEL: gpu.func @one_access(
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: gpu.func @shared_subgroup(
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: gpu.return
rlscan.kernel @one_access(%xs: !rlscan.array<step, bf16, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 8, lanes = 32, groups = 1, rows = 2, chain = once, access = 8>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, bf16, steps> -> vector<8xf32>
    rlscan.store %x, %xs : vector<8xf32>, !rlscan.array<step, bf16, steps>
  }
}
rlscan.kernel @shared_subgroup(%xs: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 8, lanes = 16, groups = 1, rows = 2, chain = once, access = 8>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<8xf32>
    rlscan.store %x, %xs : vector<8xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// What is outside of the window; the element at the edge stays inside. An index stays
// inside of its axis; a reduction is a loop over it that starts from the empty sum,
// maximum or minimum.
// CHECK-LABEL: gpu.func @places(
// CHECK-SAME: %[[STEPS:[a-z0-9]*]]: i64, %[[SIZE:[a-z0-9]*]]: i64, %{{[a-z0-9]*}}: !llvm.ptr<1>)
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : vector<2xf32>
// CHECK-DAG: %[[HIGHEST:.*]] = arith.constant dense<0x7F800000> : vector<2xf32>
// CHECK-DAG: %[[LAST:.*]] = arith.subi %[[SIZE]], %c1_i64
// CHECK-DAG: %[[LEAST:.*]] = arith.minsi %{{.*}}, %[[LAST]] : i64
// CHECK-DAG: arith.maxsi %[[LEAST]], %c0_i64 : i64
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[NONE]]) -> (vector<2xf32>)
// CHECK: arith.addf %[[SUM]],
// CHECK: scf.for {{.*}} iter_args(%[[MAX:.*]] = %[[LOWEST]])
// CHECK: arith.maximumf %[[MAX]],
// CHECK: scf.for {{.*}} iter_args(%[[MIN:.*]] = %[[HIGHEST]])
// CHECK: arith.minimumf %[[MIN]],
rlscan.kernel @places(
    %qs: !rlscan.array<step, f32, strided, "a">, %is: !rlscan.array<step, i64, rows>,
    %ys: !rlscan.array<step, f32, rows>, %zs: !rlscan.array<step, i8, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 2, rows = 32, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %i = rlscan.load %is : !rlscan.array<step, i64, rows> -> vector<2xindex>
    %pick = rlscan.load %qs[%i : vector<2xindex>] : !rlscan.array<step, f32, strided, "a"> -> vector<2xf32>
    %edge_index = rlscan.load %is : !rlscan.array<step, i64, rows> -> index
    %edge = rlscan.load %qs[%edge_index] : !rlscan.array<step, f32, strided, "a"> -> f32
    %before = rlscan.neighbour %pick init %edge edge %edge : f32 : f32, vector<2xf32>
    %sum = rlscan.reduce sum over "a" : vector<2xf32> {
    ^bb0(%n: index):
      %q = rlscan.load %qs[%n] : !rlscan.array<step, f32, strided, "a"> -> vector<2xf32>
      %0 = arith.mulf %q, %before : vector<2xf32>
      rlscan.yield %0 : vector<2xf32>
    }
    %max = rlscan.reduce max over "a" : vector<2xf32> {
    ^bb0(%n: index):
      %q = rlscan.load %qs[%n] : !rlscan.array<step, f32, strided, "a"> -> vector<2xf32>
      rlscan.yield %q : vector<2xf32>
    }
    %min = rlscan.reduce min over "a" : vector<2xf32> {
    ^bb0(%n: index):
      %q = rlscan.load %qs[%n] : !rlscan.array<step, f32, strided, "a"> -> vector<2xf32>
      rlscan.yield %q : vector<2xf32>
    }
    %1 = arith.addf %sum, %max : vector<2xf32>
    %2 = arith.addf %1, %min : vector<2xf32>
    rlscan.store %2, %ys : vector<2xf32>, !rlscan.array<step, f32, rows>
    %out = rlscan.outside 1 : vector<2xi1>
    rlscan.store %out, %zs : vector<2xi1>, !rlscan.array<step, i8, rows>
  }
}

// -----

// Rows that have an extra step begin at any element: an access moves one, where those
// beside it move four, with all lanes side by side. What comes after the last step is an
// array of its own in the same memory.
// CHECK-LABEL: gpu.func @extra_step(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !llvm.ptr<1> {{[^,]*, [^,]*, [^,]*}}, %[[ROW:[a-z0-9]*]]: i64
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xf32>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: gpu.return
rlscan.kernel @extra_step(
    %xs: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step, extra_steps = 1>},
    %ys: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"y", step>},
    %zs: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"z">}) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = once, access = 4>]} {
  %lasts = rlscan.after %xs : !rlscan.array<step, f32, steps>
  rlscan.tiles backward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %y = rlscan.load %ys : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %last = rlscan.load %lasts : !rlscan.array<row, f32, strided> -> f32
    %next = rlscan.neighbour %x init %last : f32, vector<4xf32>
    %z = arith.addf %y, %next : vector<4xf32>
    rlscan.store %z, %zs : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}
