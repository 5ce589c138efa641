// RUN: rlscan-opt %s | FileCheck %s
// CHECK: module
// CHEKC: module
// RUN: rlscan-opt %s | FileCheck %s --check-prefixes=ONE,TWO
// ONE: module
// TWO-NEXT: module
// THREE-SAME: module
