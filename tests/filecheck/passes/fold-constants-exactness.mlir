// RUN: hlo-opt %s --passes fold-constants | filecheck %s

// CHECK-LABEL: func.func @leaves_exponential_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.exponential
// CHECK-NEXT: return %[[Y]]
func.func @leaves_exponential_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.exponential %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_log_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.log
// CHECK-NEXT: return %[[Y]]
func.func @leaves_log_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.log %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_tanh_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.tanh
// CHECK-NEXT: return %[[Y]]
func.func @leaves_tanh_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.tanh %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_logistic_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.logistic
// CHECK-NEXT: return %[[Y]]
func.func @leaves_logistic_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.logistic %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_sine_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.sine
// CHECK-NEXT: return %[[Y]]
func.func @leaves_sine_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.sine %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_cosine_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.cosine
// CHECK-NEXT: return %[[Y]]
func.func @leaves_cosine_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.cosine %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_rsqrt_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.rsqrt
// CHECK-NEXT: return %[[Y]]
func.func @leaves_rsqrt_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<4.0> : tensor<f32>
  %0 = stablehlo.rsqrt %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_cbrt_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.cbrt
// CHECK-NEXT: return %[[Y]]
func.func @leaves_cbrt_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<8.0> : tensor<f32>
  %0 = stablehlo.cbrt %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_tan_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.tan
// CHECK-NEXT: return %[[Y]]
func.func @leaves_tan_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.tan %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_log_plus_one_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.log_plus_one
// CHECK-NEXT: return %[[Y]]
func.func @leaves_log_plus_one_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.log_plus_one %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_exponential_minus_one_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.exponential_minus_one
// CHECK-NEXT: return %[[Y]]
func.func @leaves_exponential_minus_one_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.exponential_minus_one %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_power_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.power
// CHECK-NEXT: return %[[Y]]
func.func @leaves_power_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %d = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.power %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_atan2_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.atan2
// CHECK-NEXT: return %[[Y]]
func.func @leaves_atan2_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %d = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.atan2 %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_a_complex_product_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.multiply
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_complex_product_to_the_backend() -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %d = stablehlo.constant dense<(3.0, 4.0)> : tensor<complex<f32>>
  %0 = stablehlo.multiply %c, %d : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @leaves_a_complex_quotient_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.divide
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_complex_quotient_to_the_backend() -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %d = stablehlo.constant dense<(3.0, 4.0)> : tensor<complex<f32>>
  %0 = stablehlo.divide %c, %d : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @leaves_a_complex_absolute_value_to_the_backend
