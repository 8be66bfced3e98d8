// RUN: hlo-opt %s --passes fold-constants | filecheck %s

// CHECK-LABEL: func.func @adds_floats
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[1.500000e+00, 0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]]
func.func @adds_floats() -> tensor<2xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<[0.5, -2.0]> : tensor<2xf32>
  %0 = stablehlo.add %c, %d : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @adds_and_wraps
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-56> : tensor<i8>
// CHECK-NEXT: return %[[C]]
func.func @adds_and_wraps() -> tensor<i8> {
  %c = stablehlo.constant dense<100> : tensor<i8>
  %d = stablehlo.constant dense<100> : tensor<i8>
  %0 = stablehlo.add %c, %d : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @adds_bools_as_or
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @adds_bools_as_or() -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %d = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.add %c, %d : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @adds_halves_and_rounds
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.048000e+03> : tensor<f16>
// CHECK-NEXT: return %[[C]]
func.func @adds_halves_and_rounds() -> tensor<f16> {
  %c = stablehlo.constant dense<2048.0> : tensor<f16>
  %d = stablehlo.constant dense<1.0> : tensor<f16>
  %0 = stablehlo.add %c, %d : tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: func.func @adds_bfloat_and_rounds
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.560000e+02> : tensor<bf16>
// CHECK-NEXT: return %[[C]]
func.func @adds_bfloat_and_rounds() -> tensor<bf16> {
  %c = stablehlo.constant dense<256.0> : tensor<bf16>
  %d = stablehlo.constant dense<1.0> : tensor<bf16>
  %0 = stablehlo.add %c, %d : tensor<bf16>
  return %0 : tensor<bf16>
}

// CHECK-LABEL: func.func @adds_floats_of_a_byte_and_rounds
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<8.000000e+00> : tensor<f8E5M2>
// CHECK-NEXT: return %[[C]]
func.func @adds_floats_of_a_byte_and_rounds() -> tensor<f8E5M2> {
  %c = stablehlo.constant dense<8.0> : tensor<f8E5M2>
  %d = stablehlo.constant dense<1.0> : tensor<f8E5M2>
  %0 = stablehlo.add %c, %d : tensor<f8E5M2>
  return %0 : tensor<f8E5M2>
}

// CHECK-LABEL: func.func @adds_integers_of_four_bits_and_wraps
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-8> : tensor<i4>
// CHECK-NEXT: return %[[C]]
func.func @adds_integers_of_four_bits_and_wraps() -> tensor<i4> {
  %c = stablehlo.constant dense<7> : tensor<i4>
  %d = stablehlo.constant dense<1> : tensor<i4>
  %0 = stablehlo.add %c, %d : tensor<i4>
  return %0 : tensor<i4>
}

// CHECK-LABEL: func.func @adds_complex_numbers
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<(1.500000e+00,-2.000000e+00)> : tensor<complex<f32>>
// CHECK-NEXT: return %[[C]]
func.func @adds_complex_numbers() -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %d = stablehlo.constant dense<(0.5, -4.0)> : tensor<complex<f32>>
  %0 = stablehlo.add %c, %d : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @keeps_the_sign_of_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @keeps_the_sign_of_zero() -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %d = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.add %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @overflows_to_infinity
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @overflows_to_infinity() -> tensor<f32> {
  %c = stablehlo.constant dense<3.0e38> : tensor<f32>
  %d = stablehlo.constant dense<3.0e38> : tensor<f32>
  %0 = stablehlo.multiply %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @divides_by_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @divides_by_zero() -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %d = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.divide %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @divides_integers_toward_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-3> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @divides_integers_toward_zero() -> tensor<i32> {
  %c = stablehlo.constant dense<-7> : tensor<i32>
  %d = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.divide %c, %d : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @divides_integers_by_zero_as_xla_does
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-1> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @divides_integers_by_zero_as_xla_does() -> tensor<i32> {
  %c = stablehlo.constant dense<7> : tensor<i32>
  %d = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.divide %c, %d : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @divides_unsigned_integers_by_zero_as_xla_does
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<255> : tensor<ui8>
// CHECK-NEXT: return %[[C]]
func.func @divides_unsigned_integers_by_zero_as_xla_does() -> tensor<ui8> {
  %c = stablehlo.constant dense<7> : tensor<ui8>
  %d = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.divide %c, %d : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @takes_the_remainder_by_zero_as_xla_does
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<7> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @takes_the_remainder_by_zero_as_xla_does() -> tensor<i32> {
  %c = stablehlo.constant dense<7> : tensor<i32>
  %d = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.remainder %c, %d : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @takes_the_remainder_of_the_dividend_sign
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @takes_the_remainder_of_the_dividend_sign() -> tensor<f32> {
  %c = stablehlo.constant dense<-7.0> : tensor<f32>
  %d = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.remainder %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @divides_large_unsigned_integers
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<9223372036854775807> : tensor<ui64>
// CHECK-NEXT: return %[[C]]
func.func @divides_large_unsigned_integers() -> tensor<ui64> {
  %c = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %d = stablehlo.constant dense<2> : tensor<ui64>
  %0 = stablehlo.divide %c, %d : tensor<ui64>
  return %0 : tensor<ui64>
}

// CHECK-LABEL: func.func @shifts_all_bits_out
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i8>
// CHECK-NEXT: return %[[C]]
func.func @shifts_all_bits_out() -> tensor<i8> {
  %c = stablehlo.constant dense<3> : tensor<i8>
  %d = stablehlo.constant dense<8> : tensor<i8>
  %0 = stablehlo.shift_left %c, %d : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @fills_with_the_sign
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-1> : tensor<i8>
// CHECK-NEXT: return %[[C]]
func.func @fills_with_the_sign() -> tensor<i8> {
  %c = stablehlo.constant dense<-3> : tensor<i8>
  %d = stablehlo.constant dense<100> : tensor<i8>
  %0 = stablehlo.shift_right_arithmetic %c, %d : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @takes_the_greater_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @takes_the_greater_zero() -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %d = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.maximum %c, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @takes_the_greater_unsigned
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<200> : tensor<ui8>
// CHECK-NEXT: return %[[C]]
func.func @takes_the_greater_unsigned() -> tensor<ui8> {
  %c = stablehlo.constant dense<200> : tensor<ui8>
  %d = stablehlo.constant dense<100> : tensor<ui8>
  %0 = stablehlo.maximum %c, %d : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @computes_bits
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<6> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @computes_bits() -> tensor<i32> {
  %c = stablehlo.constant dense<12> : tensor<i32>
  %d = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.xor %c, %d : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @computes_an_exact_root
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.41421354> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @computes_an_exact_root() -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.sqrt %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @takes_the_absolute_value_of_the_least_integer
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-128> : tensor<i8>
// CHECK-NEXT: return %[[C]]
func.func @takes_the_absolute_value_of_the_least_integer() -> tensor<i8> {
  %c = stablehlo.constant dense<-128> : tensor<i8>
  %0 = stablehlo.abs %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @rounds_halves_to_even
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @rounds_halves_to_even() -> tensor<f32> {
  %c = stablehlo.constant dense<2.5> : tensor<f32>
  %0 = stablehlo.round_nearest_even %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @counts_bits
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<8> : tensor<ui8>
// CHECK-NEXT: return %[[C]]
func.func @counts_bits() -> tensor<ui8> {
  %c = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.popcnt %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @complements_bits
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-6> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @complements_bits() -> tensor<i32> {
  %c = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.not %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @compares_unsigned_numbers
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @compares_unsigned_numbers() -> tensor<i1> {
  %c = stablehlo.constant dense<200> : tensor<ui8>
  %d = stablehlo.constant dense<100> : tensor<ui8>
  %0 = stablehlo.compare GT, %c, %d : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @compares_nan
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @compares_nan() -> tensor<i1> {
  %c = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %0 = stablehlo.compare NE, %c, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @selects_by_a_scalar
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[3, 7, -3]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]]
func.func @selects_by_a_scalar() -> tensor<3xi32> {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %c = stablehlo.constant dense<[2, 3, -1]> : tensor<3xi32>
  %d = stablehlo.constant dense<[3, 7, -3]> : tensor<3xi32>
  %0 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @selects_nan_with_its_bits
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0x7FC00001, 0xFFC00002]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]]
func.func @selects_nan_with_its_bits() -> tensor<2xf32> {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %c = stablehlo.constant dense<[0x7FC00001, 1.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<[2.0, 0xFFC00002]> : tensor<2xf32>
  %0 = stablehlo.select %p, %c, %d : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @clamps
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[1, 5, 10]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]]
func.func @clamps() -> tensor<3xi32> {
  %l = stablehlo.constant dense<1> : tensor<i32>
  %c = stablehlo.constant dense<[0, 5, 30]> : tensor<3xi32>
  %h = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.clamp %l, %c, %h : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @converts_and_saturates
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[-1, 127, 0]> : tensor<3xi8>
// CHECK-NEXT: return %[[C]]
func.func @converts_and_saturates() -> tensor<3xi8> {
  %c = stablehlo.constant dense<[-1.5, 300.0, 0x7FC00000]> : tensor<3xf32>
  %0 = stablehlo.convert %c : (tensor<3xf32>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// CHECK-LABEL: func.func @converts_and_rounds
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0x4B800000> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @converts_and_rounds() -> tensor<f32> {
  %c = stablehlo.constant dense<16777217> : tensor<i32>
  %0 = stablehlo.convert %c : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @joins_parts
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK-NEXT: return %[[C]]
func.func @joins_parts() -> tensor<complex<f32>> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %d = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.complex %c, %d : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @computes_a_chain
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<14> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @computes_a_chain() -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.add %c, %c : tensor<i32>
  %1 = stablehlo.multiply %0, %0 : tensor<i32>
  %2 = stablehlo.subtract %1, %c : tensor<i32>
  return %2 : tensor<i32>
}
