// Which schedule a kernel gets, by the shape of calls and the layout of arrays. What
// is checked is what follows from the shape; the numbers are tuned.

// DEFINE: %{shape} =
// DEFINE: %{prefix} = SHORT
// DEFINE: %{select} = rlscan-opt %s "--rlscan-select-schedule=%{shape}" | \
// DEFINE:   FileCheck %s --check-prefix=%{prefix}

// A short row needs few lanes: rows share a subgroup, and each is one tile.
// REDEFINE: %{shape} = rows=4096 steps=16 access=4
// REDEFINE: %{prefix} = SHORT
// RUN: %{select}
// SHORT-LABEL: @steps(
// SHORT-SAME: steps_per_thread = {{[0-9]+}}, lanes = {{1|2|4|8|16}}, groups = 1, rows = {{[0-9][0-9]+}}, chain = once, access = 4{{[,>]}}
// REDEFINE: %{shape} = rows=4096 steps=1
// REDEFINE: %{prefix} = ONE
// RUN: %{select}
// ONE-LABEL: @steps(
// ONE-SAME: lanes = 1, groups = 1, {{.*}} chain = once, access = 1{{[,>]}}

// A longer one has a subgroup; one that fits several is one tile all the same, and one
// that fits no workgroup is walked along.
// REDEFINE: %{shape} = rows=8192 steps=128 access=4
// REDEFINE: %{prefix} = ROW
// RUN: %{select}
// ROW-LABEL: @steps(
// ROW-SAME: lanes = 32, groups = 1, rows = {{[0-9]+}}, chain = once, access = 4{{[,>]}}
// REDEFINE: %{shape} = rows=256 steps=1000
// REDEFINE: %{prefix} = GROUPS
// RUN: %{select}
// GROUPS-LABEL: @steps(
// GROUPS-SAME: lanes = 32, groups = {{[2-9]|[12][0-9]}}, rows = 1, chain = once, access = 1{{[,>]}}
// REDEFINE: %{shape} = rows=8192 steps=100000 access=4
// REDEFINE: %{prefix} = LOOP
// RUN: %{select}
// LOOP-LABEL: @steps(
// LOOP-SAME: lanes = 32, groups = {{[0-9]+}}, rows = {{[0-9]+}}, chain = loop, access = 4{{[,>]}}

// Where there are workgroups for all multiprocessors but no second wave of them, a loop
// limits its registers, so that all run together; where a step takes much, a thread has
// fewer of them.
// REDEFINE: %{shape} = rows=512 steps=100000 access=4
// REDEFINE: %{prefix} = WAVE
// RUN: %{select}
// WAVE-LABEL: @steps(
// WAVE-SAME: steps_per_thread = 8, lanes = 32, groups = 8, rows = 1, chain = loop, access = 4, resident = 4>
// WAVE-LABEL: @three(
// WAVE-SAME: steps_per_thread = 4, lanes = 32, groups = 8, rows = 1, chain = loop, access = 4, resident = 4>

// REDEFINE: %{shape} = rows=4 steps=100
// REDEFINE: %{prefix} = SMALL
// RUN: %{select}
// SMALL-LABEL: @steps(
// SMALL-SAME: groups = 1, {{.*}} chain = once,

// Rows that are fewer than multiprocessors, and long, are split between workgroups;
// with fewer multiprocessors they are not.
// REDEFINE: %{shape} = rows=4 steps=1000000 access=8
// REDEFINE: %{prefix} = FEW
// RUN: %{select}
// FEW-LABEL: @steps(
// FEW-SAME: lanes = 32, groups = {{[0-9]+}}, rows = {{[0-9]+}}, chain = look_back, access = {{4|8}}
// REDEFINE: %{shape} = rows=4 steps=1000000 access=8 multiprocessors=2
// REDEFINE: %{prefix} = BUSY
// RUN: %{select}
// BUSY-LABEL: @steps(
// BUSY-SAME: chain = loop, access = {{4|8}}

// The rows of a step together: a lane is a row, and groups run along the steps.
// REDEFINE: %{shape} = rows=8192 steps=64
// REDEFINE: %{prefix} = TIME-MAJOR
// RUN: %{select}
// TIME-MAJOR-LABEL: @rows(
// TIME-MAJOR-SAME: lanes = 1, groups = {{[2-9]|[123][0-9]}}, rows = {{[0-9]+}}, chain = {{once|loop}},
// TIME-MAJOR-LABEL: @mixed(
// TIME-MAJOR-SAME: lanes = 1, groups = {{[2-9]|[123][0-9]}}, rows = {{[0-9]+}}, chain = {{once|loop}},
// REDEFINE: %{shape} = rows=8192 steps=8192
// REDEFINE: %{prefix} = TIME-LOOP
// RUN: %{select}
// TIME-LOOP-LABEL: @rows(
// TIME-LOOP-SAME: lanes = 1, groups = {{[2-9]|[123][0-9]}}, rows = {{[0-9]+}}, chain = loop,
// REDEFINE: %{shape} = rows=64 steps=100000
// REDEFINE: %{prefix} = TIME-FEW
// RUN: %{select}
// TIME-FEW-LABEL: @rows(
// TIME-FEW-SAME: lanes = 1, groups = {{[2-9]|[123][0-9]}}, rows = {{[0-9]+}}, chain = look_back,

