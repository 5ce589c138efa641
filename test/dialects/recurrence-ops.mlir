// Level 1 is printed as it is parsed, in both syntaxes.

// RUN: rlscan-opt %s | rlscan-opt | FileCheck %s
// RUN: rlscan-opt %s --mlir-print-op-generic | rlscan-opt | FileCheck %s
// RUN: rlscan-opt %s --verify-roundtrip --mlir-print-debuginfo -o %t
// RUN: rlscan-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Every kind of input, type and default.
// CHECK-LABEL: rlscan.estimator @inputs(
// CHECK-SAME: %{{[^:]*}}: f32 {rlscan.input = #rlscan.input<"gamma", param, default = 5.000000e-01 : f64>}
// CHECK-SAME: f32 {rlscan.input = #rlscan.input<"scale", param, default = @gamma>}
// CHECK-SAME: f64 {rlscan.input = #rlscan.input<"last", row>}
// CHECK-SAME: i1 {rlscan.input = #rlscan.input<"cut", step, default = false>}
// CHECK-SAME: index {rlscan.input = #rlscan.input<"action", step, default = 1 : index>}
// CHECK-SAME: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>}
// CHECK-SAME: f32 {rlscan.input = #rlscan.input<"value", step, storage = bf16, layout = rows>}
// CHECK-SAME: -> (f32 {rlscan.output = #rlscan.output<"y">}, i1 {rlscan.output = #rlscan.output<"f", storage = i8, layout = steps>})
rlscan.estimator @inputs(
    %gamma: f32 {rlscan.input = #rlscan.input<"gamma", param, default = 0.5>},
    %scale: f32 {rlscan.input = #rlscan.input<"scale", param, default = @gamma>},
    %last: f64 {rlscan.input = #rlscan.input<"last", row>},
    %cut: i1 {rlscan.input = #rlscan.input<"cut", step, default = false>},
    %action: index {rlscan.input = #rlscan.input<"action", step, default = 1 : index>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>},
    %value: f32 {rlscan.input = #rlscan.input<"value", step, storage = bf16, layout = rows>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        i1 {rlscan.output = #rlscan.output<"f", storage = i8, layout = steps>}) {
  rlscan.return %gamma, %cut : f32, i1
}

// CHECK-LABEL: rlscan.estimator @nothing() {
// CHECK-NEXT: rlscan.return{{$}}
rlscan.estimator @nothing() {
  rlscan.return
}

// CHECK-LABEL: rlscan.estimator @neighbours
// CHECK-SAME: (%[[X:[^:]*]]: f32 {{.*}}, %[[F:[^:]*]]: i1 {{.*}}, %[[I:[^:]*]]: index {{.*}})
// CHECK: rlscan.shift %[[X]] by 1 else %{{.*}} : f32
// CHECK: rlscan.shift %[[F]] by -1 else %[[F]] : i1
// CHECK: rlscan.shift %[[I]] by -1 else %[[I]] : index
// GENERIC: "rlscan.shift"({{.*}}) <{offset = 1 : si64}> : (f32, f32) -> f32
// GENERIC: "rlscan.shift"({{.*}}) <{offset = -1 : si64}> : (i1, i1) -> i1
rlscan.estimator @neighbours(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %f: i1 {rlscan.input = #rlscan.input<"f", step>},
    %i: index {rlscan.input = #rlscan.input<"i", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        i1 {rlscan.output = #rlscan.output<"g">},
        index {rlscan.output = #rlscan.output<"j">}) {
  %zero = arith.constant 0.0 : f32
  %next = rlscan.shift %x by 1 else %zero : f32
  %last = rlscan.shift %f by -1 else %f : i1
  %before = rlscan.shift %i by -1 else %i : index
  rlscan.return %next, %last, %before : f32, i1, index
}

// CHECK-LABEL: rlscan.estimator @after(
// CHECK-SAME: %[[X:[^:]*]]: f32 {rlscan.input = #rlscan.input<"x", step, default = 1.000000e+00 : f64, extra_steps = 1, storage = bf16, layout = steps>}
// CHECK: %[[LAST:.*]] = rlscan.after %[[X]] : f32
// CHECK: rlscan.shift %[[X]] by 1 else %[[LAST]] : f32
// GENERIC: "rlscan.after"({{.*}}) : (f32) -> f32
rlscan.estimator @after(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, default = 1.0, extra_steps = 1, storage = bf16, layout = steps>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %last = rlscan.after %x : f32
  %next = rlscan.shift %x by 1 else %last : f32
  rlscan.return %next : f32
}

// CHECK-LABEL: rlscan.estimator @recurrences
// CHECK: %[[B:.*]] = rlscan.recurrence backward init %{{.*}} : f32 {
// CHECK-NEXT: ^bb0(%[[CARRY:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %{{.*}}, %[[CARRY]] : f32
// CHECK-NEXT: rlscan.yield %[[SUM]] : f32
// CHECK-NEXT: }
// CHECK: %[[F:.*]] = rlscan.recurrence forward init %{{.*}} : f32 {
// CHECK: %[[S:.*]] = rlscan.scan forward %{{.*}}, %[[B]] init %[[F]] : f32
// CHECK: rlscan.scan backward %{{.*}}, %[[S]] init %[[F]] : f32
// GENERIC: "rlscan.recurrence"({{.*}}) <{direction = 1 : i32}> ({
// GENERIC: "rlscan.scan"({{.*}}) <{direction = 0 : i32}> : (f32, f32, f32) -> f32
rlscan.estimator @recurrences(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %zero = arith.constant 0.0 : f32
  %b = rlscan.recurrence backward init %zero : f32 {
  ^bb0(%carry: f32):
    %sum = arith.addf %x, %carry : f32
    rlscan.yield %sum : f32
  }
  %f = rlscan.recurrence forward init %zero : f32 {
  ^bb0(%carry: f32):
    rlscan.yield %carry : f32
  }
  %s = rlscan.scan forward %x, %b init %f : f32
  %t = rlscan.scan backward %x, %s init %f : f32
  rlscan.return %t : f32
}

// CHECK-LABEL: rlscan.estimator @axes
// CHECK-SAME: (%[[Q:[^:]*]]: !rlscan.along<"a", f32> {{.*}}, %[[I:[^:]*]]: index {{.*}}, %[[ON:[^:]*]]: !rlscan.along<"a", i1>
// CHECK: rlscan.pick %[[Q]][%[[I]]] : !rlscan.along<"a", f32> -> f32
// CHECK: rlscan.reduce sum over "a" : f32 {
// CHECK-NEXT: ^bb0(%[[POSITION:.*]]: index):
// CHECK-NEXT: %[[P:.*]] = rlscan.pick %[[Q]][%[[POSITION]]] : !rlscan.along<"a", f32> -> f32
// CHECK-NEXT: rlscan.yield %[[P]] : f32
// CHECK: rlscan.reduce max over "a" : f32 {
// CHECK: rlscan.pick %[[ON]][%{{.*}}] : !rlscan.along<"a", i1> -> i1
// CHECK: rlscan.reduce min over "b" : f32 {
// GENERIC: "rlscan.reduce"() <{axis = "a", kind = 0 : i32}> ({
// GENERIC: "rlscan.reduce"() <{axis = "a", kind = 1 : i32}> ({
// GENERIC: "rlscan.reduce"() <{axis = "b", kind = 2 : i32}> ({
rlscan.estimator @axes(
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>},
    %i: index {rlscan.input = #rlscan.input<"i", step>},
    %on: !rlscan.along<"a", i1> {rlscan.input = #rlscan.input<"on", step>},
    %w: !rlscan.along<"b", f32> {rlscan.input = #rlscan.input<"w", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %zero = arith.constant 0.0 : f32
  %picked = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f32
  %sum = rlscan.reduce sum over "a" : f32 {
  ^bb0(%position: index):
    %p = rlscan.pick %q[%position] : !rlscan.along<"a", f32> -> f32
    rlscan.yield %p : f32
  }
  %max = rlscan.reduce max over "a" : f32 {
  ^bb0(%position: index):
    %f = rlscan.pick %on[%position] : !rlscan.along<"a", i1> -> i1
    %gated = arith.select %f, %sum, %zero : f32
    rlscan.yield %gated : f32
  }
  %min = rlscan.reduce min over "b" : f32 {
  ^bb0(%position: index):
    rlscan.yield %max : f32
  }
  rlscan.return %min : f32
}
