// Every labelled constraint of every op. The labels are those of the op
// descriptions in dialects/rlscan and of the verifiers.

// RUN: rlscan-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// estimator
//===----------------------------------------------------------------------===//

// estimator_c1
// expected-error @below {{needs a body of one block that ends in 'rlscan.return'}}
rlscan.estimator @declaration()

// -----

// estimator_c1
// expected-error @below {{needs a body of one block that ends in 'rlscan.return'}}
rlscan.estimator @two_blocks() {
  rlscan.return
^bb1:
  rlscan.return
}

// -----

// estimator_c1
// expected-error @below {{needs a body of one block that ends in 'rlscan.return'}}
rlscan.estimator @other_terminator() {
  llvm.unreachable
}

// -----

// estimator_c2
// expected-error @below {{argument 1 needs an 'rlscan.input' attribute}}
rlscan.estimator @undescribed(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>}, %y: f32) {
  rlscan.return
}

// -----

// estimator_c2: an attribute of another kind does not count
// expected-error @below {{argument 0 needs an 'rlscan.input' attribute}}
rlscan.estimator @described_as_output(
    %x: f32 {rlscan.input = #rlscan.output<"x">}) {
  rlscan.return
}

// -----

// estimator_c3
// expected-error @below {{result 1 needs an 'rlscan.output' attribute}}
rlscan.estimator @unnamed(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}, f32) {
  rlscan.return %x, %x : f32, f32
}

// -----

// estimator_c4
// expected-error @below {{has two inputs named "x"}}
rlscan.estimator @same_inputs(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %y: f32 {rlscan.input = #rlscan.input<"x", row>}) {
  rlscan.return
}

// -----

// estimator_c4
// expected-error @below {{has an input or another result named "y"}}
rlscan.estimator @same_results(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        f32 {rlscan.output = #rlscan.output<"y">}) {
  rlscan.return %x, %x : f32, f32
}

// -----

// estimator_c4
// expected-error @below {{has an input or another result named "x"}}
rlscan.estimator @same_input_and_result(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"x">}) {
  rlscan.return %x : f32
}

// -----

// estimator_c5: a real
// expected-error @below {{default of 'x' must be a value of type 'f32', got true}}
rlscan.estimator @flag_for_real(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, default = true>}) {
  rlscan.return
}

// -----

// estimator_c5: a flag
// expected-error @below {{default of 'x' must be a value of type 'i1', got 0.000000e+00 : f64}}
rlscan.estimator @real_for_flag(
    %x: i1 {rlscan.input = #rlscan.input<"x", step, default = 0.0>}) {
  rlscan.return
}

// -----

// estimator_c5: an index
// expected-error @below {{default of 'x' must be a value of type 'index', got 1.000000e+00 : f64}}
rlscan.estimator @real_for_index(
    %x: index {rlscan.input = #rlscan.input<"x", step, default = 1.0>}) {
  rlscan.return
}

// -----

// estimator_c5: a number for a signal along an axis
// expected-error @below {{default of 'x' must be a value of type '!rlscan.along<"a", f32>', got 1.000000e+00 : f64}}
rlscan.estimator @number_for_along(
    %x: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"x", step, default = 1.0>}) {
  rlscan.return
}

// -----

// estimator_c5
// expected-error @below {{default of 'x' is 'z', which is no input}}
rlscan.estimator @unknown_stand_in(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, default = @z>}) {
  rlscan.return
}

// -----