// With several sweeps a row is one tile where it can be; where it cannot, a workgroup has
// whole sectors of an array with a byte a step.
// REDEFINE: %{shape} = rows=4096 steps=400
// REDEFINE: %{prefix} = HELD
// RUN: %{select}
// HELD-LABEL: @two_sweeps_of_rows(
// HELD-SAME: lanes = 1, {{.*}} chain = once,
// REDEFINE: %{shape} = rows=4096 steps=1000
// REDEFINE: %{prefix} = NOT-HELD
// RUN: %{select}
// NOT-HELD-LABEL: @two_sweeps_of_rows(
// NOT-HELD-SAME: lanes = 1, groups = {{[0-9]+}}, rows = 32, chain = loop,

// Entries along an axis stand between steps: the more there are, the fewer steps a
// thread has.
// REDEFINE: %{shape} = rows=8192 steps=128 axis=1
// REDEFINE: %{prefix} = NO-ENTRIES
// RUN: %{select}
// NO-ENTRIES-LABEL: @axis(
// NO-ENTRIES-SAME: steps_per_thread = {{4|8}}, lanes = {{16|32}}, groups = 1,
// REDEFINE: %{shape} = rows=8192 steps=128 axis=100
// REDEFINE: %{prefix} = ENTRIES
// RUN: %{select}
// ENTRIES-LABEL: @axis(
// ENTRIES-SAME: steps_per_thread = {{1|2}}, lanes = 32, groups = 1,
// Packed ones are read together, where shared memory has room for them.
// REDEFINE: %{shape} = rows=8192 steps=128 axis=18 entries=18
// REDEFINE: %{prefix} = PACKED
// RUN: %{select}
// PACKED-LABEL: @axis(
// PACKED-SAME: lanes = 32, {{.*}}, entries = 18
// REDEFINE: %{shape} = rows=8192 steps=8 axis=18 entries=18
// REDEFINE: %{prefix} = FEW-STEPS
// RUN: %{select}
// FEW-STEPS-LABEL: @axis(
// FEW-STEPS-SAME: lanes = {{[1248]}},
// FEW-STEPS-NOT: entries
// FEW-STEPS: rlscan.sweep

// Strided arrays are taken for rows of steps, and what is no array of steps does not
// count.
// TIME-MAJOR-LABEL: @strided(
// TIME-MAJOR-SAME: lanes = {{16|32}},

// Not every kernel may be split. Several sweeps go one after the other in one
// workgroup; a neighbour of a neighbour of a scan is known to one group alone.
// REDEFINE: %{shape} = rows=1 steps=1000000
// REDEFINE: %{prefix} = SPLIT
// RUN: %{select}
// SPLIT-LABEL: @steps(
// SPLIT-SAME: chain = look_back,
// SPLIT-LABEL: @two_sweeps(
// SPLIT-SAME: lanes = 32, groups = {{[2-9]|[12][0-9]}}, {{.*}} chain = loop,
// SPLIT-LABEL: @neighbours(
// SPLIT-SAME: lanes = 32, groups = 1, {{.*}} chain = loop,
// SPLIT-LABEL: @neighbours_of_rows(
// SPLIT-SAME: lanes = 1, groups = 1, rows = {{[0-9]+}}, chain = loop,

// A kernel that has schedules keeps them.
// SPLIT-LABEL: @chosen(
// SPLIT-SAME: [#rlscan.schedule<steps_per_thread = 2, lanes = 4, groups = 1, rows = 8, chain = loop, access = 1>]

// Schedules that the caller gives, in their order, for every kernel without any.
// RUN: rlscan-opt %s --rlscan-select-schedule=schedules=v4_l32_g1_r4_loop_a4,v8_l1_g8_r32_once_a1_m2 | \
// RUN:   FileCheck %s --check-prefix=GIVEN
// GIVEN-LABEL: @steps(
// GIVEN-SAME: {schedules = [
// GIVEN-SAME: #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>,
// GIVEN-SAME: #rlscan.schedule<steps_per_thread = 8, lanes = 1, groups = 8, rows = 32, chain = once, access = 1, resident = 2>]}
// GIVEN-LABEL: @rows(
// GIVEN-SAME: {schedules = [
// GIVEN-SAME: #rlscan.schedule<steps_per_thread = 4,
// GIVEN-SAME: #rlscan.schedule<steps_per_thread = 8,
// GIVEN-LABEL: @chosen(
// GIVEN-SAME: {schedules = [#rlscan.schedule<steps_per_thread = 2, lanes = 4, groups = 1, rows = 8, chain = loop, access = 1>]}

