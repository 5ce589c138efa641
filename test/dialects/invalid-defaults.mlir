// Defaults that refer to other inputs, or have nearly the right type.

// RUN: rlscan-opt %s --split-input-file --verify-diagnostics

// estimator_c2 comes before estimator_c5: the input referred to has no name
// yet.
// expected-error @below {{argument 1 needs an 'rlscan.input' attribute}}
rlscan.estimator @undescribed_stand_in(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, default = @y>}, %y: f32) {
  rlscan.return
}

// -----

// estimator_c5: no value ever
// expected-error @below {{default of 'x' is 'x' itself}}
rlscan.estimator @itself(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, default = @x>}) {
  rlscan.return
}

// -----

// estimator_c5: a cycle, so no value ever. What stands in comes before.
// expected-error @below {{default of 'x' is 'y', which comes after it}}
rlscan.estimator @cycle(
    %x: f32 {rlscan.input = #rlscan.input<"x", step, default = @y>},
    %y: f32 {rlscan.input = #rlscan.input<"y", step, default = @x>}) {
  rlscan.return
}

// -----

// estimator_c5: an integer of another type than index
// expected-error @below {{default of 'x' must be a value of type 'index', got 1 : i64}}
rlscan.estimator @integer_for_index(
    %x: index {rlscan.input = #rlscan.input<"x", step, default = 1 : i64>}) {
  rlscan.return
}

// -----

// estimator_c5: a boolean is an integer, but no index
// expected-error @below {{default of 'x' must be a value of type 'index', got true}}
rlscan.estimator @flag_for_index(
    %x: index {rlscan.input = #rlscan.input<"x", step, default = true>}) {
  rlscan.return
}

// -----

// estimator_c5: only a row's index may be left out without a stand-in
// expected-error @below {{default of 'x' is unit, which is for a row's index that no equation reads}}
rlscan.estimator @unit_for_step(
    %x: index {rlscan.input = #rlscan.input<"x", step, default = unit>}) {
  rlscan.return
}

// -----

// estimator_c5: what equations read needs a value
// expected-error @below {{default of 'x' is unit, which is for a row's index that no equation reads}}
rlscan.estimator @unit_that_is_read(
    %x: index {rlscan.input = #rlscan.input<"x", row, default = unit>})
    -> (index {rlscan.output = #rlscan.output<"y">}) {
  rlscan.return %x : index
}
