// Alpha and beta of every form that is affine in the carry.

// RUN: rlscan-opt %s --rlscan-extract-coefficients --canonicalize | FileCheck %s

#x = #rlscan.input<"x", step>
#y = #rlscan.input<"y", step>
#f = #rlscan.input<"f", step>
#r = #rlscan.input<"r", row>
#out = #rlscan.output<"out">

// x + y * carry
// CHECK-LABEL: rlscan.estimator @plain
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[Y:[^:]*]]: f32 {{{[^}]*}}}, %[[R:[^:]*]]: f32
// CHECK-NEXT: %[[SCAN:.*]] = rlscan.scan backward %[[X]], %[[Y]] init %[[R]] : f32
// CHECK-NEXT: rlscan.return %[[SCAN]]
rlscan.estimator @plain(%x: f32 {rlscan.input = #x}, %y: f32 {rlscan.input = #y}, %r: f32 {rlscan.input = #r}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %r : f32 {
  ^bb0(%carry: f32):
    %0 = arith.mulf %y, %carry : f32
    %1 = arith.addf %x, %0 : f32
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}

// x - (y - carry) = (x - y) + 1 * carry, forward, in f64
// CHECK-LABEL: rlscan.estimator @differences
// CHECK-SAME: (%[[X:[^:]*]]: f64 {{{[^}]*}}}, %[[Y:[^:]*]]: f64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG: %[[ALPHA:.*]] = arith.subf %[[X]], %[[Y]] : f64
// CHECK: rlscan.scan forward %[[ALPHA]], %[[ONE]] init %[[X]] : f64
rlscan.estimator @differences(%x: f64 {rlscan.input = #x}, %y: f64 {rlscan.input = #y}) -> (f64 {rlscan.output = #out}) {
  %a = rlscan.recurrence forward init %x : f64 {
  ^bb0(%carry: f64):
    %0 = arith.subf %y, %carry : f64
    %1 = arith.subf %x, %0 : f64
    rlscan.yield %1 : f64
  }
  rlscan.return %a : f64
}

// y * ((x + carry) * x): factors on both sides
// CHECK-LABEL: rlscan.estimator @products
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[Y:[^:]*]]: f32
// CHECK-NEXT: %[[XX:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[ALPHA:.*]] = arith.mulf %[[Y]], %[[XX]] : f32
// CHECK-NEXT: %[[BETA:.*]] = arith.mulf %[[Y]], %[[X]] : f32
// CHECK-NEXT: rlscan.scan backward %[[ALPHA]], %[[BETA]] init
rlscan.estimator @products(%x: f32 {rlscan.input = #x}, %y: f32 {rlscan.input = #y}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = arith.addf %x, %carry : f32
    %1 = arith.mulf %0, %x : f32
    %2 = arith.mulf %y, %1 : f32
    rlscan.yield %2 : f32
  }
  rlscan.return %a : f32
}

// -((x + carry) / y)
// CHECK-LABEL: rlscan.estimator @quotient
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[Y:[^:]*]]: f32
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT: %[[XY:.*]] = arith.divf %[[X]], %[[Y]] : f32
// CHECK-NEXT: %[[INVERSE:.*]] = arith.divf %[[ONE]], %[[Y]] : f32
// CHECK-NEXT: %[[ALPHA:.*]] = arith.negf %[[XY]] : f32
// CHECK-NEXT: %[[BETA:.*]] = arith.negf %[[INVERSE]] : f32
// CHECK-NEXT: rlscan.scan backward %[[ALPHA]], %[[BETA]] init
rlscan.estimator @quotient(%x: f32 {rlscan.input = #x}, %y: f32 {rlscan.input = #y}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = arith.addf %x, %carry : f32
    %1 = arith.divf %0, %y : f32
    %2 = arith.negf %1 : f32
    rlscan.yield %2 : f32
  }
  rlscan.return %a : f32
}

// f ? x + carry : y * carry: both coefficients are chosen
// CHECK-LABEL: rlscan.estimator @choice
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[Y:[^:]*]]: f32 {{{[^}]*}}}, %[[F:[^:]*]]: i1
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[ALPHA:.*]] = arith.select %[[F]], %[[X]], %[[ZERO]] : f32
// CHECK-NEXT: %[[BETA:.*]] = arith.select %[[F]], %[[ONE]], %[[Y]] : f32
// CHECK-NEXT: rlscan.scan backward %[[ALPHA]], %[[BETA]] init
rlscan.estimator @choice(%x: f32 {rlscan.input = #x}, %y: f32 {rlscan.input = #y}, %f: i1 {rlscan.input = #f}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = arith.addf %x, %carry : f32
    %1 = arith.mulf %y, %carry : f32
    %2 = arith.select %f, %0, %1 : f32
    rlscan.yield %2 : f32
  }
  rlscan.return %a : f32
}

