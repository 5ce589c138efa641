// What the simulator does not know it says.

gpu.module @device {
  // RUN: not sim-test %s size 2>&1 | FileCheck %s --check-prefix=SIZE
  // SIZE: unknown.mlir:[[#@LINE+1]]:{{.*}}: error: expected a known_block_size
  gpu.func @size() kernel {
    gpu.return
  }

  // RUN: not sim-test %s vector 0 2>&1 | FileCheck %s --check-prefix=VECTOR
  // VECTOR: unknown.mlir:[[#@LINE+1]]:{{.*}}: error: expected arguments that are numbers or pointers
  gpu.func @vector(%v: vector<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }

  // RUN: not sim-test %s op 2>&1 | FileCheck %s --check-prefix=OP
  gpu.func @op() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // OP: unknown.mlir:[[#@LINE+1]]:{{.*}}: error: the simulator does not know 'gpu.thread_id' as it is used here
    %y = gpu.thread_id y
    gpu.return
  }

  // RUN: not sim-test --lanes=64 %s vote 2>&1 | FileCheck %s --check-prefix=VOTE
  // RUN: sim-test --lanes=32 %s vote
  gpu.func @vote() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %all = arith.constant -1 : i32
    %true = arith.constant true
    // VOTE: unknown.mlir:[[#@LINE+1]]:{{.*}}: error: a ballot of 'i32' in a subgroup of 64 lanes
    %vote = nvvm.vote.sync ballot %all, %true -> i32
    gpu.return
  }
}
