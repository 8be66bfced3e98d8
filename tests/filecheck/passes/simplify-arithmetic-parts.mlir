// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @removes_a_second_absolute_value
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_second_absolute_value(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_an_absolute_value_of_a_complex_one
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_an_absolute_value_of_a_complex_one(%x: tensor<complex<f32>>) -> tensor<f32> {
  %0 = stablehlo.abs %x : (tensor<complex<f32>>) -> tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_an_absolute_value
// CHECK-NEXT: %[[Z:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %[[Z]]
func.func @keeps_an_absolute_value(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_negation_from_an_absolute_value
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_negation_from_an_absolute_value(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_negation_from_an_integer_absolute_value
// CHECK-NEXT: %[[Y:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_negation_from_an_integer_absolute_value(%x: tensor<i8>) -> tensor<i8> {
  %0 = stablehlo.negate %x : tensor<i8>
  %1 = stablehlo.abs %0 : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @keeps_a_negated_absolute_value
// CHECK-NEXT: %[[Z:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %[[Z]]
func.func @keeps_a_negated_absolute_value(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_second_sign
// CHECK-NEXT: %[[Y:.*]] = stablehlo.sign %arg0
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_second_sign(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sign %x : tensor<f32>
  %1 = stablehlo.sign %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_second_complex_sign_for_it_rounds
// CHECK-NEXT: %[[Z:.*]] = stablehlo.sign %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.sign %[[Z]]
func.func @keeps_a_second_complex_sign_for_it_rounds(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.sign %x : tensor<complex<f32>>
  %1 = stablehlo.sign %0 : tensor<complex<f32>>
  return %1 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @asks_a_number_whether_its_negation_is_finite
// CHECK-NEXT: %[[Y:.*]] = stablehlo.is_finite %arg0
// CHECK-NEXT: return %[[Y]]
func.func @asks_a_number_whether_its_negation_is_finite(%x: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.is_finite %0 : (tensor<f32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @asks_a_number_whether_its_absolute_value_is_finite
// CHECK-NEXT: %[[Y:.*]] = stablehlo.is_finite %arg0
// CHECK-NEXT: return %[[Y]]
func.func @asks_a_number_whether_its_absolute_value_is_finite(%x: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.is_finite %0 : (tensor<f32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_whether_a_complex_absolute_value_is_finite
// CHECK-NEXT: %[[Z:.*]] = stablehlo.abs %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.is_finite %[[Z]]
func.func @keeps_whether_a_complex_absolute_value_is_finite(%x: tensor<complex<f32>>) -> tensor<i1> {
  %0 = stablehlo.abs %x : (tensor<complex<f32>>) -> tensor<f32>
  %1 = stablehlo.is_finite %0 : (tensor<f32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @rounds_a_whole_number_no_more
// CHECK-NEXT: %[[Y:.*]] = stablehlo.ceil %arg0
// CHECK-NEXT: return %[[Y]]
func.func @rounds_a_whole_number_no_more(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.ceil %x : tensor<f32>
  %1 = stablehlo.floor %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @rounds_no_second_time
// CHECK-NEXT: %[[Y:.*]] = stablehlo.round_nearest_even %arg0
// CHECK-NEXT: return %[[Y]]
func.func @rounds_no_second_time(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.round_nearest_even %x : tensor<f32>
  %1 = stablehlo.round_nearest_afz %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @rounds_no_integer
// CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %arg0
// CHECK-NEXT: return %[[Y]]
func.func @rounds_no_integer(%x: tensor<i32>) -> tensor<f32> {
  %0 = stablehlo.convert %x : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.floor %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @rounds_a_converted_float
// CHECK-NEXT: %[[Z:.*]] = stablehlo.convert %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.floor %[[Z]]
func.func @rounds_a_converted_float(%x: tensor<f64>) -> tensor<f32> {
  %0 = stablehlo.convert %x : (tensor<f64>) -> tensor<f32>
  %1 = stablehlo.floor %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_precision_that_is_reduced
// CHECK-NEXT: %[[Y:.*]] = stablehlo.reduce_precision %arg0, format = e8m7
func.func @keeps_a_precision_that_is_reduced(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce_precision %x, format = e8m7 : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_precision_that_is_not_reduced
// CHECK-NEXT: return %arg0
func.func @removes_a_precision_that_is_not_reduced(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce_precision %x, format = e8m23 : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @takes_the_real_part
// CHECK-NEXT: return %arg0
func.func @takes_the_real_part(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.complex %a, %b : tensor<complex<f32>>
  %1 = stablehlo.real %0 : (tensor<complex<f32>>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @takes_the_imaginary_part
// CHECK-NEXT: return %arg1
func.func @takes_the_imaginary_part(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.complex %a, %b : tensor<complex<f32>>
  %1 = stablehlo.imag %0 : (tensor<complex<f32>>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_the_real_part_of_a_product
// CHECK-NEXT: %[[Z:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.real %[[Z]]
func.func @keeps_the_real_part_of_a_product(%x: tensor<complex<f32>>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %x : tensor<complex<f32>>
  %1 = stablehlo.real %0 : (tensor<complex<f32>>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @takes_a_float_for_its_real_part
// CHECK-NEXT: return %arg0
func.func @takes_a_float_for_its_real_part(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.real %x : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @knows_that_a_float_has_no_imaginary_part
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_a_float_has_no_imaginary_part(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.imag %x : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @joins_the_parts_of_a_number
// CHECK-NEXT: return %arg0
func.func @joins_the_parts_of_a_number(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.real %x : (tensor<complex<f32>>) -> tensor<f32>
  %1 = stablehlo.imag %x : (tensor<complex<f32>>) -> tensor<f32>
  %2 = stablehlo.complex %0, %1 : tensor<complex<f32>>
  return %2 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_parts_that_are_swapped
// CHECK-NEXT: %[[A:.*]] = stablehlo.real %arg0
// CHECK-NEXT: %[[B:.*]] = stablehlo.imag %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.complex %[[B]], %[[A]]
func.func @keeps_parts_that_are_swapped(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.real %x : (tensor<complex<f32>>) -> tensor<f32>
  %1 = stablehlo.imag %x : (tensor<complex<f32>>) -> tensor<f32>
  %2 = stablehlo.complex %1, %0 : tensor<complex<f32>>
  return %2 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_parts_of_two_numbers
// CHECK-NEXT: %[[A:.*]] = stablehlo.real %arg0
// CHECK-NEXT: %[[B:.*]] = stablehlo.imag %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.complex %[[A]], %[[B]]
func.func @keeps_parts_of_two_numbers(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.real %x : (tensor<complex<f32>>) -> tensor<f32>
  %1 = stablehlo.imag %y : (tensor<complex<f32>>) -> tensor<f32>
  %2 = stablehlo.complex %0, %1 : tensor<complex<f32>>
  return %2 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_the_parts_of_a_float_made_complex
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.complex %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @keeps_the_parts_of_a_float_made_complex(%x: tensor<f32>) -> tensor<complex<f32>> {
  %0 = stablehlo.real %x : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.imag %x : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.complex %0, %1 : tensor<complex<f32>>
  return %2 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @negates_the_parts_of_a_number_back
// CHECK-NEXT: %[[Y:.*]] = stablehlo.complex %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @negates_the_parts_of_a_number_back(%a: tensor<f32>, %b: tensor<f32>) -> tensor<complex<f32>> {
  %0 = stablehlo.negate %a : tensor<f32>
  %1 = stablehlo.negate %b : tensor<f32>
  %2 = stablehlo.complex %0, %1 : tensor<complex<f32>>
  %3 = stablehlo.negate %2 : tensor<complex<f32>>
  return %3 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_a_negation_of_a_conjugate
// CHECK-NEXT: %[[A:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[Z:.*]] = stablehlo.complex %arg0, %[[A]]
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %[[Z]]
func.func @keeps_a_negation_of_a_conjugate(%a: tensor<f32>, %b: tensor<f32>) -> tensor<complex<f32>> {
  %1 = stablehlo.negate %b : tensor<f32>
  %2 = stablehlo.complex %a, %1 : tensor<complex<f32>>
  %3 = stablehlo.negate %2 : tensor<complex<f32>>
  return %3 : tensor<complex<f32>>
}
