// Kernels as vector code: what a lane stands for, what is read in place and what
// is gathered, and how recurrences carry.

// RUN: rlscan-opt %s --rlscan-to-cpu=lanes=4 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=PREFETCH

// Rows side by side in memory: a lane is a row. Vectors are loaded and stored as
// they are, with no more than the alignment of an element.
// CHECK-LABEL: func.func @rlscan_run_rows(
// CHECK-SAME: %[[ARRAYS:.*]]: !llvm.ptr, %[[AXES:.*]]: !llvm.ptr, %[[WORKSPACE:.*]]: !llvm.ptr, %[[STEPS:.*]]: i64, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK-SAME: ["prefer-vector-width", "128"]
// CHECK-NOT: vector.shuffle
// CHECK-NOT: prefetch
// CHECK: %[[CARRIES:.*]] = llvm.alloca %{{.*}} x f64 {alignment = 64 : i64}
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step
// CHECK: scf.for %[[POSITION:.*]] = %{{.*}} to %[[STEPS]] step
// A backward sweep: position 0 is the last step.
// CHECK: %[[LAST:.*]] = arith.subi %[[STEPS]], %c1_i64
// CHECK-NEXT: %[[STEP:.*]] = arith.subi %[[LAST]], %[[POSITION]]
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[CARRIES]][%[[ROW]]]
// CHECK: %[[CARRY:.*]] = llvm.load %[[SLOT]] {{.*}} -> vector<4xf64>
// bf16 is moved as an integer of its bits and widened by a shift.
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<4xi16>
// CHECK: %[[BETA:.*]] = arith.extf %{{.*}} to vector<4xf64>
// CHECK: %[[CUT:.*]] = arith.cmpf oeq, %[[BETA]], %cst{{.*}} : vector<4xf64>
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[ALPHA:.*]] = arith.extf %{{.*}} to vector<4xf64>
// Carried in f64, and replaced by alpha where beta is 0.
// CHECK: %[[SUM:.*]] = llvm.intr.fma(%[[BETA]], %[[CARRY]], %[[ALPHA]])
// CHECK: %[[NEXT:.*]] = arith.select %[[CUT]], %[[ALPHA]], %[[SUM]] : vector<4xi1>, vector<4xf64>
// CHECK: llvm.store %[[NEXT]], %[[SLOT]]
// CHECK: %[[RESULT:.*]] = arith.truncf %[[NEXT]] : vector<4xf64> to vector<4xf32>
// CHECK: llvm.store %[[RESULT]], %{{.*}} {alignment = 4 : i64} : vector<4xf32>
// The last vector of rows where it is not full: lanes past the last row repeat it,
// and store nothing.
// CHECK: scf.if
// CHECK: %[[MASK:.*]] = arith.cmpi slt, %{{.*}} : vector<4xi64>
// CHECK: arith.minsi %{{.*}} : vector<4xi64>
// CHECK: llvm.intr.masked.gather
// CHECK-SAME: vector<4xi16>
// CHECK: llvm.intr.masked.gather
// CHECK-SAME: vector<4xf32>
// CHECK: llvm.intr.masked.scatter %{{.*}}, %{{.*}}, %[[MASK]]
// CHECK-NOT: vector.shuffle
// CHECK: return
rlscan.kernel @rows(%x: !rlscan.array<step, f32, rows>, %b: !rlscan.array<step, bf16, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep backward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %b : !rlscan.array<step, bf16, rows> -> f32
    %zero = arith.constant 0.0 : f32
    %2 = rlscan.accumulate %0, %1 init %zero : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, rows>
  }
}

// Steps side by side: a lane is a step, but for the recurrence, before and after
// which tiles are transposed. The last steps of a row are loaded and stored under
// a mask.
// CHECK-LABEL: func.func @rlscan_run_steps(
// CHECK-NOT: gather
// CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[ALPHA:.*]] = arith.mulf %[[X]], %[[X]] : vector<4xf32>
// CHECK: llvm.store %[[ALPHA]], %{{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK: scf.if
// CHECK: %[[MASK:.*]] = arith.cmpi {{.*}} : vector<4xi64>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]], %{{.*}} {alignment = 4 : i32} : {{.*}} -> vector<4xf32>
// The recurrence, four steps of four rows at a time.
// CHECK: scf.for
// CHECK: %[[CARRY:.*]] = llvm.load %{{.*}} -> vector<4xf64>
// CHECK-COUNT-8: vector.shuffle
// CHECK: llvm.intr.fma(%{{.*}}, %[[CARRY]], %{{.*}})
// CHECK-COUNT-3: llvm.intr.fma
// CHECK: llvm.store %{{.*}} : vector<4xf64>
// CHECK-COUNT-8: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK: %[[Y:.*]] = arith.addf {{.*}} : vector<4xf32>
// CHECK: llvm.store %[[Y]], %{{.*}} {alignment = 4 : i64} : vector<4xf32>
// CHECK: scf.if
// CHECK: llvm.intr.masked.store %{{.*}} {alignment = 4 : i32} : vector<4xf32>
// CHECK-NOT: scatter
// CHECK: return
// Lines of the next tile are asked for ahead: to be read, and to be written.
// PREFETCH-LABEL: func.func @rlscan_run_rows(
// PREFETCH-NOT: prefetch
// PREFETCH-LABEL: func.func @rlscan_run_steps(
// PREFETCH-DAG: "llvm.intr.prefetch"(%{{.*}}) <{{{.*}}rw = 0 : i32}>
// PREFETCH-DAG: "llvm.intr.prefetch"(%{{.*}}) <{{{.*}}rw = 1 : i32}>
rlscan.kernel @steps(%x: !rlscan.array<step, f32, steps>, %p: !rlscan.array<param, f64, strided>, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.load %p : !rlscan.array<param, f64, strided> -> f32
    %2 = arith.mulf %0, %0 : f32
    %zero = arith.constant 0.0 : f32
    %3 = rlscan.accumulate %2, %1 init %zero : f32
    %4 = arith.addf %3, %0 : f32
    rlscan.store %4, %y : f32, !rlscan.array<step, f32, steps>
  }
}

