// A target's subgroup may have 64 threads: a schedule of 64 lanes is taken then, and
// one of 32 shares the subgroup between two rows, but splits none.

// RUN: rlscan-opt %s --rlscan-to-gpu="vendor=amd subgroup-size=64" | FileCheck %s
// CHECK-LABEL: gpu.func @lanes(
// CHECK: rocdl.ballot %{{.*}} : i64
// CHECK-COUNT-14: gpu.shuffle idx
// CHECK-LABEL: gpu.func @two_rows(
rlscan.kernel @lanes(%xs: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 64, groups = 1, rows = 1, chain = loop, access = 1>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<2xf32>
    %zero = arith.constant 0.0 : f32
    %a, %b = rlscan.compose %x, %x : vector<2xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    %c = rlscan.carry %ta, %tb init %zero : f32
    %states, %before = rlscan.advance %x, %x from %c : f32, vector<2xf32>
    rlscan.store %states, %xs : vector<2xf32>, !rlscan.array<step, f32, steps>
  }
}
rlscan.kernel @two_rows() attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 1, rows = 2, chain = loop, access = 1>]} {
  rlscan.tiles forward {
  }
}

// RUN: sed 's/groups = 1, rows = 2/groups = 2, rows = 2/' %s > %t.mlir
// RUN: not rlscan-opt %t.mlir --rlscan-to-gpu="vendor=amd subgroup-size=64" 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: error: schedule #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 2, rows = 2, chain = loop, access = 1> splits rows, which needs lanes = 1 or 64

// RUN: not rlscan-opt %s --rlscan-to-gpu=subgroup-size=64 2>&1 | FileCheck %s --check-prefix=VENDOR
// VENDOR: error: subgroups of 64 threads were asked for; NVIDIA's have 32