// CHECK: %[[Y:.*]] = stablehlo.abs
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_complex_absolute_value_to_the_backend() -> tensor<f32> {
  %c = stablehlo.constant dense<(3.0, 4.0)> : tensor<complex<f32>>
  %0 = stablehlo.abs %c : (tensor<complex<f32>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_a_nan_that_is_made
// CHECK: %[[Y:.*]] = stablehlo.subtract
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_nan_that_is_made() -> tensor<f32> {
  %c = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %d = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.subtract %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_a_product_with_zero_that_is_nan
// CHECK: %[[Y:.*]] = stablehlo.multiply
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_product_with_zero_that_is_nan() -> tensor<f32> {
  %c = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %d = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_infinity_times_zero
// CHECK: %[[Y:.*]] = stablehlo.multiply
// CHECK-NEXT: return %[[Y]]
func.func @leaves_infinity_times_zero() -> tensor<f32> {
  %c = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %d = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_the_root_of_a_negative_number
// CHECK: %[[Y:.*]] = stablehlo.sqrt
// CHECK-NEXT: return %[[Y]]
func.func @leaves_the_root_of_a_negative_number() -> tensor<f32> {
  %c = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = stablehlo.sqrt %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_a_subnormal_that_is_made
// CHECK: %[[Y:.*]] = stablehlo.multiply
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_subnormal_that_is_made() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0e-30> : tensor<f32>
  %d = stablehlo.constant dense<1.0e-10> : tensor<f32>
  %0 = stablehlo.multiply %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_a_subnormal_that_is_taken
// CHECK: %[[Y:.*]] = stablehlo.add
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_subnormal_that_is_taken() -> tensor<f32> {
  %c = stablehlo.constant dense<1.0e-40> : tensor<f32>
  %d = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.add %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_a_comparison_of_a_subnormal
// CHECK: %[[Y:.*]] = stablehlo.compare EQ
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_comparison_of_a_subnormal() -> tensor<i1> {
  %c = stablehlo.constant dense<1.0e-40> : tensor<f32>
  %d = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.compare EQ, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @leaves_roots_of_a_byte_that_round_twice
// CHECK: %[[Y:.*]] = stablehlo.sqrt
// CHECK-NEXT: return %[[Y]]
func.func @leaves_roots_of_a_byte_that_round_twice() -> tensor<f8E3M4> {
  %c = stablehlo.constant dense<15.5> : tensor<f8E3M4>
  %0 = stablehlo.sqrt %c : tensor<f8E3M4>
  return %0 : tensor<f8E3M4>
}

// CHECK-LABEL: func.func @leaves_bits_of_narrow_integers
// CHECK: %[[Y:.*]] = stablehlo.popcnt
// CHECK-NEXT: return %[[Y]]
func.func @leaves_bits_of_narrow_integers() -> tensor<i4> {
  %c = stablehlo.constant dense<-1> : tensor<i4>
  %0 = stablehlo.popcnt %c : tensor<i4>
  return %0 : tensor<i4>
}

// CHECK-LABEL: func.func @moves_a_subnormal
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<{{\[\[}}1.401300e-45], [0x7FC00001]]> : tensor<2x1xf32>
// CHECK-NEXT: return %[[C]]
func.func @moves_a_subnormal() -> tensor<2x1xf32> {
  %c = stablehlo.constant dense<[0x00000001, 0x7FC00001]> : tensor<2xf32>
  %0 = stablehlo.reshape %c : (tensor<2xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// CHECK-LABEL: func.func @leaves_a_sum_of_floats_whose_order_is_open
// CHECK: %[[Y:.*]] = stablehlo.reduce
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_sum_of_floats_whose_order_is_open() -> tensor<f32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @adds_up_integers
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<16> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @adds_up_integers() -> tensor<i32> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @finds_the_greatest_of_rows
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[200, 4]> : tensor<2xui8>
// CHECK-NEXT: return %[[C]]
func.func @finds_the_greatest_of_rows() -> tensor<2xui8> {
  %c = stablehlo.constant dense<[[1, 200], [3, 4]]> : tensor<2x2xui8>
  %z = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xui8>, tensor<ui8>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}

// CHECK-LABEL: func.func @leaves_differences_whose_order_is_open
// CHECK: %[[Y:.*]] = stablehlo.reduce
// CHECK: return %[[Y]]
func.func @leaves_differences_whose_order_is_open() -> tensor<i32> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %z) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %s = stablehlo.subtract %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @leaves_a_region_that_uses_what_is_around_it
// CHECK: %[[Y:.*]] = stablehlo.reduce
// CHECK: return %[[Y]]
func.func @leaves_a_region_that_uses_what_is_around_it(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %z) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %s = stablehlo.add %a, %x : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @multiplies_integer_matrices
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[17, 39]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]]
func.func @multiplies_integer_matrices() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %d = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %0 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @leaves_a_product_of_float_matrices
// CHECK: %[[Y:.*]] = stablehlo.dot_general
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_product_of_float_matrices() -> tensor<2xf32> {
  %c = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %d = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %0 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @leaves_what_has_an_effect
// CHECK: %[[Y:.*]] = stablehlo.custom_call
// CHECK-NEXT: return %[[Y]]
func.func @leaves_what_has_an_effect() -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.custom_call @foo(%c) {has_side_effect = true} : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @leaves_what_is_not_known
// CHECK: %[[Y:.*]] = stablehlo.add %arg0
// CHECK-NEXT: return %[[Y]]
func.func @leaves_what_is_not_known(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %x, %c : tensor<i32>
  return %0 : tensor<i32>
}
