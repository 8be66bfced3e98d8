// RUN: hlo-opt %s --passes canonicalize | filecheck %s

// CHECK-LABEL: func.func @moves_a_constant_to_the_right_of_add
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_to_the_right_of_add(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.add %c, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @moves_a_constant_to_the_right_of_multiply
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_to_the_right_of_multiply(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.multiply %c, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @moves_a_constant_to_the_right_of_maximum
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_to_the_right_of_maximum(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.maximum %c, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @moves_a_constant_to_the_right_of_minimum
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_to_the_right_of_minimum(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.minimum %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @moves_a_constant_to_the_right_of_and
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_to_the_right_of_and(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.and %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @moves_a_constant_to_the_right_of_or
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_to_the_right_of_or(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.or %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @moves_a_constant_to_the_right_of_xor
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.xor %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_to_the_right_of_xor(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.xor %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @moves_a_constant_that_is_broadcast
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_constant_that_is_broadcast(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.add %b, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_constants_on_both_sides
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[D:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[C]], %[[D]]
func.func @keeps_constants_on_both_sides() -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %d = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.add %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_the_order_of_variables
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg1, %arg0
func.func @keeps_the_order_of_variables(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %y, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_constant_that_is_divided
// CHECK: %[[Y:.*]] = stablehlo.divide %{{.*}}, %arg0
func.func @keeps_a_constant_that_is_divided(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.divide %c, %x : tensor<f32>
  return %0 : tensor<f32>
}
