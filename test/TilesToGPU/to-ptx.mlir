// What PTX says: how memory is reached, what a launch may count on, which chips there
// are.

// DEFINE: %{chip} = sm_90
// DEFINE: %{lower} = rlscan-opt %s --rlscan-to-gpu --rlscan-to-ptx=chip=%{chip} -o %t.mlir && \
// DEFINE:   %python %S/Inputs/binary.py < %t.mlir > %t.ptx

// RUN: %{lower}
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BINARY
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not=__nv_ --implicit-check-not=".extern" \
// RUN:   --implicit-check-not="call" --implicit-check-not=".local"

// One object in one binary, nothing beside it.
// BINARY: module attributes {gpu.container_module} {
// BINARY-NEXT: gpu.binary @rlscan_device [#gpu.object<#nvvm.target<O = 3, chip = "sm_90"
// BINARY-NOT: {{gpu|llvm|nvvm|rlscan}}.{{func|module}}

// A kernel is an entry with the number of threads that run it. Inputs are read in
// 16 bytes, past the coherent cache, and results written so.
// CHECK: .target sm_90
// CHECK-LABEL: .visible .entry scan(
// CHECK: .maxntid 128, 1, 1
// CHECK-NOT: .minnctapersm
// CHECK: ld.global.nc.v4.{{[a-z0-9]+}}
// CHECK: shfl.sync.up.b32
// CHECK: fma.rn.f64
// CHECK: st.global.v4.{{[a-z0-9]+}}
// CHECK: ret;
rlscan.kernel @scan(
    %xs: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step>},
    %bs: !rlscan.array<step, bf16, steps> {rlscan.input = #rlscan.input<"b", step>},
    %ys: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y">}) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = loop, access = 4>]} {
  rlscan.tiles backward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %beta = rlscan.load %bs : !rlscan.array<step, bf16, steps> -> vector<4xf32>
    %zero = arith.constant 0.0 : f32
    %a, %b = rlscan.compose %x, %beta : vector<4xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    %c = rlscan.carry %ta, %tb init %zero : f32
    %s = rlscan.apply %ea, %eb to %c : f32
    %states, %before = rlscan.advance %x, %beta from %s : f32, vector<4xf32>
    rlscan.store %states, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// `resident` limits the registers. Functions are instructions, in f32 and in f64.
// CHECK-LABEL: .visible .entry functions(
// CHECK: .maxntid 128, 1, 1
// CHECK: .minnctapersm 4
// CHECK-DAG: sqrt.rn.f64
// CHECK-DAG: sqrt.rn.f32
// CHECK-DAG: abs.f32
// CHECK-DAG: cvt.rmi.f32.f32
// CHECK: ret;
rlscan.kernel @functions(
    %xs: !rlscan.array<step, f64, rows> {rlscan.input = #rlscan.input<"x", step>},
    %zs: !rlscan.array<step, f32, rows> {rlscan.input = #rlscan.input<"z", step>},
    %ys: !rlscan.array<step, f64, rows> {rlscan.output = #rlscan.output<"y">},
    %vs: !rlscan.array<step, f32, rows> {rlscan.output = #rlscan.output<"v">}) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 1, lanes = 1, groups = 1, rows = 128, chain = loop, access = 1, resident = 4>]} {
  rlscan.tiles forward {
    %x = rlscan.load %xs : !rlscan.array<step, f64, rows> -> vector<1xf64>
    %0 = math.exp %x : vector<1xf64>
    %1 = math.log %0 : vector<1xf64>
    %2 = math.sqrt %1 : vector<1xf64>
    %3 = math.absf %2 : vector<1xf64>
    %4 = math.floor %3 : vector<1xf64>
    %5 = arith.minimumf %4, %x : vector<1xf64>
    rlscan.store %5, %ys : vector<1xf64>, !rlscan.array<step, f64, rows>
    %z = rlscan.load %zs : !rlscan.array<step, f32, rows> -> vector<1xf32>
    %6 = math.exp %z : vector<1xf32>
    %7 = math.log %6 : vector<1xf32>
    %8 = math.sqrt %7 : vector<1xf32>
    %9 = math.absf %8 : vector<1xf32>
    %10 = math.floor %9 : vector<1xf32>
    %11 = arith.maximumf %10, %z : vector<1xf32>
    rlscan.store %11, %vs : vector<1xf32>, !rlscan.array<step, f32, rows>
  }
}

// The protocol between workgroups: a ticket by an atomic that wraps, words by relaxed
// accesses of the device's scope, and one fence.
// CHECK-LABEL: .visible .entry look_back(
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: fence.acq_rel.gpu;
// CHECK: bar{{.*}}.sync
// CHECK: atom{{.*}}.global.inc.u32
// CHECK: st.relaxed.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b64
// CHECK-NOT: fence
// CHECK-NOT: membar
// CHECK: ret;
rlscan.kernel @look_back(
    %xs: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step>},
    %ys: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y">}) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 32, groups = 1, rows = 4, chain = look_back, access = 4>]} {
  rlscan.tiles backward {
    %x = rlscan.load %xs : !rlscan.array<step, f32, steps> -> vector<4xf32>
    %zero = arith.constant 0.0 : f32
    %a, %b = rlscan.compose %x, %x : vector<4xf32> -> f32
    %ea, %eb, %ta, %tb = rlscan.scan_subgroup %a, %b : f32
    %c = rlscan.carry %ta, %tb init %zero : f32
    %s = rlscan.apply %ea, %eb to %c : f32
    %states, %before = rlscan.advance %x, %x from %s : f32, vector<4xf32>
    rlscan.store %states, %ys : vector<4xf32>, !rlscan.array<step, f32, steps>
  }
}

// The lowest version that knows the chip: what drivers read, by their age.
// DEFINE: %{version} =
// DEFINE: %{check} = FileCheck %s --input-file=%t.ptx --check-prefix=VERSION -DVERSION=%{version} -DCHIP=%{chip}
// VERSION: {{^}}.version [[VERSION]]{{$}}
// VERSION-NEXT: {{^}}.target [[CHIP]]{{$}}
// REDEFINE: %{chip} = sm_75
// REDEFINE: %{version} = 6.3
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_80
// REDEFINE: %{version} = 7.0
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_86
// REDEFINE: %{version} = 7.1
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_87
// REDEFINE: %{version} = 7.4
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_89
// REDEFINE: %{version} = 7.8
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_90
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_90a
// REDEFINE: %{version} = 8.0
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_100
// REDEFINE: %{version} = 8.6
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_103
// REDEFINE: %{version} = 8.8
// RUN: %{lower}
// RUN: %{check}
// REDEFINE: %{chip} = sm_120
// REDEFINE: %{version} = 8.7
// RUN: %{lower}
// RUN: %{check}
