// What is known of a call is written into the estimator.

rlscan.estimator @e(
    %p: f32 {rlscan.input = #rlscan.input<"p", param, default = 0.5>},
    %on: i1 {rlscan.input = #rlscan.input<"on", param, default = true>},
    %r: f32 {rlscan.input = #rlscan.input<"r", row, default = 0.0>},
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %f: i1 {rlscan.input = #rlscan.input<"f", step>},
    %i: index {rlscan.input = #rlscan.input<"i", step, default = 1 : index>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>},
    %w: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"w", step, default = @q>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        i1 {rlscan.output = #rlscan.output<"g">},
        index {rlscan.output = #rlscan.output<"j">}) {
  %0 = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f32
  %1 = rlscan.pick %w[%i] : !rlscan.along<"a", f32> -> f32
  %2 = arith.addf %0, %1 : f32
  %3 = arith.addf %x, %r : f32
  %4 = arith.mulf %p, %3 : f32
  %5 = arith.addf %2, %4 : f32
  %6 = arith.andi %on, %f : i1
  rlscan.return %5, %6, %i : f32, i1, index
}

// Without an entry: reals are stored as they are computed, params as f64, flags
// as bytes, indices as i64, everything strided. Defaults have done their work.
// RUN: rlscan-opt %s --rlscan-specialize | FileCheck %s --check-prefix=NONE
// NONE: rlscan.estimator @e(
// NONE-SAME: #rlscan.input<"p", param, storage = f64, layout = strided>
// NONE-SAME: #rlscan.input<"on", param, storage = i8, layout = strided>
// NONE-SAME: #rlscan.input<"r", row, storage = f32, layout = strided>
// NONE-SAME: #rlscan.input<"x", step, storage = f32, layout = strided>
// NONE-SAME: #rlscan.input<"f", step, storage = i8, layout = strided>
// NONE-SAME: #rlscan.input<"i", step, storage = i64, layout = strided>
// NONE-SAME: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step, storage = f32, layout = strided>
// NONE-SAME: #rlscan.input<"w", step, storage = f32, layout = strided>
// NONE-SAME: #rlscan.output<"y", storage = f32, layout = strided>
// NONE-SAME: #rlscan.output<"g", storage = i8, layout = strided>
// NONE-SAME: #rlscan.output<"j", storage = i64, layout = strided>

// With one, inputs and results alike; a flag may be stored as anything.
// RUN: rlscan-opt %s --rlscan-specialize=bindings=x:bf16:steps,f:f16:rows,i:i32:strided,q:f64:rows,r:f16:rows,p:f32:strided,y:bf16:rows,g:f32:steps | \
// RUN:   FileCheck %s --check-prefix=STORED
// STORED: rlscan.estimator @e(
// STORED-SAME: #rlscan.input<"p", param, storage = f32, layout = strided>
// STORED-SAME: #rlscan.input<"r", row, storage = f16, layout = rows>
// STORED-SAME: #rlscan.input<"x", step, storage = bf16, layout = steps>
// STORED-SAME: i1 {rlscan.input = #rlscan.input<"f", step, storage = f16, layout = rows>
// STORED-SAME: #rlscan.input<"i", step, storage = i32, layout = strided>
// STORED-SAME: #rlscan.input<"q", step, storage = f64, layout = rows>
// STORED-SAME: #rlscan.output<"y", storage = bf16, layout = rows>
// STORED-SAME: #rlscan.output<"g", storage = f32, layout = steps>

// A param may be an array.
// RUN: rlscan-opt %s --rlscan-specialize=bindings=p:f32:steps:step,on:i8:rows:row | \
// RUN:   FileCheck %s --check-prefix=PARAMS
// PARAMS: rlscan.estimator @e(
// PARAMS-SAME: f32 {rlscan.input = #rlscan.input<"p", step, storage = f32, layout = steps>
// PARAMS-SAME: i1 {rlscan.input = #rlscan.input<"on", row, storage = i8, layout = rows>

// What is absent is its default, of the type of the computation; a stand-in is
// the other input.
// RUN: rlscan-opt %s --rlscan-specialize=bindings=p:absent,on:absent,r:absent,i:absent,w:absent | \
// RUN:   FileCheck %s --check-prefix=ABSENT
// ABSENT: rlscan.estimator @e(%[[X:[^:]*]]: f32 {rlscan.input = #rlscan.input<"x"{{[^}]*}}}, %[[F:[^:]*]]: i1 {rlscan.input = #rlscan.input<"f"{{[^}]*}}}, %[[Q:[^:]*]]: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q"{{[^}]*}}}) ->
// ABSENT-DAG: %[[P:.*]] = arith.constant 5.000000e-01 : f32
// ABSENT-DAG: %[[ON:.*]] = arith.constant true
// ABSENT-DAG: %[[R:.*]] = arith.constant 0.000000e+00 : f32
// ABSENT-DAG: %[[I:.*]] = arith.constant 1 : index
// ABSENT: rlscan.pick %[[Q]][%[[I]]]
// ABSENT: rlscan.pick %[[Q]][%[[I]]]
// ABSENT: arith.addf %[[X]], %[[R]] : f32
// ABSENT: arith.mulf %[[P]], %{{.*}} : f32
// ABSENT: arith.andi %[[ON]], %[[F]] : i1

// A param with a fixed value, which need not be the default.
// RUN: rlscan-opt %s --rlscan-specialize=bindings=p=-0.25,on=false | \
// RUN:   FileCheck %s --check-prefix=FIXED
// FIXED: rlscan.estimator @e(
// FIXED-NOT: "p"
// FIXED-NOT: "on"
// FIXED-DAG: %[[P:.*]] = arith.constant -2.500000e-01 : f32
// FIXED-DAG: %[[ON:.*]] = arith.constant false
// FIXED: arith.mulf %[[P]],
// FIXED: arith.andi %[[ON]],
