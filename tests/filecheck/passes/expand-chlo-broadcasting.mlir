// RUN: hlo-opt %s --passes expand-chlo | filecheck %s

// CHECK-LABEL: func.func @operands_of_one_shape
// CHECK-NEXT: stablehlo.add %arg0, %arg1
func.func @operands_of_one_shape(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @fewer_axes_are_the_last
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: stablehlo.subtract %arg0, %[[WIDE]]
func.func @fewer_axes_are_the_last(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_subtract %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @fewer_axes_where_they_are_given
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: stablehlo.divide %[[WIDE]], %arg1
func.func @fewer_axes_where_they_are_given(%a: tensor<2xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_divide %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @axes_of_length_one_on_both_sides
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1]
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [0, 1]
// CHECK-NEXT: stablehlo.atan2 %[[A]], %[[B]] : tensor<2x3xf32>
func.func @axes_of_length_one_on_both_sides(%a: tensor<2x1xf32>, %b: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_atan2 %a, %b : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @to_no_elements
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<0xf32>
// CHECK-NEXT: stablehlo.multiply
func.func @to_no_elements(%a: tensor<0xf32>, %b: tensor<f32>) -> tensor<0xf32> {
  %0 = chlo.broadcast_multiply %a, %b : (tensor<0xf32>, tensor<f32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// CHECK-LABEL: func.func @extrema_and_powers
// CHECK-NEXT: stablehlo.maximum
// CHECK-NEXT: stablehlo.minimum
// CHECK-NEXT: stablehlo.power
// CHECK-NEXT: stablehlo.remainder
// CHECK-NEXT: stablehlo.complex
func.func @extrema_and_powers(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xcomplex<f32>> {
  %0 = chlo.broadcast_maximum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = chlo.broadcast_minimum %0, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = chlo.broadcast_power %1, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = chlo.broadcast_remainder %2, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = chlo.broadcast_complex %3, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return %4 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @bits
// CHECK-NEXT: stablehlo.and
// CHECK-NEXT: stablehlo.or
// CHECK-NEXT: stablehlo.xor
// CHECK-NEXT: stablehlo.shift_left
// CHECK-NEXT: stablehlo.shift_right_arithmetic
// CHECK-NEXT: stablehlo.shift_right_logical
func.func @bits(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = chlo.broadcast_and %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = chlo.broadcast_or %0, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = chlo.broadcast_xor %1, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %3 = chlo.broadcast_shift_left %2, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %4 = chlo.broadcast_shift_right_arithmetic %3, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %5 = chlo.broadcast_shift_right_logical %4, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %5 : tensor<2xi32>
}

// CHECK-LABEL: func.func @comparison
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg1, dims = []
// CHECK-NEXT: stablehlo.compare LT, %arg0, %[[WIDE]] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT: stablehlo.compare GE, %arg0, %arg0, TOTALORDER
func.func @comparison(%a: tensor<2xf32>, %b: tensor<f32>) -> (tensor<2xi1>, tensor<2xi1>) {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %1 = chlo.broadcast_compare %a, %a {comparison_direction = #chlo<comparison_direction GE>, compare_type = #chlo<comparison_type TOTALORDER>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1 : tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @choice_of_three
// CHECK-NEXT: %[[WHICH:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1]
// CHECK-NEXT: %[[ELSE:.*]] = stablehlo.broadcast_in_dim %arg2, dims = []
// CHECK-NEXT: stablehlo.select %[[WHICH]], %arg1, %[[ELSE]]
func.func @choice_of_three(%p: tensor<3xi1>, %a: tensor<2x3xf32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @operations_that_are_expanded_themselves
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = []
// CHECK-NOT: chlo.
func.func @operations_that_are_expanded_themselves(%a: tensor<2xf32>, %b: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = chlo.broadcast_next_after %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = chlo.broadcast_polygamma %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_shift_of_floats
// CHECK-NEXT: chlo.broadcast_shift_left
func.func @keeps_a_shift_of_floats(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.broadcast_shift_left %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_axes_that_are_not_there
// CHECK-NEXT: chlo.broadcast_add
func.func @keeps_axes_that_are_not_there(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_add"(%a, %b) {broadcast_dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_dynamic_shape
// CHECK-NEXT: chlo.broadcast_add
func.func @keeps_a_dynamic_shape(%a: tensor<?xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
