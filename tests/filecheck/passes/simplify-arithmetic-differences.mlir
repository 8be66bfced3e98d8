// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @removes_a_difference_with_zero
// CHECK-NEXT: return %arg0
func.func @removes_a_difference_with_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_an_integer_difference_with_zero
// CHECK-NEXT: return %arg0
func.func @removes_an_integer_difference_with_zero(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.subtract %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @keeps_a_difference_with_negative_zero_for_it_changes_negative_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg0, %[[C]]
func.func @keeps_a_difference_with_negative_zero_for_it_changes_negative_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @negates_what_is_subtracted_from_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: return %[[Y]]
func.func @negates_what_is_subtracted_from_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.subtract %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @negates_what_is_subtracted_from_negative_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: return %[[Y]]
func.func @negates_what_is_subtracted_from_negative_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.subtract %c, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_what_is_subtracted_from_positive_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[C]], %arg0
func.func @keeps_what_is_subtracted_from_positive_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.subtract %c, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @knows_that_an_integer_less_itself_is_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_that_an_integer_less_itself_is_zero(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @broadcasts_the_zero_of_a_larger_shape
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[B]]
func.func @broadcasts_the_zero_of_a_larger_shape(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.subtract %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @keeps_a_float_less_itself_for_infinity
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg0, %arg0
func.func @keeps_a_float_less_itself_for_infinity(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @subtracts_where_a_negation_is_added
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @subtracts_where_a_negation_is_added(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.add %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @subtracts_where_it_is_added_to_a_negation
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg1, %arg0
// CHECK-NEXT: return %[[Y]]
func.func @subtracts_where_it_is_added_to_a_negation(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.add %0, %y : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_absolute_values
// CHECK-NEXT: %[[Z:.*]] = stablehlo.abs %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[Z]]
func.func @keeps_a_sum_of_absolute_values(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %y : tensor<f32>
  %1 = stablehlo.add %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @subtracts_a_negation_from_the_constant_it_is_added_to
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[C]], %arg0
// CHECK-NEXT: return %[[Y]]
func.func @subtracts_a_negation_from_the_constant_it_is_added_to(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_the_negation_that_zero_is_added_to
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: return %[[Y]]
func.func @keeps_the_negation_that_zero_is_added_to(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.negate %x : tensor<i32>
  %1 = stablehlo.add %0, %c : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @adds_where_a_negation_is_subtracted
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @adds_where_a_negation_is_subtracted(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.subtract %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_what_is_subtracted_from_a_negation
// CHECK-NEXT: %[[Z:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[Z]], %arg1
func.func @keeps_what_is_subtracted_from_a_negation(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.subtract %0, %y : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @joins_integer_constants_and_wraps
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-126> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_integer_constants_and_wraps(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<100> : tensor<i8>
  %d = stablehlo.constant dense<30> : tensor<i8>
  %0 = stablehlo.add %x, %c : tensor<i8>
  %1 = stablehlo.add %0, %d : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @joins_unsigned_constants_and_wraps
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<4> : tensor<ui8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_unsigned_constants_and_wraps(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<200> : tensor<ui8>
  %d = stablehlo.constant dense<60> : tensor<ui8>
  %0 = stablehlo.add %x, %c : tensor<ui8>
  %1 = stablehlo.add %0, %d : tensor<ui8>
  return %1 : tensor<ui8>
}

// CHECK-LABEL: func.func @joins_constants_element_by_element
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[11, 22]> : tensor<2xi32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_constants_element_by_element(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %0 = stablehlo.add %x, %c : tensor<2xi32>
  %1 = stablehlo.add %0, %d : tensor<2xi32>
  return %1 : tensor<2xi32>
}

// CHECK-LABEL: func.func @joins_a_constant_and_one_that_is_broadcast
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[11, 12]> : tensor<2xi32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_a_constant_and_one_that_is_broadcast(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.broadcast_in_dim %d, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %0 = stablehlo.add %x, %c : tensor<2xi32>
  %1 = stablehlo.add %0, %b : tensor<2xi32>
  return %1 : tensor<2xi32>
}

// CHECK-LABEL: func.func @keeps_float_constants_apart_for_sums_round
// CHECK: %[[Z:.*]] = stablehlo.add %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]]
func.func @keeps_float_constants_apart_for_sums_round(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %d = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  %1 = stablehlo.add %0, %d : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @adds_a_constant_to_what_is_subtracted_from
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<8> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[C]], %arg0
// CHECK-NEXT: return %[[Y]]
func.func @adds_a_constant_to_what_is_subtracted_from(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<5> : tensor<i32>
  %d = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.subtract %c, %x : tensor<i32>
  %1 = stablehlo.add %0, %d : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_constant_apart_from_a_float_difference
// CHECK: %[[Z:.*]] = stablehlo.subtract
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]]
func.func @keeps_a_constant_apart_from_a_float_difference(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<5.0> : tensor<f32>
  %d = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.subtract %c, %x : tensor<f32>
  %1 = stablehlo.add %0, %d : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_constants_apart_whose_sum_would_be_large
// CHECK: %[[Z:.*]] = stablehlo.add %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @keeps_constants_apart_whose_sum_would_be_large(%x: tensor<9000x2xi32>) -> tensor<9000x2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %b = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xi32>) -> tensor<9000x2xi32>
  %e = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<2xi32>) -> tensor<9000x2xi32>
  %0 = stablehlo.add %x, %b : tensor<9000x2xi32>
  %1 = stablehlo.add %0, %e : tensor<9000x2xi32>
  return %1 : tensor<9000x2xi32>
}

// CHECK-LABEL: func.func @adds_what_was_subtracted
// CHECK-NEXT: return %arg0
func.func @adds_what_was_subtracted(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %y : tensor<i32>
  %1 = stablehlo.add %0, %y : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @adds_to_what_was_subtracted
// CHECK-NEXT: return %arg0
func.func @adds_to_what_was_subtracted(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %y : tensor<i32>
  %1 = stablehlo.add %y, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_float_sum_of_what_was_subtracted
// CHECK-NEXT: %[[Z:.*]] = stablehlo.subtract %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[Z]], %arg1
func.func @keeps_a_float_sum_of_what_was_subtracted(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %y : tensor<f32>
  %1 = stablehlo.add %0, %y : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @subtracts_what_was_added
// CHECK-NEXT: return %arg0
func.func @subtracts_what_was_added(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %y : tensor<i32>
  %1 = stablehlo.subtract %0, %y : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @subtracts_what_was_added_to
// CHECK-NEXT: return %arg1
func.func @subtracts_what_was_added_to(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %y : tensor<i32>
  %1 = stablehlo.subtract %0, %x : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_an_integer_difference_of_a_sum_and_another
// CHECK-NEXT: %[[Z:.*]] = stablehlo.add %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[Z]], %arg2
func.func @keeps_an_integer_difference_of_a_sum_and_another(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %y : tensor<i32>
  %1 = stablehlo.subtract %0, %z : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_float_difference_of_what_was_added
// CHECK-NEXT: %[[Z:.*]] = stablehlo.add %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[Z]], %arg1
func.func @keeps_a_float_difference_of_what_was_added(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %y : tensor<f32>
  %1 = stablehlo.subtract %0, %y : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @finds_what_a_difference_lacks
// CHECK-NEXT: return %arg1
func.func @finds_what_a_difference_lacks(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %y : tensor<i32>
  %1 = stablehlo.subtract %x, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @finds_what_a_difference_is_short_of
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: return %[[Y]]
func.func @finds_what_a_difference_is_short_of(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %y : tensor<i32>
  %1 = stablehlo.subtract %0, %x : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_what_another_integer_difference_lacks
// CHECK-NEXT: %[[Z:.*]] = stablehlo.subtract %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg2, %[[Z]]
func.func @keeps_what_another_integer_difference_lacks(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %y : tensor<i32>
  %1 = stablehlo.subtract %z, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_an_integer_difference_less_another
// CHECK-NEXT: %[[Z:.*]] = stablehlo.subtract %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[Z]], %arg2
func.func @keeps_an_integer_difference_less_another(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %y : tensor<i32>
  %1 = stablehlo.subtract %0, %z : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_what_a_float_difference_is_short_of
// CHECK-NEXT: %[[Z:.*]] = stablehlo.subtract %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[Z]], %arg0
func.func @keeps_what_a_float_difference_is_short_of(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %y : tensor<f32>
  %1 = stablehlo.subtract %0, %x : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_what_a_float_difference_lacks
// CHECK-NEXT: %[[Z:.*]] = stablehlo.subtract %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg0, %[[Z]]
func.func @keeps_what_a_float_difference_lacks(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %y : tensor<f32>
  %1 = stablehlo.subtract %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_two_negations
// CHECK-NEXT: return %arg0
func.func @removes_two_negations(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_one_negation
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %arg0
func.func @keeps_one_negation(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @swaps_a_negated_integer_difference
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %arg1, %arg0
// CHECK-NEXT: return %[[Y]]
func.func @swaps_a_negated_integer_difference(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.subtract %x, %y : tensor<i32>
  %1 = stablehlo.negate %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_negated_float_difference_for_the_sign_of_zero
// CHECK-NEXT: %[[Z:.*]] = stablehlo.subtract %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.negate %[[Z]]
func.func @keeps_a_negated_float_difference_for_the_sign_of_zero(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %y : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  return %1 : tensor<f32>
}
