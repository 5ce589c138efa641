// A schedule in words, as names and options have it: what is read, and what is said
// of words that are none.

// DEFINE: %{words} =
// DEFINE: %{prefix} = LOOP
// DEFINE: %{read} = rlscan-opt %s "--rlscan-select-schedule=schedules=%{words}" | \
// DEFINE:   FileCheck %s --check-prefix=%{prefix}
// DEFINE: %{refuse} = not rlscan-opt %s "--rlscan-select-schedule=schedules=%{words}" 2>&1 | \
// DEFINE:   FileCheck %s -DWORDS=%{words} --check-prefix=%{prefix}

// REDEFINE: %{words} = v4_l32_g1_r4_loop_a4
// REDEFINE: %{prefix} = LOOP
// RUN: %{read}
// LOOP: [#rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]

// REDEFINE: %{words} = v8_l1_g16_r40_look_back_a2
// REDEFINE: %{prefix} = LOOK-BACK
// RUN: %{read}
// LOOK-BACK: [#rlscan.schedule<steps_per_thread = 8, lanes = 1, groups = 16, rows = 40, chain = look_back, access = 2>]

// REDEFINE: %{words} = v64_l64_g1_r2_once_a16_m3
// REDEFINE: %{prefix} = RESIDENT
// RUN: %{read}
// RESIDENT: [#rlscan.schedule<steps_per_thread = 64, lanes = 64, groups = 1, rows = 2, chain = once, access = 16, resident = 3>]

// REDEFINE: %{words} = v1_l32_g2_r4_loop_a1_e18
// REDEFINE: %{prefix} = ENTRIES
// RUN: %{read}
// ENTRIES: access = 1, entries = 18>]
// REDEFINE: %{words} = v1_l32_g2_r4_loop_a1_m3_e2_s1
// REDEFINE: %{prefix} = ALL
// RUN: %{read}
// ALL: access = 1, resident = 3, entries = 2, stream = 1>]

// REDEFINE: %{words} = v1_l32_g2_r4_loop_a1_e2_m3
// REDEFINE: %{prefix} = WORDS
// RUN: %{refuse}
// REDEFINE: %{words} = v4_l32_g1_r4_loop
// RUN: %{refuse}
// REDEFINE: %{words} = v4_l32_g1_r4_twice_a4
// RUN: %{refuse}
// REDEFINE: %{words} = v4_l32_g1_loop_a4
// RUN: %{refuse}
// REDEFINE: %{words} = l32_v4_g1_r4_loop_a4
// RUN: %{refuse}
// REDEFINE: %{words} = v4_l32_g1_r4_loop_a4_m2_m2
// RUN: %{refuse}
// REDEFINE: %{words} = v4_l32_g1_r4_loop_a4_m
// RUN: %{refuse}
// REDEFINE: %{words} = v4_l32_g1_r-4_loop_a4
// RUN: %{refuse}
// REDEFINE: %{words} = v4294967296_l32_g1_r4_loop_a4
// RUN: %{refuse}
// REDEFINE: %{words} = fast
// RUN: %{refuse}
// WORDS: error: expected a schedule such as v4_l32_g1_r4_loop_a4 (steps per thread, lanes, groups, rows; once, loop or look_back; access), got '[[WORDS]]'

// Numbers are what the attribute's verifier says they are.
// REDEFINE: %{words} = v3_l32_g1_r4_loop_a1
// REDEFINE: %{prefix} = NUMBERS
// RUN: %{refuse}
// NUMBERS: error: expected steps_per_thread to be a power of two, got 3
// REDEFINE: %{words} = v4_l32_g2_r32_loop_a4
// REDEFINE: %{prefix} = THREADS
// RUN: %{refuse}
// THREADS: error: expected 1 to 1024 threads a workgroup, got lanes * groups * rows = 2048

rlscan.kernel @e(%x: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
  }
}
