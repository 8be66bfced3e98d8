// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @joins_masks
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<8> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_masks(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<12> : tensor<i32>
  %d = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.and %x, %c : tensor<i32>
  %1 = stablehlo.and %0, %d : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @joins_bits_that_are_flipped
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<6> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.xor %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_bits_that_are_flipped(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<12> : tensor<i32>
  %d = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.xor %x, %c : tensor<i32>
  %1 = stablehlo.xor %0, %d : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_mask_apart_from_bits_that_are_set
// CHECK: %[[Z:.*]] = stablehlo.and %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %[[Z]]
func.func @keeps_a_mask_apart_from_bits_that_are_set(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<12> : tensor<i32>
  %d = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.and %x, %c : tensor<i32>
  %1 = stablehlo.or %0, %d : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @takes_one_complement_instead_of_two
// CHECK-NEXT: %[[Z:.*]] = stablehlo.or %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @takes_one_complement_instead_of_two(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.not %x : tensor<i1>
  %1 = stablehlo.not %y : tensor<i1>
  %2 = stablehlo.and %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}

// CHECK-LABEL: func.func @takes_one_complement_of_integers_instead_of_two
// CHECK-NEXT: %[[Z:.*]] = stablehlo.and %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @takes_one_complement_of_integers_instead_of_two(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.not %y : tensor<i32>
  %2 = stablehlo.or %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_two_complements_of_which_one_is_needed
// CHECK-NEXT: %[[A:.*]] = stablehlo.not %arg0
// CHECK-NEXT: %[[B:.*]] = stablehlo.not %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %[[A]], %[[B]]
// CHECK-NEXT: return %[[A]], %[[Y]]
func.func @keeps_two_complements_of_which_one_is_needed(%x: tensor<i1>, %y: tensor<i1>) -> (tensor<i1>, tensor<i1>) {
  %0 = stablehlo.not %x : tensor<i1>
  %1 = stablehlo.not %y : tensor<i1>
  %2 = stablehlo.and %0, %1 : tensor<i1>
  return %0, %2 : tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func @removes_two_complements_from_xor
// CHECK-NEXT: %[[Y:.*]] = stablehlo.xor %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_two_complements_from_xor(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.not %y : tensor<i32>
  %2 = stablehlo.xor %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_one_complement_in_xor
// CHECK-NEXT: %[[A:.*]] = stablehlo.not %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.xor %[[A]], %arg1
func.func @keeps_one_complement_in_xor(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %2 = stablehlo.xor %0, %y : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_two_complements
// CHECK-NEXT: return %arg0
func.func @removes_two_complements(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.not %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_one_complement
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %arg0
func.func @keeps_one_complement(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_a_complement_that_and_makes_needless
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_complement_that_and_makes_needless(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.or %0, %y : tensor<i32>
  %2 = stablehlo.and %x, %1 : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_a_complement_that_or_makes_needless
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_complement_that_or_makes_needless(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.and %y, %0 : tensor<i32>
  %2 = stablehlo.or %1, %x : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_complement_that_is_needed
// CHECK-NEXT: %[[Z:.*]] = stablehlo.not %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %[[Z]]
func.func @keeps_a_complement_that_is_needed(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %y : tensor<i32>
  %1 = stablehlo.or %0, %y : tensor<i32>
  %2 = stablehlo.and %x, %0 : tensor<i32>
  return %2 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_shift_left_by_zero
// CHECK-NEXT: return %arg0
func.func @removes_shift_left_by_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.shift_left %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_shift_left_of_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_shift_left_of_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.shift_left %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @joins_shift_left
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<11> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.shift_left %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_shift_left(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<5> : tensor<i8>
  %d = stablehlo.constant dense<6> : tensor<i8>
  %0 = stablehlo.shift_left %x, %c : tensor<i8>
  %1 = stablehlo.shift_left %0, %d : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @removes_shift_right_arithmetic_by_zero
// CHECK-NEXT: return %arg0
func.func @removes_shift_right_arithmetic_by_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.shift_right_arithmetic %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_shift_right_arithmetic_of_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_shift_right_arithmetic_of_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.shift_right_arithmetic %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @joins_shift_right_arithmetic
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<11> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.shift_right_arithmetic %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_shift_right_arithmetic(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<5> : tensor<i8>
  %d = stablehlo.constant dense<6> : tensor<i8>
  %0 = stablehlo.shift_right_arithmetic %x, %c : tensor<i8>
  %1 = stablehlo.shift_right_arithmetic %0, %d : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @removes_shift_right_logical_by_zero
// CHECK-NEXT: return %arg0
func.func @removes_shift_right_logical_by_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.shift_right_logical %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_shift_right_logical_of_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_shift_right_logical_of_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.shift_right_logical %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @joins_shift_right_logical
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<11> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.shift_right_logical %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @joins_shift_right_logical(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<5> : tensor<i8>
  %d = stablehlo.constant dense<6> : tensor<i8>
  %0 = stablehlo.shift_right_logical %x, %c : tensor<i8>
  %1 = stablehlo.shift_right_logical %0, %d : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @keeps_a_shift_of_one
// CHECK: %[[Y:.*]] = stablehlo.shift_left
func.func @keeps_a_shift_of_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.shift_left %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_shifts_past_the_width_apart
// CHECK: %[[Z:.*]] = stablehlo.shift_left %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.shift_left %[[Z]]
func.func @keeps_shifts_past_the_width_apart(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<250> : tensor<ui8>
  %d = stablehlo.constant dense<6> : tensor<ui8>
  %0 = stablehlo.shift_left %x, %c : tensor<ui8>
  %1 = stablehlo.shift_left %0, %d : tensor<ui8>
  return %1 : tensor<ui8>
}

// CHECK-LABEL: func.func @keeps_shifts_by_variables_apart
// CHECK-NEXT: %[[Z:.*]] = stablehlo.shift_left %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.shift_left %[[Z]], %arg2
func.func @keeps_shifts_by_variables_apart(%x: tensor<i8>, %a: tensor<i8>, %b: tensor<i8>) -> tensor<i8> {
  %0 = stablehlo.shift_left %x, %a : tensor<i8>
  %1 = stablehlo.shift_left %0, %b : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @keeps_negative_shifts_apart
// CHECK: %[[Z:.*]] = stablehlo.shift_left %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.shift_left %[[Z]]
func.func @keeps_negative_shifts_apart(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<-1> : tensor<i8>
  %d = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.shift_left %x, %c : tensor<i8>
  %1 = stablehlo.shift_left %0, %d : tensor<i8>
  return %1 : tensor<i8>
}

// CHECK-LABEL: func.func @keeps_shifts_there_and_back_apart
// CHECK: %[[Z:.*]] = stablehlo.shift_left %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.shift_right_logical %[[Z]]
func.func @keeps_shifts_there_and_back_apart(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.shift_left %x, %c : tensor<i8>
  %1 = stablehlo.shift_right_logical %0, %c : tensor<i8>
  return %1 : tensor<i8>
}
