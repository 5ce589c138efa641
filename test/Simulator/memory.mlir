// Accesses outside of arrays, to wrong places in them, or too early.

// What is right passes.
// RUN: sim-test %s copy input:in:32 output:out:32 0 | FileCheck %s --check-prefix=COPY
// COPY: out: 0 1 2 3 {{.*}} 30 31
// RUN: sim-test %s apart input:in:32x3 output:out:32 3 | FileCheck %s --check-prefix=APART
// APART: out: 0 3 6 {{.*}} 93
// RUN: sim-test %s wide input:in:128 output:out:128 0 | FileCheck %s --check-prefix=WIDE
// WIDE: out: 0 1 2 {{.*}} 127
// RUN: sim-test %s shared input:in:32 output:out:32 0 | FileCheck %s --check-prefix=SHARED
// SHARED: out: 31 30 29 {{.*}} 1 0
// RUN: sim-test %s keep zeroed:work:32 output:out:32 | FileCheck %s --check-prefix=KEEP
// KEEP: out: 0 0 {{.*}} 0

// RUN: not sim-test %s copy input:in:31 output:out:32 0 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not sim-test %s copy input:in:32 output:out:32 -1 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not sim-test %s copy input:in:32 output:out:31 0 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: not sim-test %s copy 0 output:out:32 0 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not sim-test %s copy input:in:32 input:out:32 0 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not sim-test %s copy output:in:32 output:out:32 0 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not sim-test %s copy input:in:40 output:out:33 0 2>&1 | FileCheck %s --check-prefix=NEVER
gpu.module @device {
  llvm.mlir.global internal @area() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<33 x f32>

  // NEVER: memory.mlir:[[#@LINE+1]]:{{.*}}: error: nothing is written to byte 128 of 'out'
  gpu.func @copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %offset: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %j = arith.addi %i, %offset : i64
    %from = llvm.getelementptr %in[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    // PAST: memory.mlir:[[#@LINE+4]]:{{.*}}: error: out of bounds: load of 4 bytes at byte 124 of 'in', which has 124
    // BEFORE: memory.mlir:[[#@LINE+3]]:{{.*}}: error: out of bounds: load of 4 bytes at byte -4 of 'in', which has 128
    // NOWHERE: memory.mlir:[[#@LINE+2]]:{{.*}}: error: out of bounds: load of 4 bytes at an address of no array
    // UNWRITTEN: memory.mlir:[[#@LINE+1]]:{{.*}}: error: load at byte 0 of 'in', where nothing is written yet
    %value = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    // STORE: memory.mlir:[[#@LINE+2]]:{{.*}}: error: out of bounds: store of 4 bytes at byte 124 of 'out', which has 124
    // INPUT: memory.mlir:[[#@LINE+1]]:{{.*}}: error: store to 'out', which is an input
    llvm.store %value, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // RUN: not sim-test %s apart input:in:48x2 output:out:32 3 2>&1 | FileCheck %s --check-prefix=GAP
  gpu.func @apart(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %stride: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %j = arith.muli %i, %stride : i64
    %from = llvm.getelementptr %in[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    // GAP: memory.mlir:[[#@LINE+1]]:{{.*}}: error: load between the elements of 'in', at byte 12
    %value = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // RUN: not sim-test %s wide input:in:132 output:out:132 1 2>&1 | FileCheck %s --check-prefix=ALIGN
  gpu.func @wide(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %offset: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %start = llvm.getelementptr %in[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %from = llvm.getelementptr %start[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<4xf32>
    // ALIGN: memory.mlir:[[#@LINE+1]]:{{.*}}: error: misaligned: load of 16 bytes at byte 4 of 'in', expected a multiple of 16
    %value = llvm.load %from {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<4xf32>
    llvm.store %value, %to {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }

  // Lanes reverse their values through shared memory; `offset` 1 reads one past
  // what is written, 2 past the end.
  // RUN: not sim-test %s shared input:in:32 output:out:32 1 2>&1 | FileCheck %s --check-prefix=SHARED1
  // RUN: not sim-test %s shared input:in:32 output:out:32 2 2>&1 | FileCheck %s --check-prefix=SHARED2
  gpu.func @shared(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %offset: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %last = arith.constant 31 : i64
    %area = llvm.mlir.addressof @area : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %from = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %value = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %slot = llvm.getelementptr %area[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %value, %slot {alignment = 4 : i64} : f32, !llvm.ptr<3>
    gpu.barrier
    %back = arith.subi %last, %i : i64
    %other = arith.addi %back, %offset : i64
    %slot2 = llvm.getelementptr %area[%other] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    // SHARED1: memory.mlir:[[#@LINE+2]]:{{.*}}: error: load at byte 128 of 'area', where nothing is written yet
    // SHARED2: memory.mlir:[[#@LINE+1]]:{{.*}}: error: out of bounds: load of 4 bytes at byte 132 of 'area', which has 132
    %value2 = llvm.load %slot2 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value2, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // A workspace that is zeroed once, and one that nobody keeps.
  // RUN: not sim-test %s keep scratch:work:32 output:out:32 2>&1 | FileCheck %s --check-prefix=SCRATCH
  gpu.func @keep(%work: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %from = llvm.getelementptr %work[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    // SCRATCH: memory.mlir:[[#@LINE+1]]:{{.*}}: error: load at byte 0 of 'work', where nothing is written yet
    %value = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // RUN: not sim-test %s update zeroed:work:1 2>&1 | FileCheck %s --check-prefix=UPDATE
  gpu.func @update(%work: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %one = arith.constant 1 : i32
    %past = llvm.getelementptr %work[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    // UPDATE: memory.mlir:[[#@LINE+1]]:{{.*}}: error: out of bounds: atomic update of 4 bytes at byte 4 of 'work', which has 4
    %old = llvm.atomicrmw add %past, %one syncscope("device") monotonic : !llvm.ptr<1>, i32
    gpu.return
  }

  // AMD's driver hands on the number of workgroups, which is not written.
  // RUN: sim-test %s grid --workgroups=3 output:out:1 0 | FileCheck %s --check-prefix=NUMBER
  // NUMBER: out: 3
  // RUN: not sim-test %s grid output:out:1 1 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
  gpu.func @grid(%out: !llvm.ptr<1>, %writes: i64) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0 : i64
    %block = gpu.block_id x
    %i = arith.index_cast %block : index to i64
    %isFirst = arith.cmpi eq, %i, %zero : i64
    %launch = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"() : () -> !llvm.ptr<4>
    %count = llvm.load %launch {alignment = 4 : i64} : !llvm.ptr<4> -> i32
    %c = arith.cmpi ne, %writes, %zero : i64
    scf.if %c {
      // ARGUMENTS: memory.mlir:[[#@LINE+1]]:{{.*}}: error: store to 'arguments of the launch', which is an input
      llvm.store %count, %launch {alignment = 4 : i64} : i32, !llvm.ptr<4>
    }
    scf.if %isFirst {
      %value = arith.sitofp %count : i32 to f32
      llvm.store %value, %out {alignment = 4 : i64} : f32, !llvm.ptr<1>
    }
    gpu.return
  }
}
