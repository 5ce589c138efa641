// What arrays may be stored as: whole bytes, in types that generated code reads and
// writes.

// RUN: rlscan-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'i1'}}
rlscan.kernel @bits(%x: !rlscan.array<step, i1, rows>) {
  rlscan.sweep forward {
  }
}

// -----

// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'i128'}}
rlscan.kernel @wide(%x: !rlscan.array<step, i128, rows>) {
  rlscan.sweep forward {
  }
}

// -----

// Integers have no sign of their own.
// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'ui8'}}
rlscan.kernel @unsigned(%x: !rlscan.array<step, ui8, rows>) {
  rlscan.sweep forward {
  }
}

// -----

// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'f8E4M3FN'}}
rlscan.kernel @other_float(%x: !rlscan.array<step, f8E4M3FN, rows>) {
  rlscan.sweep forward {
  }
}

// -----

// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'index'}}
rlscan.kernel @no_size(%x: !rlscan.array<step, index, rows>) {
  rlscan.sweep forward {
  }
}

// -----

// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got '!llvm.ptr'}}
rlscan.kernel @pointers(%x: !rlscan.array<step, !llvm.ptr, rows>) {
  rlscan.sweep forward {
  }
}

// -----

// Whatever the kind, and wherever the type stands.
// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'i1'}}
rlscan.kernel @param(%x: !rlscan.array<param, i1, strided>) {
  rlscan.sweep forward {
  }
}

// -----

rlscan.kernel @temporary() {
  // expected-error @below {{storage must be f16, bf16, f32, f64, i8, i32 or i64, got 'i1'}}
  %0 = rlscan.temporary : !rlscan.array<step, i1, rows>
}
