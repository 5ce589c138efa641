// What is said of an attribute or type that cannot be read.

// RUN: rlscan-opt %s --split-input-file --verify-diagnostics

rlscan.kernel @kind(
    // expected-error @below {{expected an input kind (param, row or step), got 'column'}}
    %x: !rlscan.array<step, f32, rows> {rlscan.input = #rlscan.input<"x", column>}) {
  rlscan.sweep forward {
  }
}

// -----

rlscan.kernel @layout(
    // expected-error @below {{expected a layout (strided, steps or rows), got 'columns'}}
    %x: !rlscan.array<step, f32, rows> {rlscan.input = #rlscan.input<"x", step, storage = f32, layout = columns>}) {
  rlscan.sweep forward {
  }
}

// -----

rlscan.kernel @input_field(
    // expected-error @below {{unknown field 'colour'}}
    %x: !rlscan.array<step, f32, rows> {rlscan.input = #rlscan.input<"x", step, colour = red>}) {
  rlscan.sweep forward {
  }
}

// -----

// A result has no default.
rlscan.kernel @output_field(
    // expected-error @below {{unknown field 'default'}}
    %x: !rlscan.array<step, f32, rows> {rlscan.output = #rlscan.output<"x", default = 0.0>}) {
  rlscan.sweep forward {
  }
}

// -----

rlscan.kernel @array_kind(
    // expected-error @below {{expected ::rlscan::InputKind to be one of: param, row, step}}
    // expected-error @below {{failed to parse RLScan_ArrayType parameter 'kind'}}
    %x: !rlscan.array<column, f32, rows>) {
  rlscan.sweep forward {
  }
}

// -----

rlscan.kernel @twice(
    // expected-error @below {{field 'default' is given twice}}
    %x: !rlscan.array<step, f32, rows> {rlscan.input = #rlscan.input<"x", step, default = 0.0, default = 1.0>}) {
  rlscan.sweep forward {
  }
}

// -----

// What an attribute says of storage becomes an array's.
rlscan.estimator @input_storage(
    // expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'i1'}}
    %x: i1 {rlscan.input = #rlscan.input<"x", step, storage = i1, layout = rows>}) {
  rlscan.return
}

// -----

rlscan.estimator @output_storage(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    // expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got '!llvm.ptr'}}
    -> (f32 {rlscan.output = #rlscan.output<"y", storage = !llvm.ptr, layout = rows>}) {
  rlscan.return %x : f32
}
