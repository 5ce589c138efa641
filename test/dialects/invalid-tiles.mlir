// Every labelled constraint of schedules and of the ops inside tiles.

// RUN: rlscan-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// schedules
//===----------------------------------------------------------------------===//

// schedule_c1: steps
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected steps_per_thread to be a power of two, got 3}}
    #rlscan.schedule<steps_per_thread = 3, lanes = 32, groups = 1, rows = 4, chain = loop, access = 1>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c1: none
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected steps_per_thread to be a power of two, got 0}}
    #rlscan.schedule<steps_per_thread = 0, lanes = 32, groups = 1, rows = 4, chain = loop, access = 1>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c1: lanes
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected lanes to be a power of two, got 24}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 24, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c1: access
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected access to be a power of two, got 3}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 3>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2: steps
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected steps_per_thread from 1 to 64, got 128}}
    #rlscan.schedule<steps_per_thread = 128, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2: lanes
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected lanes from 1 to 64, got 128}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 128, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2: access
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected access from 1 to 64, got 128}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 128>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2: an access is of one thread
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected access to divide steps_per_thread = 4, got 8}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 8>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2: no group
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected groups from 1 to 32, got 0}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 0, rows = 4, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2: groups
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected groups from 1 to 32, got 33}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 33, rows = 1, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c3
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected 1 lane or whole subgroups with groups = 2, got lanes = 16}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 16, groups = 2, rows = 4, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c4: too many threads
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected 1 to 1024 threads a workgroup, got lanes * groups * rows = 1056}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 33, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c4: numbers whose product has more than 32 bits
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected 1 to 1024 threads a workgroup, got lanes * groups * rows = 4398046510080}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 32, rows = 4294967295, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c4: none
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected 1 to 1024 threads a workgroup, got lanes * groups * rows = 0}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 0, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c4: more than a multiprocessor holds
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected at most 2048 threads on a multiprocessor, got resident = 17 workgroups of 128}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4, resident = 17>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c4: part of a subgroup
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected whole subgroups where lanes are shared, got 24 threads}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 8, groups = 1, rows = 3, chain = loop, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2: entries
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected entries from 0 to 256, got 257}}
    #rlscan.schedule<steps_per_thread = 1, lanes = 32, groups = 1, rows = 4, chain = loop, access = 1, entries = 257>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c3: entries without subgroups
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected whole subgroups with entries = 18, got lanes = 8}}
    #rlscan.schedule<steps_per_thread = 1, lanes = 8, groups = 1, rows = 4, chain = loop, access = 1, entries = 18>]} {
  rlscan.sweep forward {
  }
}

// -----

// schedule_c2
rlscan.kernel @schedule() attributes {schedules = [
    // expected-error @below {{expected stream to be 0 or 1, got 2}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4, stream = 2>]} {
  rlscan.sweep forward {
  }
}

// -----

// The chain is one of three words.
rlscan.kernel @chain() attributes {schedules = [
    // expected-error @below {{expected ::rlscan::Chain to be one of: once, loop, look_back}}
    // expected-error @below {{failed to parse RLScan_ScheduleAttr parameter 'chain'}}
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = twice, access = 4>]} {
  rlscan.sweep forward {
  }
}

// -----

// expected-error @below {{attribute 'schedules' failed to satisfy constraint: schedules}}
rlscan.kernel @no_schedule() attributes {schedules = [1 : i32]} {
  rlscan.sweep forward {
  }
}

// -----

//===----------------------------------------------------------------------===//
// tiles
//===----------------------------------------------------------------------===//

// kernel_c2: a fragment's op outside of tiles
rlscan.kernel @outside(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  // expected-error @below {{must be inside a sweep or tiles}}
  %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> vector<4xf32>
  rlscan.tiles forward {
  }
}

// -----

// tiles_c1
func.func private @print(f32)
rlscan.kernel @effects(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    // expected-error @below {{must not have side effects inside tiles}}
    func.call @print(%0) : (f32) -> ()
  }
}

// -----

// tiles_c2: none
rlscan.kernel @no_schedules() {
  // expected-error @below {{needs a kernel with one schedule}}
  rlscan.tiles forward {
  }
}

// -----

// tiles_c2: no entry
rlscan.kernel @empty_list() attributes {schedules = []} {
  // expected-error @below {{needs a kernel with one schedule}}
  rlscan.tiles forward {
  }
}

// -----

// tiles_c2: two
rlscan.kernel @two_schedules() attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>,
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 8, chain = loop, access = 4>]} {
  // expected-error @below {{needs a kernel with one schedule}}
  rlscan.tiles forward {
  }
}

// -----

// neighbour_c1: init
rlscan.kernel @neighbour(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %true = arith.constant true
    // expected-error @below {{init must be 'f32' or 'vector<4xf32>', got 'i1'}}
    %1 = rlscan.neighbour %0 init %true : i1, vector<4xf32>
  }
}

// -----

// neighbour_c1: another fragment
rlscan.kernel @neighbour(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %zeros = arith.constant dense<0.0> : vector<2xf32>
    // expected-error @below {{init must be 'f32' or 'vector<4xf32>', got 'vector<2xf32>'}}
    %1 = rlscan.neighbour %0 init %zeros : vector<2xf32>, vector<4xf32>
  }
}

// -----

// neighbour_c1: edge
rlscan.kernel @neighbour(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %zero = arith.constant 0.0 : f64
    // expected-error @below {{edge must be 'f32', got 'f64'}}
    %1 = rlscan.neighbour %0 init %0 edge %zero : f64 : vector<4xf32>, vector<4xf32>
  }
}

// -----

// What belongs to a level belongs to tiles.
rlscan.kernel @scan_in_sweep(%x: !rlscan.array<step, f32, steps>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    // expected-error @below {{expects parent op 'rlscan.tiles'}}
    %1 = rlscan.carry %0, %0 init %0 : f32
  }
}

// -----

// And a neighbour of a sweep to a sweep.
rlscan.kernel @previous_in_tiles(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    // expected-error @below {{expects parent op 'rlscan.sweep'}}
    %1 = rlscan.previous %0 init %0 : f32
  }
}

// -----

// load_c3 and store_c2 are about elements.
rlscan.kernel @load_fragment(%x: !rlscan.array<step, i32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    // expected-error @below {{cannot read 'vector<4xf32>' from storage 'i32'}}
    %0 = rlscan.load %x : !rlscan.array<step, i32, steps> -> vector<4xf32>
  }
}

// -----

// store_c2
rlscan.kernel @store_fragment(%x: !rlscan.array<step, i32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles forward {
    %0 = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{cannot write 'f32' to storage 'i32'}}
    rlscan.store %0, %x : vector<4xf32>, !rlscan.array<step, i32, steps>
  }
}
