// Sweeps as what each thread does for a tile: signals become fragments, a recurrence
// one op for each level of the schedule, neighbours registers and shuffles.

// RUN: rlscan-opt %s --rlscan-make-tiles --cse --split-input-file | FileCheck %s
// RUN: rlscan-opt %s --rlscan-make-tiles --verify-roundtrip --split-input-file -o %t

// A kernel for each schedule, named by it. Lanes that share a row are a level, and
// groups of them another; what the scan gives is taken down level by level.
// CHECK-NOT: rlscan.sweep
// CHECK-LABEL: rlscan.kernel @levels_v4_l1_g1_r32_once_a1(
// CHECK-SAME: {schedules = [#rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 1, rows = 32, chain = once, access = 1>]}
// CHECK-NEXT: rlscan.tiles backward {
// CHECK-DAG: %[[X:.*]] = rlscan.load %arg0 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[B:.*]] = rlscan.load %arg1 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[L:.*]] = rlscan.load %arg2 : {{.*}} -> f32
// CHECK: %[[A0:.*]], %[[B0:.*]] = rlscan.compose %[[X]], %[[B]] : vector<4xf32> -> f32
// CHECK-NEXT: %[[C:.*]] = rlscan.carry %[[A0]], %[[B0]] init %[[L]] : f32
// CHECK-NEXT: %[[S:.*]], %{{.*}} = rlscan.advance %[[X]], %[[B]] from %[[C]] : f32, vector<4xf32>
// CHECK-NEXT: rlscan.store %[[S]], %arg3 : vector<4xf32>
// CHECK-NEXT: }
// CHECK-LABEL: rlscan.kernel @levels_v8_l32_g1_r2_loop_a8_m4(
// CHECK-SAME: resident = 4>]}
// CHECK-DAG: %[[X:.*]] = rlscan.load %arg0 : {{.*}} -> vector<8xf32>
// CHECK-DAG: %[[B:.*]] = rlscan.load %arg1 : {{.*}} -> vector<8xf32>
// CHECK: %[[A0:.*]], %[[B0:.*]] = rlscan.compose %[[X]], %[[B]] : vector<8xf32> -> f32
// CHECK-NEXT: %[[EA:.*]], %[[EB:.*]], %[[TA:.*]], %[[TB:.*]] = rlscan.scan_subgroup %[[A0]], %[[B0]] : f32
// CHECK-NEXT: %[[C:.*]] = rlscan.carry %[[TA]], %[[TB]] init %{{.*}} : f32
// CHECK-NEXT: %[[S:.*]] = rlscan.apply %[[EA]], %[[EB]] to %[[C]] : f32
// CHECK-NEXT: rlscan.advance %[[X]], %[[B]] from %[[S]]
// CHECK-LABEL: rlscan.kernel @levels_v2_l32_g4_r1_look_back_a2(
// CHECK: %[[A0:.*]], %[[B0:.*]] = rlscan.compose
// CHECK-NEXT: %[[EA:.*]], %[[EB:.*]], %[[TA:.*]], %[[TB:.*]] = rlscan.scan_subgroup %[[A0]], %[[B0]] : f32
// CHECK-NEXT: %[[GA:.*]], %[[GB:.*]], %[[WA:.*]], %[[WB:.*]] = rlscan.scan_workgroup %[[TA]], %[[TB]] : f32
// CHECK-NEXT: %[[C:.*]] = rlscan.carry %[[WA]], %[[WB]] init
// CHECK-NEXT: %[[G:.*]] = rlscan.apply %[[GA]], %[[GB]] to %[[C]] : f32
// CHECK-NEXT: %[[S:.*]] = rlscan.apply %[[EA]], %[[EB]] to %[[G]] : f32
// CHECK-NEXT: rlscan.advance {{.*}} from %[[S]]
// CHECK-LABEL: rlscan.kernel @levels_v2_l1_g4_r32_loop_a1(
// CHECK-NOT: rlscan.scan_subgroup
// CHECK: %[[A0:.*]], %[[B0:.*]] = rlscan.compose
// CHECK-NEXT: %[[GA:.*]], %[[GB:.*]], %[[WA:.*]], %[[WB:.*]] = rlscan.scan_workgroup %[[A0]], %[[B0]] : f32
// CHECK-NEXT: %[[C:.*]] = rlscan.carry %[[WA]], %[[WB]] init
// CHECK-NEXT: rlscan.apply %[[GA]], %[[GB]] to %[[C]] : f32
// CHECK-NOT: rlscan.kernel @levels(
rlscan.kernel @levels(
    %xs: !rlscan.array<step, f32, steps>, %bs: !rlscan.array<step, f32, steps>,
    %ls: !rlscan.array<row, f32, rows>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 1, rows = 32, chain = once, access = 1>,
    #rlscan.schedule<steps_per_thread = 8, lanes = 32, groups = 1, rows = 2, chain = loop, access = 8, resident = 4>,
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 4, rows = 1, chain = look_back, access = 2>,
    #rlscan.schedule<steps_per_thread = 2, lanes = 1, groups = 4, rows = 32, chain = loop, access = 1>]} {
  rlscan.sweep backward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> f32
    %b = rlscan.load %bs : !rlscan.array<step, f32, steps> -> f32
    %l = rlscan.load %ls : !rlscan.array<row, f32, rows> -> f32
    %y = rlscan.accumulate %x, %b init %l : f32
    rlscan.store %y, %ys : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// Advantages, as the estimators have them: what is one number a call or a row stays
// one, and the neighbour of an input is a shuffle. One group of lanes keeps the last
// value of the tile before; several need it from memory, at the edge.
// CHECK-LABEL: rlscan.kernel @advantage_v4_l32_g1_r4_loop_a4(
// CHECK: rlscan.tiles backward {
// CHECK-DAG: %[[G:.*]] = rlscan.load %arg0 : {{.*}} -> f32
// CHECK-DAG: %[[R:.*]] = rlscan.load %arg1 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[V:.*]] = rlscan.load %arg2 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[DONE:.*]] = rlscan.load %arg3 : {{.*}} -> vector<4xi1>
// CHECK-DAG: %[[LAST:.*]] = rlscan.load %arg4 : {{.*}} -> f32
// CHECK-DAG: %[[NEXT:.*]] = rlscan.neighbour %[[V]] init %[[LAST]] : f32, vector<4xf32>
// CHECK-DAG: %[[GS:.*]] = vector.broadcast %[[G]] : f32 to vector<4xf32>
// CHECK: arith.mulf %[[GS]], %[[NEXT]] : vector<4xf32>
// Arithmetic on numbers of the call is done once.
// CHECK: %[[GG:.*]] = arith.mulf %[[G]], %[[G]] : f32
// CHECK: %[[GGS:.*]] = vector.broadcast %[[GG]] : f32 to vector<4xf32>
// CHECK: %[[BETA:.*]] = arith.select %[[DONE]], %{{.*}}, %[[GGS]] : vector<4xi1>, vector<4xf32>
// CHECK: rlscan.compose %[[DELTA:.*]], %[[BETA]] : vector<4xf32> -> f32
// CHECK: %[[S:.*]], %{{.*}} = rlscan.advance
// CHECK-DAG: rlscan.store %[[S]], %arg5
// CHECK-DAG: %[[TARGET:.*]] = arith.addf %[[S]], %[[V]] : vector<4xf32>
// CHECK-DAG: rlscan.store %[[TARGET]], %arg6
// CHECK-LABEL: rlscan.kernel @advantage_v4_l32_g2_r1_loop_a4(
// CHECK-DAG: %[[V:.*]] = rlscan.load %arg2 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[EDGE:.*]] = rlscan.load %arg2 : {{.*}} -> f32
// CHECK-DAG: rlscan.neighbour %[[V]] init %{{.*}} edge %[[EDGE]] : f32 : f32, vector<4xf32>
// CHECK-LABEL: rlscan.kernel @advantage_v4_l32_g1_r4_look_back_a4(
// CHECK: rlscan.neighbour %{{.*}} init %{{.*}} edge %{{.*}} : f32 : f32, vector<4xf32>
rlscan.kernel @advantage(
    %gammas: !rlscan.array<param, f64, strided>, %rewards: !rlscan.array<step, f32, steps>,
    %values: !rlscan.array<step, f32, steps>, %dones: !rlscan.array<step, i8, steps>,
    %lasts: !rlscan.array<row, f32, rows>, %as: !rlscan.array<step, f32, steps>,
    %ts: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>,
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 2, rows = 1, chain = loop, access = 4>,
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = look_back, access = 4>]} {
  rlscan.sweep backward {
    %g = rlscan.load %gammas : !rlscan.array<param, f64, strided> -> f32
    %r = rlscan.load %rewards : !rlscan.array<step, f32, steps> -> f32
    %v = rlscan.load %values : !rlscan.array<step, f32, steps> -> f32
    %done = rlscan.load %dones : !rlscan.array<step, i8, steps> -> i1
    %last = rlscan.load %lasts : !rlscan.array<row, f32, rows> -> f32
    %zero = arith.constant 0.0 : f32
    %next = rlscan.previous %v init %last : f32
    %0 = arith.mulf %g, %next : f32
    %1 = arith.select %done, %zero, %0 : f32
    %2 = arith.addf %r, %1 : f32
    %delta = arith.subf %2, %v : f32
    %gg = arith.mulf %g, %g : f32
    %beta = arith.select %done, %zero, %gg : f32
    %a = rlscan.accumulate %delta, %beta init %zero : f32
    rlscan.store %a, %as : f32, !rlscan.array<step, f32, steps>
    %t = arith.addf %a, %v : f32
    rlscan.store %t, %ts : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// The neighbour of a scan's result is the state before each position: nothing is
// moved. That of something computed from it is computed from the state before, and
// from what else it is made of, one position earlier. At position 0 it is the init.
// CHECK-LABEL: rlscan.kernel @before_v4_l32_g2_r1_loop_a4(
// CHECK: rlscan.tiles forward {
// CHECK: %[[X:.*]] = rlscan.load %arg0 : {{.*}} -> vector<4xf32>
// CHECK: %[[S:.*]], %[[BEFORE:.*]] = rlscan.advance
// CHECK-DAG: %[[FIRST:.*]] = rlscan.outside -1 : vector<4xi1>
// CHECK-DAG: %[[P:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[BEFORE]] : vector<4xi1>, vector<4xf32>
// CHECK-DAG: rlscan.store %[[P]], %arg1
// CHECK-DAG: %[[EDGE:.*]] = rlscan.load %arg0 : {{.*}} -> f32
// CHECK-DAG: %[[XB:.*]] = rlscan.neighbour %[[X]] init %{{.*}} edge %[[EDGE]] : f32 : f32, vector<4xf32>
// CHECK-DAG: %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[XB]] : vector<4xf32>
// CHECK-DAG: %[[Q:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[SUM]] : vector<4xi1>, vector<4xf32>
// CHECK-DAG: rlscan.store %[[Q]], %arg2
// CHECK-NOT: rlscan.advance
// CHECK: {{^}}}
rlscan.kernel @before(
    %xs: !rlscan.array<step, f32, steps>, %ps: !rlscan.array<step, f32, steps>,
    %qs: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 2, rows = 1, chain = loop, access = 4>]} {
  rlscan.sweep forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> f32
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %s = rlscan.accumulate %x, %x init %zero : f32
    %p = rlscan.previous %s init %one : f32
    rlscan.store %p, %ps : f32, !rlscan.array<step, f32, steps>
    %sum = arith.addf %s, %x : f32
    %q = rlscan.previous %sum init %one : f32
    rlscan.store %q, %qs : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// A neighbour's neighbour, of an input: at the edge it is two positions back, the
// init where that is outside.
// CHECK-LABEL: rlscan.kernel @twice_v2_l32_g2_r1_loop_a2(
// CHECK-DAG: %[[X:.*]] = rlscan.load %arg0 : {{.*}} -> vector<2xf32>
// CHECK-DAG: %[[X0:.*]] = rlscan.load %arg0 : {{.*}} -> f32
// CHECK-DAG: %[[P:.*]] = rlscan.neighbour %[[X]] init %{{.*}} edge %[[X0]] : f32 : f32, vector<2xf32>
// CHECK-DAG: %[[X1:.*]] = rlscan.load %arg0 by -1 : {{.*}} -> f32
// CHECK-DAG: %[[OUT:.*]] = rlscan.outside -1{{$}}
// CHECK-DAG: %[[PE:.*]] = arith.select %[[OUT]], %{{.*}}, %[[X1]] : f32
// CHECK: rlscan.neighbour %[[P]] init %{{.*}} edge %[[PE]] : f32 : f32, vector<2xf32>
rlscan.kernel @twice(
    %xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 2, rows = 1, chain = loop, access = 2>]} {
  rlscan.sweep forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> f32
    %one = arith.constant 1.0 : f32
    %p = rlscan.previous %x init %one : f32
    %q = rlscan.previous %p init %one : f32
    rlscan.store %q, %ys : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// An init that differs from step to step counts at position 0 alone. It goes into the
// coefficients there, and is not read where beta is 0.
// CHECK-LABEL: rlscan.kernel @init_v4_l1_g1_r32_loop_a1(
// CHECK-DAG: %[[X:.*]] = rlscan.load %arg0 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[B:.*]] = rlscan.load %arg1 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[I:.*]] = rlscan.load %arg2 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG: %[[BI:.*]] = arith.mulf %[[B]], %[[I]] : vector<4xf32>
// CHECK-DAG: %[[CUT:.*]] = arith.cmpf oeq, %[[B]], %[[ZEROS]] : vector<4xf32>
// CHECK-DAG: %[[KEPT:.*]] = arith.select %[[CUT]], %[[ZEROS]], %[[BI]] : vector<4xi1>, vector<4xf32>
// CHECK-DAG: %[[START:.*]] = arith.addf %[[X]], %[[KEPT]] : vector<4xf32>
// CHECK-DAG: %[[FIRST:.*]] = rlscan.outside -1 : vector<4xi1>
// CHECK-DAG: %[[ALPHA:.*]] = arith.select %[[FIRST]], %[[START]], %[[X]] : vector<4xi1>, vector<4xf32>
// CHECK-DAG: %[[BETA:.*]] = arith.select %[[FIRST]], %[[ZEROS]], %[[B]] : vector<4xi1>, vector<4xf32>
// CHECK: %[[A0:.*]], %[[B0:.*]] = rlscan.compose %[[ALPHA]], %[[BETA]]
// CHECK: rlscan.carry %[[A0]], %[[B0]] init %{{cst.*}} : f32
rlscan.kernel @init(
    %xs: !rlscan.array<step, f32, steps>, %bs: !rlscan.array<step, f32, steps>,
    %is: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 1, groups = 1, rows = 32, chain = loop, access = 1>]} {
  rlscan.sweep forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> f32
    %b = rlscan.load %bs : !rlscan.array<step, f32, steps> -> f32
    %i = rlscan.load %is : !rlscan.array<step, f32, steps> -> f32
    %y = rlscan.accumulate %x, %b init %i : f32
    rlscan.store %y, %ys : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// A reduction is of fragments; the index within it is one. A pick has an index for
// each position. Loads ahead and what is outside keep their offsets.
// CHECK-LABEL: rlscan.kernel @axes_v4_l32_g2_r1_once_a4(
// CHECK-DAG: %[[I:.*]] = rlscan.load %arg1 : {{.*}} -> vector<4xindex>
// CHECK-DAG: %[[PICK:.*]] = rlscan.load %arg0[%[[I]] : vector<4xindex>] by 1 : {{.*}} -> vector<4xf32>
// CHECK-DAG: %[[OUT:.*]] = rlscan.outside 1 : vector<4xi1>
// CHECK: %[[SUM:.*]] = rlscan.reduce sum over "a" : vector<4xf32> {
// CHECK-NEXT: ^bb0(%[[N:.*]]: index):
// CHECK-NEXT: %[[Q:.*]] = rlscan.load %arg0[%[[N]]] : {{.*}} -> vector<4xf32>
// CHECK-NEXT: %[[QP:.*]] = arith.mulf %[[Q]], %{{.*}} : vector<4xf32>
// CHECK-NEXT: rlscan.yield %[[QP]] : vector<4xf32>
// The neighbour of a reduction, at the edge, is one of scalars.
// CHECK: %[[EDGE:.*]] = rlscan.reduce sum over "a" : f32 {
// CHECK: rlscan.load %arg0[%{{.*}}] : {{.*}} -> f32
// CHECK: rlscan.yield %{{.*}} : f32
// CHECK: rlscan.neighbour %[[SUM]] init %{{.*}} edge %[[EDGE]] : f32 : f32, vector<4xf32>
rlscan.kernel @axes(
    %qs: !rlscan.array<step, f32, strided, "a">, %is: !rlscan.array<step, i32, steps>,
    %ys: !rlscan.array<step, f32, steps>, %zs: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 2, rows = 1, chain = once, access = 4>]} {
  rlscan.sweep forward {
    %i = rlscan.load %is : !rlscan.array<step, i32, steps> -> index
    %zero = arith.constant 0.0 : f32
    %pick = rlscan.load %qs[%i] by 1 : !rlscan.array<step, f32, strided, "a"> -> f32
    %out = rlscan.outside 1
    %p = arith.select %out, %zero, %pick : f32
    %sum = rlscan.reduce sum over "a" : f32 {
    ^bb0(%n: index):
      %q = rlscan.load %qs[%n] : !rlscan.array<step, f32, strided, "a"> -> f32
      %qp = arith.mulf %q, %p : f32
      rlscan.yield %qp : f32
    }
    rlscan.store %sum, %ys : f32, !rlscan.array<step, f32, steps>
    %before = rlscan.previous %sum init %zero : f32
    rlscan.store %before, %zs : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// Several sweeps, with what is kept between them; both directions; f64. A result that
// is the same along a row is written to each position.
// CHECK-LABEL: rlscan.kernel @sweeps_v2_l32_g1_r1_loop_a1(
// CHECK-NEXT: %[[T:.*]] = rlscan.temporary : !rlscan.array<step, f64, rows>
// CHECK-NEXT: rlscan.tiles forward {
// CHECK: rlscan.scan_subgroup %{{.*}} : f64
// CHECK: rlscan.store %{{.*}}, %[[T]] : vector<2xf64>
// CHECK: rlscan.tiles backward {
// CHECK-DAG: rlscan.load %[[T]] : {{.*}} -> vector<2xf64>
// CHECK-DAG: %[[L:.*]] = rlscan.load %arg1 : {{.*}} -> f64
// CHECK-DAG: %[[LS:.*]] = vector.broadcast %[[L]] : f64 to vector<2xf64>
// CHECK-DAG: rlscan.store %[[LS]], %arg3 : vector<2xf64>
rlscan.kernel @sweeps(
    %xs: !rlscan.array<step, f64, steps>, %ls: !rlscan.array<row, f64, rows>,
    %ys: !rlscan.array<step, f64, steps>, %zs: !rlscan.array<step, f64, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 2, lanes = 32, groups = 1, rows = 1, chain = loop, access = 1>]} {
  %t = rlscan.temporary : !rlscan.array<step, f64, rows>
  rlscan.sweep forward {
    %x = rlscan.load %xs : !rlscan.array<step, f64, steps> -> f64
    %y = rlscan.accumulate %x, %x init %x : f64
    rlscan.store %y, %t : f64, !rlscan.array<step, f64, rows>
  }
  rlscan.sweep backward {
    %x = rlscan.load %t : !rlscan.array<step, f64, rows> -> f64
    %l = rlscan.load %ls : !rlscan.array<row, f64, rows> -> f64
    %y = rlscan.accumulate %x, %x init %l : f64
    rlscan.store %y, %ys : f64, !rlscan.array<step, f64, steps>
    rlscan.store %l, %zs : f64, !rlscan.array<step, f64, steps>
  }
}

// -----

// What sweeps leave is in the workgroup's memory where a tile is a row and there is
// room for it, and where it is one value a row. Packed entries take that room.
// CHECK-LABEL: rlscan.kernel @left_v4_l32_g1_r8_once_a4(
// CHECK-NEXT: rlscan.temporary workgroup : !rlscan.array<step, f32, rows>
// CHECK-NEXT: rlscan.temporary workgroup : !rlscan.array<row, i8, strided>
// CHECK-LABEL: rlscan.kernel @left_v4_l32_g1_r8_loop_a4(
// CHECK-NEXT: rlscan.temporary : !rlscan.array<step, f32, rows>
// CHECK-NEXT: rlscan.temporary workgroup : !rlscan.array<row, i8, strided>
// CHECK-LABEL: rlscan.kernel @left_v16_l1_g32_r32_once_a1(
// CHECK-NEXT: rlscan.temporary : !rlscan.array<step, f32, rows>
// CHECK-NEXT: rlscan.temporary workgroup : !rlscan.array<row, i8, strided>
// CHECK-LABEL: rlscan.kernel @left_v4_l32_g1_r8_once_a4_e2(
// CHECK-NEXT: rlscan.temporary : !rlscan.array<step, f32, rows>
// CHECK-NEXT: rlscan.temporary workgroup : !rlscan.array<row, i8, strided>
rlscan.kernel @left(%xs: !rlscan.array<step, f32, steps>, %ys: !rlscan.array<step, f32, steps>) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 8, chain = once, access = 4>,
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 8, chain = loop, access = 4>,
    #rlscan.schedule<steps_per_thread = 16, lanes = 1, groups = 32, rows = 32, chain = once, access = 1>,
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 8, chain = once, access = 4, entries = 2>]} {
  %t = rlscan.temporary : !rlscan.array<step, f32, rows>
  %u = rlscan.temporary : !rlscan.array<row, i8, strided>
  rlscan.sweep forward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> f32
    %y = rlscan.accumulate %x, %x init %x : f32
    %f = arith.cmpf oeq, %x, %y : f32
    rlscan.store %y, %t : f32, !rlscan.array<step, f32, rows>
    rlscan.store %f, %u : i1, !rlscan.array<row, i8, strided>
  }
  rlscan.sweep backward {
    %x = rlscan.load %t : !rlscan.array<step, f32, rows> -> f32
    %f = rlscan.load %u : !rlscan.array<row, i8, strided> -> i1
    %init = arith.select %f, %x, %x : f32
    %y = rlscan.accumulate %x, %x init %init : f32
    rlscan.store %y, %ys : f32, !rlscan.array<step, f32, steps>
  }
}

