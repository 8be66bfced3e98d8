// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @says_at_most_for_less_or_equal
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LE, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_at_most_for_less_or_equal(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @says_equal_for_at_most_and_at_least
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_equal_for_at_most_and_at_least(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.and %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @says_equal_for_at_most_of_both
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_equal_for_at_most_of_both(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare LE, %y, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.and %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_that_nothing_is_less_and_greater
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_nothing_is_less_and_greater(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.and %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_that_numbers_are_equal_or_not
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_numbers_are_equal_or_not(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare NE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @says_unequal_for_less_or_greater_of_integers
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare NE, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_unequal_for_less_or_greater_of_integers(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_less_or_greater_of_floats_for_nan
// CHECK-NEXT: %[[A:.*]] = stablehlo.compare LT
// CHECK-NEXT: %[[B:.*]] = stablehlo.compare GT
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %[[A]], %[[B]]
func.func @keeps_less_or_greater_of_floats_for_nan(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_that_integers_are_less_or_not
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_integers_are_less_or_not(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_less_or_at_least_of_floats_for_nan
// CHECK-NEXT: %[[A:.*]] = stablehlo.compare LT
// CHECK-NEXT: %[[B:.*]] = stablehlo.compare GE
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %[[A]], %[[B]]
func.func @keeps_less_or_at_least_of_floats_for_nan(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @says_equal_for_either_at_most_or_less
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_equal_for_either_at_most_or_less(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.xor %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @says_less_of_at_most_and_unequal
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_less_of_at_most_and_unequal(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare NE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.and %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @says_unequal_for_less_or_greater_in_total_order
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare NE, %arg0, %arg1, TOTALORDER
// CHECK-NEXT: return %[[Y]]
func.func @says_unequal_for_less_or_greater_in_total_order(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_comparisons_in_two_orders
// CHECK-NEXT: %[[A:.*]] = stablehlo.compare LT
// CHECK-NEXT: %[[B:.*]] = stablehlo.compare EQ
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %[[A]], %[[B]]
func.func @keeps_comparisons_in_two_orders(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_comparisons_with_another
// CHECK-NEXT: %[[A:.*]] = stablehlo.compare LT
// CHECK-NEXT: %[[B:.*]] = stablehlo.compare EQ
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %[[A]], %[[B]]
func.func @keeps_comparisons_with_another(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare EQ, %x, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.or %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}