// f ? x : carry: a form without carry and one without alpha
// CHECK-LABEL: rlscan.estimator @reset
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[F:[^:]*]]: i1
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[ALPHA:.*]] = arith.select %[[F]], %[[X]], %[[ZERO]] : f32
// CHECK-NEXT: %[[BETA:.*]] = arith.select %[[F]], %[[ZERO]], %[[ONE]] : f32
// CHECK-NEXT: rlscan.scan forward %[[ALPHA]], %[[BETA]] init
rlscan.estimator @reset(%x: f32 {rlscan.input = #x}, %f: i1 {rlscan.input = #f}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence forward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = arith.select %f, %x, %carry : f32
    rlscan.yield %0 : f32
  }
  rlscan.return %a : f32
}

// x + (f ? y * carry : 0): the 0 of a gate adds nothing to alpha, which stays
// the very value x
// CHECK-LABEL: rlscan.estimator @gate
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[Y:[^:]*]]: f32 {{{[^}]*}}}, %[[F:[^:]*]]: i1
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[BETA:.*]] = arith.select %[[F]], %[[Y]], %[[ZERO]] : f32
// CHECK-NEXT: rlscan.scan backward %[[X]], %[[BETA]] init
rlscan.estimator @gate(%x: f32 {rlscan.input = #x}, %y: f32 {rlscan.input = #y}, %f: i1 {rlscan.input = #f}) -> (f32 {rlscan.output = #out}) {
  %zero = arith.constant 0.0 : f32
  %a = rlscan.recurrence backward init %zero : f32 {
  ^bb0(%carry: f32):
    %0 = arith.mulf %y, %carry : f32
    %1 = arith.select %f, %0, %zero : f32
    %2 = arith.addf %x, %1 : f32
    rlscan.yield %2 : f32
  }
  rlscan.return %a : f32
}

// Gates within gates become one: f ? (g ? 0 : carry) : 0 is carry where f & !g.
// CHECK-LABEL: rlscan.estimator @gates
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[F:[^:]*]]: i1 {{{[^}]*}}}, %[[G:[^:]*]]: i1
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[NOT_G:.*]] = arith.xori %[[G]], %true
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[F]], %[[NOT_G]] : i1
// CHECK-NEXT: %[[BETA:.*]] = arith.select %[[BOTH]], %[[ONE]], %[[ZERO]] : f32
// CHECK-NEXT: rlscan.scan backward %[[X]], %[[BETA]] init
rlscan.estimator @gates(%x: f32 {rlscan.input = #x}, %f: i1 {rlscan.input = #f}, %g: i1 {rlscan.input = #y}) -> (f32 {rlscan.output = #out}) {
  %zero = arith.constant 0.0 : f32
  %a = rlscan.recurrence backward init %zero : f32 {
  ^bb0(%carry: f32):
    %0 = arith.select %g, %zero, %carry : f32
    %1 = arith.select %f, %0, %zero : f32
    %2 = arith.addf %1, %x : f32
    rlscan.yield %2 : f32
  }
  rlscan.return %a : f32
}

// f ? 0 : y * (g ? 0 : carry): closed where either is set. The 0 of the inner gate is
// not scaled: y may be inf.
// CHECK-LABEL: rlscan.estimator @closed_gates
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[F:[^:]*]]: i1 {{{[^}]*}}}, %[[G:[^:]*]]: i1
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[EITHER:.*]] = arith.ori %[[F]], %[[G]] : i1
// CHECK-NEXT: %[[BETA:.*]] = arith.select %[[EITHER]], %[[ZERO]], %[[X]] : f32
// CHECK-NEXT: rlscan.scan backward %{{.*}}, %[[BETA]] init
rlscan.estimator @closed_gates(%x: f32 {rlscan.input = #x}, %f: i1 {rlscan.input = #f}, %g: i1 {rlscan.input = #y}) -> (f32 {rlscan.output = #out}) {
  %zero = arith.constant 0.0 : f32
  %a = rlscan.recurrence backward init %zero : f32 {
  ^bb0(%carry: f32):
    %0 = arith.select %g, %zero, %carry : f32
    %1 = arith.mulf %x, %0 : f32
    %2 = arith.select %f, %zero, %1 : f32
    rlscan.yield %2 : f32
  }
  rlscan.return %a : f32
}

// (f ? carry : 0) / x: neither is it divided.
// CHECK-LABEL: rlscan.estimator @divided_gate
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[F:[^:]*]]: i1
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[X]] : f32
// CHECK-NEXT: %[[BETA:.*]] = arith.select %[[F]], %[[INVERSE]], %{{.*}} : f32
// CHECK-NEXT: rlscan.scan forward %{{.*}}, %[[BETA]] init
rlscan.estimator @divided_gate(%x: f32 {rlscan.input = #x}, %f: i1 {rlscan.input = #f}) -> (f32 {rlscan.output = #out}) {
  %zero = arith.constant 0.0 : f32
  %a = rlscan.recurrence forward init %zero : f32 {
  ^bb0(%carry: f32):
    %0 = arith.select %f, %carry, %zero : f32
    %1 = arith.divf %0, %x : f32
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}

// v = y * carry; v + x * v: a value in between is used as often as one likes
// CHECK-LABEL: rlscan.estimator @intermediate
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{{[^}]*}}}, %[[Y:[^:]*]]: f32
// CHECK: %[[XY:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK-NEXT: %[[BETA:.*]] = arith.addf %[[Y]], %[[XY]] : f32
// CHECK-NEXT: rlscan.scan backward %{{.*}}, %[[BETA]] init
rlscan.estimator @intermediate(%x: f32 {rlscan.input = #x}, %y: f32 {rlscan.input = #y}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %v = arith.mulf %y, %carry : f32
    %0 = arith.mulf %x, %v : f32
    %1 = arith.addf %v, %0 : f32
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}

// The carry alone: 0 + 1 * carry.
// CHECK-LABEL: rlscan.estimator @carry_alone
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
// CHECK: rlscan.scan forward %[[ZERO]], %[[ONE]] init
rlscan.estimator @carry_alone(%r: f32 {rlscan.input = #r}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence forward init %r : f32 {
  ^bb0(%carry: f32):
    rlscan.yield %carry : f32
  }
  rlscan.return %a : f32
}

// Without the carry there is nothing to scan, even where a value that nothing
// uses depends on it.
// CHECK-LABEL: rlscan.estimator @unused_carry
// CHECK-SAME: (%[[X:[^:]*]]: f32
// CHECK-NEXT: %[[XX:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK-NEXT: rlscan.return %[[XX]]
rlscan.estimator @unused_carry(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = arith.mulf %x, %carry : f32
    %1 = arith.addf %x, %x : f32
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}

// carry - carry: beta is 0, found by folding.
// CHECK-LABEL: rlscan.estimator @cancelled
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: rlscan.return %[[ZERO]]
rlscan.estimator @cancelled(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = arith.subf %carry, %carry : f32
    rlscan.yield %0 : f32
  }
  rlscan.return %a : f32
}

