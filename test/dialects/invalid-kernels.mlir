// Kernels that no sweep could run.

// RUN: rlscan-opt %s --split-input-file --verify-diagnostics

// No body.
// expected-error @below {{needs a body of one block}}
rlscan.kernel @declaration(!rlscan.array<step, f32, rows>)

// -----

// What is computed is computed by a sweep.
rlscan.kernel @outside_of_sweeps(%x: !rlscan.array<step, f32, rows>) {
  // expected-error @below {{must be inside a sweep}}
  %zero = arith.constant 0.0 : f32
  rlscan.sweep forward {
    rlscan.store %zero, %x : f32, !rlscan.array<step, f32, rows>
  }
}

// -----

// What load_c3 says of reading holds for writing.
rlscan.kernel @real_as_integer(%x: !rlscan.array<step, i32, rows>) {
  rlscan.sweep forward {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{cannot write 'f32' to storage 'i32'}}
    rlscan.store %zero, %x : f32, !rlscan.array<step, i32, rows>
  }
}

// -----

// Elements are whole bytes.
// expected-error @below {{storage must be f16, bf16, f32, f64, i8, i16, i32 or i64, got 'i1'}}
rlscan.kernel @bits(%x: !rlscan.array<step, i1, rows>) {
  rlscan.sweep forward {
  }
}
