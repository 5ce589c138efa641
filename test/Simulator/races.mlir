// Races between lanes, subgroups and workgroups: what orders accesses, and what
// does not.

gpu.module @device {
  llvm.mlir.global internal @area() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>

  // A thread writes its element, reads that of another, and writes its own
  // again. The numbers say who the other is, and whether there is a barrier
  // before the read and before the second write.
  // RUN: sim-test %s exchange output:out:64 32 1 1 | FileCheck %s --check-prefix=EXCHANGE
  // EXCHANGE: out: 32 33 34 {{.*}} 63 0 1 2 {{.*}} 31
  // RUN: not sim-test %s exchange output:out:64 32 0 1 2>&1 | FileCheck %s --check-prefix=READ
  // RUN: not sim-test %s exchange output:out:64 32 1 0 2>&1 | FileCheck %s --check-prefix=WRITE
  // Lanes of one subgroup do not go in step.
  // RUN: not sim-test %s exchange output:out:64 1 0 1 2>&1 | FileCheck %s --check-prefix=LANES
  gpu.func @exchange(%out: !llvm.ptr<1>, %distance: i64, %first: i64, %second: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i64
    %none = arith.constant 0.0 : f32
    %area = llvm.mlir.addressof @area : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %value = arith.sitofp %i : i64 to f32
    %slot = llvm.getelementptr %area[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %none, %slot {alignment = 4 : i64} : f32, !llvm.ptr<3>
    gpu.barrier
    // READ-DAG: races.mlir:[[#@LINE+2]]:{{.*}}: error: race between threads 32 and 0 of workgroup 0: store at byte 128 of 'area'
    // LANES-DAG: races.mlir:[[#@LINE+1]]:{{.*}}: note: the other access is here
    llvm.store %value, %slot {alignment = 4 : i64} : f32, !llvm.ptr<3>
    %waits = arith.cmpi ne, %first, %zero : i64
    scf.if %waits {
      gpu.barrier
    }
    %other = arith.xori %i, %distance : i64
    %slot2 = llvm.getelementptr %area[%other] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    // READ-DAG: races.mlir:[[#@LINE+3]]:{{.*}}: note: the other access is here
    // LANES-DAG: races.mlir:[[#@LINE+2]]:{{.*}}: error: race between threads 0 and 1 of workgroup 0: load at byte 4 of 'area'
    // WRITE-DAG: races.mlir:[[#@LINE+1]]:{{.*}}: error: race between threads 32 and 0 of workgroup 0: load at byte 0 of 'area'
    %value2 = llvm.load %slot2 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
    %waits2 = arith.cmpi ne, %second, %zero : i64
    scf.if %waits2 {
      gpu.barrier
    }
    // WRITE-DAG: races.mlir:[[#@LINE+1]]:{{.*}}: note: the other access is here
    llvm.store %value2, %slot {alignment = 4 : i64} : f32, !llvm.ptr<3>
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value2, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // A subgroup's own synchronisation is enough for its lanes, not for others.
  // RUN: sim-test %s sync output:out:64 1 | FileCheck %s --check-prefix=SYNC
  // RUN: sim-test %s fence output:out:64 1 | FileCheck %s --check-prefix=SYNC
  // SYNC: out: 1 0 3 2 {{.*}} 63 62
  // RUN: not sim-test %s sync output:out:64 32 2>&1 | FileCheck %s --check-prefix=FAR
  // A fence in one direction is none.
  // RUN: sed 's/wavefront") acq_rel/wavefront") release/' %s > %t.release.mlir
  // RUN: sed 's/wavefront") acq_rel/wavefront") acquire/' %s > %t.acquire.mlir
  // RUN: not sim-test %t.release.mlir fence output:out:64 1 2>&1 | FileCheck %s --check-prefix=HALF
  // RUN: not sim-test %t.acquire.mlir fence output:out:64 1 2>&1 | FileCheck %s --check-prefix=HALF
  // HALF: error: race between threads 0 and 1 of workgroup 0: load at byte 4 of 'area'
  gpu.func @sync(%out: !llvm.ptr<1>, %distance: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %all = arith.constant -1 : i32
    %area = llvm.mlir.addressof @area : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %value = arith.sitofp %i : i64 to f32
    %slot = llvm.getelementptr %area[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %value, %slot {alignment = 4 : i64} : f32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %other = arith.xori %i, %distance : i64
    %slot2 = llvm.getelementptr %area[%other] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    // Nothing is there for the subgroup that runs first.
    // FAR: races.mlir:[[#@LINE+1]]:{{.*}}: error: load at byte 128 of 'area', where nothing is written yet
    %value2 = llvm.load %slot2 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value2, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @fence(%out: !llvm.ptr<1>, %distance: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %area = llvm.mlir.addressof @area : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %value = arith.sitofp %i : i64 to f32
    %slot = llvm.getelementptr %area[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %value, %slot {alignment = 4 : i64} : f32, !llvm.ptr<3>
    llvm.fence syncscope("wavefront") acq_rel
    %other = arith.xori %i, %distance : i64
    %slot2 = llvm.getelementptr %area[%other] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %value2 = llvm.load %slot2 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value2, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // A shuffle and a vote are none, nor is a fence of all threads.
  // RUN: not sim-test %s shuffle output:out:32 2>&1 | FileCheck %s --check-prefix=SHUFFLE
  gpu.func @shuffle(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %one64 = arith.constant 1 : i64
    %width = arith.constant 32 : i32
    %true = arith.constant true
    %area = llvm.mlir.addressof @area : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %value = arith.sitofp %i : i64 to f32
    %slot = llvm.getelementptr %area[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %value, %slot {alignment = 4 : i64} : f32, !llvm.ptr<3>
    %moved, %valid = gpu.shuffle xor %value, %one, %width : f32
    %vote = nvvm.vote.sync ballot %all, %true -> i32
    llvm.fence syncscope("device") acq_rel
    %other = arith.xori %i, %one64 : i64
    %slot2 = llvm.getelementptr %area[%other] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    // SHUFFLE: races.mlir:[[#@LINE+1]]:{{.*}}: error: race between threads 0 and 1 of workgroup 0: load at byte 4 of 'area'
    %value2 = llvm.load %slot2 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value2, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // Threads that repeat what others of their workgroup write are no race where
  // the bits are the same.
  // RUN: sim-test %s repeat output:out:1 0 | FileCheck %s --check-prefix=REPEAT
  // REPEAT: out: 0
  // RUN: not sim-test %s repeat output:out:1 1 2>&1 | FileCheck %s --check-prefix=DIFFER
  // RUN: not sim-test %s repeat --workgroups=2 output:out:1 0 2>&1 | FileCheck %s --check-prefix=GRID
  gpu.func @repeat(%out: !llvm.ptr<1>, %factor: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %number = arith.muli %i, %factor : i64
    %value = arith.sitofp %number : i64 to f32
    // DIFFER: races.mlir:[[#@LINE+2]]:{{.*}}: error: race between threads 1 and 0 of workgroup 0: store at byte 0 of 'out'
    // GRID: races.mlir:[[#@LINE+1]]:{{.*}}: error: race between workgroups 1 and 0: store at byte 0 of 'out'
    llvm.store %value, %out {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // Atomic accesses of all workgroups are no race; of a workgroup's scope, and
  // beside plain ones, they are.
  // RUN: sim-test %s atomic --workgroups=3 zeroed:work:1 | FileCheck %s --check-prefix=ATOMIC
  // ATOMIC: work: 4.20389539e-45
  // RUN: not sim-test %s narrow --workgroups=3 --resident=3 zeroed:work:1 2>&1 | FileCheck %s --check-prefix=NARROW
  // RUN: sed 's/"device"/"block"/' %s > %t.block.mlir
  // RUN: not sim-test %t.block.mlir atomic --workgroups=3 --resident=3 zeroed:work:1 2>&1 | FileCheck %s --check-prefix=BLOCK
  // BLOCK: error: race between workgroups {{.}} and {{.}}: atomic update at byte 0 of 'work'
  // RUN: not sim-test %s mixed --workgroups=3 --resident=3 zeroed:work:1 2>&1 | FileCheck %s --check-prefix=MIXED
  gpu.func @atomic(%work: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %most = arith.constant 100 : i32
    %old = llvm.atomicrmw uinc_wrap %work, %most syncscope("device") monotonic : !llvm.ptr<1>, i32
    %now = llvm.load %work atomic syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    gpu.return
  }

  gpu.func @narrow(%work: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %block = gpu.block_id x
    %number = arith.index_cast %block : index to i32
    // NARROW: races.mlir:[[#@LINE+1]]:{{.*}}: error: race between workgroups {{.}} and {{.}}: store at byte 0 of 'work'
    llvm.store %number, %work atomic syncscope("workgroup") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @mixed(%work: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %most = arith.constant 100 : i32
    // MIXED: races.mlir:[[#@LINE+1]]:{{.*}}: error: race between workgroups {{.}} and {{.}}: atomic update at byte 0 of 'work'
    %old = llvm.atomicrmw uinc_wrap %work, %most syncscope("device") monotonic : !llvm.ptr<1>, i32
    // MIXED: races.mlir:[[#@LINE+1]]:{{.*}}: note: the other access is here
    %now = llvm.load %work {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    gpu.return
  }
}
