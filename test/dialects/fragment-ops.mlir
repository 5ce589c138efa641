// Tiles, and what stands in them, are printed as they are parsed.

// RUN: rlscan-opt %s | rlscan-opt | FileCheck %s
// RUN: rlscan-opt %s --mlir-print-op-generic | rlscan-opt | FileCheck %s
// RUN: rlscan-opt %s --verify-roundtrip --mlir-print-debuginfo -o %t
// RUN: rlscan-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// A kernel of sweeps may have several schedules; what has a usual
// value is printed where it is another.
// CHECK-LABEL: rlscan.kernel @schedules(
// CHECK-SAME: attributes {schedules = [
// CHECK-SAME: #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>,
// CHECK-SAME: #rlscan.schedule<steps_per_thread = 8, lanes = 1, groups = 3, rows = 40, chain = look_back, access = 2>,
// CHECK-SAME: #rlscan.schedule<steps_per_thread = 1, lanes = 64, groups = 1, rows = 1, chain = once, access = 1, resident = 2>,
// CHECK-SAME: #rlscan.schedule<steps_per_thread = 1, lanes = 32, groups = 2, rows = 4, chain = loop, access = 1, entries = 18>,
// CHECK-SAME: #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = once, access = 4, stream = 1>]}
rlscan.kernel @schedules(%x: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>,
    #rlscan.schedule<steps_per_thread = 8, lanes = 1, groups = 3, rows = 40, chain = look_back, access = 2, resident = 0>,
    #rlscan.schedule<resident = 2, access = 1, chain = once, rows = 1, groups = 1, lanes = 64, steps_per_thread = 1>,
    #rlscan.schedule<steps_per_thread = 1, lanes = 32, groups = 2, rows = 4, chain = loop, access = 1, entries = 18>,
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = once, access = 4, stream = 1>]} {
  rlscan.sweep forward {
  }
}

// No schedules at all are no schedules yet.
// CHECK-LABEL: rlscan.kernel @empty_list
// CHECK-SAME: attributes {schedules = []}
rlscan.kernel @empty_list() attributes {schedules = []} {
  rlscan.sweep forward {
  }
}

