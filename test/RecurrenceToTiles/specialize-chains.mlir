// Inputs that stand in for others, in whichever order they are left out.

rlscan.estimator @e(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, default = 2.0>},
    %y: f32 {rlscan.input = #rlscan.input<"y", step, default = @x>},
    %z: f32 {rlscan.input = #rlscan.input<"z", step, default = @y>})
    -> (f32 {rlscan.output = #rlscan.output<"a">},
        f32 {rlscan.output = #rlscan.output<"b">},
        f32 {rlscan.output = #rlscan.output<"c">}) {
  rlscan.return %x, %y, %z : f32, f32, f32
}

// RUN: rlscan-opt %s --rlscan-specialize=bindings=x:absent,y:absent,z:absent | FileCheck %s --check-prefix=ALL
// RUN: rlscan-opt %s --rlscan-specialize=bindings=x:absent,z:absent,y:absent | FileCheck %s --check-prefix=ALL
// RUN: rlscan-opt %s --rlscan-specialize=bindings=y:absent,x:absent,z:absent | FileCheck %s --check-prefix=ALL
// RUN: rlscan-opt %s --rlscan-specialize=bindings=y:absent,z:absent,x:absent | FileCheck %s --check-prefix=ALL
// RUN: rlscan-opt %s --rlscan-specialize=bindings=z:absent,x:absent,y:absent | FileCheck %s --check-prefix=ALL
// RUN: rlscan-opt %s --rlscan-specialize=bindings=z:absent,y:absent,x:absent | FileCheck %s --check-prefix=ALL
// ALL: rlscan.estimator @e() ->
// ALL-NEXT: %[[TWO:.*]] = arith.constant 2.0
// ALL-NEXT: rlscan.return %[[TWO]], %[[TWO]], %[[TWO]]

// The first and the last, or the middle: what stands in is there.
// RUN: rlscan-opt %s --rlscan-specialize=bindings=y:absent,z:absent | FileCheck %s --check-prefix=FIRST
// RUN: rlscan-opt %s --rlscan-specialize=bindings=z:absent,y:absent | FileCheck %s --check-prefix=FIRST
// FIRST: rlscan.estimator @e(%[[X:[^:]*]]: f32 {rlscan.input = #rlscan.input<"x"{{[^}]*}}}) ->
// FIRST-NEXT: rlscan.return %[[X]], %[[X]], %[[X]]
// RUN: rlscan-opt %s --rlscan-specialize=bindings=z:absent,x:absent | FileCheck %s --check-prefix=MIDDLE
// RUN: rlscan-opt %s --rlscan-specialize=bindings=x:absent,z:absent | FileCheck %s --check-prefix=MIDDLE
// MIDDLE: rlscan.estimator @e(%[[Y:[^:]*]]: f32 {rlscan.input = #rlscan.input<"y"{{[^}]*}}}) ->
// MIDDLE-NEXT: %[[TWO:.*]] = arith.constant 2.0
// MIDDLE-NEXT: rlscan.return %[[TWO]], %[[Y]], %[[Y]]
// RUN: rlscan-opt %s --rlscan-specialize=bindings=x:absent,y:absent | FileCheck %s --check-prefix=LAST
// LAST: rlscan.estimator @e(%[[Z:[^:]*]]: f32 {rlscan.input = #rlscan.input<"z"{{[^}]*}}}) ->
// LAST: rlscan.return %[[TWO:.*]], %[[TWO]], %[[Z]]
