// What is AMD's own, in subgroups of 64 and of 32 threads; and what becomes of it.

// RUN: rlscan-opt %s --rlscan-to-gpu="vendor=amd subgroup-size=64 async-copies=false" -o %t.64.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,WIDE --input-file=%t.64.mlir
// RUN: sed 's/lanes = 64/lanes = 32/' %s > %t.narrow.mlir
// RUN: rlscan-opt %t.narrow.mlir --rlscan-to-gpu="vendor=amd async-copies=false" -o %t.32.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,NARROW --input-file=%t.32.mlir

// DEFINE: %{chip} =
// DEFINE: %{width} =
// DEFINE: %{assemble} = rlscan-opt %t.%{width}.mlir --rlscan-to-amdgcn=chip=%{chip} -o %t.s.mlir && \
// DEFINE:   %python %S/Inputs/binary.py < %t.s.mlir > %t.s
// DEFINE: %{more} = --implicit-check-not=__oc --implicit-check-not="{{buffer_load|scratch_load}}"
// REDEFINE: %{chip} = gfx942
// REDEFINE: %{width} = 64
// RUN: %{assemble} && FileCheck %s --input-file=%t.s %{more} --check-prefix=GFX942
// REDEFINE: %{chip} = gfx90a
// REDEFINE: %{width} = 64
// RUN: %{assemble} && FileCheck %s --input-file=%t.s %{more} --check-prefix=GFX90A
// REDEFINE: %{chip} = gfx1100
// REDEFINE: %{width} = 32
// RUN: %{assemble} && FileCheck %s --input-file=%t.s %{more} --check-prefix=GFX1100
// REDEFINE: %{chip} = gfx1201
// REDEFINE: %{width} = 32
// RUN: %{assemble} && FileCheck %s --input-file=%t.s %{more} --check-prefix=GFX1201

// Two workgroups of four subgroups on the four register files of a multiprocessor; or of
// two, where subgroups are half as wide.
// CHECK: gpu.func @look_back(
// CHECK-SAME: rocdl.waves_per_eu = 2

// Workgroups are counted without the vendor's library, by what no call changes, and
// accesses that they share have the scope of the device.
// CHECK: %[[ARGUMENTS:.*]] = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"()
// CHECK-NEXT: llvm.load %[[ARGUMENTS]] invariant {alignment = 4 : i64} : !llvm.ptr<4> -> i32
// CHECK: llvm.load {{.*}} atomic syncscope("agent") monotonic
// CHECK: llvm.fence syncscope("agent") acq_rel
// CHECK: llvm.atomicrmw uinc_wrap {{.*}} syncscope("agent") monotonic
// CHECK-SAME: {rocdl.no_fine_grained_memory, rocdl.no_remote_memory}
// CHECK: llvm.load {{.*}} nontemporal{{.*}} -> vector<4xf32>

// The lane before, by its number.
// CHECK: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle up
// WIDE: %[[MASK:.*]] = rocdl.ballot %{{.*}} : i64
// NARROW: %[[MASK:.*]] = rocdl.ballot %{{.*}} : i32
// CHECK: "llvm.intr.cttz"(%[[MASK]])
// CHECK: llvm.fence syncscope("wavefront") acq_rel

// GFX942: global_load_dword {{.*}} sc1
// GFX942: global_atomic_inc
// GFX942: global_load_dwordx4 {{.*}} nt
// GFX942: ds_bpermute_b32
// GFX942: global_store_dwordx2 {{.*}} sc1
// GFX942: global_load_dwordx2 {{.*}} sc1
// GFX942: .wavefront_size: 64
// GFX942: amdhsa.version:
// GFX942-NEXT: - 1
// GFX942-NEXT: - 2

// GFX90A-NOT: cmpswap
// GFX90A: global_atomic_inc
// GFX90A: global_load_dwordx4 {{.*}} glc slc
// GFX90A: ds_bpermute_b32
// GFX90A: global_load_dwordx2 {{.*}} glc
// GFX90A: .wavefront_size: 64

// GFX1100: global_atomic_inc_u32
// GFX1100: global_load_b128 {{.*}} slc dlc
// GFX1100: ds_bpermute_b32
// GFX1100: global_load_b64 {{.*}} glc
// GFX1100: .wavefront_size: 32

// GFX1201: global_atomic_inc_u32
// GFX1201: global_load_b128 {{.*}} th:TH_LOAD_NT
// GFX1201: ds_bpermute_b32
// GFX1201: global_load_b64 {{.*}} scope:SCOPE_DEV
// GFX1201: .wavefront_size: 32
rlscan.kernel @look_back(
    %xs: !rlscan.array<step, f32, steps> {rlscan.input = #rlscan.input<"x", step>},
    %ys: !rlscan.array<step, f32, steps> {rlscan.output = #rlscan.output<"y">}) attributes {schedules = [
    #rlscan.schedule<steps_per_thread = 4, lanes = 64, groups = 1, rows = 4, chain = look_back, access = 4, resident = 2, stream = 1>]} {
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