// estimator_c5
// expected-error @below {{default of 'y' must have type 'f32', but 'x' has 'i1'}}
rlscan.estimator @stand_in_of_other_type(
    %x: i1 {rlscan.input = #rlscan.input<"x", step>},
    %y: f32 {rlscan.input = #rlscan.input<"y", step, default = @x>}) {
  rlscan.return
}

// -----

// estimator_c6
// expected-error @below {{input 'x' must be a signal (f32, f64, i1, index), or along an axis where its kind is step, got 'f16'}}
rlscan.estimator @half(%x: f16 {rlscan.input = #rlscan.input<"x", step>}) {
  rlscan.return
}

// -----

// estimator_c6
// expected-error @below {{input 'x' must be a signal (f32, f64, i1, index), or along an axis where its kind is step, got '!rlscan.along<"a", f32>'}}
rlscan.estimator @row_along_axis(
    %x: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"x", row>}) {
  rlscan.return
}

// -----

// estimator_c9
// expected-error @below {{input 'x' has extra_steps = 2: a step's signal has 0 or 1, all others have 0}}
rlscan.estimator @two_extra_steps(%x: f32 {rlscan.input = #rlscan.input<"x", step, extra_steps = 2>}) {
  rlscan.return
}

// -----

// estimator_c9
// expected-error @below {{input 'x' has extra_steps = 1: a step's signal has 0 or 1, all others have 0}}
rlscan.estimator @extra_step_of_row(%x: f32 {rlscan.input = #rlscan.input<"x", row, extra_steps = 1>}) {
  rlscan.return
}

// -----

// estimator_c9
// expected-error @below {{input 'x' has extra_steps = 1: a step's signal has 0 or 1, all others have 0}}
rlscan.estimator @extra_step_along_axis(
    %x: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"x", step, extra_steps = 1>}) {
  rlscan.return
}

// -----

// after_c1
rlscan.estimator @no_extra_step(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{input 'x' has no extra step}}
  %0 = rlscan.after %x : f32
  rlscan.return %0 : f32
}

// -----

// after_c1
rlscan.kernel @after_row(%x: !rlscan.array<row, f32, rows>) {
  // expected-error @below {{array must have kind step and no axis, got '!rlscan.array<row, f32, rows>'}}
  %0 = rlscan.after %x : !rlscan.array<row, f32, rows>
  rlscan.sweep forward {
  }
}

// -----

// estimator_c7
// expected-error @below {{result "y" must be a real, a flag or an index, got '!rlscan.along<"a", f32>'}}
rlscan.estimator @result_along_axis(
    %x: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"x", step>})
    -> (!rlscan.along<"a", f32> {rlscan.output = #rlscan.output<"y">}) {
  rlscan.return %x : !rlscan.along<"a", f32>
}

// -----

// estimator_c8
rlscan.estimator @axis_without_size(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %q: !rlscan.along<"b", f32> {rlscan.input = #rlscan.input<"q", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{no input runs along axis 'a', so its size is unknown}}
  %y = rlscan.reduce sum over "a" : f32 {
  ^bb0(%i: index):
    rlscan.yield %x : f32
  }
  rlscan.return %y : f32
}

// -----

// estimator_c8: in a recurrence, and inside of another reduction
rlscan.estimator @nested_axis_without_size(
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>},
    %r: f32 {rlscan.input = #rlscan.input<"r", row>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  %y = rlscan.recurrence forward init %r : f32 {
  ^bb0(%carry: f32):
    %0 = rlscan.reduce sum over "a" : f32 {
    ^bb0(%i: index):
      // expected-error @below {{no input runs along axis 'b', so its size is unknown}}
      %1 = rlscan.reduce max over "b" : f32 {
      ^bb0(%j: index):
        %2 = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f32
        rlscan.yield %2 : f32
      }
      rlscan.yield %1 : f32
    }
    rlscan.yield %0 : f32
  }
  rlscan.return %y : f32
}

// -----

// return_c1: types
rlscan.estimator @other_type(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (i1 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{must return the estimator's results ('i1'), got ('f32')}}
  rlscan.return %x : f32
}

// -----

// return_c1: number
rlscan.estimator @too_few(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">},
        f32 {rlscan.output = #rlscan.output<"z">}) {
  // expected-error @below {{must return the estimator's results ('f32', 'f32'), got ('f32')}}
  rlscan.return %x : f32
}

// -----

//===----------------------------------------------------------------------===//
// Steps, neighbours and recurrences
//===----------------------------------------------------------------------===//

// step_c1
rlscan.estimator @positions(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (index {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{has an offset, but is in no sweep}}
  %y = rlscan.step by 1 : index
  rlscan.return %y : index
}

// -----

// segment_c1
rlscan.estimator @real_bounds(
    %x: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"x", step>})
    -> (index {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{bounds must be indices along an axis, got '!rlscan.along<"a", f32>'}}
  %y = rlscan.segment %x : !rlscan.along<"a", f32> -> index
  rlscan.return %y : index
}

// -----

// segment_c1
rlscan.kernel @no_axis(%x: !rlscan.array<step, i32, steps>) {
  rlscan.sweep forward {
    // expected-error @below {{bounds must be indices along an axis, got '!rlscan.array<step, i32, steps>'}}
    %y = rlscan.segment %x : !rlscan.array<step, i32, steps> -> index
  }
}

// -----

// shift_c1
rlscan.estimator @far(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{offset must be 1 or -1, got 2}}
  %y = rlscan.shift %x by 2 else %x : f32
  rlscan.return %y : f32
}

// -----

// shift_c1
rlscan.estimator @here(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{offset must be 1 or -1, got 0}}
  %y = rlscan.shift %x by 0 else %x : f32
  rlscan.return %y : f32
}

// -----

// recurrence_c1: number of arguments
rlscan.estimator @no_carry(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must have one argument of type 'f32'}}
  %y = rlscan.recurrence backward init %x : f32 {
    rlscan.yield %x : f32
  }
  rlscan.return %y : f32
}

// -----

// recurrence_c1: its type
rlscan.estimator @other_carry(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must have one argument of type 'f32'}}
  %y = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f64):
    rlscan.yield %x : f32
  }
  rlscan.return %y : f32
}

