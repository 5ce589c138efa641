// What is not affine in the carry, and how it is named.

// RUN: rlscan-opt %s --rlscan-extract-coefficients --split-input-file --verify-diagnostics

// A square through values in between: each is named where the recipe named it.
rlscan.estimator @square(%x: f32 {rlscan.input = #rlscan.input<"x", step>}) -> (f32 {rlscan.output = #rlscan.output<"out">}) {
  // expected-note @below {{a recurrence must read alpha + beta * y[t+1], where alpha and beta are free of it: use sums, differences, products and quotients by values free of it, and choices between such forms on conditions free of it}}
  %a = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32 loc("y")):
    %v = arith.mulf %x, %carry : f32 loc("decayed")
    %w = arith.addf %x, %carry : f32
    // expected-error @below {{not affine in y[t+1]: a product of two values that depend on it in 'decayed * (x + y[t+1])'}}
    %0 = arith.mulf %v, %w : f32
    rlscan.yield %0 : f32
  }
  rlscan.return %a : f32
}

// -----

// A carry without a name.
rlscan.estimator @unnamed(%x: f32 {rlscan.input = #rlscan.input<"x", step>}) -> (f32 {rlscan.output = #rlscan.output<"out">}) {
  // expected-note @below {{a recurrence must read alpha + beta * carry[t-1]}}
  %a = rlscan.recurrence forward init %x : f32 {
  ^bb0(%carry: f32):
    // expected-error @below {{not affine in carry[t-1]: a quotient by a value that depends on it in 'x / carry[t-1]'}}
    %0 = arith.divf %x, %carry : f32
    rlscan.yield %0 : f32
  }
  rlscan.return %a : f32
}

// -----

// What follows from a fault is not reported: one error.
rlscan.estimator @once(%x: f32 {rlscan.input = #rlscan.input<"x", step>}) -> (f32 {rlscan.output = #rlscan.output<"out">}) {
  // expected-note @below {{a recurrence must read}}
  %a = rlscan.recurrence forward init %x : f32 {
  ^bb0(%carry: f32):
    // expected-error @below {{not affine in carry[t-1]: a function of a value that depends on it in 'exp(carry[t-1])'}}
    %0 = math.exp %carry : f32
    %1 = math.exp %0 : f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.cmpf olt, %2, %x : f32
    %4 = arith.select %3, %carry, %x : f32
    rlscan.yield %4 : f32
  }
  rlscan.return %a : f32
}

// -----

// Nor is it inside of a reduction.
rlscan.estimator @once_reduced(%x: f32 {rlscan.input = #rlscan.input<"x", step>}, %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>}) -> (f32 {rlscan.output = #rlscan.output<"out">}) {
  // expected-note @below {{a recurrence must read}}
  %a = rlscan.recurrence forward init %x : f32 {
  ^bb0(%carry: f32):
    // expected-error @below {{a function of a value that depends on it in 'exp(carry[t-1])'}}
    %0 = math.exp %carry : f32
    %1 = rlscan.reduce sum over "a" : f32 {
    ^bb0(%i: index):
      %2 = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f32
      %3 = arith.mulf %0, %2 : f32
      rlscan.yield %3 : f32
    }
    rlscan.yield %1 : f32
  }
  rlscan.return %a : f32
}

// -----

// Every recurrence is looked at.
rlscan.estimator @each(%x: f32 {rlscan.input = #rlscan.input<"x", step>}) -> (f32 {rlscan.output = #rlscan.output<"out">}) {
  // expected-note @below {{a recurrence must read}}
  %a = rlscan.recurrence forward init %x : f32 {
  ^bb0(%carry: f32):
    // expected-error @below {{in 'abs(carry[t-1])'}}
    %0 = math.absf %carry : f32
    rlscan.yield %0 : f32
  }
  // expected-note @below {{a recurrence must read}}
  %b = rlscan.recurrence backward init %a : f32 {
  ^bb0(%carry: f32):
    // expected-error @below {{in 'min(x, carry[t+1])'}}
    %0 = arith.minimumf %x, %carry : f32
    rlscan.yield %0 : f32
  }
  rlscan.return %b : f32
}