// Whatever is free of the carry is an operand like any other: functions,
// comparisons, neighbours, reductions.
// CHECK-LABEL: rlscan.estimator @free
// CHECK-SAME: (%[[X:[^:]*]]: f32
// CHECK: %[[EXP:.*]] = math.exp %[[X]] : f32
// CHECK: %[[NEXT:.*]] = rlscan.shift %[[EXP]] by 1
// CHECK: %[[SUM:.*]] = rlscan.reduce sum over "a" : f32 {
// CHECK: }
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[NEXT]], %[[SUM]] : f32
// CHECK: %[[ALPHA:.*]] = arith.select %[[LESS]]
// CHECK: %[[BETA:.*]] = arith.select %[[LESS]]
// CHECK: rlscan.scan backward %[[ALPHA]], %[[BETA]]
rlscan.estimator @free(%x: f32 {rlscan.input = #x}, %q: !rlscan.along<"a", f32> {rlscan.input = #y}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = math.exp %x : f32
    %1 = rlscan.shift %0 by 1 else %x : f32
    %2 = rlscan.reduce sum over "a" : f32 {
    ^bb0(%i: index):
      %5 = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f32
      rlscan.yield %5 : f32
    }
    %3 = arith.cmpf olt, %1, %2 : f32
    %4 = arith.select %3, %carry, %x : f32
    rlscan.yield %4 : f32
  }
  rlscan.return %a : f32
}

// One recurrence's result, or its neighbour, in another; and one that is written
// inside another.
// CHECK-LABEL: rlscan.estimator @chained
// CHECK-SAME: (%[[X:[^:]*]]: f32
// CHECK: %[[A:.*]] = rlscan.scan backward %[[X]], %[[X]]
// CHECK: %[[NEXT:.*]] = rlscan.shift %[[A]] by 1
// CHECK: %[[C:.*]] = rlscan.scan forward %[[X]], %[[A]]
// CHECK: %[[B:.*]] = rlscan.scan backward %[[NEXT]], %[[C]]
// CHECK: rlscan.return %[[B]]
rlscan.estimator @chained(%x: f32 {rlscan.input = #x}) -> (f32 {rlscan.output = #out}) {
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %0 = arith.mulf %x, %carry : f32
    %1 = arith.addf %x, %0 : f32
    rlscan.yield %1 : f32
  }
  %next = rlscan.shift %a by 1 else %x : f32
  %b = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    %c = rlscan.recurrence forward init %x : f32 {
    ^bb0(%inner: f32):
      %0 = arith.mulf %a, %inner : f32
      %1 = arith.addf %x, %0 : f32
      rlscan.yield %1 : f32
    }
    %2 = arith.mulf %c, %carry : f32
    %3 = arith.addf %next, %2 : f32
    rlscan.yield %3 : f32
  }
  rlscan.return %b : f32
}
