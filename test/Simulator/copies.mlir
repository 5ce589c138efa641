// Asynchronous copies are there once they are waited for, and others have
// synchronised.

gpu.module @device {
  llvm.mlir.global internal @area() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>

  // RUN: sim-test %s copy input:in:32 output:out:32 0 1 1 | FileCheck %s --check-prefix=COPY
  // COPY: out: 0 1 2 {{.*}} 31
  // RUN: sim-test %s copy input:in:32 output:out:32 1 1 1 | FileCheck %s --check-prefix=OTHER
  // OTHER: out: 1 0 3 2 {{.*}} 31 30
  // Another lane's copy needs a synchronisation; one's own does not.
  // RUN: sim-test %s copy input:in:32 output:out:32 0 1 0 | FileCheck %s --check-prefix=COPY
  // RUN: not sim-test %s copy input:in:32 output:out:32 1 1 0 2>&1 | FileCheck %s --check-prefix=RACE
  // RUN: not sim-test %s copy input:in:32 output:out:32 0 0 1 2>&1 | FileCheck %s --check-prefix=EARLY
  gpu.func @copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %distance: i64, %waits: i64, %syncs: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i64
    %area = llvm.mlir.addressof @area : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %from = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %slot = llvm.getelementptr %area[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    nvvm.cp.async.shared.global %slot, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    %c = arith.cmpi ne, %waits, %zero : i64
    scf.if %c {
      nvvm.cp.async.wait.group 0
    } else {
      // The group before this one.
      nvvm.cp.async.wait.group 1
    }
    %s = arith.cmpi ne, %syncs, %zero : i64
    scf.if %s {
      nvvm.bar.warp.sync %all : i32
    }
    %other = arith.xori %i, %distance : i64
    %slot2 = llvm.getelementptr %area[%other] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    // EARLY: copies.mlir:[[#@LINE+2]]:{{.*}}: error: load at byte 0 of 'area' before an asynchronous copy to it was waited for
    // RACE: copies.mlir:[[#@LINE+1]]:{{.*}}: error: race between threads 0 and 1 of workgroup 0: load at byte 4 of 'area'
    %value = llvm.load %slot2 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %value, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
}
