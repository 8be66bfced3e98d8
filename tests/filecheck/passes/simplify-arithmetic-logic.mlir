// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @removes_and_with_all_ones
// CHECK-NEXT: return %arg0
func.func @removes_and_with_all_ones(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<-1> : tensor<2xi32>
  %0 = stablehlo.and %x, %c : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @removes_and_with_all_ones_of_unsigned
// CHECK-NEXT: return %arg0
func.func @removes_and_with_all_ones_of_unsigned(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.and %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @removes_and_with_true
// CHECK-NEXT: return %arg0
func.func @removes_and_with_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.and %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_and_with_one
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %[[C]]
func.func @keeps_and_with_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.and %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_or_with_zero
// CHECK-NEXT: return %arg0
func.func @removes_or_with_zero(%x: tensor<i4>) -> tensor<i4> {
  %c = stablehlo.constant dense<0> : tensor<i4>
  %0 = stablehlo.or %x, %c : tensor<i4>
  return %0 : tensor<i4>
}

// CHECK-LABEL: func.func @removes_xor_with_zero
// CHECK-NEXT: return %arg0
func.func @removes_xor_with_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.xor %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_or_with_one
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.or %arg0, %[[C]]
func.func @keeps_or_with_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.or %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_and_with_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_and_with_zero(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.and %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_or_with_all_ones
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<15> : tensor<ui4>
// CHECK-NEXT: return %[[C]]
func.func @knows_or_with_all_ones(%x: tensor<ui4>) -> tensor<ui4> {
  %c = stablehlo.constant dense<15> : tensor<ui4>
  %0 = stablehlo.or %x, %c : tensor<ui4>
  return %0 : tensor<ui4>
}

// CHECK-LABEL: func.func @knows_or_with_true
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_or_with_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.or %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @knows_a_bool_plus_true
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_a_bool_plus_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.add %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_two_bools
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %arg1
func.func @keeps_a_sum_of_two_bools(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.add %x, %y : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_an_integer_plus_one
// CHECK: %[[Y:.*]] = stablehlo.add %arg0
func.func @keeps_an_integer_plus_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_and_of_a_number_and_itself
// CHECK-NEXT: return %arg0
func.func @knows_and_of_a_number_and_itself(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.and %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_or_of_a_number_and_itself
// CHECK-NEXT: return %arg0
func.func @knows_or_of_a_number_and_itself(%x: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.or %x, %x : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_and_of_two
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %arg1
func.func @keeps_and_of_two(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.and %x, %y : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_xor_of_a_number_and_itself
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_xor_of_a_number_and_itself(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.xor %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_xor_of_two
// CHECK-NEXT: %[[Y:.*]] = stablehlo.xor %arg0, %arg1
func.func @keeps_xor_of_two(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.xor %x, %y : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @complements_instead_of_xor_with_all_ones
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %arg0
// CHECK-NEXT: return %[[Y]]
func.func @complements_instead_of_xor_with_all_ones(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.xor %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @complements_instead_of_xor_with_true
// CHECK-NEXT: %[[Y:.*]] = stablehlo.not %arg0
// CHECK-NEXT: return %[[Y]]
func.func @complements_instead_of_xor_with_true(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.xor %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_xor_with_one
// CHECK: %[[Y:.*]] = stablehlo.xor %arg0
func.func @keeps_xor_with_one(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.xor %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_and_with_its_complement
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_and_with_its_complement(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.and %0, %x : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_or_with_its_complement
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-1> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_or_with_its_complement(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.or %0, %x : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_xor_with_its_complement
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-1> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @knows_xor_with_its_complement(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %x : tensor<i32>
  %1 = stablehlo.xor %0, %x : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @knows_or_with_its_complement_on_the_right
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @knows_or_with_its_complement_on_the_right(%x: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.not %x : tensor<i1>
  %1 = stablehlo.or %x, %0 : tensor<i1>
  return %1 : tensor<i1>
}

// CHECK-LABEL: func.func @keeps_and_with_the_complement_of_another
// CHECK-NEXT: %[[Z:.*]] = stablehlo.not %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %[[Z]]
func.func @keeps_and_with_the_complement_of_another(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.not %y : tensor<i32>
  %1 = stablehlo.and %x, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_a_second_and_with_the_same
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_second_and_with_the_same(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.and %x, %y : tensor<i32>
  %1 = stablehlo.and %0, %y : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @absorbs_and_in_or
// CHECK-NEXT: return %arg0
func.func @absorbs_and_in_or(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.and %x, %y : tensor<i32>
  %1 = stablehlo.or %x, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @absorbs_or_in_and
// CHECK-NEXT: return %arg1
func.func @absorbs_or_in_and(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.or %x, %y : tensor<i32>
  %1 = stablehlo.and %0, %y : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_and_of_three
// CHECK-NEXT: %[[Z:.*]] = stablehlo.and %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.and %[[Z]], %arg2
func.func @keeps_and_of_three(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.and %x, %y : tensor<i32>
  %1 = stablehlo.and %0, %z : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @removes_two_xor_with_the_same
// CHECK-NEXT: return %arg0
func.func @removes_two_xor_with_the_same(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.xor %x, %y : tensor<i32>
  %1 = stablehlo.xor %0, %y : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @finds_what_xor_hid_on_the_left
// CHECK-NEXT: return %arg1
func.func @finds_what_xor_hid_on_the_left(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.xor %x, %y : tensor<i32>
  %1 = stablehlo.xor %x, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_xor_of_three
// CHECK-NEXT: %[[Z:.*]] = stablehlo.xor %arg0, %arg1
// CHECK-NEXT: %[[Y:.*]] = stablehlo.xor %[[Z]], %arg2
func.func @keeps_xor_of_three(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.xor %x, %y : tensor<i32>
  %1 = stablehlo.xor %0, %z : tensor<i32>
  return %1 : tensor<i32>
}
