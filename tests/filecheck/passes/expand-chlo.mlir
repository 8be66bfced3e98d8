// RUN: hlo-opt %s --passes expand-chlo | filecheck %s

// CHECK-LABEL: func.func @arc_functions
// CHECK-NOT: chlo.
// CHECK-COUNT-3: stablehlo.atan2
// CHECK-NOT: chlo.
func.func @arc_functions(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = chlo.acos %a : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.asin %a : tensor<2xf32> -> tensor<2xf32>
  %2 = chlo.atan %a : tensor<2xf32> -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @inverses_of_hyperbolic_functions
// CHECK-NOT: chlo.
// CHECK-COUNT-4: stablehlo.log_plus_one
// CHECK-NOT: chlo.
func.func @inverses_of_hyperbolic_functions(%a: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0 = chlo.acosh %a : tensor<2xf64> -> tensor<2xf64>
  %1 = chlo.asinh %a : tensor<2xf64> -> tensor<2xf64>
  %2 = chlo.atanh %a : tensor<2xf64> -> tensor<2xf64>
  return %0, %1, %2 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @hyperbolic_functions
// CHECK-NOT: chlo.
// CHECK: stablehlo.exponential
// CHECK: stablehlo.exponential_minus_one
// CHECK-NOT: chlo.
func.func @hyperbolic_functions(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = chlo.cosh %a : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.sinh %a : tensor<2xf32> -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @functions_of_complex_numbers_by_their_parts
// CHECK-NOT: chlo.
// CHECK: stablehlo.real
// CHECK: stablehlo.complex
// CHECK-NOT: chlo.
func.func @functions_of_complex_numbers_by_their_parts(%a: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %0 = chlo.acos %a : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %1 = chlo.sinh %a : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @tangent
// CHECK-NEXT: stablehlo.tan %arg0
func.func @tangent(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.tan %a : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @narrow_floats_are_computed_with_in_32_bits
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK-NEXT: %[[TAN:.*]] = stablehlo.tan %[[WIDE]] : tensor<2xf32>
// CHECK-NEXT: stablehlo.convert %[[TAN]] : (tensor<2xf32>) -> tensor<2xbf16>
func.func @narrow_floats_are_computed_with_in_32_bits(%a: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = chlo.tan %a : tensor<2xbf16> -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// CHECK-LABEL: func.func @kernel_of_complex_asin
// CHECK-NOT: chlo.
// CHECK: stablehlo.sqrt
// CHECK-NOT: chlo.
func.func @kernel_of_complex_asin(%a: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
  %0 = "chlo._asin_acos_kernel"(%a) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}

// CHECK-LABEL: func.func @error_functions
// CHECK-NOT: chlo.
// CHECK: stablehlo.exponential
// CHECK-NOT: chlo.
func.func @error_functions(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = chlo.erf %a : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.erfc %a : tensor<2xf32> -> tensor<2xf32>
  %2 = chlo.erf_inv %a : tensor<2xf32> -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @gamma_functions
// CHECK-NOT: chlo.
// CHECK: stablehlo.log
// CHECK: stablehlo.tan
// CHECK: stablehlo.power
// CHECK-NOT: chlo.
func.func @gamma_functions(%a: tensor<f32>, %s: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = chlo.lgamma %a : tensor<f32> -> tensor<f32>
  %1 = chlo.digamma %a : tensor<f32> -> tensor<f32>
  %2 = chlo.zeta %s, %a : tensor<f32>, tensor<f32> -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @bessel_function
// CHECK-NOT: chlo.
// CHECK: stablehlo.exponential
// CHECK-NOT: chlo.
func.func @bessel_function(%a: tensor<f16>) -> tensor<f16> {
  %0 = chlo.bessel_i1e %a : tensor<f16> -> tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: func.func @keeps_the_bessel_function_of_a_complex_number
// CHECK-NEXT: chlo.bessel_i1e
func.func @keeps_the_bessel_function_of_a_complex_number(%a: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = chlo.bessel_i1e %a : tensor<complex<f32>> -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @conjugate
// CHECK-NEXT: %[[REAL:.*]] = stablehlo.real %arg0
// CHECK-NEXT: %[[IMAG:.*]] = stablehlo.imag %arg0
// CHECK-NEXT: %[[MINUS:.*]] = stablehlo.negate %[[IMAG]]
// CHECK-NEXT: stablehlo.complex %[[REAL]], %[[MINUS]]
func.func @conjugate(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = chlo.conj %a : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @a_real_number_is_its_own_conjugate
// CHECK-NEXT: return %arg0
func.func @a_real_number_is_its_own_conjugate(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.conj %a : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @infinities
// CHECK: %[[SIZE:.*]] = stablehlo.abs %arg0
// CHECK: stablehlo.compare EQ, %[[SIZE]]
// CHECK: dense<0x7F800000>
// CHECK: stablehlo.compare EQ, %arg0
// CHECK: dense<0xFF800000>
// CHECK: stablehlo.compare EQ, %arg0
// CHECK-NOT: chlo.
func.func @infinities(%a: tensor<f32>) -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %0 = chlo.is_inf %a : tensor<f32> -> tensor<i1>
  %1 = chlo.is_pos_inf %a : tensor<f32> -> tensor<i1>
  %2 = chlo.is_neg_inf %a : tensor<f32> -> tensor<i1>
  return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func @next_float
// CHECK: stablehlo.bitcast_convert %arg0 : (tensor<2xbf16>) -> tensor<2xi16>
// CHECK-NOT: chlo.
func.func @next_float(%a: tensor<2xbf16>, %b: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = chlo.next_after %a, %b : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// CHECK-LABEL: func.func @square
// CHECK-NEXT: stablehlo.multiply %arg0, %arg0
func.func @square(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "chlo.square"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @high_bits_of_a_product
// CHECK: %[[PRODUCT:.*]] = stablehlo.multiply {{.*}} : tensor<2xi64>
// CHECK: %[[SHIFTED:.*]] = stablehlo.shift_right_arithmetic %[[PRODUCT]]
// CHECK: stablehlo.convert %{{.*}} : (tensor<2xi64>) -> tensor<2xi32>
// CHECK-NOT: chlo.
func.func @high_bits_of_a_product(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "chlo.mulhi"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @high_bits_of_the_widest_product
// CHECK-COUNT-4: stablehlo.multiply {{.*}} : tensor<2xui64>
// CHECK-NOT: chlo.
func.func @high_bits_of_the_widest_product(%a: tensor<2xui64>, %b: tensor<2xui64>) -> tensor<2xui64> {
  %0 = "chlo.mulhi"(%a, %b) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  return %0 : tensor<2xui64>
}

// CHECK-LABEL: func.func @in_a_region
// CHECK: stablehlo.while
// CHECK-NOT: chlo.
// CHECK: stablehlo.tan
// CHECK-NOT: chlo.
func.func @in_a_region(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%b = %a) : tensor<f32>
    cond {
      %1 = chlo.is_inf %b : tensor<f32> -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = chlo.tan %b : tensor<f32> -> tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_dynamic_shape
// CHECK-NEXT: chlo.erf %arg0 : tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: chlo.square
// CHECK-NEXT: chlo.next_after
func.func @keeps_a_dynamic_shape(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = chlo.erf %a : tensor<?xf32> -> tensor<?xf32>
  %1 = "chlo.square"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = chlo.next_after %a, %a : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
