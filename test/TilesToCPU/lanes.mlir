// How many reals a vector holds.

// RUN: rlscan-opt %s --rlscan-tiles-to-cpu | FileCheck %s -DLANES=16 -DBITS=512
// RUN: rlscan-opt %s --rlscan-tiles-to-cpu=lanes=8 | FileCheck %s -DLANES=8 -DBITS=256
// RUN: rlscan-opt %s --rlscan-tiles-to-cpu=lanes=2 | FileCheck %s -DLANES=2 -DBITS=128
// RUN: rlscan-opt %s --rlscan-tiles-to-cpu=lanes=32 | FileCheck %s -DLANES=32 -DBITS=1024
// RUN: rlscan-opt %s --rlscan-to-cpu=lanes=8 | FileCheck %s -DLANES=8 -DBITS=256
// CHECK: func.func @rlscan_run_copy(
// CHECK-SAME: ["prefer-vector-width", "[[BITS]]"]
// CHECK: llvm.load %{{.*}} -> vector<[[LANES]]xf32>

rlscan.kernel @copy(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    rlscan.store %0, %y : f32, !rlscan.array<step, f32, rows>
  }
}

// RUN: not rlscan-opt %s --rlscan-tiles-to-cpu=lanes=0 2>&1 | FileCheck %s --check-prefix=WRONG -DGOT=0
// RUN: not rlscan-opt %s --rlscan-tiles-to-cpu=lanes=3 2>&1 | FileCheck %s --check-prefix=WRONG -DGOT=3
// RUN: not rlscan-opt %s --rlscan-tiles-to-cpu=lanes=64 2>&1 | FileCheck %s --check-prefix=WRONG -DGOT=64
// WRONG: error: lanes must be a power of two up to 32, got [[GOT]]

// A kernel made of tiles is for devices.
// RUN: rlscan-opt %s --rlscan-to-tiles -o %t.tiles.mlir
// RUN: not rlscan-opt %t.tiles.mlir --rlscan-tiles-to-cpu 2>&1 | FileCheck %s --check-prefix=TILES
// TILES: error: kernel is made of tiles, which only devices run
