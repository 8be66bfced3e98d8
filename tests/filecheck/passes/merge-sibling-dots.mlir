// RUN: hlo-opt %s --passes merge-sibling-dots | filecheck %s

// CHECK-LABEL: func.func @joins_what_one_value_is_multiplied_with
// CHECK-NEXT: %[[W:.*]] = stablehlo.concatenate %arg1, %arg2, dim = 1 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg0, %[[W]], contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x5xf32>) -> tensor<64x5xf32>
// CHECK-NEXT: %[[A:.*]] = stablehlo.slice %[[P]] [0:64, 0:3]
// CHECK-NEXT: %[[B:.*]] = stablehlo.slice %[[P]] [0:64, 3:5]
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @joins_what_one_value_is_multiplied_with(%x: tensor<64x4xf32>, %a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> (tensor<64x3xf32>, tensor<64x2xf32>) {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x3xf32>) -> tensor<64x3xf32>
  %1 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x2xf32>) -> tensor<64x2xf32>
  return %0, %1 : tensor<64x3xf32>, tensor<64x2xf32>
}

// CHECK-LABEL: func.func @joins_what_stands_on_the_left
// CHECK-NEXT: %[[W:.*]] = stablehlo.concatenate %arg1, %arg2, dim = 1
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %[[W]], %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [1]
// CHECK-NEXT: stablehlo.slice %[[P]] [0:2, 0:3, 0:64]
// CHECK-NEXT: stablehlo.slice %[[P]] [0:2, 3:4, 0:64]
func.func @joins_what_stands_on_the_left(%x: tensor<2x4x64xf32>, %a: tensor<2x3x4xf32>, %b: tensor<2x1x4xf32>) -> (tensor<2x3x64xf32>, tensor<2x1x64xf32>) {
  %0 = stablehlo.dot_general %a, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x64xf32>) -> tensor<2x3x64xf32>
  %1 = stablehlo.dot_general %b, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x1x4xf32>, tensor<2x4x64xf32>) -> tensor<2x1x64xf32>
  return %0, %1 : tensor<2x3x64xf32>, tensor<2x1x64xf32>
}

// CHECK-LABEL: func.func @keeps_products_with_what_is_large
// CHECK-COUNT-2: stablehlo.dot_general
func.func @keeps_products_with_what_is_large(%x: tensor<2x4xf32>, %a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @keeps_a_product_with_what_comes_later
// CHECK-COUNT-2: stablehlo.dot_general
func.func @keeps_a_product_with_what_comes_later(%x: tensor<64x4xf32>, %a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> (tensor<64x3xf32>, tensor<64x2xf32>) {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x3xf32>) -> tensor<64x3xf32>
  %1 = stablehlo.sine %b : tensor<4x2xf32>
  %2 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x2xf32>) -> tensor<64x2xf32>
  return %0, %2 : tensor<64x3xf32>, tensor<64x2xf32>
}

// CHECK-LABEL: func.func @keeps_products_over_other_axes
// CHECK-COUNT-2: stablehlo.dot_general
func.func @keeps_products_over_other_axes(%x: tensor<64x4xf32>, %a: tensor<4x3xf32>, %b: tensor<64x2xf32>) -> (tensor<64x3xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x3xf32>) -> tensor<64x3xf32>
  %1 = stablehlo.dot_general %x, %b, contracting_dims = [0] x [0] : (tensor<64x4xf32>, tensor<64x2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<64x3xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @keeps_products_that_are_not_as_exact
// CHECK-COUNT-2: stablehlo.dot_general
func.func @keeps_products_that_are_not_as_exact(%x: tensor<64x4xf32>, %a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> (tensor<64x3xf32>, tensor<64x2xf32>) {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x4xf32>, tensor<4x3xf32>) -> tensor<64x3xf32>
  %1 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x2xf32>) -> tensor<64x2xf32>
  return %0, %1 : tensor<64x3xf32>, tensor<64x2xf32>
}

// CHECK-LABEL: func.func @joins_inside_a_branch
// CHECK: "stablehlo.if"
// CHECK-NEXT: stablehlo.concatenate %arg2, %arg3, dim = 1
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @joins_inside_a_branch(%p: tensor<i1>, %x: tensor<64x4xf32>, %a: tensor<4x3xf32>, %b: tensor<4x3xf32>) -> tensor<64x3xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x3xf32>) -> tensor<64x3xf32>
    %2 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x3xf32>) -> tensor<64x3xf32>
    %3 = stablehlo.add %1, %2 : tensor<64x3xf32>
    stablehlo.return %3 : tensor<64x3xf32>
  }, {
    %c = stablehlo.constant dense<0.0> : tensor<64x3xf32>
    stablehlo.return %c : tensor<64x3xf32>
  }) : (tensor<i1>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}
