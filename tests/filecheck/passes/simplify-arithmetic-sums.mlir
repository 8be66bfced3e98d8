// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @removes_a_sum_with_zero
// CHECK-NEXT: return %arg0
func.func @removes_a_sum_with_zero(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.add %x, %c : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @removes_a_sum_with_zero_that_is_broadcast
// CHECK-NEXT: return %arg0
func.func @removes_a_sum_with_zero_that_is_broadcast(%x: tensor<2xui8>) -> tensor<2xui8> {
  %c = stablehlo.constant dense<0> : tensor<ui8>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<2xui8>
  %0 = stablehlo.add %x, %b : tensor<2xui8>
  return %0 : tensor<2xui8>
}

// CHECK-LABEL: func.func @removes_a_sum_with_false
// CHECK-NEXT: return %arg0
func.func @removes_a_sum_with_false(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.add %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @removes_a_sum_with_negative_zero
// CHECK-NEXT: return %arg0
func.func @removes_a_sum_with_negative_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_with_positive_zero_for_it_changes_negative_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @keeps_a_sum_with_positive_zero_for_it_changes_negative_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_with_one_zero_of_two
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
func.func @keeps_a_sum_with_one_zero_of_two(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %0 = stablehlo.add %x, %c : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @keeps_a_sum_without_elements
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
func.func @keeps_a_sum_without_elements(%x: tensor<0xi32>) -> tensor<0xi32> {
  %c = stablehlo.constant dense<0> : tensor<0xi32>
  %0 = stablehlo.add %x, %c : tensor<0xi32>
  return %0 : tensor<0xi32>
}

// CHECK-LABEL: func.func @removes_a_complex_sum_with_negative_zeros
// CHECK-NEXT: return %arg0
func.func @removes_a_complex_sum_with_negative_zeros(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(-0.0, -0.0)> : tensor<complex<f32>>
  %0 = stablehlo.add %x, %c : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_a_complex_sum_with_a_positive_zero
// CHECK: %[[Y:.*]] = stablehlo.add %arg0
func.func @keeps_a_complex_sum_with_a_positive_zero(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(-0.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.add %x, %c : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}
