// RUN: hlo-opt %s --passes canonicalize | filecheck %s

// CHECK-LABEL: func.func @mirrors_LT_of_a_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare GT, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @mirrors_LT_of_a_constant(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare LT, %c, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @mirrors_LE_of_a_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare GE, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @mirrors_LE_of_a_constant(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare LE, %c, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @mirrors_GT_of_a_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @mirrors_GT_of_a_constant(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare GT, %c, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @mirrors_GE_of_a_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LE, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @mirrors_GE_of_a_constant(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare GE, %c, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @mirrors_EQ_of_a_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @mirrors_EQ_of_a_constant(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare EQ, %c, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @mirrors_NE_of_a_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare NE, %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @mirrors_NE_of_a_constant(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare NE, %c, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_comparison_with_a_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare GT, %arg0, %[[C]]
func.func @keeps_a_comparison_with_a_constant(%x: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare GT, %x, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_comparison_of_constants
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[D:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare GT, %[[C]], %[[D]]
func.func @keeps_a_comparison_of_constants() -> tensor<i1> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %d = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.compare GT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @says_less_of_a_result
// CHECK-NEXT: %[[N:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %arg1, %[[N]]
// CHECK-NEXT: return %[[Y]]
func.func @says_less_of_a_result(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %n = stablehlo.sine %x : tensor<f32>
  %0 = stablehlo.compare GT, %n, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @says_at_most_of_two_results
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[M:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LE, %[[M]], %[[N]]
// CHECK-NEXT: return %[[Y]]
func.func @says_at_most_of_two_results(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i1> {
  %n = stablehlo.negate %x : tensor<i32>
  %m = stablehlo.negate %y : tensor<i32>
  %0 = stablehlo.compare GE, %n, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_greater_of_two_arguments
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare GT, %arg0, %arg1
func.func @keeps_greater_of_two_arguments(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_less_of_two_variables
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %arg0, %arg1
func.func @keeps_less_of_two_variables(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @mirrors_the_total_order
// CHECK-NEXT: %[[N:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %arg1, %[[N]], TOTALORDER
// CHECK-NEXT: return %[[Y]]
func.func @mirrors_the_total_order(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %n = stablehlo.sine %x : tensor<f32>
  %0 = stablehlo.compare GT, %n, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_total_order
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare LT, %arg0, %arg1, TOTALORDER
func.func @keeps_the_total_order(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @says_or_for_add_of_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_or_for_add_of_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.add %x, %y : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @says_or_for_maximum_of_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_or_for_maximum_of_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.maximum %x, %y : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @says_and_for_multiply_of_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_and_for_multiply_of_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.multiply %x, %y : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @says_and_for_minimum_of_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_and_for_minimum_of_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.minimum %x, %y : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_arithmetic_of_integers
// CHECK-NEXT: %[[Z:.*]] = stablehlo.add %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[Z]], %arg1
func.func @keeps_arithmetic_of_integers(%x: tensor<i8>, %y: tensor<i8>) -> tensor<i8> {
  %0 = stablehlo.add %x, %y : tensor<i8>
  %1 = stablehlo.multiply %0, %y : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @says_xor_for_the_inequality_of_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.xor %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_xor_for_the_inequality_of_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.compare NE, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_equality_of_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare EQ, %arg0, %arg1
func.func @keeps_the_equality_of_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_the_inequality_of_integers
// CHECK-NEXT: %[[Y:.*]] = stablehlo.compare NE, %arg0, %arg1
func.func @keeps_the_inequality_of_integers(%x: tensor<i8>, %y: tensor<i8>) -> tensor<i1> {
  %0 = stablehlo.compare NE, %x, %y : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %0 : tensor<i1>
}
