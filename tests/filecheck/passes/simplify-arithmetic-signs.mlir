// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @removes_a_sum_of_abs_and_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_abs_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_sum_of_exponential_and_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.exponential %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_exponential_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_sum_of_logistic_and_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.logistic %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_logistic_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.logistic %x : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_a_sine_and_zero
// CHECK: %[[Z:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]]
func.func @keeps_a_sum_of_a_sine_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.sine %x : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_sum_of_a_converted_integer_and_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_a_converted_integer_and_zero(%x: tensor<i32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_a_converted_float_and_zero
// CHECK: %[[Z:.*]] = stablehlo.convert %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]]
func.func @keeps_a_sum_of_a_converted_float_and_zero(%x: tensor<f64>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<f64>) -> tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_second_sum_with_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_second_sum_with_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_sum_of_a_rectified_number_and_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_a_rectified_number_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.maximum %x, %c : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_a_minimum_and_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Z:.*]] = stablehlo.minimum %arg0, %[[C]]
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]], %[[C]]
func.func @keeps_a_sum_of_a_minimum_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.minimum %x, %c : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_sum_of_a_scaled_square_and_zero
// CHECK: %[[Z:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_a_scaled_square_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.constant dense<0.001> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  %1 = stablehlo.multiply %0, %d : tensor<f32>
  %2 = stablehlo.add %1, %c : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_a_negatively_scaled_square_and_zero
// CHECK: %[[Z:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[Z]]
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[Y]]
// CHECK-NEXT: return %[[S]]
func.func @keeps_a_sum_of_a_negatively_scaled_square_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.constant dense<-0.001> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  %1 = stablehlo.multiply %0, %d : tensor<f32>
  %2 = stablehlo.add %1, %c : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_a_product_and_zero_for_it_may_underflow
// CHECK: %[[Z:.*]] = stablehlo.multiply %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]]
func.func @keeps_a_sum_of_a_product_and_zero_for_it_may_underflow(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %y : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_sum_of_a_square_root_and_zero
// CHECK-NEXT: %[[Z:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.sqrt %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_a_square_root_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  %1 = stablehlo.sqrt %0 : tensor<f32>
  %2 = stablehlo.add %1, %c : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_the_square_root_of_any_number_and_zero
// CHECK: %[[Z:.*]] = stablehlo.sqrt %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]]
func.func @keeps_a_sum_of_the_square_root_of_any_number_and_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.sqrt %x : tensor<f32>
  %2 = stablehlo.add %1, %c : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_sum_of_zero_and_what_is_broadcast
// CHECK-NEXT: %[[Z:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_sum_of_zero_and_what_is_broadcast(%x: tensor<f32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.add %1, %c : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @removes_an_absolute_value_of_a_square
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_an_absolute_value_of_a_square(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_an_absolute_value_of_an_integer_square_for_it_wraps
// CHECK-NEXT: %[[Z:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %[[Z]]
func.func @keeps_an_absolute_value_of_an_integer_square_for_it_wraps(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.multiply %x, %x : tensor<i32>
  %1 = stablehlo.abs %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_an_absolute_value_of_a_converted_bool
// CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_an_absolute_value_of_a_converted_bool(%x: tensor<i1>) -> tensor<f32> {
  %0 = stablehlo.convert %x : (tensor<i1>) -> tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_an_absolute_value_of_a_converted_integer
// CHECK-NEXT: %[[Z:.*]] = stablehlo.convert %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %[[Z]]
func.func @keeps_an_absolute_value_of_a_converted_integer(%x: tensor<i8>) -> tensor<f32> {
  %0 = stablehlo.convert %x : (tensor<i8>) -> tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @subtracts_a_product_of_which_a_factor_is_negated
// CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %arg1, %arg2
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg0, %[[P]]
// CHECK-NEXT: return %[[Y]]
func.func @subtracts_a_product_of_which_a_factor_is_negated(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.multiply %0, %z : tensor<f32>
  %2 = stablehlo.add %x, %1 : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @subtracts_a_quotient_of_which_the_divisor_is_negated
// CHECK-NEXT: %[[P:.*]] = stablehlo.divide %arg1, %arg2
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg0, %[[P]]
// CHECK-NEXT: return %[[Y]]
func.func @subtracts_a_quotient_of_which_the_divisor_is_negated(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %z : tensor<f32>
  %1 = stablehlo.divide %y, %0 : tensor<f32>
  %2 = stablehlo.add %1, %x : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @adds_what_is_broadcast_of_a_negation
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = []
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @adds_what_is_broadcast_of_a_negation(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @removes_a_negation_of_a_product_of_a_negation
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_negation_of_a_product_of_a_negation(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.multiply %x, %0 : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_product_that_is_needed_too
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %[[N]], %arg2
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[P]]
// CHECK-NEXT: return %[[P]], %[[Y]]
func.func @keeps_a_product_that_is_needed_too(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.multiply %0, %z : tensor<f32>
  %2 = stablehlo.add %x, %1 : tensor<f32>
  return %1, %2 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_negated_factor_of_a_complex_product
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %[[N]], %arg2
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[P]]
func.func @keeps_a_negated_factor_of_a_complex_product(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>, %z: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.negate %y : tensor<complex<f32>>
  %1 = stablehlo.multiply %0, %z : tensor<complex<f32>>
  %2 = stablehlo.add %x, %1 : tensor<complex<f32>>
  return %2 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_a_negated_dividend_of_integers
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[P:.*]] = stablehlo.divide %[[N]], %arg2
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[P]]
func.func @keeps_a_negated_dividend_of_integers(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.negate %y : tensor<i32>
  %1 = stablehlo.divide %0, %z : tensor<i32>
  %2 = stablehlo.add %x, %1 : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_what_is_added_to_a_constant_product
// CHECK: %[[P:.*]] = stablehlo.multiply %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[P]]
func.func @keeps_what_is_added_to_a_constant_product(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-3.0> : tensor<f32>
  %0 = stablehlo.multiply %y, %c : tensor<f32>
  %1 = stablehlo.add %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}
