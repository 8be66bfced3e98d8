// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @knows_the_maximum_of_a_number_and_itself
// CHECK-NEXT: return %arg0
func.func @knows_the_maximum_of_a_number_and_itself(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @knows_the_minimum_of_a_number_and_itself
// CHECK-NEXT: return %arg0
func.func @knows_the_minimum_of_a_number_and_itself(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.minimum %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_maximum_of_two
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg0, %arg1
func.func @keeps_a_maximum_of_two(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %x, %y : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_maximum_with_minus_infinity
// CHECK-NEXT: return %arg0
func.func @removes_a_maximum_with_minus_infinity(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.maximum %x, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @removes_a_minimum_with_infinity
// CHECK-NEXT: return %arg0
func.func @removes_a_minimum_with_infinity(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.minimum %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_maximum_with_the_least_integer
// CHECK-NEXT: return %arg0
func.func @removes_a_maximum_with_the_least_integer(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<-128> : tensor<i8>
  %0 = stablehlo.maximum %x, %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @removes_an_unsigned_maximum_with_zero
// CHECK-NEXT: return %arg0
func.func @removes_an_unsigned_maximum_with_zero(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.maximum %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @removes_an_unsigned_minimum_with_the_greatest
// CHECK-NEXT: return %arg0
func.func @removes_an_unsigned_minimum_with_the_greatest(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.minimum %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @keeps_a_maximum_with_the_least_finite_number
// CHECK: %[[Y:.*]] = stablehlo.maximum %arg0
func.func @keeps_a_maximum_with_the_least_finite_number(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0xFF7FFFFF> : tensor<f32>
  %0 = stablehlo.maximum %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_maximum_with_the_least_number_without_infinity
// CHECK-NEXT: return %arg0
func.func @removes_a_maximum_with_the_least_number_without_infinity(%x: tensor<f8E4M3FN>) -> tensor<f8E4M3FN> {
  %c = stablehlo.constant dense<-448.0> : tensor<f8E4M3FN>
  %0 = stablehlo.maximum %x, %c : tensor<f8E4M3FN>
  return %0 : tensor<f8E4M3FN>
}

// CHECK-LABEL: func.func @keeps_a_complex_maximum
// CHECK: %[[Y:.*]] = stablehlo.maximum %arg0
func.func @keeps_a_complex_maximum(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(0xFF800000, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.maximum %x, %c : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @knows_the_maximum_with_the_greatest_integer
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<127> : tensor<i8>
// CHECK-NEXT: return %[[C]]
func.func @knows_the_maximum_with_the_greatest_integer(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<127> : tensor<i8>
  %0 = stablehlo.maximum %x, %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @knows_the_unsigned_minimum_with_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<ui8>
// CHECK-NEXT: return %[[C]]
func.func @knows_the_unsigned_minimum_with_zero(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.minimum %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @knows_the_maximum_with_true
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_the_maximum_with_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.maximum %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_maximum_with_infinity_for_nan
// CHECK: %[[Y:.*]] = stablehlo.maximum %arg0
func.func @keeps_a_maximum_with_infinity_for_nan(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.maximum %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_second_maximum_with_the_same
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_second_maximum_with_the_same(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %x, %y : tensor<f32>
  %1 = stablehlo.maximum %0, %y : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_minimum_with_the_same_on_the_left
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_minimum_with_the_same_on_the_left(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.minimum %x, %y : tensor<f32>
  %1 = stablehlo.minimum %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_maximum_of_three
// CHECK-NEXT: %[[Z:.*]] = stablehlo.maximum %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %[[Z]], %arg2
func.func @keeps_a_maximum_of_three(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %x, %y : tensor<f32>
  %1 = stablehlo.maximum %0, %z : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @absorbs_an_integer_minimum_in_a_maximum
// CHECK-NEXT: return %arg0
func.func @absorbs_an_integer_minimum_in_a_maximum(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.minimum %x, %y : tensor<i32>
  %1 = stablehlo.maximum %0, %x : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @absorbs_an_integer_maximum_in_a_minimum
// CHECK-NEXT: return %arg1
func.func @absorbs_an_integer_maximum_in_a_minimum(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.maximum %x, %y : tensor<i32>
  %1 = stablehlo.minimum %y, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_float_minimum_in_a_maximum_for_nan
// CHECK-NEXT: %[[Z:.*]] = stablehlo.minimum %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %[[Z]], %arg0
func.func @keeps_a_float_minimum_in_a_maximum_for_nan(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.minimum %x, %y : tensor<f32>
  %1 = stablehlo.maximum %0, %x : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_an_integer_minimum_in_another_maximum
// CHECK-NEXT: %[[Z:.*]] = stablehlo.minimum %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %[[Z]], %arg2
func.func @keeps_an_integer_minimum_in_another_maximum(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.minimum %x, %y : tensor<i32>
  %1 = stablehlo.maximum %0, %z : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @joins_integer_bounds
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<7> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_integer_bounds(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %d = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.maximum %x, %c : tensor<i32>
  %1 = stablehlo.maximum %0, %d : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @joins_unsigned_bounds_as_unsigned
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<100> : tensor<ui8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_unsigned_bounds_as_unsigned(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<200> : tensor<ui8>
  %d = stablehlo.constant dense<100> : tensor<ui8>
  %0 = stablehlo.minimum %x, %c : tensor<ui8>
  %1 = stablehlo.minimum %0, %d : tensor<ui8>
  return %1 : tensor<ui8>
}

// CHECK-LABEL: func.func @keeps_float_bounds_apart
// CHECK: %[[Z:.*]] = stablehlo.maximum %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %[[Z]]
func.func @keeps_float_bounds_apart(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %d = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.maximum %x, %c : tensor<f32>
  %1 = stablehlo.maximum %0, %d : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @clamps_instead_of_two_bounds
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[D:.*]] = stablehlo.constant dense<6.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.clamp %[[C]], %arg0, %[[D]]
// CHECK-NEXT: return %[[Y]]
func.func @clamps_instead_of_two_bounds(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.constant dense<6.0> : tensor<f32>
  %0 = stablehlo.maximum %x, %c : tensor<f32>
  %1 = stablehlo.minimum %0, %d : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @clamps_to_the_upper_bound_where_bounds_cross
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @clamps_to_the_upper_bound_where_bounds_cross(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<7> : tensor<i32>
  %d = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.maximum %x, %c : tensor<i32>
  %1 = stablehlo.minimum %0, %d : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_bounds_in_the_other_order
// CHECK: %[[Z:.*]] = stablehlo.minimum %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %[[Z]]
func.func @keeps_bounds_in_the_other_order(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.constant dense<6.0> : tensor<f32>
  %0 = stablehlo.minimum %x, %d : tensor<f32>
  %1 = stablehlo.maximum %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_bounds_of_which_one_is_needed
// CHECK: %[[Z:.*]] = stablehlo.maximum %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %[[Z]]
// CHECK-NEXT: return %[[Z]], %[[Y]]
func.func @keeps_bounds_of_which_one_is_needed(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.constant dense<6.0> : tensor<f32>
  %0 = stablehlo.maximum %x, %c : tensor<f32>
  %1 = stablehlo.minimum %0, %d : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @keeps_bounds_of_which_the_lower_varies
// CHECK: %[[Z:.*]] = stablehlo.maximum %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %[[Z]]
func.func @keeps_bounds_of_which_the_lower_varies(%x: tensor<f32>, %a: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<6.0> : tensor<f32>
  %0 = stablehlo.maximum %x, %a : tensor<f32>
  %1 = stablehlo.minimum %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_bounds_of_which_the_upper_varies
// CHECK: %[[Z:.*]] = stablehlo.maximum %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %[[Z]], %arg1
func.func @keeps_bounds_of_which_the_upper_varies(%x: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<6.0> : tensor<f32>
  %0 = stablehlo.maximum %x, %c : tensor<f32>
  %1 = stablehlo.minimum %0, %b : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_complex_bounds
// CHECK: %[[Z:.*]] = stablehlo.maximum %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %[[Z]]
func.func @keeps_complex_bounds(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %d = stablehlo.constant dense<(2.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.maximum %x, %c : tensor<complex<f32>>
  %1 = stablehlo.minimum %0, %d : tensor<complex<f32>>
  return %1 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_bounds_that_vary
// CHECK-NEXT: %[[Z:.*]] = stablehlo.maximum %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %[[Z]], %arg2
func.func @keeps_bounds_that_vary(%x: tensor<f32>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %x, %a : tensor<f32>
  %1 = stablehlo.minimum %0, %b : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @absorbs_a_bound_of_bools
// CHECK-NEXT: return %arg1
func.func @absorbs_a_bound_of_bools(%x: tensor<i1>, %a: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %d = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.maximum %x, %a : tensor<i1>
  %1 = stablehlo.minimum %0, %a : tensor<i1>
  return %1 : tensor<i1>
}