// Neither: every element is gathered and scattered.
// CHECK-LABEL: func.func @rlscan_run_strided(
// CHECK-NOT: llvm.load %{{.*}} -> vector<4xf32>
// CHECK: llvm.intr.masked.gather
// CHECK-NOT: llvm.store %{{.*}} : vector<4xf32>
// CHECK: llvm.intr.masked.scatter
// CHECK-NOT: llvm.load %{{.*}} -> vector<4xf32>
// CHECK: return
rlscan.kernel @strided(%x: !rlscan.array<step, f32, strided>, %y: !rlscan.array<step, f32, strided>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, strided> -> f32
    rlscan.store %0, %y : f32, !rlscan.array<step, f32, strided>
  }
}

// A beta of params alone is computed in f64 from what the call gave, not from f32.
// CHECK-LABEL: func.func @rlscan_run_params(
// CHECK-DAG: %[[GAMMA:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK-DAG: %[[LAMBDA:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK-NOT: arith.truncf %{{.*}} : f64 to f32
// CHECK-DAG: %[[G:.*]] = vector.broadcast %[[GAMMA]] : f64 to vector<4xf64>
// CHECK-DAG: %[[L:.*]] = vector.broadcast %[[LAMBDA]] : f64 to vector<4xf64>
// CHECK: %[[BETA:.*]] = arith.mulf {{%.*}}, {{%.*}} : vector<4xf64>
// CHECK: llvm.intr.fma(%[[BETA]],
rlscan.kernel @params(%g: !rlscan.array<param, f64, strided>, %l: !rlscan.array<param, f64, strided>, %x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %g : !rlscan.array<param, f64, strided> -> f32
    %2 = rlscan.load %l : !rlscan.array<param, f64, strided> -> f32
    %3 = arith.mulf %1, %2 : f32
    %zero = arith.constant 0.0 : f32
    %4 = rlscan.accumulate %0, %3 init %zero : f32
    rlscan.store %4, %y : f32, !rlscan.array<step, f32, rows>
  }
}

// An init that is one value a row is stored once; one that differs from step to
// step is taken at the first position.
// CHECK-LABEL: func.func @rlscan_run_inits(
// CHECK-SAME: %[[STEPS:[a-z0-9]*]]: i64, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64)
// CHECK: scf.for %[[POSITION:.*]] = %{{.*}} to %[[STEPS]] step
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[POSITION]], %c0_i64
// CHECK: %[[IS_FIRST:.*]] = vector.broadcast %[[FIRST]]
// CHECK-COUNT-1: arith.select %[[IS_FIRST]]
// CHECK-NOT: arith.select %[[IS_FIRST]]
// CHECK: scf.if
rlscan.kernel @inits(%r: !rlscan.array<row, f32, rows>, %x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>, %z: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %r : !rlscan.array<row, f32, rows> -> f32
    %2 = rlscan.accumulate %0, %0 init %1 : f32
    %3 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, rows>
    rlscan.store %3, %z : f32, !rlscan.array<step, f32, rows>
  }
}

// Reals of f64 are carried as they are, in half as many bits a vector.
// CHECK-LABEL: func.func @rlscan_run_f64(
// CHECK-SAME: ["prefer-vector-width", "256"]
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: llvm.intr.fma
// CHECK-SAME: vector<4xf64>
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: return
rlscan.kernel @f64(%x: !rlscan.array<step, f64, rows>, %y: !rlscan.array<step, f64, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f64, rows> -> f64
    %1 = rlscan.accumulate %0, %0 init %0 : f64
    rlscan.store %1, %y : f64, !rlscan.array<step, f64, rows>
  }
}