// Every level of a scan.
// CHECK-LABEL: rlscan.kernel @levels(
// CHECK-SAME: %[[XS:[^:]*]]: !rlscan.array<step, f32, steps>,
// CHECK-SAME: %[[LAST:[^:]*]]: !rlscan.array<row, f32, rows>,
// CHECK-SAME: %[[YS:[^:]*]]: !rlscan.array<step, f32, steps>)
rlscan.kernel @levels(
    %xs: !rlscan.array<step, f32, steps>, %last: !rlscan.array<row, f32, rows>,
    %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 2, rows = 1, chain = loop, access = 4>]} {
  // CHECK: rlscan.tiles backward {
  // GENERIC: "rlscan.tiles"() <{direction = 1 : i32}> ({
  rlscan.tiles backward {
    // CHECK-NEXT: %[[X:.*]] = rlscan.load %[[XS]] : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    // CHECK-NEXT: %[[EDGE:.*]] = rlscan.load %[[XS]] : !rlscan.array<step, f32, steps> -> f32
    %edge = rlscan.load %xs : !rlscan.array<step, f32, steps> -> f32
    // CHECK-NEXT: %[[L:.*]] = rlscan.load %[[LAST]] : !rlscan.array<row, f32, rows> -> f32
    %l = rlscan.load %last : !rlscan.array<row, f32, rows> -> f32
    // CHECK-NEXT: %[[NEXT:.*]] = rlscan.neighbour %[[X]] init %[[L]] edge %[[EDGE]] : f32 : f32, vector<4xf32>
    %next = rlscan.neighbour %x init %l edge %edge : f32 : f32, vector<4xf32>
    // CHECK-NEXT: %[[A:.*]], %[[B:.*]] = rlscan.compose %[[X]], %[[NEXT]] : vector<4xf32> -> f32
    %a, %b = rlscan.compose %x, %next : vector<4xf32> -> f32
    // CHECK-NEXT: %[[EA:.*]], %[[EB:.*]], %[[TA:.*]], %[[TB:.*]] = rlscan.scan_subgroup %[[A]], %[[B]] : f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    // CHECK-NEXT: %[[GA:.*]], %[[GB:.*]], %[[WA:.*]], %[[WB:.*]] = rlscan.scan_workgroup %[[TA]], %[[TB]] : f32
    %ga, %gb, %wa, %wb = rlscan.scan_workgroup %ta, %tb : f32
    // CHECK-NEXT: %[[C:.*]] = rlscan.carry %[[WA]], %[[WB]] init %[[L]] : f32
    %c = rlscan.carry %wa, %wb init %l : f32
    // CHECK-NEXT: %[[G:.*]] = rlscan.apply %[[GA]], %[[GB]] to %[[C]] : f32
    %g = rlscan.apply %ga, %gb to %c : f32
    // CHECK-NEXT: %[[S:.*]] = rlscan.apply %[[EA]], %[[EB]] to %[[G]] : f32
    %s = rlscan.apply %ea, %eb to %g : f32
    // CHECK-NEXT: %[[STATES:.*]], %[[BEFORE:.*]] = rlscan.advance %[[X]], %[[NEXT]] from %[[S]] : f32, vector<4xf32>
    %states, %before = rlscan.advance %x, %next from %s : f32, vector<4xf32>
    // CHECK-NEXT: rlscan.store %[[STATES]], %[[YS]] : vector<4xf32>, !rlscan.array<step, f32, steps>
    rlscan.store %states, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// f64, and a neighbour for each type of signal; init may be a fragment.
// CHECK-LABEL: rlscan.kernel @types
rlscan.kernel @types(
    %r: !rlscan.array<step, f64, rows>, %f: !rlscan.array<step, i8, rows>,
    %i: !rlscan.array<step, i32, rows>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 1, rows = 32, chain = loop, access = 1>]} {
  // CHECK: rlscan.tiles forward {
  rlscan.tiles forward {
    %0 = rlscan.load %r : !rlscan.array<step, f64, rows> -> vector<2xf64>
    // CHECK: rlscan.load %{{.*}} : !rlscan.array<step, i8, rows> -> vector<2xi1>
    %1 = rlscan.load %f : !rlscan.array<step, i8, rows> -> vector<2xi1>
    // CHECK: rlscan.load %{{.*}} : !rlscan.array<step, i32, rows> -> vector<2xindex>
    %2 = rlscan.load %i : !rlscan.array<step, i32, rows> -> vector<2xindex>
    %true = arith.constant true
    %five = arith.constant 5 : index
    // CHECK: rlscan.neighbour %{{.*}} init %{{.*}} : vector<2xf64>, vector<2xf64>
    %3 = rlscan.neighbour %0 init %0 : vector<2xf64>, vector<2xf64>
    // CHECK: rlscan.neighbour %{{.*}} init %{{.*}} : i1, vector<2xi1>
    %4 = rlscan.neighbour %1 init %true : i1, vector<2xi1>
    // CHECK: rlscan.neighbour %{{.*}} init %{{.*}} edge %{{.*}} : index : index, vector<2xindex>
    %5 = rlscan.neighbour %2 init %five edge %five : index : index, vector<2xindex>
    // CHECK: rlscan.compose %{{.*}} : vector<2xf64> -> f64
    %a, %b = rlscan.compose %0, %3 : vector<2xf64> -> f64
    %zero = arith.constant 0.0 : f64
    // CHECK: rlscan.carry %{{.*}} : f64
    %c = rlscan.carry %a, %b init %zero : f64
    // CHECK: rlscan.advance %{{.*}} : f64, vector<2xf64>
    %states, %before = rlscan.advance %0, %3 from %c : f64, vector<2xf64>
    rlscan.store %states, %r : vector<2xf64>, !rlscan.array<step, f64, rows>
    rlscan.store %4, %f : vector<2xi1>, !rlscan.array<step, i8, rows>
    rlscan.store %5, %i : vector<2xindex>, !rlscan.array<step, i32, rows>
  }
}

// Whether a position is outside, and entries along an axis, of the thread's positions
// and of the edge. What is usual has no type.
// CHECK-LABEL: rlscan.kernel @places
rlscan.kernel @places(
    %q: !rlscan.array<step, f32, strided, "a">, %i: !rlscan.array<step, i64, steps>,
    %y: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 8, groups = 1, rows = 16, chain = once, access = 1>]} {
  rlscan.tiles forward {
    // CHECK: rlscan.outside -1 : vector<4xi1>
    %0 = rlscan.outside -1 : vector<4xi1>
    // CHECK-NEXT: rlscan.outside 1{{$}}
    %1 = rlscan.outside 1
    %two = arith.constant 2 : index
    %2 = rlscan.load %i : !rlscan.array<step, i64, steps> -> vector<4xindex>
    // CHECK: rlscan.load %{{.*}}[%{{.*}} : vector<4xindex>] by 1 : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
    %3 = rlscan.load %q[%2 : vector<4xindex>] by 1 : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
    // CHECK: rlscan.load %{{.*}}[%{{[^:]*}}] by -2 : !rlscan.array<step, f32, strided, "a"> -> f32
    %4 = rlscan.load %q[%two] by -2 : !rlscan.array<step, f32, strided, "a"> -> f32
    // CHECK: rlscan.reduce max over "a" : vector<4xf32> {
    %5 = rlscan.reduce max over "a" : vector<4xf32> {
    ^bb0(%n: index):
      // CHECK: rlscan.load %{{.*}}[%{{[^:]*}}] : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
      %6 = rlscan.load %q[%n] : !rlscan.array<step, f32, strided, "a"> -> vector<4xf32>
      // CHECK: rlscan.yield %{{.*}} : vector<4xf32>
      rlscan.yield %6 : vector<4xf32>
    }
    rlscan.store %5, %y : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}
