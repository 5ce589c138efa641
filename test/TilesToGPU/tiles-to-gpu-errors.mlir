// Schedules that the target has no subgroup for, and kernels that are not tiles yet.

// RUN: rlscan-opt %s --rlscan-tiles-to-gpu --split-input-file --verify-diagnostics

// expected-error @below {{schedule #rlscan.schedule<steps_per_thread = 4, lanes = 64, groups = 1, rows = 1, chain = loop, access = 4> has more lanes than the target's subgroup of 32}}
rlscan.kernel @lanes() attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 64, groups = 1, rows = 1, chain = loop, access = 4>]} {
  rlscan.tiles forward {
  }
}

// -----

// expected-error @below {{schedule #rlscan.schedule<steps_per_thread = 4, lanes = 8, groups = 1, rows = 16, chain = look_back, access = 4> splits rows, which needs lanes = 1 or 32}}
rlscan.kernel @look_back() attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 8, groups = 1, rows = 16, chain = look_back, access = 4>]} {
  rlscan.tiles forward {
  }
}

// -----

// expected-error @below {{kernel is not made of tiles; run rlscan-make-tiles first}}
rlscan.kernel @sweeps() {
  rlscan.sweep forward {
  }
}

// -----

// expected-error @below {{kernel is not made of tiles; run rlscan-make-tiles first}}
rlscan.kernel @scheduled_sweeps() attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 1, rows = 128, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// Two areas of 8192 bytes for each of four subgroups.
// expected-error @below {{schedule #rlscan.schedule<steps_per_thread = 64, lanes = 32, groups = 1, rows = 4, chain = once, access = 4> needs 65536 bytes of shared memory, but the target's workgroups have 49152}}
rlscan.kernel @shared(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 64, lanes = 32, groups = 1, rows = 4, chain = once, access = 4>]} {
  rlscan.tiles forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> vector<64xf32>
    rlscan.store %0, %x : vector<64xf32>, !rlscan.array<step, f32, steps>
  }
}
