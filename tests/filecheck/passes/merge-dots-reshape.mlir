// RUN: hlo-opt %s --passes merge-dots | filecheck %s

// CHECK-LABEL: func.func @contracts_each_axis_that_was_joined
// CHECK-NEXT: %[[W:.*]] = stablehlo.reshape %arg1 : (tensor<20x7xf32>) -> tensor<4x5x7xf32>
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg0, %[[W]], contracting_dims = [1, 3] x [0, 1] : (tensor<2x4x3x5xf32>, tensor<4x5x7xf32>) -> tensor<2x3x7xf32>
// CHECK-NEXT: return %[[P]]
func.func @contracts_each_axis_that_was_joined(%a: tensor<2x4x3x5xf32>, %w: tensor<20x7xf32>) -> tensor<2x3x7xf32> {
  %0 = stablehlo.transpose %a, dims = [0, 2, 1, 3] : (tensor<2x4x3x5xf32>) -> tensor<2x3x4x5xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x4x5xf32>) -> tensor<2x3x20xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [2] x [0] : (tensor<2x3x20xf32>, tensor<20x7xf32>) -> tensor<2x3x7xf32>
  return %2 : tensor<2x3x7xf32>
}

// CHECK-LABEL: func.func @joins_free_axes_of_the_product
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0, 1] x [0, 2] : (tensor<2x3x7xf32>, tensor<2x4x3x5xf32>) -> tensor<7x4x5xf32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[P]] : (tensor<7x4x5xf32>) -> tensor<7x20xf32>
// CHECK-NEXT: return %[[R]]
func.func @joins_free_axes_of_the_product(%a: tensor<2x4x3x5xf32>, %g: tensor<2x3x7xf32>) -> tensor<7x20xf32> {
  %0 = stablehlo.transpose %a, dims = [0, 2, 1, 3] : (tensor<2x4x3x5xf32>) -> tensor<2x3x4x5xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x4x5xf32>) -> tensor<2x3x20xf32>
  %2 = stablehlo.dot_general %g, %1, contracting_dims = [0, 1] x [0, 1] : (tensor<2x3x7xf32>, tensor<2x3x20xf32>) -> tensor<7x20xf32>
  return %2 : tensor<7x20xf32>
}

// CHECK-LABEL: func.func @keeps_free_axes_in_another_order
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_free_axes_in_another_order(%a: tensor<2x4x3x5xf32>, %w: tensor<15x7xf32>) -> tensor<4x2x7xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0, 2, 3] : (tensor<2x4x3x5xf32>) -> tensor<4x2x3x5xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x2x3x5xf32>) -> tensor<4x2x15xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [2] x [0] : (tensor<4x2x15xf32>, tensor<15x7xf32>) -> tensor<4x2x7xf32>
  return %2 : tensor<4x2x7xf32>
}

// CHECK-LABEL: func.func @keeps_batched_axes_that_were_joined
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_batched_axes_that_were_joined(%a: tensor<4x2x3x5xf32>, %w: tensor<8x5x7xf32>) -> tensor<8x3x7xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0, 2, 3] : (tensor<4x2x3x5xf32>) -> tensor<2x4x3x5xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x4x3x5xf32>) -> tensor<8x3x5xf32>
  %2 = stablehlo.dot_general %1, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x3x5xf32>, tensor<8x5x7xf32>) -> tensor<8x3x7xf32>
  return %2 : tensor<8x3x7xf32>
}

// CHECK-LABEL: func.func @keeps_an_axis_that_was_split
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_an_axis_that_was_split(%a: tensor<6x5xf32>, %w: tensor<3x7xf32>) -> tensor<5x2x7xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<6x5xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [2] x [0] : (tensor<5x2x3xf32>, tensor<3x7xf32>) -> tensor<5x2x7xf32>
  return %2 : tensor<5x2x7xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshape_without_a_transpose
// CHECK-NEXT: stablehlo.reshape %arg0
// CHECK-NEXT: stablehlo.dot_general
func.func @keeps_a_reshape_without_a_transpose(%a: tensor<2x3x4x5xf32>, %w: tensor<20x7xf32>) -> tensor<2x3x7xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x4x5xf32>) -> tensor<2x3x20xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0] : (tensor<2x3x20xf32>, tensor<20x7xf32>) -> tensor<2x3x7xf32>
  return %1 : tensor<2x3x7xf32>
}

// CHECK-LABEL: func.func @exchanges_operands_through_a_reshape
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0] : (tensor<3x7xf32>, tensor<3x4x5xf32>) -> tensor<7x4x5xf32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[P]] : (tensor<7x4x5xf32>) -> tensor<7x20xf32>
// CHECK-NEXT: return %[[R]]
func.func @exchanges_operands_through_a_reshape(%a: tensor<3x4x5xf32>, %b: tensor<3x7xf32>) -> tensor<7x20xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3x4x5xf32>, tensor<3x7xf32>) -> tensor<4x5x7xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x5x7xf32>) -> tensor<20x7xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<20x7xf32>) -> tensor<7x20xf32>
  return %2 : tensor<7x20xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_that_a_product_cannot_give
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_a_transpose_that_a_product_cannot_give(%a: tensor<3x20xf32>, %b: tensor<3x7xf32>) -> tensor<5x4x7xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3x20xf32>, tensor<3x7xf32>) -> tensor<20x7xf32>
  %1 = stablehlo.reshape %0 : (tensor<20x7xf32>) -> tensor<4x5x7xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<4x5x7xf32>) -> tensor<5x4x7xf32>
  return %2 : tensor<5x4x7xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshaped_product_that_is_used
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_a_reshaped_product_that_is_used(%a: tensor<3x4x5xf32>, %b: tensor<3x7xf32>) -> (tensor<7x20xf32>, tensor<20x7xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3x4x5xf32>, tensor<3x7xf32>) -> tensor<4x5x7xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x5x7xf32>) -> tensor<20x7xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<20x7xf32>) -> tensor<7x20xf32>
  return %2, %1 : tensor<7x20xf32>, tensor<20x7xf32>
}
