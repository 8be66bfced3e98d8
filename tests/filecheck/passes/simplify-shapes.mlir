// RUN: hlo-opt %s --passes simplify-shapes | filecheck %s

// CHECK-LABEL: func.func @removes_a_reshape_to_its_own_shape
// CHECK-NEXT: return %arg0
func.func @removes_a_reshape_to_its_own_shape(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshape_to_another_shape
// CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
func.func @keeps_a_reshape_to_another_shape(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @joins_reshapes
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<2x6xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @joins_reshapes(%a: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @removes_reshapes_there_and_back_and_keeps_the_one_that_is_used
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0
// CHECK-NEXT: return %arg0, %[[R]]
func.func @removes_reshapes_there_and_back_and_keeps_the_one_that_is_used(%a: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<12xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<2x6xf32>
  return %1, %0 : tensor<2x6xf32>, tensor<12xf32>
}

// CHECK-LABEL: func.func @reshapes_what_a_broadcast_repeats_not_the_result
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: return %[[B]]
func.func @reshapes_what_a_broadcast_repeats_not_the_result(%a: tensor<3xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<3xf32>) -> tensor<2x4x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x4x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// CHECK-LABEL: func.func @drops_axes_of_one_below_a_broadcast
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<1x3x1xf32>) -> tensor<3xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[R]], dims = [0] : (tensor<3xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: return %[[B]]
func.func @drops_axes_of_one_below_a_broadcast(%a: tensor<1x3x1xf32>) -> tensor<3x8xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<1x3x2x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x3x2x4xf32>) -> tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshape_that_joins_what_is_repeated_with_what_is_not
// CHECK: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.reshape
func.func @keeps_a_reshape_that_joins_what_is_repeated_with_what_is_not(%a: tensor<3xf32>) -> tensor<6xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// CHECK-LABEL: func.func @makes_one_broadcast_of_a_number_that_is_reshaped
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @makes_one_broadcast_of_a_number_that_is_reshaped(%a: tensor<f32>) -> (tensor<2x3xf32>, tensor<6xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3xf32>) -> tensor<6xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<6xf32>
}

// CHECK-LABEL: func.func @removes_a_transpose_in_order
// CHECK-NEXT: return %arg0
func.func @removes_a_transpose_in_order(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @makes_a_reshape_of_a_transpose_of_axes_of_one
// CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<2x1x3x1xf32>) -> tensor<1x2x1x3xf32>
func.func @makes_a_reshape_of_a_transpose_of_axes_of_one(%a: tensor<2x1x3x1xf32>) -> tensor<1x2x1x3xf32> {
  %0 = stablehlo.transpose %a, dims = [3, 0, 1, 2] : (tensor<2x1x3x1xf32>) -> tensor<1x2x1x3xf32>
  return %0 : tensor<1x2x1x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_of_axes_of_one_length
// CHECK-NEXT: stablehlo.transpose %arg0, dims = [1, 0]
func.func @keeps_a_transpose_of_axes_of_one_length(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @joins_transposes
// CHECK-NEXT: stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: return
func.func @joins_transposes(%a: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @removes_transposes_there_and_back
// CHECK-NEXT: return %arg0
func.func @removes_transposes_there_and_back(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @makes_one_broadcast_of_a_broadcast_that_is_transposed
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: return
func.func @makes_one_broadcast_of_a_broadcast_that_is_transposed(%a: tensor<2x3xf32>) -> tensor<3x4x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x4x3xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @joins_transposes_around_a_reshape
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @joins_transposes_around_a_reshape(%a: tensor<2x12xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x12xf32>) -> tensor<12x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<12x2xf32>) -> tensor<3x4x2xf32>
  %2 = stablehlo.transpose %1, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @keeps_transposes_that_tear_apart_what_was_one_axis
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_transposes_that_tear_apart_what_was_one_axis(%a: tensor<2x12xf32>) -> tensor<3x2x4xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x12xf32>) -> tensor<12x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<12x2xf32>) -> tensor<3x4x2xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<3x4x2xf32>) -> tensor<3x2x4xf32>
  return %2 : tensor<3x2x4xf32>
}

// CHECK-LABEL: func.func @keeps_transposes_around_a_reshape_that_is_used
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_transposes_around_a_reshape_that_is_used(%a: tensor<2x12xf32>) -> (tensor<2x3x4xf32>, tensor<3x4x2xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x12xf32>) -> tensor<12x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<12x2xf32>) -> tensor<3x4x2xf32>
  %2 = stablehlo.transpose %1, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %2, %1 : tensor<2x3x4xf32>, tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @removes_a_broadcast_that_adds_nothing
// CHECK-NEXT: return %arg0
func.func @removes_a_broadcast_that_adds_nothing(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @makes_a_reshape_of_a_broadcast_that_adds_axes_of_one
// CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
func.func @makes_a_reshape_of_a_broadcast_that_adds_axes_of_one(%a: tensor<2x3xf32>) -> tensor<1x2x1x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 3] : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
  return %0 : tensor<1x2x1x3xf32>
}

