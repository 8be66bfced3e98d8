// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @takes_what_both_branches_are
// CHECK-NEXT: return %arg1
func.func @takes_what_both_branches_are(%p: tensor<2xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_the_branch_of_true
// CHECK-NEXT: return %arg0
func.func @takes_the_branch_of_true(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.select %c, %x, %y : tensor<i1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_the_branch_of_false_in_every_place
// CHECK-NEXT: return %arg1
func.func @takes_the_branch_of_false_in_every_place(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<false> : tensor<2xi1>
  %0 = stablehlo.select %c, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_the_branch_of_a_constant_that_is_broadcast
// CHECK-NEXT: return %arg0
func.func @takes_the_branch_of_a_constant_that_is_broadcast(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2xi1>
  %0 = stablehlo.select %b, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_choice_by_true_and_false
// CHECK: %[[Y:.*]] = stablehlo.select
func.func @keeps_a_choice_by_true_and_false(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = stablehlo.select %c, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @swaps_the_branches_of_a_complement
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %arg0, %arg2, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @swaps_the_branches_of_a_complement(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %n = stablehlo.not %p : tensor<i1>
  %0 = stablehlo.select %n, %x, %y : tensor<i1>, tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @swaps_the_branches_of_a_complement_that_is_broadcast
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = []
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[B]], %arg2, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @swaps_the_branches_of_a_complement_that_is_broadcast(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %n = stablehlo.not %p : tensor<i1>
  %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i1>) -> tensor<2xi1>
  %0 = stablehlo.select %b, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_the_branches_of_a_predicate_that_is_broadcast
// CHECK: %[[Y:.*]] = stablehlo.select %{{.*}}, %arg1, %arg2
func.func @keeps_the_branches_of_a_predicate_that_is_broadcast(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %b = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<i1>) -> tensor<2xi1>
  %0 = stablehlo.select %b, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @skips_a_choice_that_is_made_already
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %arg0, %arg1, %arg3
// CHECK-NEXT: return %[[Y]]
func.func @skips_a_choice_that_is_made_already(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
  %1 = stablehlo.select %p, %0, %z : tensor<i1>, tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @skips_a_choice_that_is_made_already_in_the_other_branch
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %arg0, %arg3, %arg2
// CHECK-NEXT: return %[[Y]]
func.func @skips_a_choice_that_is_made_already_in_the_other_branch(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
  %1 = stablehlo.select %p, %z, %0 : tensor<i1>, tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_choice_by_another_predicate
// CHECK-NEXT: %[[Z:.*]] = stablehlo.select %arg0, %arg2, %arg3
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %arg1, %[[Z]], %arg4
func.func @keeps_a_choice_by_another_predicate(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
  %1 = stablehlo.select %q, %0, %z : tensor<i1>, tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_choice_by_another_predicate_in_the_other_branch
// CHECK-NEXT: %[[Z:.*]] = stablehlo.select %arg0, %arg2, %arg3
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %arg1, %arg4, %[[Z]]
func.func @keeps_a_choice_by_another_predicate_in_the_other_branch(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
  %1 = stablehlo.select %q, %z, %0 : tensor<i1>, tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @says_or_instead_of_choosing_true
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_or_instead_of_choosing_true(%p: tensor<i1>, %x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.select %p, %c, %x : tensor<i1>, tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @says_and_instead_of_choosing_false
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_and_instead_of_choosing_false(%p: tensor<2xi1>, %x: tensor<2xi1>) -> tensor<2xi1> {
  %c = stablehlo.constant dense<false> : tensor<2xi1>
  %0 = stablehlo.select %p, %x, %c : tensor<2xi1>, tensor<2xi1>
  return %0 : tensor<2xi1>
}

// CHECK-LABEL: func.func @says_or_of_a_predicate_made_as_large
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = []
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %[[B]], %arg1
// CHECK-NEXT: return %[[Y]]
func.func @says_or_of_a_predicate_made_as_large(%p: tensor<i1>, %x: tensor<2xi1>) -> tensor<2xi1> {
  %c = stablehlo.constant dense<true> : tensor<2xi1>
  %0 = stablehlo.select %p, %c, %x : tensor<i1>, tensor<2xi1>
  return %0 : tensor<2xi1>
}

// CHECK-LABEL: func.func @takes_the_predicate_for_true_or_false
// CHECK-NEXT: return %arg0
func.func @takes_the_predicate_for_true_or_false(%p: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %d = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @complements_the_predicate_for_false_or_true
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %arg0
// CHECK-NEXT: return %[[Y]]
func.func @complements_the_predicate_for_false_or_true(%p: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %d = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %d, %c : tensor<i1>, tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @converts_instead_of_choosing_one_or_zero
// CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %arg0
// CHECK-NEXT: return %[[Y]]
func.func @converts_instead_of_choosing_one_or_zero(%p: tensor<2xi1>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %d = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.select %p, %b, %d : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_choice_between_one_and_negative_zero
// CHECK: %[[Y:.*]] = stablehlo.select %arg0
func.func @keeps_a_choice_between_one_and_negative_zero(%p: tensor<i1>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %d = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_choice_between_ones_and_zeros_by_a_scalar
// CHECK: %[[Y:.*]] = stablehlo.select %arg0
func.func @keeps_a_choice_between_ones_and_zeros_by_a_scalar(%p: tensor<i1>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<1> : tensor<2xi32>
  %d = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @keeps_a_choice_between_two_and_zero
// CHECK: %[[Y:.*]] = stablehlo.select %arg0
func.func @keeps_a_choice_between_two_and_zero(%p: tensor<i1>) -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %d = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_choice_between_zero_and_one
// CHECK: %[[Y:.*]] = stablehlo.select %arg0
func.func @keeps_a_choice_between_zero_and_one(%p: tensor<i1>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %d = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.select %p, %d, %c : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_choice_between_a_bool_and_true
// CHECK: %[[Y:.*]] = stablehlo.select %arg0, %arg1
func.func @keeps_a_choice_between_a_bool_and_true(%p: tensor<i1>, %x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.select %p, %x, %c : tensor<i1>, tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_choice_between_false_and_a_bool
// CHECK: %[[Y:.*]] = stablehlo.select %arg0
func.func @keeps_a_choice_between_false_and_a_bool(%p: tensor<i1>, %x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %c, %x : tensor<i1>, tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @takes_the_lesser_integer
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @takes_the_lesser_integer(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @takes_the_greater_integer
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg1, %arg0
// CHECK-NEXT: return %[[Y]]
func.func @takes_the_greater_integer(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare LE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %y, %x : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @takes_the_greater_unsigned
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @takes_the_greater_unsigned(%x: tensor<ui8>, %y: tensor<ui8>) -> tensor<ui8> {
  %p = stablehlo.compare GE, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @keeps_the_choice_of_the_lesser_float_for_nan
// CHECK: %[[Y:.*]] = stablehlo.select
func.func @keeps_the_choice_of_the_lesser_float_for_nan(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_choice_by_the_order_of_others
// CHECK: %[[Y:.*]] = stablehlo.select
func.func @keeps_a_choice_by_the_order_of_others(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %z : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_that_equal_integers_are_the_same
// CHECK-NEXT: return %arg1
func.func @knows_that_equal_integers_are_the_same(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_that_unequal_integers_differ
// CHECK-NEXT: return %arg0
func.func @knows_that_unequal_integers_differ(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare NE, %y, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_choice_of_equal_floats_for_the_sign_of_zero
// CHECK: %[[Y:.*]] = stablehlo.select
func.func @keeps_the_choice_of_equal_floats_for_the_sign_of_zero(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_the_second_chosen_last_by_order
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg2, %arg1
func.func @keeps_the_second_chosen_last_by_order(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %z, %y : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_second_chosen_first_by_order
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg1, %arg2
func.func @keeps_the_second_chosen_first_by_order(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %y, %z : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_first_chosen_last_by_order
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg2, %arg0
func.func @keeps_the_first_chosen_last_by_order(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %z, %x : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_first_chosen_first_by_order
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg0, %arg2
func.func @keeps_the_first_chosen_first_by_order(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %z : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_second_chosen_last_by_equality
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg2, %arg1
func.func @keeps_the_second_chosen_last_by_equality(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %z, %y : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_second_chosen_first_by_equality
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg1, %arg2
func.func @keeps_the_second_chosen_first_by_equality(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %y, %z : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_first_chosen_last_by_equality
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg2, %arg0
func.func @keeps_the_first_chosen_last_by_equality(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %z, %x : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_the_first_chosen_first_by_equality
// CHECK-NEXT: %[[P:.*]] = stablehlo.compare
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[P]], %arg0, %arg2
func.func @keeps_the_first_chosen_first_by_equality(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %p = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.select %p, %x, %z : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}
