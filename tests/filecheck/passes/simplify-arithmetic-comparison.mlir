// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @knows_EQ_of_an_integer_and_itself
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_EQ_of_an_integer_and_itself(%x: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_NE_of_an_integer_and_itself
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_NE_of_an_integer_and_itself(%x: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare NE, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_LT_of_an_integer_and_itself
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_LT_of_an_integer_and_itself(%x: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_GE_of_an_integer_and_itself
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_GE_of_an_integer_and_itself(%x: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GE, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_that_no_float_is_less_than_itself
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_no_float_is_less_than_itself(%x: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_that_a_float_equals_itself_in_total_order
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_a_float_equals_itself_in_total_order(%x: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %x, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_whether_a_float_is_itself_for_nan
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %arg0
func.func @keeps_whether_a_float_is_itself_for_nan(%x: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_whether_a_float_is_at_most_itself_for_nan
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LE, %arg0, %arg0
func.func @keeps_whether_a_float_is_at_most_itself_for_nan(%x: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LE, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_that_no_unsigned_is_below_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]]
// CHECK-NEXT: return %[[B]]
func.func @knows_that_no_unsigned_is_below_zero(%x: tensor<2xui8>) -> tensor<2xi1> {
  %c = stablehlo.constant dense<0> : tensor<2xui8>
  %0 = stablehlo.compare LT, %x, %c : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// CHECK-LABEL: func.func @knows_that_each_unsigned_is_at_least_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_each_unsigned_is_at_least_zero(%x: tensor<ui8>) -> tensor<i1> {
  %c = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.compare GE, %x, %c : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @asks_whether_an_unsigned_is_not_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<ui8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare NE, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @asks_whether_an_unsigned_is_not_zero(%x: tensor<ui8>) -> tensor<i1> {
  %c = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.compare GT, %x, %c : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @asks_whether_an_integer_is_the_greatest
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<127> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @asks_whether_an_integer_is_the_greatest(%x: tensor<i8>) -> tensor<i1> {
  %c = stablehlo.constant dense<127> : tensor<i8>
  %0 = stablehlo.compare GE, %x, %c : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_that_no_integer_is_above_the_greatest
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_no_integer_is_above_the_greatest(%x: tensor<i8>) -> tensor<i1> {
  %c = stablehlo.constant dense<127> : tensor<i8>
  %0 = stablehlo.compare GT, %x, %c : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_whether_a_signed_integer_is_below_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %arg0, %[[C]]
func.func @keeps_whether_a_signed_integer_is_below_zero(%x: tensor<i8>) -> tensor<i1> {
  %c = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.compare LT, %x, %c : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_whether_a_float_is_at_least_minus_infinity_for_nan
// CHECK: %[[Y:.*]] = stablehlo.compare GE, %arg0
func.func @keeps_whether_a_float_is_at_least_minus_infinity_for_nan(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.compare GE, %x, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @takes_a_bool_for_its_equality_with_true
// CHECK-NEXT: return %arg0
func.func @takes_a_bool_for_its_equality_with_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.compare EQ, %x, %c : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @takes_a_bool_for_its_inequality_with_false
// CHECK-NEXT: return %arg0
func.func @takes_a_bool_for_its_inequality_with_false(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.compare NE, %x, %c : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @takes_a_bool_for_being_above_false
// CHECK-NEXT: return %arg0
func.func @takes_a_bool_for_being_above_false(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.compare GT, %x, %c : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @complements_a_bool_for_its_equality_with_false
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %arg0
// CHECK-NEXT: return %[[Y]]
func.func @complements_a_bool_for_its_equality_with_false(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.compare EQ, %x, %c : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @complements_a_bool_for_being_below_true
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %arg0
// CHECK-NEXT: return %[[Y]]
func.func @complements_a_bool_for_being_below_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.compare LT, %x, %c : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_equality_of_two_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %arg1
func.func @keeps_the_equality_of_two_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @takes_a_bool_that_was_converted
// CHECK-NEXT: return %arg0
func.func @takes_a_bool_that_was_converted(%p: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %p : (tensor<i1>) -> tensor<f32>
  %1 = stablehlo.compare NE, %0, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @complements_a_bool_that_was_converted
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %arg0
// CHECK-NEXT: return %[[Y]]
func.func @complements_a_bool_that_was_converted(%p: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>
  %1 = stablehlo.compare EQ, %0, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_comparison_of_a_converted_integer
// CHECK: %[[Y:.*]] = stablehlo.compare EQ
func.func @keeps_a_comparison_of_a_converted_integer(%p: tensor<i8>) -> tensor<i1> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convert %p : (tensor<i8>) -> tensor<i32>
  %1 = stablehlo.compare EQ, %0, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_whether_a_converted_bool_is_two
// CHECK: %[[Y:.*]] = stablehlo.compare EQ
func.func @keeps_whether_a_converted_bool_is_two(%p: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>
  %1 = stablehlo.compare EQ, %0, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_order_of_a_converted_bool
// CHECK: %[[Y:.*]] = stablehlo.compare GE
func.func @keeps_the_order_of_a_converted_bool(%p: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %p : (tensor<i1>) -> tensor<f32>
  %1 = stablehlo.compare GE, %0, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @compares_a_number_instead_of_its_sum_and_wraps
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<250> : tensor<ui8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @compares_a_number_instead_of_its_sum_and_wraps(%x: tensor<ui8>) -> tensor<i1> {
  %c = stablehlo.constant dense<10> : tensor<ui8>
  %d = stablehlo.constant dense<4> : tensor<ui8>
  %0 = stablehlo.add %x, %c : tensor<ui8>
  %1 = stablehlo.compare EQ, %0, %d : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_order_of_a_sum_for_it_wraps
// CHECK: %[[Z:.*]] = stablehlo.add %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %[[Z]]
func.func @keeps_the_order_of_a_sum_for_it_wraps(%x: tensor<i32>) -> tensor<i1> {
  %c = stablehlo.constant dense<10> : tensor<i32>
  %d = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.add %x, %c : tensor<i32>
  %1 = stablehlo.compare LT, %0, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_equality_of_a_float_sum
// CHECK: %[[Z:.*]] = stablehlo.add %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %[[Z]]
func.func @keeps_the_equality_of_a_float_sum(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<10.0> : tensor<f32>
  %d = stablehlo.constant dense<4.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  %1 = stablehlo.compare EQ, %0, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @asks_the_opposite_instead_of_a_complement
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare GE, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @asks_the_opposite_instead_of_a_complement(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.not %0 : tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @asks_for_inequality_of_floats_instead_of_a_complement
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare NE, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @asks_for_inequality_of_floats_instead_of_a_complement(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.not %0 : tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @asks_the_opposite_in_total_order
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare GE, %arg0, %arg1, TOTALORDER
// CHECK-NEXT: return %[[Y]]
func.func @asks_the_opposite_in_total_order(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.not %0 : tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_complement_of_an_order_of_floats_for_nan
// CHECK-NEXT: %[[Z:.*]] = stablehlo.compare LT, %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %[[Z]]
func.func @keeps_the_complement_of_an_order_of_floats_for_nan(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.not %0 : tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_complement_of_what_is_needed_too
// CHECK-NEXT: %[[Z:.*]] = stablehlo.compare LT, %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %[[Z]]
// CHECK-NEXT: return %[[Z]], %[[Y]]
func.func @keeps_a_complement_of_what_is_needed_too(%x: tensor<i32>, %y: tensor<i32>) -> (tensor<i1>, tensor<i1>) {
  %0 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.not %0 : tensor<i1>
  return %0, %1 : tensor<i1>, tensor<i1>
}