// Words that are none, and what no schedule can have.
// RUN: not rlscan-opt %s --rlscan-select-schedule=schedules=v4_l32_g1_r4_loop_a4,v4_l32 2>&1 | \
// RUN:   FileCheck %s --check-prefix=WORDS
// WORDS: select-schedule.mlir:[[#]]:1: error: expected a schedule such as v4_l32_g1_r4_loop_a4
// WORDS-SAME: got 'v4_l32'
// RUN: not rlscan-opt %s --rlscan-select-schedule=schedules=v4_l16_g2_r4_loop_a4 2>&1 | \
// RUN:   FileCheck %s --check-prefix=LANES
// LANES: select-schedule.mlir:[[#]]:1: error: expected 1 lane or whole subgroups with groups = 2, got lanes = 16
// RUN: not rlscan-opt %s --rlscan-select-schedule=access=3 2>&1 | \
// RUN:   FileCheck %s --check-prefix=ACCESS
// ACCESS: select-schedule.mlir:[[#]]:1: error: expected access to be a power of two, got 3

rlscan.kernel @steps(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %zero = arith.constant 0.0 : f32
    %1 = rlscan.accumulate %0, %0 init %zero : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
  }
}

rlscan.kernel @rows(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep backward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %zero = arith.constant 0.0 : f32
    %1 = rlscan.accumulate %0, %0 init %zero : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, rows>
  }
}

rlscan.kernel @mixed(%x: !rlscan.array<step, f32, rows>, %b: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep backward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.load %b : !rlscan.array<step, f32, steps> -> f32
    %2 = rlscan.accumulate %0, %1 init %0 : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, rows>
  }
}

rlscan.kernel @strided(%x: !rlscan.array<step, f32, strided>, %l: !rlscan.array<row, f32, rows>, %y: !rlscan.array<step, f32, strided>) {
  rlscan.sweep backward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, strided> -> f32
    %1 = rlscan.load %l : !rlscan.array<row, f32, rows> -> f32
    %2 = rlscan.accumulate %0, %0 init %1 : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, strided>
  }
}

rlscan.kernel @two_sweeps(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) {
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

rlscan.kernel @three(%x: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step>}, %a: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"a", step>}, %b: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"b", step>}, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.load %a : !rlscan.array<step, f32, steps> -> f32
    %2 = rlscan.load %b : !rlscan.array<step, f32, steps> -> f32
    %3 = rlscan.accumulate %0, %1 init %2 : f32
    rlscan.store %3, %y : f32, !rlscan.array<step, f32, steps>
  }
}

rlscan.kernel @two_sweeps_of_rows(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  %t = rlscan.temporary : !rlscan.array<step, f32, rows>
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %t : f32, !rlscan.array<step, f32, rows>
  }
  rlscan.sweep backward {
    %0 = rlscan.load %t : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, rows>
  }
}

rlscan.kernel @neighbours(%x: !rlscan.array<step, f32, steps>, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    %2 = rlscan.previous %1 init %0 : f32
    %3 = rlscan.previous %2 init %0 : f32
    rlscan.store %3, %y : f32, !rlscan.array<step, f32, steps>
  }
}

rlscan.kernel @neighbours_of_rows(%x: !rlscan.array<step, f32, rows>, %y: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    %1 = rlscan.accumulate %0, %0 init %0 : f32
    %2 = rlscan.previous %1 init %0 : f32
    %3 = rlscan.previous %2 init %0 : f32
    rlscan.store %3, %y : f32, !rlscan.array<step, f32, rows>
  }
}

rlscan.kernel @axis(%q: !rlscan.array<step, f32, strided, "a">, %y: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %sum = rlscan.reduce sum over "a" : f32 {
    ^bb0(%n: index):
      %0 = rlscan.load %q[%n] : !rlscan.array<step, f32, strided, "a"> -> f32
      rlscan.yield %0 : f32
    }
    rlscan.store %sum, %y : f32, !rlscan.array<step, f32, steps>
  }
}

rlscan.kernel @chosen(%x: !rlscan.array<step, f32, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 4, groups = 1, rows = 8, chain = loop, access = 1>]} {
  rlscan.sweep forward {
  }
}