// -----

// What is carried on from an init, and nothing else, is the init.
// CHECK-LABEL: rlscan.kernel @carried_v4_l32_g1_r4_once_a4(
// CHECK: %[[INIT:.*]] = rlscan.load %arg1 : {{.*}} -> f32
// CHECK-NOT: rlscan.compose
// CHECK: %[[ALL:.*]] = vector.broadcast %[[INIT]] : f32 to vector<4xf32>
// CHECK: arith.divf %{{.*}}, %[[ALL]] : vector<4xf32>
// CHECK-LABEL: rlscan.kernel @carried_by_steps_v4_l32_g1_r4_once_a4(
// CHECK: rlscan.compose
rlscan.kernel @carried(
    %x: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = steps>},
    %last: !rlscan.array<row, f32, strided> {rlscan.input = #rlscan.input<"last", row, storage = f32>},
    %y: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y", storage = f32, layout = steps>})
    attributes {schedules = [#rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = once, access = 4>]} {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %init = rlscan.load %last : !rlscan.array<row, f32, strided> -> f32
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %1 = rlscan.accumulate %zero, %one init %init : f32
    %2 = arith.divf %0, %1 : f32
    rlscan.store %2, %y : f32, !rlscan.array<step, f32, steps>
  }
}
rlscan.kernel @carried_by_steps(
    %x: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = steps>},
    %y: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y", storage = f32, layout = steps>})
    attributes {schedules = [#rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = once, access = 4>]} {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, steps> -> f32
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %1 = rlscan.accumulate %zero, %one init %0 : f32
    rlscan.store %1, %y : f32, !rlscan.array<step, f32, steps>
  }
}