// -----

// recurrence_c2: none
rlscan.estimator @no_yield(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must yield one value of type 'f32'}}
  %y = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
  }
  rlscan.return %y : f32
}

// -----

// recurrence_c2: another type
rlscan.estimator @other_yield(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %z: f64 {rlscan.input = #rlscan.input<"z", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must yield one value of type 'f32'}}
  %y = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    rlscan.yield %z : f64
  }
  rlscan.return %y : f32
}

// -----

// recurrence_c3
func.func private @print(f32)
rlscan.estimator @effects(%x: f32 {rlscan.input = #rlscan.input<"x", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must not have side effects}}
  %y = rlscan.recurrence backward init %x : f32 {
  ^bb0(%carry: f32):
    // expected-note @below {{this op has, or may have}}
    func.call @print(%carry) : (f32) -> ()
    rlscan.yield %carry : f32
  }
  rlscan.return %y : f32
}

// -----

//===----------------------------------------------------------------------===//
// Inner axes
//===----------------------------------------------------------------------===//

// pick_c1
rlscan.estimator @other_element(
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>},
    %i: index {rlscan.input = #rlscan.input<"i", step>})
    -> (f64 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{result must have the element type 'f32', got 'f64'}}
  %y = rlscan.pick %q[%i] : !rlscan.along<"a", f32> -> f64
  rlscan.return %y : f64
}

// -----

// reduce_c1: number of arguments
rlscan.estimator @no_index(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must have one argument of type index}}
  %y = rlscan.reduce sum over "a" : f32 {
    rlscan.yield %x : f32
  }
  rlscan.return %y : f32
}

// -----

// reduce_c1: its type
rlscan.estimator @other_index(
    %x: f32 {rlscan.input = #rlscan.input<"x", step>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must have one argument of type index}}
  %y = rlscan.reduce max over "a" : f32 {
  ^bb0(%i: i64):
    rlscan.yield %x : f32
  }
  rlscan.return %y : f32
}

// -----

// reduce_c2: none
rlscan.estimator @no_entry(
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must yield one value of type 'f32'}}
  %y = rlscan.reduce sum over "a" : f32 {
  ^bb0(%i: index):
  }
  rlscan.return %y : f32
}

// -----

// reduce_c2: another type
rlscan.estimator @other_entry(
    %x: f64 {rlscan.input = #rlscan.input<"x", step>},
    %q: !rlscan.along<"a", f32> {rlscan.input = #rlscan.input<"q", step>})
    -> (f32 {rlscan.output = #rlscan.output<"y">}) {
  // expected-error @below {{region must yield one value of type 'f32'}}
  %y = rlscan.reduce sum over "a" : f32 {
  ^bb0(%i: index):
    rlscan.yield %x : f64
  }
  rlscan.return %y : f32
}

// -----

//===----------------------------------------------------------------------===//
// kernel, sweep and temporary
//===----------------------------------------------------------------------===//

// kernel_c1: results
// expected-error @below {{must have no results}}
rlscan.kernel @result() -> f32 {
  rlscan.sweep forward {
  }
}

// -----

// kernel_c1: arguments
// expected-error @below {{argument 1 must be an !rlscan.array, got 'f32'}}
rlscan.kernel @scalar(%x: !rlscan.array<step, f32, rows>, %y: f32) {
  rlscan.sweep forward {
  }
}

// -----

// kernel_c2: no block
// expected-error @below {{needs a body of one block}}
rlscan.kernel @no_block(!rlscan.array<step, f32, rows>)

// -----

// kernel_c2: two blocks
// expected-error @below {{needs a body of one block}}
rlscan.kernel @two_blocks(%x: !rlscan.array<step, f32, rows>) {
  llvm.unreachable
^bb1:
  llvm.unreachable
}

// -----

// kernel_c2: neither a sweep nor tiles nor a temporary nor a constant
rlscan.kernel @outside(%x: !rlscan.array<step, f32, rows>) {
  // expected-error @below {{must be inside a sweep or tiles}}
  %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
  rlscan.sweep forward {
  }
}

// -----

// kernel_c2: arithmetic, of constants too
rlscan.kernel @arithmetic_outside(%x: !rlscan.array<step, f32, rows>) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{must be inside a sweep or tiles}}
  %two = arith.addf %one, %one : f32
  rlscan.sweep forward {
    rlscan.store %two, %x : f32, !rlscan.array<step, f32, rows>
  }
}

// -----

// sweep_c1
func.func private @print(f32)
rlscan.kernel @effects(%x: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> f32
    // expected-error @below {{must not have side effects inside a sweep}}
    func.call @print(%0) : (f32) -> ()
  }
}

// -----

// temporary_c1: kind
rlscan.kernel @param_temporary() {
  // expected-error @below {{array must have kind step or row and no axis, got '!rlscan.array<param, f32, strided>'}}
  %0 = rlscan.temporary : !rlscan.array<param, f32, strided>
}

// -----

// temporary_c1: axis
rlscan.kernel @axis_temporary() {
  // expected-error @below {{array must have kind step or row and no axis, got '!rlscan.array<step, f32, rows, "a">'}}
  %0 = rlscan.temporary : !rlscan.array<step, f32, rows, "a">
}

// -----

//===----------------------------------------------------------------------===//
// load and store
//===----------------------------------------------------------------------===//

// load_c1: an index too many
rlscan.kernel @index(%x: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    %i = arith.constant 0 : index
    // expected-error @below {{has an index, but '!rlscan.array<step, f32, rows>' has no axis}}
    %0 = rlscan.load %x[%i] : !rlscan.array<step, f32, rows> -> f32
  }
}

