// Workgroups that wait for others, and loops that have no end.

gpu.module @device {
  // Workgroup k waits until k - 1 has written. Ascending orders never wait in
  // vain; in descending ones (`step` -1: k waits for k + 1) a workgroup that is
  // there waits for one that cannot start.
  // RUN: sim-test %s chain --workgroups=6 --resident=2 zeroed:work:8 1 | FileCheck %s --check-prefix=CHAIN
  // RUN: sim-test %s chain --workgroups=6 --resident=6 --order=5 zeroed:work:8 1 | FileCheck %s --check-prefix=CHAIN
  // RUN: sim-test %s chain --workgroups=6 --resident=6 zeroed:work:8 -1 | FileCheck %s --check-prefix=CHAIN
  // CHAIN: work: 0 1.4{{.*}}e-45 1.4{{.*}}e-45 1.4
  // RUN: not sim-test %s chain --workgroups=6 --resident=2 zeroed:work:8 -1 2>&1 | FileCheck %s --check-prefix=START
  // RUN: not sim-test %s chain --workgroups=6 --resident=6 zeroed:work:8 0 2>&1 | FileCheck %s --check-prefix=LEFT
  gpu.func @chain(%work: !llvm.ptr<1>, %step: i64) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %one32 = arith.constant 1 : i32
    %zero32 = arith.constant 0 : i32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %seven = arith.constant 7 : i64
    %block = gpu.block_id x
    %k = arith.index_cast %block : index to i64
    %mine = arith.addi %k, %one : i64
    %before = arith.subi %mine, %step : i64
    %slot = llvm.getelementptr %work[%mine] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %other = llvm.getelementptr %work[%before] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %isFirst = arith.cmpi eq, %before, %zero : i64
    %isLast = arith.cmpi eq, %before, %seven : i64
    %isFree = arith.ori %isFirst, %isLast : i1
    // START: waiting.mlir:[[#@LINE+2]]:{{.*}}: error: workgroup 0 waits for ever: 4 workgroups cannot start before it ends
    // LEFT: waiting.mlir:[[#@LINE+1]]:{{.*}}: error: workgroup {{.}} waits for ever: no workgroup is left that could write
    %done = scf.while (%free = %isFree) : (i1) -> i1 {
      %true = arith.constant true
      %again = arith.xori %free, %true : i1
      scf.condition(%again) %free : i1
    } do {
    ^bb0(%free: i1):
      %seen = llvm.load %other atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %isThere = arith.cmpi ne, %seen, %zero32 : i32
      scf.yield %isThere : i1
    }
    llvm.store %one32, %slot atomic syncscope("device") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    gpu.return
  }

  // One that counts its turns is never the same, and waits as long.
  // RUN: not sim-test %s count zeroed:work:1 2>&1 | FileCheck %s --check-prefix=COUNT
  gpu.func @count(%work: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero32 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    // COUNT: waiting.mlir:[[#@LINE+1]]:{{.*}}: error: the loop waits for ever: nothing was written in the last 1048576 turns
    %turns = scf.while (%turn = %zero) : (i64) -> i64 {
      %seen = llvm.load %work atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %again = arith.cmpi eq, %seen, %zero32 : i32
      scf.condition(%again) %turn : i64
    } do {
    ^bb0(%turn: i64):
      %next = arith.addi %turn, %one : i64
      scf.yield %next : i64
    }
    gpu.return
  }

  // RUN: sim-test %s loop 0
  // RUN: not sim-test %s loop 1 2>&1 | FileCheck %s --check-prefix=LOOP
  gpu.func @loop(%number: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i64
    // LOOP: waiting.mlir:[[#@LINE+1]]:{{.*}}: error: the loop never ends: a turn of it changes nothing
    %end = scf.while (%turn = %number) : (i64) -> i64 {
      %again = arith.cmpi ne, %turn, %zero : i64
      scf.condition(%again) %turn : i64
    } do {
    ^bb0(%turn: i64):
      scf.yield %turn : i64
    }
    gpu.return
  }
}