// CHECK-LABEL: func.func @makes_a_transpose_of_a_broadcast_that_permutes
// CHECK-NEXT: stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
func.func @makes_a_transpose_of_a_broadcast_that_permutes(%a: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_broadcast_that_permutes_and_adds_an_axis
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2, 0]
func.func @keeps_a_broadcast_that_permutes_and_adds_an_axis(%a: tensor<2x3xf32>) -> tensor<3x1x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
  return %0 : tensor<3x1x2xf32>
}

// CHECK-LABEL: func.func @joins_broadcasts
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<3xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return
func.func @joins_broadcasts(%a: tensor<3xf32>) -> tensor<4x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @broadcasts_what_was_transposed
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2, 1] : (tensor<2x3xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: return
func.func @broadcasts_what_was_transposed(%a: tensor<2x3xf32>) -> tensor<4x3x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<3x2xf32>) -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @broadcasts_what_got_an_axis_of_one
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return
func.func @broadcasts_what_got_an_axis_of_one(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<3xf32>) -> tensor<1x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @broadcasts_what_lost_an_axis_of_one
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: return
func.func @broadcasts_what_lost_an_axis_of_one(%a: tensor<3x1xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<3x1xf32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshape_below_a_broadcast_without_room
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.broadcast_in_dim
func.func @keeps_a_reshape_below_a_broadcast_without_room(%a: tensor<3x1x1xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<3x1x1xf32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshape_below_a_broadcast_that_splits
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.broadcast_in_dim
func.func @keeps_a_reshape_below_a_broadcast_that_splits(%a: tensor<6xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @removes_a_reverse_of_axes_of_one
// CHECK-NEXT: stablehlo.reverse %arg0, dims = [1]
// CHECK-NEXT: return %{{.*}}, %arg0
func.func @removes_a_reverse_of_axes_of_one(%a: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) {
  %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<1x3xf32>
  %1 = stablehlo.reverse %a, dims = [0] : tensor<1x3xf32>
  return %0, %1 : tensor<1x3xf32>, tensor<1x3xf32>
}

// CHECK-LABEL: func.func @joins_reversals
// CHECK-NEXT: stablehlo.reverse %arg0, dims = [0, 2]
// CHECK-NEXT: return
func.func @joins_reversals(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3x4xf32>
  %1 = stablehlo.reverse %0, dims = [2, 1] : tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @reverses_only_what_differs
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim
// CHECK-NEXT: %[[R:.*]] = stablehlo.reverse %[[B]], dims = [1]
// CHECK-NEXT: return %[[R]], %[[B]]
func.func @reverses_only_what_differs(%a: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reverse %0, dims = [0, 1] : tensor<2x3xf32>
  %2 = stablehlo.reverse %0, dims = [0] : tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @makes_constants_of_what_has_no_elements
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return %[[C]]
func.func @makes_constants_of_what_has_no_elements(%a: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = stablehlo.sine %a : tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// CHECK-LABEL: func.func @keeps_what_has_an_effect_and_no_elements
// CHECK: stablehlo.custom_call @poke
func.func @keeps_what_has_an_effect_and_no_elements(%a: tensor<2xf32>) -> tensor<0xf32> {
  %0 = stablehlo.custom_call @poke(%a) {has_side_effect = true} : (tensor<2xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// CHECK-LABEL: func.func @keeps_an_operation_of_which_one_result_has_elements
// CHECK: stablehlo.while
func.func @keeps_an_operation_of_which_one_result_has_elements(%a: tensor<0xf32>, %i: tensor<i32>, %p: tensor<i1>) -> (tensor<0xf32>, tensor<i32>) {
  %0:2 = stablehlo.while(%x = %a, %j = %i) : tensor<0xf32>, tensor<i32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.add %j, %j : tensor<i32>
      stablehlo.return %x, %1 : tensor<0xf32>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<0xf32>, tensor<i32>
}

// CHECK-LABEL: func.func @simplifies_inside_a_branch
// CHECK: "stablehlo.if"
// CHECK-NEXT: stablehlo.return %arg1
func.func @simplifies_inside_a_branch(%p: tensor<i1>, %a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    stablehlo.return %2 : tensor<2x3xf32>
  }, {
    stablehlo.return %a : tensor<2x3xf32>
  }) : (tensor<i1>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @moves_no_number_that_stands_everywhere
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2x3xf32>
// CHECK: return %[[C]]
func.func @moves_no_number_that_stands_everywhere() -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %0 = stablehlo.reverse %c, dims = [1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_reverse_of_zeros_of_other_signs
// CHECK: stablehlo.reverse
func.func @keeps_a_reverse_of_zeros_of_other_signs() -> tensor<2xf32> {
  %c = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %0 = stablehlo.reverse %c, dims = [0] : tensor<2xf32>
  return %0 : tensor<2xf32>
}
