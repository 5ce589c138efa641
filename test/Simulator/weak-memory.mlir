// Relaxed accesses take effect late with some seeds, and not past a fence: loads not
// past one that acquires, stores not past one that releases.

// RUN: sed 's/acq_rel/acquire/' %s > %t.acquire.mlir
// RUN: sed 's/acq_rel/release/' %s > %t.release.mlir

gpu.module @device {
  // Workgroup 0 writes a value, then a flag; the other one waits for the flag and
  // reads the value. The number says whether there is a fence between the stores.
  // RUN: sim-test %s publish --workgroups=2 --resident=2 zeroed:work:2 output:out:1 0 | FileCheck %s --check-prefix=SEEN
  // RUN: sim-test %s publish --workgroups=2 --resident=2 --order=5 zeroed:work:2 output:out:1 0 | FileCheck %s --check-prefix=UNSEEN
  // RUN: sim-test %s publish --workgroups=2 --resident=2 --order=5 zeroed:work:2 output:out:1 1 | FileCheck %s --check-prefix=SEEN
  // RUN: sim-test %t.acquire.mlir publish --workgroups=2 --resident=2 --order=5 zeroed:work:2 output:out:1 1 | FileCheck %s --check-prefix=UNSEEN
  // RUN: sim-test %t.release.mlir publish --workgroups=2 --resident=2 --order=5 zeroed:work:2 output:out:1 1 | FileCheck %s --check-prefix=SEEN
  // SEEN: out: 1
  // UNSEEN: out: 0
  gpu.func @publish(%work: !llvm.ptr<1>, %out: !llvm.ptr<1>, %fenced: i64) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1.0 : f32
    %set = arith.constant 1 : i32
    %block = gpu.block_id x
    %number = arith.index_cast %block : index to i64
    %isWriter = arith.cmpi eq, %number, %zero : i64
    %isFenced = arith.cmpi ne, %fenced, %zero : i64
    %flag = llvm.getelementptr %work[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    scf.if %isWriter {
      llvm.store %one, %work atomic syncscope("device") monotonic {alignment = 4 : i64} : f32, !llvm.ptr<1>
      scf.if %isFenced {
        llvm.fence syncscope("device") acq_rel
      }
      llvm.store %set, %flag atomic syncscope("device") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    } else {
      %false = arith.constant false
      %done = scf.while (%is = %false) : (i1) -> i1 {
        %true = arith.constant true
        %again = arith.xori %is, %true : i1
        scf.condition(%again) %is : i1
      } do {
      ^bb0(%is: i1):
        %seen = llvm.load %flag atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %isThere = arith.cmpi eq, %seen, %set : i32
        scf.yield %isThere : i1
      }
      %value = llvm.load %work atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      llvm.store %value, %out {alignment = 4 : i64} : f32, !llvm.ptr<1>
    }
    gpu.return
  }

  // Workgroup 0 reads a value, then sets a flag; the other one waits for the flag and
  // writes the value. Without a fence the first one may see what was written later.
  // RUN: sim-test %s early --workgroups=2 --resident=2 zeroed:work:3 output:out:1 0 | FileCheck %s --check-prefix=BEFORE
  // RUN: sim-test %s early --workgroups=2 --resident=2 --order=3 zeroed:work:3 output:out:1 0 | FileCheck %s --check-prefix=AFTER
  // RUN: sim-test %s early --workgroups=2 --resident=2 --order=3 zeroed:work:3 output:out:1 1 | FileCheck %s --check-prefix=BEFORE
  // RUN: sim-test %t.acquire.mlir early --workgroups=2 --resident=2 --order=3 zeroed:work:3 output:out:1 1 | FileCheck %s --check-prefix=BEFORE
  // RUN: sim-test %t.release.mlir early --workgroups=2 --resident=2 --order=3 zeroed:work:3 output:out:1 1 | FileCheck %s --check-prefix=AFTER
  // BEFORE: out: 0
  // AFTER: out: 1
  gpu.func @early(%work: !llvm.ptr<1>, %out: !llvm.ptr<1>, %fenced: i64) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1.0 : f32
    %set = arith.constant 1 : i32
    %false = arith.constant false
    %true = arith.constant true
    %block = gpu.block_id x
    %number = arith.index_cast %block : index to i64
    %isReader = arith.cmpi eq, %number, %zero : i64
    %isFenced = arith.cmpi ne, %fenced, %zero : i64
    %flag = llvm.getelementptr %work[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %ready = llvm.getelementptr %work[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    scf.if %isReader {
      %value = llvm.load %work atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      scf.if %isFenced {
        llvm.fence syncscope("device") acq_rel
      }
      llvm.store %set, %flag atomic syncscope("device") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
      %done = scf.while (%is = %false) : (i1) -> i1 {
        %again = arith.xori %is, %true : i1
        scf.condition(%again) %is : i1
      } do {
      ^bb0(%is: i1):
        %seen = llvm.load %ready atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %isThere = arith.cmpi eq, %seen, %set : i32
        scf.yield %isThere : i1
      }
      llvm.store %value, %out {alignment = 4 : i64} : f32, !llvm.ptr<1>
    } else {
      %done = scf.while (%is = %false) : (i1) -> i1 {
        %again = arith.xori %is, %true : i1
        scf.condition(%again) %is : i1
      } do {
      ^bb0(%is: i1):
        %seen = llvm.load %flag atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %isThere = arith.cmpi eq, %seen, %set : i32
        scf.yield %isThere : i1
      }
      llvm.store %one, %work atomic syncscope("device") monotonic {alignment = 4 : i64} : f32, !llvm.ptr<1>
      llvm.store %set, %ready atomic syncscope("device") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    }
    gpu.return
  }
}
