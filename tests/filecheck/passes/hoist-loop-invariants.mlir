// RUN: hlo-opt %s --passes hoist-loop-invariants | filecheck %s

// CHECK-LABEL: func.func @moves_what_every_turn_computes_alike
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: %[[TWICE:.*]] = stablehlo.add %[[SINE]], %[[SINE]]
// CHECK-NEXT: stablehlo.while(%[[Y:.*]] = %arg1)
// CHECK: stablehlo.multiply %[[Y]], %[[TWICE]]
func.func @moves_what_every_turn_computes_alike(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %x : tensor<2xf32>
      %2 = stablehlo.add %1, %1 : tensor<2xf32>
      %3 = stablehlo.multiply %y, %2 : tensor<2xf32>
      stablehlo.return %3 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_turns_change
// CHECK-NEXT: stablehlo.while
// CHECK: stablehlo.sine
func.func @keeps_what_turns_change(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %y : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @moves_out_of_a_condition
// CHECK-NEXT: %[[END:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: stablehlo.while(%[[I:.*]] = %arg0)
// CHECK: stablehlo.compare LT, %[[I]], %[[END]]
func.func @moves_out_of_a_condition(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %1 = stablehlo.add %n, %n : tensor<i32>
      %2 = stablehlo.compare LT, %i, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %1 = stablehlo.multiply %i, %i : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @moves_what_comes_from_a_state_that_stays
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg2
// CHECK-NEXT: stablehlo.while
// CHECK: stablehlo.add %{{.*}}, %[[SINE]]
func.func @moves_what_comes_from_a_state_that_stays(%p: tensor<i1>, %x: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = stablehlo.while(%y = %x, %d = %c) : tensor<2xf32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.sine %d : tensor<2xf32>
      %2 = stablehlo.add %y, %1 : tensor<2xf32>
      stablehlo.return %2, %d : tensor<2xf32>, tensor<2xf32>
    }
  return %0#0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_constants_and_broadcasts
// CHECK-NEXT: stablehlo.while
// CHECK: stablehlo.constant
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.iota
func.func @keeps_constants_and_broadcasts(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %c = stablehlo.constant dense<2.0> : tensor<f32>
      %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %i = stablehlo.iota dim = 0 : tensor<2xf32>
      %1 = stablehlo.add %y, %b : tensor<2xf32>
      %2 = stablehlo.add %1, %i : tensor<2xf32>
      stablehlo.return %2 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_a_copy_of_a_constant_along
// CHECK-NEXT: %[[OUT:.*]] = stablehlo.constant dense<2
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg1, %[[OUT]]
// CHECK-NEXT: stablehlo.while(%[[Y:.*]] = %arg1)
// CHECK: %[[IN:.*]] = stablehlo.constant dense<2
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[Y]], %[[IN]]
// CHECK-NEXT: stablehlo.add %[[PRODUCT]], %[[SUM]]
func.func @takes_a_copy_of_a_constant_along(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %c = stablehlo.constant dense<2.0> : tensor<2xf32>
      %1 = stablehlo.add %x, %c : tensor<2xf32>
      %2 = stablehlo.multiply %y, %c : tensor<2xf32>
      %3 = stablehlo.add %2, %1 : tensor<2xf32>
      stablehlo.return %3 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @moves_out_of_a_loop_in_a_loop
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: stablehlo.while(%[[Y:.*]] = %arg1)
// CHECK: %[[COSINE:.*]] = stablehlo.cosine %[[Y]]
// CHECK-NEXT: stablehlo.while
// CHECK: stablehlo.add %{{.*}}, %[[SINE]]
// CHECK-NEXT: stablehlo.add %{{.*}}, %[[COSINE]]
func.func @moves_out_of_a_loop_in_a_loop(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.while(%z = %y) : tensor<2xf32>
        cond {
          stablehlo.return %p : tensor<i1>
        } do {
          %2 = stablehlo.sine %x : tensor<2xf32>
          %3 = stablehlo.cosine %y : tensor<2xf32>
          %4 = stablehlo.add %z, %2 : tensor<2xf32>
          %5 = stablehlo.add %4, %3 : tensor<2xf32>
          stablehlo.return %5 : tensor<2xf32>
        }
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @moves_an_operation_with_a_region
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.reduce(%arg1 init: %[[C]])
// CHECK: stablehlo.while
func.func @moves_an_operation_with_a_region(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.while(%y = %c) : tensor<f32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %2 = stablehlo.subtract %y, %1 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_effects
// CHECK-NEXT: stablehlo.while
// CHECK: custom_call @act
func.func @keeps_effects(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.custom_call @act(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_loop_that_might_not_end
// CHECK-NEXT: stablehlo.while
// CHECK: stablehlo.while
func.func @keeps_a_loop_that_might_not_end(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.while(%z = %x) : tensor<2xf32>
        cond {
          stablehlo.return %q : tensor<i1>
        } do {
          %2 = stablehlo.sine %z : tensor<2xf32>
          stablehlo.return %2 : tensor<2xf32>
        }
      stablehlo.return %1 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_a_branch_computes
// CHECK-NEXT: %[[NEXT:.*]] = "stablehlo.if"(%arg0)
// CHECK-NEXT: stablehlo.sine
func.func @keeps_what_a_branch_computes(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_call_of_something_else
// CHECK-NEXT: stablehlo.while
// CHECK: custom_call @sum
func.func @keeps_a_call_of_something_else(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.custom_call @sum(%x) : (tensor<2xf32>) -> tensor<2xf32>
      %2 = stablehlo.add %y, %1 : tensor<2xf32>
      stablehlo.return %2 : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}
