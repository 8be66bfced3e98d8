// RUN: hlo-opt %s --passes simplify-shapes | filecheck %s

// CHECK-LABEL: func.func @removes_a_convert_to_its_own_dtype
// CHECK-NEXT: return %arg0
func.func @removes_a_convert_to_its_own_dtype(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_convert_of_sign
// CHECK-NEXT: stablehlo.convert
func.func @keeps_a_convert_of_sign(%a: tensor<2xi32>) -> tensor<2xui32> {
  %0 = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// CHECK-LABEL: func.func @removes_a_wider_float_on_the_way
// CHECK-NEXT: return %arg0
func.func @removes_a_wider_float_on_the_way(%a: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = stablehlo.convert %a : (tensor<2xbf16>) -> tensor<2xf32>
  %1 = stablehlo.convert %0 : (tensor<2xf32>) -> tensor<2xbf16>
  return %1 : tensor<2xbf16>
}

// CHECK-LABEL: func.func @keeps_a_narrower_float_on_the_way
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK-NEXT: stablehlo.convert
func.func @keeps_a_narrower_float_on_the_way(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
  %1 = stablehlo.convert %0 : (tensor<2xbf16>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_bf16_by_way_of_f16
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: stablehlo.convert
func.func @keeps_bf16_by_way_of_f16(%a: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = stablehlo.convert %a : (tensor<2xbf16>) -> tensor<2xf16>
  %1 = stablehlo.convert %0 : (tensor<2xf16>) -> tensor<2xbf16>
  return %1 : tensor<2xbf16>
}

// CHECK-LABEL: func.func @converts_a_bool_at_once
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf32>
// CHECK-NEXT: return
func.func @converts_a_bool_at_once(%a: tensor<2xi1>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : (tensor<2xi1>) -> tensor<2xi32>
  %1 = stablehlo.convert %0 : (tensor<2xi32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_bool_on_the_way
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<2xi32>) -> tensor<2xi1>
// CHECK-NEXT: stablehlo.convert
func.func @keeps_a_bool_on_the_way(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// CHECK-LABEL: func.func @wraps_integers_once
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<2xi64>) -> tensor<2xi8>
// CHECK-NEXT: return
func.func @wraps_integers_once(%a: tensor<2xi64>) -> tensor<2xi8> {
  %0 = stablehlo.convert %a : (tensor<2xi64>) -> tensor<2xui16>
  %1 = stablehlo.convert %0 : (tensor<2xui16>) -> tensor<2xi8>
  return %1 : tensor<2xi8>
}

// CHECK-LABEL: func.func @removes_another_sign_on_the_way
// CHECK-NEXT: return %arg0
func.func @removes_another_sign_on_the_way(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xui32>
  %1 = stablehlo.convert %0 : (tensor<2xui32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// CHECK-LABEL: func.func @keeps_a_sign_that_is_lost_before_widening
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<2xi32>) -> tensor<2xui32>
// CHECK-NEXT: stablehlo.convert
func.func @keeps_a_sign_that_is_lost_before_widening(%a: tensor<2xi32>) -> tensor<2xi64> {
  %0 = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xui32>
  %1 = stablehlo.convert %0 : (tensor<2xui32>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// CHECK-LABEL: func.func @keeps_a_float_that_saturates_where_integers_wrap
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<2xi16>) -> tensor<2xf32>
// CHECK-NEXT: stablehlo.convert
func.func @keeps_a_float_that_saturates_where_integers_wrap(%a: tensor<2xi16>) -> tensor<2xi8> {
  %0 = stablehlo.convert %a : (tensor<2xi16>) -> tensor<2xf32>
  %1 = stablehlo.convert %0 : (tensor<2xf32>) -> tensor<2xi8>
  return %1 : tensor<2xi8>
}

// CHECK-LABEL: func.func @removes_a_float_that_holds_the_integers
// CHECK-NEXT: return %arg0
func.func @removes_a_float_that_holds_the_integers(%a: tensor<2xi16>) -> tensor<2xi16> {
  %0 = stablehlo.convert %a : (tensor<2xi16>) -> tensor<2xf32>
  %1 = stablehlo.convert %0 : (tensor<2xf32>) -> tensor<2xi16>
  return %1 : tensor<2xi16>
}

// CHECK-LABEL: func.func @keeps_a_float_that_rounds_the_integers
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: stablehlo.convert
func.func @keeps_a_float_that_rounds_the_integers(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xf32>
  %1 = stablehlo.convert %0 : (tensor<2xf32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// CHECK-LABEL: func.func @removes_a_complex_number_on_the_way
// CHECK-NEXT: return %arg0
func.func @removes_a_complex_number_on_the_way(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %1 = stablehlo.convert %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_real_number_on_the_way
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: stablehlo.convert
func.func @keeps_a_real_number_on_the_way(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.convert %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.convert %0 : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return %1 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @removes_bits_there_and_back
// CHECK-NEXT: return %arg0
func.func @removes_bits_there_and_back(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x4xui8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x4xui8>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @joins_bits
// CHECK-NEXT: stablehlo.bitcast_convert %arg0 : (tensor<2xf32>) -> tensor<2x2xi16>
// CHECK-NEXT: return
func.func @joins_bits(%a: tensor<2xf32>) -> tensor<2x2xi16> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xi32>) -> tensor<2x2xi16>
  return %1 : tensor<2x2xi16>
}

// CHECK-LABEL: func.func @keeps_bits_that_are_split_twice
// CHECK-NEXT: stablehlo.bitcast_convert
// CHECK-NEXT: stablehlo.bitcast_convert
func.func @keeps_bits_that_are_split_twice(%a: tensor<2xf32>) -> tensor<2x2x2xi8> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x2xi16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x2xi16>) -> tensor<2x2x2xi8>
  return %1 : tensor<2x2x2xi8>
}