// -----

// load_c1: a missing index
rlscan.kernel @no_index(%x: !rlscan.array<step, f32, rows, "a">) {
  rlscan.sweep forward {
    // expected-error @below {{needs an index: '!rlscan.array<step, f32, rows, "a">' has an axis}}
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows, "a"> -> f32
  }
}

// -----

// load_c2
rlscan.kernel @row_offset(%x: !rlscan.array<row, f32, rows>) {
  rlscan.sweep forward {
    // expected-error @below {{has an offset, but '!rlscan.array<row, f32, rows>' has no steps}}
    %0 = rlscan.load %x by 1 : !rlscan.array<row, f32, rows> -> f32
  }
}

// -----

// load_c2
rlscan.kernel @param_offset(%x: !rlscan.array<param, f32, strided>) {
  rlscan.sweep forward {
    // expected-error @below {{has an offset, but '!rlscan.array<param, f32, strided>' has no steps}}
    %0 = rlscan.load %x by -1 : !rlscan.array<param, f32, strided> -> f32
  }
}

// -----

// load_c3: a real
rlscan.kernel @integer_real(%x: !rlscan.array<step, i32, rows>) {
  rlscan.sweep forward {
    // expected-error @below {{cannot read 'f32' from storage 'i32'}}
    %0 = rlscan.load %x : !rlscan.array<step, i32, rows> -> f32
  }
}

// -----

// load_c3: an index
rlscan.kernel @real_index(%x: !rlscan.array<step, f32, rows>) {
  rlscan.sweep forward {
    // expected-error @below {{cannot read 'index' from storage 'f32'}}
    %0 = rlscan.load %x : !rlscan.array<step, f32, rows> -> index
  }
}

// -----

// load_c3: an index from halves
rlscan.kernel @half_index(%x: !rlscan.array<step, f16, rows, "a">) {
  rlscan.sweep forward {
    %i = arith.constant 0 : index
    // expected-error @below {{cannot read 'index' from storage 'f16'}}
    %0 = rlscan.load %x[%i] : !rlscan.array<step, f16, rows, "a"> -> index
  }
}

// -----

// store_c1: kind
rlscan.kernel @store_param(%x: !rlscan.array<param, f32, strided>) {
  rlscan.sweep forward {
    %0 = arith.constant 0.0 : f32
    // expected-error @below {{array must have kind step or row and no axis, got '!rlscan.array<param, f32, strided>'}}
    rlscan.store %0, %x : f32, !rlscan.array<param, f32, strided>
  }
}

// -----

// store_c1: axis
rlscan.kernel @store_axis(%x: !rlscan.array<step, f32, rows, "a">) {
  rlscan.sweep forward {
    %0 = arith.constant 0.0 : f32
    // expected-error @below {{array must have kind step or row and no axis, got '!rlscan.array<step, f32, rows, "a">'}}
    rlscan.store %0, %x : f32, !rlscan.array<step, f32, rows, "a">
  }
}

// -----

// store_c2: a real
rlscan.kernel @store_real(%x: !rlscan.array<step, i32, rows>) {
  rlscan.sweep forward {
    %0 = arith.constant 0.0 : f32
    // expected-error @below {{cannot write 'f32' to storage 'i32'}}
    rlscan.store %0, %x : f32, !rlscan.array<step, i32, rows>
  }
}

// -----

// store_c2: an index
rlscan.kernel @store_index(%x: !rlscan.array<step, f64, rows>) {
  rlscan.sweep forward {
    %0 = arith.constant 0 : index
    // expected-error @below {{cannot write 'index' to storage 'f64'}}
    rlscan.store %0, %x : index, !rlscan.array<step, f64, rows>
  }
}
