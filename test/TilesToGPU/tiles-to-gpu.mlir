// Kernels as device functions: what they are called, what they take, how many threads
// run them.

// RUN: rlscan-opt %s --rlscan-to-gpu --split-input-file | FileCheck %s
// RUN: rlscan-opt %s --rlscan-tiles-to-gpu --verify-roundtrip --split-input-file -o %t

// In the order of the kernel's arrays: a param's number; pointer and row stride of a
// row; pointer, row, step and, with an axis, axis stride of a step. Then rows, steps,
// the size of each axis, the workspace. Nobody writes what inputs point at, and no
// pointer reaches what another does.
// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT: gpu.module @rlscan_device {
// CHECK-LABEL: gpu.func @abi_v4_l32_g1_r4_loop_a4(
// CHECK-SAME: %[[GAMMA:[^:]*]]: f64,
// CHECK-SAME: %[[FLAG:[^:]*]]: i8,
// CHECK-SAME: %[[X:[^:]*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %[[X_ROW:[^:]*]]: i64, %[[X_STEP:[^:]*]]: i64,
// CHECK-SAME: %[[L:[^:]*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %[[L_ROW:[^:]*]]: i64,
// CHECK-SAME: %[[Q:[^:]*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %[[Q_ROW:[^:]*]]: i64, %[[Q_STEP:[^:]*]]: i64, %[[Q_AXIS:[^:]*]]: i64,
// CHECK-SAME: %[[Y:[^:]*]]: !llvm.ptr<1> {llvm.noalias}, %[[Y_ROW:[^:]*]]: i64, %[[Y_STEP:[^:]*]]: i64,
// CHECK-SAME: %[[ROWS:[^:]*]]: i64, %[[STEPS:[^:]*]]: i64, %[[A:[^:]*]]: i64, %[[WORKSPACE:[^:]*]]: !llvm.ptr<1>)
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
// The workgroup's number is that of its first rows.
// CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// A param is its number; a stride that the layout knows is not read.
// CHECK-NOT: llvm.load %[[GAMMA]]
// CHECK-DAG: arith.truncf %[[GAMMA]] : f64 to f32
// CHECK-DAG: arith.cmpi ne, %[[FLAG]], %{{.*}} : i8
// CHECK-NOT: %[[X_STEP]]
// CHECK: gpu.return
// CHECK-NOT: rlscan.
rlscan.kernel @abi_v4_l32_g1_r4_loop_a4(
    %gamma: !rlscan.array<param, f64, strided> {rlscan.input = #rlscan.input<"gamma", param>},
    %flag: !rlscan.array<param, i8, strided> {rlscan.input = #rlscan.input<"flag", param>},
    %xs: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step>},
    %ls: !rlscan.array<row, f32, rows> {rlscan.input = #rlscan.input<"l", row>},
    %qs: !rlscan.array<step, f32, strided, "a"> {rlscan.input = #rlscan.input<"q", step>},
    %ys: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y">}) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %g = rlscan.load %gamma : !rlscan.array<param, f64, strided> -> f32
    %f = rlscan.load %flag : !rlscan.array<param, i8, strided> -> i1
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %l = rlscan.load %ls : !rlscan.array<row, f32, rows> -> f32
    %two = arith.constant 2 : index
    %q = rlscan.load %qs[%two] : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
    %chosen = arith.select %f, %l, %g : f32
    %c = vector.broadcast %chosen : f32 to vector<4xf32>
    %0 = arith.mulf %x, %c : vector<4xf32>
    %1 = arith.addf %0, %q : vector<4xf32>
    rlscan.store %1, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// -----

// An axis has one size, however many arrays run along it; sizes come in the order in
// which arrays first have them. A kernel without arrays has its sizes and workspace.
// CHECK-LABEL: gpu.func @axes(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64,
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64,
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64,
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noalias}, %{{[^:]*}}: i64, %{{[^:]*}}: i64,
// CHECK-SAME: %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[B:[^:]*]]: i64, %[[A:[^:]*]]: i64, %{{[^:]*}}: !llvm.ptr<1>)
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[A]]
rlscan.kernel @axes(
    %p: !rlscan.array<step, f32, strided, "b"> {rlscan.input = #rlscan.input<"p", step>},
    %q: !rlscan.array<step, f32, strided, "a"> {rlscan.input = #rlscan.input<"q", step>},
    %r: !rlscan.array<step, f32, strided, "b"> {rlscan.input = #rlscan.input<"r", step>},
    %ys: !rlscan.array<step, f32, rows> {rlscan.output = #rlscan.output<"y">}) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 1, rows = 128, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %0 = rlscan.reduce sum over "a" : vector<4xf32> {
    ^bb0(%n: index):
      %1 = rlscan.load %q[%n] : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
      rlscan.yield %1 : vector<4xf32>
    }
    rlscan.store %0, %ys : vector<4xf32>, !rlscan.array<step, f32, rows>
  }
}

// -----

// Several kernels go into one module, each with its threads, and with the workgroups
// that a multiprocessor must have room for.
// CHECK: gpu.module @rlscan_device {
// CHECK-LABEL: gpu.func @first(%{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr<1>)
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-NOT: minctasm
// CHECK-LABEL: gpu.func @second(
// CHECK-SAME: known_block_size = array<i32: 40, 1, 1>
// CHECK-SAME: nvvm.minctasm = 3 : i32
// CHECK-NOT: gpu.module
rlscan.kernel @first() attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 4, rows = 2, chain = once, access = 1>]} {
  rlscan.tiles forward {
  }
}
rlscan.kernel @second() attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 1, rows = 40, chain = loop, access = 1, resident = 3>]} {
  rlscan.tiles backward {
  }
}
