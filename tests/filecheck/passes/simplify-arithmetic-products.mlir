// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @removes_a_product_by_one
// CHECK-NEXT: return %arg0
func.func @removes_a_product_by_one(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_quotient_by_one
// CHECK-NEXT: return %arg0
func.func @removes_a_quotient_by_one(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.divide %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_power_by_one
// CHECK-NEXT: return %arg0
func.func @removes_a_power_by_one(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.power %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_product_with_one_that_is_broadcast
// CHECK-NEXT: return %arg0
func.func @removes_a_product_with_one_that_is_broadcast(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %0 = stablehlo.multiply %x, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @removes_a_product_with_true
// CHECK-NEXT: return %arg0
func.func @removes_a_product_with_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.multiply %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @removes_an_integer_quotient_by_one
// CHECK-NEXT: return %arg0
func.func @removes_an_integer_quotient_by_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.divide %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_complex_product_with_one_for_infinite_parts
// CHECK: %[[Y:.*]] = stablehlo.multiply %arg0
func.func @keeps_a_complex_product_with_one_for_infinite_parts(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.multiply %x, %c : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_a_reciprocal
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %[[C]], %arg0
func.func @keeps_a_reciprocal(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.divide %c, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @negates_instead_of_a_product_with_minus_one
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: return %[[Y]]
func.func @negates_instead_of_a_product_with_minus_one(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @negates_instead_of_a_quotient_by_minus_one
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: return %[[Y]]
func.func @negates_instead_of_a_quotient_by_minus_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.divide %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_product_with_the_largest_unsigned
// CHECK: %[[Y:.*]] = stablehlo.multiply %arg0
func.func @keeps_a_product_with_the_largest_unsigned(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.multiply %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @knows_that_an_integer_times_zero_is_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<2xi32>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_an_integer_times_zero_is_zero(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.multiply %x, %c : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @knows_that_a_bool_times_false_is_false
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_a_bool_times_false_is_false(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.multiply %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_float_times_zero_for_nan
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %[[C]]
func.func @keeps_a_float_times_zero_for_nan(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @knows_that_a_bool_times_itself_is_itself
// CHECK-NEXT: return %arg0
func.func @knows_that_a_bool_times_itself_is_itself(%x: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.multiply %x, %x : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_product_of_two_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg1
func.func @keeps_a_product_of_two_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.multiply %x, %y : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_square
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg0
func.func @keeps_a_square(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @joins_integer_factors_and_wraps
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-112> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_integer_factors_and_wraps(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<16> : tensor<i8>
  %d = stablehlo.constant dense<9> : tensor<i8>
  %0 = stablehlo.multiply %x, %c : tensor<i8>
  %1 = stablehlo.multiply %0, %d : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @keeps_float_factors_apart_for_products_round
// CHECK: %[[Z:.*]] = stablehlo.multiply %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[Z]]
func.func @keeps_float_factors_apart_for_products_round(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %d = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  %1 = stablehlo.multiply %0, %d : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_two_negations_from_a_product
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_two_negations_from_a_product(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.negate %y : tensor<f32>
  %2 = stablehlo.multiply %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_two_negations_from_a_quotient
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_two_negations_from_a_quotient(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.negate %y : tensor<f32>
  %2 = stablehlo.divide %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_two_negations_in_an_integer_quotient_for_the_least
// CHECK-NEXT: %[[A:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[B:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %[[A]], %[[B]]
func.func @keeps_two_negations_in_an_integer_quotient_for_the_least(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.negate %x : tensor<i32>
  %1 = stablehlo.negate %y : tensor<i32>
  %2 = stablehlo.divide %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_one_negation_in_a_product
// CHECK-NEXT: %[[A:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[A]], %arg1
func.func @keeps_one_negation_in_a_product(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %2 = stablehlo.multiply %0, %y : tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @moves_a_negation_into_a_constant_factor
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_negation_into_a_constant_factor(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.multiply %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @moves_a_negation_into_a_constant_divisor
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_negation_into_a_constant_divisor(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.divide %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_negation_before_an_integer_divisor
// CHECK: %[[Z:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %[[Z]]
func.func @keeps_a_negation_before_an_integer_divisor(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.negate %x : tensor<i32>
  %1 = stablehlo.divide %0, %c : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @moves_a_negation_of_a_product_into_its_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]]
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_negation_of_a_product_into_its_constant(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.multiply %x, %b : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_the_negation_of_a_complex_product_for_the_signs_of_zeros
// CHECK: %[[Z:.*]] = stablehlo.multiply %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %[[Z]]
func.func @keeps_the_negation_of_a_complex_product_for_the_signs_of_zeros(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %0 = stablehlo.multiply %x, %c : tensor<complex<f32>>
  %1 = stablehlo.negate %0 : tensor<complex<f32>>
  return %1 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @removes_two_negations_from_a_complex_product
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_two_negations_from_a_complex_product(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.negate %x : tensor<complex<f32>>
  %1 = stablehlo.negate %y : tensor<complex<f32>>
  %2 = stablehlo.multiply %0, %1 : tensor<complex<f32>>
  return %2 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_the_negation_of_a_product_that_is_used_twice
// CHECK: %[[Z:.*]] = stablehlo.multiply %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %[[Z]]
// CHECK-NEXT: return %[[Z]], %[[Y]]
func.func @keeps_the_negation_of_a_product_that_is_used_twice(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
