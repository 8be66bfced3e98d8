// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @multiplies_instead_of_a_quotient_by_a_power_of_two
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.250000e-01> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @multiplies_instead_of_a_quotient_by_a_power_of_two(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<8.0> : tensor<f32>
  %0 = stablehlo.divide %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @multiplies_instead_of_a_quotient_by_a_negative_power_of_two
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-2.000000e+00> : tensor<f16>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @multiplies_instead_of_a_quotient_by_a_negative_power_of_two(%x: tensor<f16>) -> tensor<f16> {
  %c = stablehlo.constant dense<-0.5> : tensor<f16>
  %0 = stablehlo.divide %x, %c : tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: func.func @keeps_a_quotient_by_another_number
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %arg0, %[[C]]
func.func @keeps_a_quotient_by_another_number(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.divide %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_quotient_whose_inverse_is_subnormal
// CHECK: %[[Y:.*]] = stablehlo.divide %arg0
func.func @keeps_a_quotient_whose_inverse_is_subnormal(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0x7F000000> : tensor<f32>
  %0 = stablehlo.divide %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_quotient_by_zero
// CHECK: %[[Y:.*]] = stablehlo.divide %arg0
func.func @keeps_a_quotient_by_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.divide %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_quotient_by_infinity
// CHECK: %[[Y:.*]] = stablehlo.divide %arg0
func.func @keeps_a_quotient_by_infinity(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.divide %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_an_integer_quotient_by_a_power_of_two
// CHECK: %[[Y:.*]] = stablehlo.divide %arg0
func.func @keeps_an_integer_quotient_by_a_power_of_two(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<8> : tensor<i32>
  %0 = stablehlo.divide %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_number_divided_by_itself_for_zero_and_nan
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %arg0, %arg0
func.func @keeps_a_number_divided_by_itself_for_zero_and_nan(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.divide %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_an_integer_divided_by_itself_for_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.divide %arg0, %arg0
func.func @keeps_an_integer_divided_by_itself_for_zero(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.divide %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_the_remainder_by_one
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_the_remainder_by_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.remainder %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_the_remainder_by_minus_one
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_the_remainder_by_minus_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.remainder %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_remainder_by_the_largest_unsigned
// CHECK: %[[Y:.*]] = stablehlo.remainder %arg0
func.func @keeps_the_remainder_by_the_largest_unsigned(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.remainder %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @keeps_the_float_remainder_by_one
// CHECK: %[[Y:.*]] = stablehlo.remainder %arg0
func.func @keeps_the_float_remainder_by_one(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.remainder %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_second_remainder
// CHECK-NEXT: %[[Y:.*]] = stablehlo.remainder %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_second_remainder(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.remainder %x, %y : tensor<f32>
  %1 = stablehlo.remainder %0, %y : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_remainder_by_another
// CHECK-NEXT: %[[Z:.*]] = stablehlo.remainder %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.remainder %[[Z]], %arg2
func.func @keeps_a_remainder_by_another(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.remainder %x, %y : tensor<f32>
  %1 = stablehlo.remainder %0, %z : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @knows_the_power_of_zero_even_of_nan
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @knows_the_power_of_zero_even_of_nan(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.power %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @knows_the_power_of_negative_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @knows_the_power_of_negative_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.power %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_complex_power_of_zero
// CHECK: %[[Y:.*]] = stablehlo.power %arg0
func.func @keeps_a_complex_power_of_zero(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.power %x, %c : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @multiplies_instead_of_an_integer_square
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT: return %[[Y]]
func.func @multiplies_instead_of_an_integer_square(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.power %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_an_integer_cube
// CHECK: %[[Y:.*]] = stablehlo.power %arg0
func.func @keeps_an_integer_cube(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.power %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_float_power_of_two_for_its_last_bit
// CHECK: %[[Y:.*]] = stablehlo.power %arg0
func.func @keeps_a_float_power_of_two_for_its_last_bit(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.power %x, %c : tensor<f32>
  return %0 : tensor<f32>
}
