// What a device would call a library for is expanded, or becomes an intrinsic that it
// has instructions for.

// RUN: rlscan-opt %s --rlscan-device-math | FileCheck %s --implicit-check-not=math.exp \
// RUN:   --implicit-check-not=math.log --implicit-check-not=math.sqrt --implicit-check-not=math.floor \
// RUN:   --implicit-check-not=math.absf
// RUN: rlscan-opt %s --rlscan-approximate-math=minima=false --rlscan-device-math | FileCheck %s \
// RUN:   --check-prefix=BOTH --implicit-check-not="math.{{exp|log|sqrt|floor|absf}}"

// exp of f64: 2^n exp(r), of which 2^n is multiplied in halves, so that results may be
// subnormal. What is too small is 0, what is too large infinite; NaN stays.
// CHECK-LABEL: func.func @exp(
// CHECK-SAME: %[[X:.*]]: f64)
// CHECK-DAG: %[[LOW:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : f64
// CHECK-DAG: %[[HIGH:.*]] = arith.cmpf ogt, %[[X]], %{{.*}} : f64
// CHECK-DAG: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f64
// CHECK: math.fma
// CHECK: %[[HALF:.*]] = arith.shrsi %[[N:.*]], %c1_i64 : i64
// CHECK: arith.subi %[[N]], %[[HALF]] : i64
// CHECK: %[[R0:.*]] = arith.select %[[LOW]], %{{.*}}, %{{.*}} : f64
// CHECK: %[[R1:.*]] = arith.select %[[HIGH]], %{{.*}}, %[[R0]] : f64
// CHECK: %[[R2:.*]] = arith.select %[[NAN]], %[[X]], %[[R1]] : f64
// CHECK: return %[[R2]]
func.func @exp(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

// log of f64, here of a vector. Subnormal arguments are scaled.
// CHECK-LABEL: func.func @log(
// CHECK-SAME: %[[X:.*]]: vector<2xf64>)
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<2.2250738585072014E-308> : vector<2xf64>
// CHECK-DAG: %[[SMALL:.*]] = arith.cmpf olt, %[[X]], %[[LEAST]] : vector<2xf64>
// CHECK-DAG: %[[SCALED:.*]] = arith.mulf %[[X]], %{{.*}} : vector<2xf64>
// CHECK-DAG: arith.select %[[SMALL]], %[[SCALED]], %[[X]] : vector<2xi1>, vector<2xf64>
// CHECK-DAG: arith.bitcast %{{.*}} : vector<2xf64> to vector<2xi64>
// CHECK: arith.divf
// CHECK: return
func.func @log(%x: vector<2xf64>) -> vector<2xf64> {
  %0 = math.log %x : vector<2xf64>
  return %0 : vector<2xf64>
}

// CHECK-LABEL: func.func @instructions(
// CHECK-SAME: %[[X:.*]]: f64, %[[V:.*]]: vector<4xf32>)
// CHECK-DAG: llvm.call_intrinsic "llvm.sqrt"(%[[V]]) : (vector<4xf32>) -> vector<4xf32>
// CHECK-DAG: llvm.call_intrinsic "llvm.floor"(%[[X]]) : (f64) -> f64
// CHECK-DAG: llvm.call_intrinsic "llvm.fabs"(%[[V]]) : (vector<4xf32>) -> vector<4xf32>
func.func @instructions(%x: f64, %v: vector<4xf32>) -> (vector<4xf32>, f64, vector<4xf32>) {
  %0 = math.sqrt %v : vector<4xf32>
  %1 = math.floor %x : f64
  %2 = math.absf %v : vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, f64, vector<4xf32>
}

// exp and log of f32 are rlscan-approximate-math's, which comes before.
// BOTH-LABEL: func.func @exp(
// BOTH-LABEL: func.func @instructions(

// What a device has an instruction for is left.
// CHECK-LABEL: func.func @left(
// CHECK: math.fma
// CHECK: arith.minimumf
// CHECK: arith.maximumf
// BOTH-LABEL: func.func @left(
// BOTH: arith.minimumf
func.func @left(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.fma %x, %x, %x : vector<4xf32>
  %1 = arith.minimumf %0, %x : vector<4xf32>
  %2 = arith.maximumf %1, %x : vector<4xf32>
  return %2 : vector<4xf32>
}
