// exp and log of f32 and the minimum are expanded, f64 and other functions are left.

// RUN: rlscan-opt %s --rlscan-approximate-math | FileCheck %s

// CHECK-LABEL: func.func @f32(
// CHECK-NOT: math.exp
// CHECK-NOT: math.log
// CHECK: {{math.fma|arith.mulf}} {{.*}} : vector<4xf32>
// CHECK-NOT: math.exp
// CHECK-NOT: math.log
// CHECK: return
func.func @f32(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %0 = math.exp %x : vector<4xf32>
  %1 = math.log %x : vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// Ranges are reduced first: exp to less than log(2), which then twice is multiplied
// by a power of 2; log of a subnormal number to that of a normal one, from which
// 25 log(2) are taken.
// CHECK-LABEL: func.func @ranges(
// CHECK-SAME: %[[X:.*]]: vector<4xf32>, %[[Y:.*]]: vector<4xf32>)
// CHECK-DAG: %[[PLACES:.*]] = arith.constant dense<23> : vector<4xi32>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<1.17549435E-38> : vector<4xf32>
// CHECK-DAG: %[[BITS:.*]] = arith.shli %{{.*}}, %[[PLACES]] : vector<4xi32>
// CHECK-DAG: %[[POWER:.*]] = arith.bitcast %[[BITS]] : vector<4xi32> to vector<4xf32>
// CHECK-DAG: %[[ONCE:.*]] = arith.mulf %{{.*}}, %[[POWER]] : vector<4xf32>
// CHECK-DAG: arith.mulf %[[ONCE]], %[[POWER]] : vector<4xf32>
// CHECK-DAG: %[[SMALL:.*]] = arith.cmpf olt, %[[Y]], %[[LEAST]] : vector<4xf32>
// CHECK-DAG: arith.select %[[SMALL]]
// CHECK-NOT: rlscan
// CHECK: return
func.func @ranges(%x: vector<4xf32>, %y: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %0 = math.exp %x : vector<4xf32>
  %1 = math.log %y : vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @f64(
// CHECK-SAME: %[[X:.*]]: vector<4xf64>)
// CHECK-NEXT: %[[EXP:.*]] = math.exp %[[X]] : vector<4xf64>
// CHECK-NEXT: %[[LOG:.*]] = math.log %[[X]] : vector<4xf64>
// CHECK-NEXT: return %[[EXP]], %[[LOG]]
func.func @f64(%x: vector<4xf64>) -> (vector<4xf64>, vector<4xf64>) {
  %0 = math.exp %x : vector<4xf64>
  %1 = math.log %x : vector<4xf64>
  return %0, %1 : vector<4xf64>, vector<4xf64>
}

// What the lesser of two is one way and the other; both are needed for NaN and -0.
// CHECK-LABEL: func.func @minimum(
// CHECK-SAME: %[[X:.*]]: vector<4xf64>, %[[Y:.*]]: vector<4xf64>)
// CHECK-DAG: %[[XLESS:.*]] = arith.cmpf olt, %[[X]], %[[Y]] : vector<4xf64>
// CHECK-DAG: %[[YLESS:.*]] = arith.cmpf olt, %[[Y]], %[[X]] : vector<4xf64>
// CHECK-DAG: arith.select %[[XLESS]], %[[X]], %[[Y]]
// CHECK-DAG: arith.select %[[YLESS]], %[[Y]], %[[X]]
// CHECK: %[[BOTH:.*]] = arith.ori %{{.*}}, %{{.*}} : vector<4xi64>
// CHECK-NEXT: %[[LEAST:.*]] = arith.bitcast %[[BOTH]] : vector<4xi64> to vector<4xf64>
// CHECK-NEXT: return %[[LEAST]]
func.func @minimum(%x: vector<4xf64>, %y: vector<4xf64>) -> vector<4xf64> {
  %0 = arith.minimumf %x, %y : vector<4xf64>
  return %0 : vector<4xf64>
}

// CHECK-LABEL: func.func @others(
// CHECK: math.sqrt
// CHECK: math.absf
func.func @others(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %0 = math.sqrt %x : vector<4xf32>
  %1 = math.absf %x : vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// So it is in the stage as a whole: what is left becomes calls of the C library
// in machine code.
// RUN: rlscan-opt %s --rlscan-to-llvm | FileCheck %s --check-prefix=LLVM
// LLVM-LABEL: llvm.func @f32(
// LLVM-NOT: llvm.intr.exp(
// LLVM-NOT: llvm.intr.log(
// LLVM: llvm.return
// LLVM-LABEL: llvm.func @f64(
// LLVM: llvm.intr.exp(%{{.*}}) : (vector<4xf64>)
// LLVM: llvm.intr.log(%{{.*}}) : (vector<4xf64>)
