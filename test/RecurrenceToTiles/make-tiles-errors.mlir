// Kernels that are not ready for tiles, and schedules that do not fit them.

// RUN: rlscan-opt %s --rlscan-make-tiles --split-input-file --verify-diagnostics

// expected-error @below {{kernel has no schedules; run rlscan-select-schedule first}}
rlscan.kernel @no_schedules(%x: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
  }
}

// -----

// Of a neighbour of a scan, the position before is known to one group of lanes alone.
// expected-error @below {{schedule #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 2, rows = 1, chain = loop, access = 4> splits a row, but a neighbour of a neighbour of a scan needs one group of lanes a row}}
rlscan.kernel @groups(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 1, chain = loop, access = 4>,
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 2, rows = 1, chain = loop, access = 4>]} {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    %2 = rlscan.previous %1 init %0 : f32
    %3 = rlscan.previous %2 init %0 : f32
    rlscan.store %3, %y : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// expected-error @below {{chain = look_back, access = 4> splits a row, but a neighbour of a neighbour of a scan needs one group of lanes a row}}
rlscan.kernel @neighbours_look_back(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 1, chain = look_back, access = 4>]} {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    %2 = rlscan.previous %1 init %0 : f32
    %3 = arith.addf %2, %0 : f32
    %4 = rlscan.previous %3 init %0 : f32
    rlscan.store %4, %y : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// expected-error @below {{schedule #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 1, chain = look_back, access = 4> looks back, but the kernel has several sweeps}}
rlscan.kernel @two_sweeps(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 1, chain = look_back, access = 4>]} {
  %t = rlscan.temporary : !rlscan.array<step, f32, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %t : f32, !rlscan.array<step, f32, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %t : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
  }
}
