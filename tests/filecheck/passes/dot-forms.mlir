// RUN: hlo-opt %s --passes dot-forms | filecheck %s

// CHECK-LABEL: func.func @turns_the_smaller_operand
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0] : (tensor<128x8xf32>, tensor<128x64xf32>) -> tensor<8x64xf32>
// CHECK-NEXT: stablehlo.transpose %[[PRODUCT]], dims = [1, 0]
// CHECK-NEXT: return
func.func @turns_the_smaller_operand(%a: tensor<128x64xf32>, %b: tensor<128x8xf32>) -> tensor<64x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<128x64xf32>, tensor<128x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// CHECK-LABEL: func.func @turns_only_the_result_where_the_right_operand_stands_well
// CHECK-NEXT: stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0]
// CHECK-NEXT: stablehlo.transpose
func.func @turns_only_the_result_where_the_right_operand_stands_well(%a: tensor<128x64xf32>, %b: tensor<16x128xf32>) -> tensor<64x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<128x64xf32>, tensor<16x128xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// CHECK-LABEL: func.func @keeps_batched_axes_first
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [2] : (tensor<2x64x3x8xf32>, tensor<2x3x64x32x2xf32>) -> tensor<2x3x8x32x2xf32>
// CHECK-NEXT: stablehlo.transpose %[[PRODUCT]], dims = [0, 1, 3, 4, 2]
func.func @keeps_batched_axes_first(%a: tensor<2x3x64x32x2xf32>, %b: tensor<2x64x3x8xf32>) -> tensor<2x3x32x2x8xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x3x64x32x2xf32>, tensor<2x64x3x8xf32>) -> tensor<2x3x32x2x8xf32>
  return %0 : tensor<2x3x32x2x8xf32>
}

// CHECK-LABEL: func.func @joins_the_transpose_with_one_after_it
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %arg1, %arg0
// CHECK-NEXT: return %[[PRODUCT]]
func.func @joins_the_transpose_with_one_after_it(%a: tensor<128x64xf32>, %b: tensor<128x8xf32>) -> tensor<8x64xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<128x64xf32>, tensor<128x8xf32>) -> tensor<64x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x8xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// CHECK-LABEL: func.func @keeps_how_exact_both_operands_are
// CHECK-NEXT: stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST]
func.func @keeps_how_exact_both_operands_are(%a: tensor<128x64xf32>, %b: tensor<128x8xf32>) -> tensor<64x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<128x64xf32>, tensor<128x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// CHECK-LABEL: func.func @leaves_operands_that_are_not_as_exact
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
func.func @leaves_operands_that_are_not_as_exact(%a: tensor<128x64xf32>, %b: tensor<128x8xf32>) -> tensor<64x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], precision = [DEFAULT, HIGHEST] : (tensor<128x64xf32>, tensor<128x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// CHECK-LABEL: func.func @leaves_a_left_operand_that_stands_well
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
func.func @leaves_a_left_operand_that_stands_well(%a: tensor<64x128xf32>, %b: tensor<128x8xf32>) -> tensor<64x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// CHECK-LABEL: func.func @leaves_a_left_operand_that_is_smaller
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
func.func @leaves_a_left_operand_that_is_smaller(%a: tensor<128x8xf32>, %b: tensor<128x64xf32>) -> tensor<8x64xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<128x8xf32>, tensor<128x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// CHECK-LABEL: func.func @leaves_a_product_with_a_large_result
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
func.func @leaves_a_product_with_a_large_result(%a: tensor<16x512xf32>, %b: tensor<16x500xf32>) -> tensor<512x500xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<16x512xf32>, tensor<16x500xf32>) -> tensor<512x500xf32>
  return %0 : tensor<512x500xf32>
}

// CHECK-LABEL: func.func @leaves_a_small_product
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
func.func @leaves_a_small_product(%a: tensor<32x32xf32>, %b: tensor<32x2xf32>) -> tensor<32x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<32x32xf32>, tensor<32x2xf32>) -> tensor<32x2xf32>
  return %0 : tensor<32x2xf32>
}
