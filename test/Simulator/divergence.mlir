// What lanes do together needs all of them; what subgroups do, all of these.

gpu.module @device {
  llvm.mlir.global internal @area() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>

  // Each is under a condition that holds for threads from 0 to before `count`.
  // RUN: sim-test %s barrier 64
  // RUN: not sim-test %s barrier 40 2>&1 | FileCheck %s --check-prefix=BARRIER
  // RUN: not sim-test %s barrier 32 2>&1 | FileCheck %s --check-prefix=MISSED
  gpu.func @barrier(%count: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %c = arith.cmpi slt, %i, %count : i64
    scf.if %c {
      // BARRIER: divergence.mlir:[[#@LINE+2]]:{{.*}}: error: barrier in divergent code: lane 8 of the subgroup does not take part
      // MISSED: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: subgroup 0 of workgroup 0 waits at a barrier that subgroup 1 does not come to
      gpu.barrier
    }
    // MISSED: divergence.mlir:[[#@LINE+1]]:{{.*}}: note: it has ended here
    gpu.return
  }

  // RUN: not sim-test %s barriers 32 2>&1 | FileCheck %s --check-prefix=OTHER
  gpu.func @barriers(%count: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %c = arith.cmpi slt, %i, %count : i64
    scf.if %c {
      // OTHER: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: subgroup 0 of workgroup 0 waits at a barrier that subgroup 1 does not come to
      gpu.barrier
    } else {
      // OTHER: divergence.mlir:[[#@LINE+1]]:{{.*}}: note: it waits here
      gpu.barrier
    }
    gpu.return
  }

  // RUN: sim-test %s sync 32
  // RUN: not sim-test %s sync 31 2>&1 | FileCheck %s --check-prefix=SYNC
  gpu.func @sync(%count: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %all = arith.constant -1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %c = arith.cmpi slt, %i, %count : i64
    scf.if %c {
      // SYNC: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: synchronisation of a subgroup in divergent code: lane 31 of the subgroup does not take part
      nvvm.bar.warp.sync %all : i32
    }
    gpu.return
  }

  // RUN: sim-test %s vote 32
  // RUN: not sim-test %s vote 1 2>&1 | FileCheck %s --check-prefix=VOTE
  gpu.func @vote(%count: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %all = arith.constant -1 : i32
    %true = arith.constant true
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %c = arith.cmpi slt, %i, %count : i64
    scf.if %c {
      // VOTE: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: ballot in divergent code: lane 1 of the subgroup does not take part
      %vote = nvvm.vote.sync ballot %all, %true -> i32
    }
    gpu.return
  }

  // Lanes leave a loop one after the other.
  // RUN: sim-test %s loop input:in:1 output:out:32 0 | FileCheck %s --check-prefix=LOOP
  // LOOP: out: 3 3 3 {{.*}} 3
  // RUN: not sim-test %s loop input:in:1 output:out:32 1 2>&1 | FileCheck %s --check-prefix=LEFT
  gpu.func @loop(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %factor: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %three = arith.constant 3 : i64
    %lane = arith.constant 0 : i32
    %width = arith.constant 32 : i32
    %step = arith.constant 1.0 : f32
    %none = arith.constant 0.0 : f32
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %more = arith.muli %i, %factor : i64
    %turns = arith.addi %more, %three : i64
    %sum = scf.for %turn = %zero to %turns step %one iter_args(%so_far = %none) -> (f32) : i64 {
      %next = arith.addf %so_far, %step : f32
      // LEFT: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: shuffle in divergent code: lane 0 of the subgroup does not take part
      %moved, %valid = gpu.shuffle idx %next, %lane, %width : f32
      scf.yield %moved : f32
    }
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %sum, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // A workgroup of 24 threads has no lane 24.
  // RUN: sim-test %s absent 4
  // RUN: not sim-test %s absent 8 2>&1 | FileCheck %s --check-prefix=ABSENT
  // RUN: not sim-test %s absent 33 2>&1 | FileCheck %s --check-prefix=WIDTH
  gpu.func @absent(%distance: i64) kernel attributes {known_block_size = array<i32: 24, 1, 1>} {
    %width = arith.constant 32 : i32
    %value = arith.constant 1 : i32
    %d = arith.trunci %distance : i64 to i32
    %large = arith.cmpi sgt, %d, %width : i32
    %w = arith.select %large, %d, %width : i32
    // ABSENT: divergence.mlir:[[#@LINE+2]]:{{.*}}: error: shuffle from lane 24, which the subgroup does not have
    // WIDTH: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: shuffle between 33 lanes, but the subgroup has 32
    %moved, %valid = gpu.shuffle xor %value, %d, %w : i32
    gpu.return
  }

  // A mask without a lane that is there. AMD's shuffles have none.
  // RUN: not sim-test %s synced 2>&1 | FileCheck %s --check-prefix=SYNCED
  gpu.func @synced() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %some = arith.constant 0x7fffffff : i32
    // SYNCED: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: synchronisation of a subgroup without lane 31 of the subgroup, which is at it
    nvvm.bar.warp.sync %some : i32
    gpu.return
  }

  // RUN: not sim-test %s voted 2>&1 | FileCheck %s --check-prefix=VOTED
  gpu.func @voted() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %some = arith.constant 0xfffffffe : i32
    %true = arith.constant true
    // VOTED: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: ballot without lane 0 of the subgroup, which is at it
    %vote = nvvm.vote.sync ballot %some, %true -> i32
    gpu.return
  }

  // RUN: not sim-test %s narrow 2>&1 | FileCheck %s --check-prefix=NARROW
  // RUN: sim-test --lanes=64 %s narrow
  gpu.func @narrow() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %width = arith.constant 16 : i32
    %one = arith.constant 1 : i32
    // NARROW: divergence.mlir:[[#@LINE+1]]:{{.*}}: error: shuffle without lane 16 of the subgroup, which is at it
    %moved, %valid = gpu.shuffle xor %one, %one, %width : i32
    gpu.return
  }
}
