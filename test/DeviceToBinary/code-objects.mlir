// Assembly for AMD's chips becomes an ELF file; what is not AMD's stays as it is.

// RUN: rlscan-opt %s --rlscan-link-code-objects | FileCheck %s
// CHECK: gpu.binary @rlscan_device
// CHECK-SAME: #nvvm.target, assembly = "not for here"
// CHECK-SAME: #rocdl.target<chip = "gfx1100">, bin = "\7FELF
gpu.binary @rlscan_device [
  #gpu.object<#nvvm.target, assembly = "not for here">,
  #gpu.object<#rocdl.target<chip = "gfx1100">, assembly = "s_endpgm\0A">]

// Its file is a shared object for the chip.
// RUN: sed '/nvvm.target, assembly/d' %s | rlscan-opt --rlscan-link-code-objects -o %t.mlir
// RUN: %python %S/../TilesToGPU/Inputs/binary.py < %t.mlir > %t.hsaco
// RUN: llvm-readelf --file-headers %t.hsaco | FileCheck %s --check-prefix=ELF
// ELF: Type: DYN
// ELF: Machine: EM_AMDGPU
// ELF: gfx1100
