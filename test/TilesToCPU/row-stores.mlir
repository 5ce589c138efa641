// What a sweep has at its last position is kept for devices only.

// RUN: rlscan-opt %s --rlscan-tiles-to-cpu --verify-diagnostics

rlscan.kernel @last(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<row, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    // expected-error @below {{one value a row is kept by kernels for devices only}}
    rlscan.store %0, %y : f32, !rlscan.array<row, f32, rows>
  }
}
