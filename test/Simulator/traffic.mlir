// What is counted.

// RUN: sim-test --traffic %s copy input:in:64 output:out:32 1 | FileCheck %s --check-prefix=ONE
//      ONE:loads: 128 bytes, 128 in 4 sectors, 1 requests
// ONE-NEXT:fetched: 128 bytes, 128 from memory
// ONE-NEXT:stores: 128 bytes, 128 in 4 sectors, 1 requests
// ONE-NEXT:shared loads: 0 bytes, 0 requests
// ONE-NEXT:shared stores: 0 bytes, 0 requests
// ONE-NEXT:asynchronous copies: 0
// ONE-NEXT:atomics: 0
// ONE-NEXT:shuffles: 1
// ONE-NEXT:barriers: 1 of workgroups, 1 of subgroups
// ONE-NEXT:instructions: {{[0-9]+}}

// Every second element takes twice as many sectors, one element for all a
// single one.
// RUN: sim-test --traffic %s copy input:in:64 output:out:32 2 | FileCheck %s --check-prefix=TWO
// TWO: loads: 128 bytes, 256 in 8 sectors, 1 requests
// RUN: sim-test --traffic %s copy input:in:64 output:out:32 0 | FileCheck %s --check-prefix=NONE
// NONE: loads: 128 bytes, 32 in 1 sectors, 1 requests

// What was read before is still there, as far as a cache reaches: the first of
// so many sectors is gone when it is read again.
// RUN: sim-test --traffic %s again input:in:32768 2048 | FileCheck %s --check-prefix=SHORT
// SHORT: loads: 16384 bytes, 131072 in 4096 sectors, 4096 requests
// SHORT-NEXT: fetched: 65536 bytes, 65536 from memory
// RUN: sim-test --traffic %s again input:in:32768 2049 | FileCheck %s --check-prefix=LONG
// LONG: loads: 16392 bytes, 131136 in 4098 sectors, 4098 requests
// LONG-NEXT: fetched: 131136 bytes, 131136 from memory
// What another workgroup fetched does not come from memory again.
// RUN: sim-test --traffic %s again --workgroups=2 input:in:64 8 | FileCheck %s --check-prefix=BOTH
// BOTH: loads: 128 bytes, 1024 in 32 sectors, 32 requests
// BOTH-NEXT: fetched: 512 bytes, 256 from memory
gpu.module @device {
  gpu.func @again(%in: !llvm.ptr<1>, %count: i64) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %eight = arith.constant 8 : i64
    scf.for %time = %zero to %two step %one : i64 {
      scf.for %i = %zero to %count step %one : i64 {
        %j = arith.muli %i, %eight : i64
        %from = llvm.getelementptr %in[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %value = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      }
    }
    gpu.return
  }

  gpu.func @copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %stride: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %width = arith.constant 32 : i32
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %j = arith.muli %i, %stride : i64
    %from = llvm.getelementptr %in[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %value = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %moved, %valid = gpu.shuffle xor %value, %zero, %width : f32
    nvvm.bar.warp.sync %all : i32
    gpu.barrier
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %moved, %to {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
}
