// RUN: hlo-opt %s --passes simplify-loops | filecheck %s

// CHECK-LABEL: func.func @takes_the_operands_of_a_loop_that_never_runs
// CHECK-NEXT: return %arg0
func.func @takes_the_operands_of_a_loop_that_never_runs(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      %no = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %no : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_loop_that_may_run
// CHECK: stablehlo.while
func.func @keeps_a_loop_that_may_run(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_loop_without_end
// CHECK: stablehlo.while
func.func @keeps_a_loop_without_end(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      %yes = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %yes : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @writes_out_a_loop_of_three_turns
// CHECK-NOT: stablehlo.while
// CHECK-COUNT-3: stablehlo.sine
// CHECK-NEXT: return
func.func @writes_out_a_loop_of_three_turns(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<2xf32>
    }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @counts_past_the_largest_number
// CHECK-NOT: stablehlo.while
// CHECK-COUNT-2: stablehlo.sine
// CHECK-NEXT: return
func.func @counts_past_the_largest_number(%x: tensor<2xf32>) -> tensor<2xf32> {
  %start = stablehlo.constant dense<254> : tensor<ui8>
  %zero = stablehlo.constant dense<0> : tensor<ui8>
  %one = stablehlo.constant dense<1> : tensor<ui8>
  %0:2 = stablehlo.while(%i = %start, %y = %x) : tensor<ui8>, tensor<2xf32>
    cond {
      %1 = stablehlo.compare NE, %i, %zero : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<ui8>
      %2 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1, %2 : tensor<ui8>, tensor<2xf32>
    }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_loop_of_many_turns
// CHECK: stablehlo.while
func.func @keeps_a_loop_of_many_turns(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<9> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<2xf32>
    }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_loop_counted_in_floats
// CHECK: stablehlo.while
func.func @keeps_a_loop_counted_in_floats(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<f32>, tensor<2xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<f32>
      %2 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<2xf32>
    }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_loop_whose_condition_acts
// CHECK: stablehlo.while
// CHECK: custom_call @ask
func.func @keeps_a_loop_whose_condition_acts(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      %no = stablehlo.constant dense<false> : tensor<i1>
      %1 = stablehlo.custom_call @ask(%y) {has_side_effect = true} : (tensor<2xf32>) -> tensor<i1>
      stablehlo.return %no : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @writes_out_effects_in_order
// CHECK-NOT: stablehlo.while
// CHECK: %[[ONE:.*]] = stablehlo.custom_call @act(%arg0)
// CHECK-NEXT: %[[TWO:.*]] = stablehlo.custom_call @act(%[[ONE]])
// CHECK-NEXT: return %[[TWO]]
func.func @writes_out_effects_in_order(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.custom_call @act(%y) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<2xf32>
    }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @uses_what_no_turn_changes_from_outside
// CHECK-NEXT: %[[LOOP:.*]] = stablehlo.while(%[[Y:.*]] = %arg1) : tensor<2xf32>
// CHECK: stablehlo.return %arg0
// CHECK: stablehlo.add %[[Y]], %arg2
// CHECK: return %[[LOOP]], %arg2
func.func @uses_what_no_turn_changes_from_outside(%p: tensor<i1>, %x: tensor<2xf32>, %c: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:3 = stablehlo.while(%q = %p, %y = %x, %d = %c) : tensor<i1>, tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %1 = stablehlo.add %y, %d : tensor<2xf32>
      stablehlo.return %q, %1, %c : tensor<i1>, tensor<2xf32>, tensor<2xf32>
    }
  return %0#1, %0#2 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_turns_exchange
// CHECK: stablehlo.while(%[[X:.*]] = %arg1, %[[Y:.*]] = %arg2)
// CHECK: stablehlo.return %[[Y]], %[[X]]
func.func @keeps_what_turns_exchange(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = stablehlo.while(%x = %a, %y = %b) : tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %y, %x : tensor<2xf32>, tensor<2xf32>
    }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @removes_what_only_computes_itself
// CHECK: stablehlo.while(%{{.*}} = %arg1) : tensor<2xf32>
// CHECK-NOT: stablehlo.cosine
// CHECK: stablehlo.sine
func.func @removes_what_only_computes_itself(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0:3 = stablehlo.while(%y = %x, %z = %x, %w = %x) : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      %2 = stablehlo.cosine %z : tensor<2xf32>
      %3 = stablehlo.add %w, %2 : tensor<2xf32>
      stablehlo.return %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    }
  return %0#0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_a_result_comes_from
// CHECK: stablehlo.while(%{{.*}} = %arg1, %{{.*}} = %arg2)
// CHECK: stablehlo.cosine
func.func @keeps_what_a_result_comes_from(%p: tensor<i1>, %x: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = stablehlo.while(%y = %x, %z = %c) : tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.add %y, %z : tensor<2xf32>
      %2 = stablehlo.cosine %z : tensor<2xf32>
      stablehlo.return %1, %2 : tensor<2xf32>, tensor<2xf32>
    }
  return %0#0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_the_condition_comes_from
// CHECK: stablehlo.while(%{{.*}} = %arg0, %{{.*}} = %arg1)
func.func @keeps_what_the_condition_comes_from(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.subtract %i, %one : tensor<i32>
      %2 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<2xf32>
    }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_an_effect_comes_from
// CHECK: stablehlo.while(%{{.*}} = %arg1, %{{.*}} = %arg2)
// CHECK: custom_call @show
func.func @keeps_what_an_effect_comes_from(%p: tensor<i1>, %x: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = stablehlo.while(%y = %x, %z = %c) : tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      %2 = stablehlo.cosine %z : tensor<2xf32>
      %3 = stablehlo.custom_call @show(%z) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1, %2 : tensor<2xf32>, tensor<2xf32>
    }
  return %0#0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_one_of_two_equal_states
// CHECK: %[[LOOP:.*]] = stablehlo.while(%[[Y:.*]] = %arg1) : tensor<2xf32>
// CHECK: %[[SINE:.*]] = stablehlo.sine %[[Y]]
// CHECK: return %[[LOOP]], %[[LOOP]]
func.func @keeps_one_of_two_equal_states(%p: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = stablehlo.while(%y = %x, %z = %x) : tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %z : tensor<2xf32>
      %2 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1, %2 : tensor<2xf32>, tensor<2xf32>
    }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_states_that_part
// CHECK: stablehlo.while(%{{.*}} = %arg1, %{{.*}} = %arg1, %{{.*}} = %arg1)
func.func @keeps_states_that_part(%p: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:3 = stablehlo.while(%y = %x, %z = %x, %w = %x) : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %w, %y, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_states_that_start_as_two_zeros
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<f32>, tensor<f32>
func.func @keeps_states_that_start_as_two_zeros(%p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<-0.0> : tensor<f32>
  %0:2 = stablehlo.while(%y = %a, %z = %b) : tensor<f32>, tensor<f32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<f32>
      %2 = stablehlo.sine %z : tensor<f32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
    }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}
