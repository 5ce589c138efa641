// RUN: not rlscan-opt %s --rlscan-link-code-objects 2>&1 | FileCheck %s
// CHECK: [[#@LINE+1]]:1: error:
gpu.binary @rlscan_device [#gpu.object<#rocdl.target<chip = "gfx1100">, assembly = "no_such_instruction\0A">]

// RUN: sed 's/no_such_instruction/s_endpgm/' %s > %t.mlir
// RUN: not env TMPDIR=%t.none rlscan-opt %t.mlir --rlscan-link-code-objects 2>&1 | FileCheck %s --check-prefix=FILES
// FILES: error: cannot link a code object: cannot make a temporary file: No such file or directory
