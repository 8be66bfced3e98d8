// RUN: hlo-opt %s --passes merge-dots | filecheck %s

// CHECK-LABEL: func.func @contracts_the_other_axis_of_what_was_transposed
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [1] : (tensor<4x2xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return
func.func @contracts_the_other_axis_of_what_was_transposed(%a: tensor<4x2xf32>, %b: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_how_exact_a_product_is
// CHECK: precision = [DEFAULT, HIGHEST]
func.func @keeps_how_exact_a_product_is(%a: tensor<4x2xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_of_free_axes
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_a_transpose_of_free_axes(%a: tensor<5x2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x5x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [2] x [0] : (tensor<2x5x4xf32>, tensor<4x3xf32>) -> tensor<2x5x3xf32>
  return %1 : tensor<2x5x3xf32>
}

// CHECK-LABEL: func.func @batches_the_other_axis_of_what_was_transposed
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, batching_dims = [1] x [0], contracting_dims = [2] x [1]
// CHECK-NEXT: return
func.func @batches_the_other_axis_of_what_was_transposed(%a: tensor<5x2x4xf32>, %b: tensor<2x4x3xf32>) -> tensor<2x5x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %1 = stablehlo.dot_general %0, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x5x4xf32>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  return %1 : tensor<2x5x3xf32>
}

// CHECK-LABEL: func.func @takes_a_reshape_of_one_row_for_a_transpose
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: return
func.func @takes_a_reshape_of_one_row_for_a_transpose(%a: tensor<1x4xf32>, %b: tensor<4x3xf32>) -> tensor<1x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<1x4xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [0] x [0] : (tensor<4x1xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshape_of_contracted_axes
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_a_reshape_of_contracted_axes(%a: tensor<2x4xf32>, %b: tensor<8x3xf32>) -> tensor<1x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x4xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [0] x [0] : (tensor<8x1xf32>, tensor<8x3xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @exchanges_operands_where_the_product_is_transposed
// CHECK-NEXT: stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1] : (tensor<4x3xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return
func.func @exchanges_operands_where_the_product_is_transposed(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @keeps_a_product_that_is_used
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_a_product_that_is_used(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1, %0 : tensor<3x2xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_operands_that_are_not_as_exact
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_operands_that_are_not_as_exact(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @reorders_batches_and_exchanges_operands
// CHECK-NEXT: stablehlo.dot_general %arg1, %arg0, batching_dims = [1, 0] x [1, 0], contracting_dims = [2] x [3] : (tensor<5x6x4x3xf32>, tensor<5x6x2x4xf32>) -> tensor<6x5x3x2xf32>
// CHECK-NEXT: return
func.func @reorders_batches_and_exchanges_operands(%a: tensor<5x6x2x4xf32>, %b: tensor<5x6x4x3xf32>) -> tensor<6x5x3x2xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<5x6x2x4xf32>, tensor<5x6x4x3xf32>) -> tensor<5x6x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 3, 2] : (tensor<5x6x2x3xf32>) -> tensor<6x5x3x2xf32>
  return %1 : tensor<6x5x3x2xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_of_a_batch_with_a_free_axis
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_a_transpose_of_a_batch_with_a_free_axis(%a: tensor<5x2x4xf32>, %b: tensor<5x4x3xf32>) -> tensor<2x5x3xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x4xf32>, tensor<5x4x3xf32>) -> tensor<5x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  return %1 : tensor<2x5x3xf32>
}

// CHECK-LABEL: func.func @multiplies_without_a_batch_that_is_repeated
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] : (tensor<5x2x4xf32>, tensor<4x3xf32>) -> tensor<5x2x3xf32>
// CHECK-NEXT: return
func.func @multiplies_without_a_batch_that_is_repeated(%a: tensor<5x2x4xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<5x4x3xf32>
  %1 = stablehlo.dot_general %a, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x4xf32>, tensor<5x4x3xf32>) -> tensor<5x2x3xf32>
  return %1 : tensor<5x2x3xf32>
}

// CHECK-LABEL: func.func @keeps_the_batches_that_are_not_repeated
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<6x5x2x4xf32>, tensor<6x4x3xf32>) -> tensor<6x5x2x3xf32>
func.func @keeps_the_batches_that_are_not_repeated(%a: tensor<6x5x2x4xf32>, %b: tensor<6x4x3xf32>) -> tensor<6x5x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [0, 2, 3] : (tensor<6x4x3xf32>) -> tensor<6x5x4x3xf32>
  %1 = stablehlo.dot_general %a, %0, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<6x5x2x4xf32>, tensor<6x5x4x3xf32>) -> tensor<6x5x2x3xf32>
  return %1 : tensor<6x5x2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_repeated_batch_before_another
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_a_repeated_batch_before_another(%a: tensor<6x5x2x4xf32>, %b: tensor<5x4x3xf32>) -> tensor<6x5x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1, 2, 3] : (tensor<5x4x3xf32>) -> tensor<6x5x4x3xf32>
  %1 = stablehlo.dot_general %a, %0, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<6x5x2x4xf32>, tensor<6x5x4x3xf32>) -> tensor<6x5x2x3xf32>
  return %1 : tensor<6x5x2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_repeated_batch_on_the_left_of_rows
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_a_repeated_batch_on_the_left_of_rows(%a: tensor<2x4xf32>, %b: tensor<5x4x3xf32>) -> tensor<5x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<5x2x4xf32>
  %1 = stablehlo.dot_general %0, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x4xf32>, tensor<5x4x3xf32>) -> tensor<5x2x3xf32>
  return %1 : tensor<5x2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_contracted_axis_that_is_repeated
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_a_contracted_axis_that_is_repeated(%a: tensor<2x4xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @removes_reshapes_of_free_axes_there_and_back
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] : (tensor<2x5x4xf32>, tensor<4x3xf32>) -> tensor<2x5x3xf32>
// CHECK-NEXT: return
func.func @removes_reshapes_of_free_axes_there_and_back(%a: tensor<2x5x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x5x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x5x4xf32>) -> tensor<10x4xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<10x4xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<10x3xf32>) -> tensor<2x5x3xf32>
  return %2 : tensor<2x5x3xf32>
}

// CHECK-LABEL: func.func @removes_reshapes_of_both_sides
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] : (tensor<2x5x4xf32>, tensor<4x3x7xf32>) -> tensor<2x5x3x7xf32>
// CHECK-NEXT: return
func.func @removes_reshapes_of_both_sides(%a: tensor<2x5x4xf32>, %b: tensor<4x3x7xf32>) -> tensor<2x5x3x7xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x5x4xf32>) -> tensor<10x4xf32>
  %1 = stablehlo.reshape %b : (tensor<4x3x7xf32>) -> tensor<4x21xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<10x4xf32>, tensor<4x21xf32>) -> tensor<10x21xf32>
  %3 = stablehlo.reshape %2 : (tensor<10x21xf32>) -> tensor<2x5x3x7xf32>
  return %3 : tensor<2x5x3x7xf32>
}

// CHECK-LABEL: func.func @keeps_reshapes_to_another_shape
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NEXT: stablehlo.reshape
func.func @keeps_reshapes_to_another_shape(%a: tensor<2x5x4xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x5x4xf32>) -> tensor<10x4xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<10x4xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<10x3xf32>) -> tensor<5x2x3xf32>
  return %2 : tensor<5x2x3xf32>
}

// CHECK-LABEL: func.func @makes_zeros_of_no_products
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return
func.func @makes_zeros_of_no_products(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
