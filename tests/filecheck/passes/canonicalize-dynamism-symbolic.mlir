// RUN: hlo-opt %s --passes canonicalize-dynamism | filecheck %s

// CHECK-LABEL: func.func @reshape_of_reshape
// CHECK-NEXT: %[[A:.*]] = stablehlo.dynamic_reshape %arg0, %arg2 {x.y = "z"} : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x2x?xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.dynamic_reshape %arg3, %arg1 : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK-NEXT: %[[C:.*]] = stablehlo.reshape %arg3 : (tensor<6xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @reshape_of_reshape(%a: tensor<?xf32>, %s: tensor<2xi64>, %t: tensor<3xi32>, %b: tensor<6xf32>) -> (tensor<?x2x?xf32>, tensor<?x?xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %0, %t {x.y = "z"} : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x2x?xf32>
  %2 = stablehlo.reshape %b : (tensor<6xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.dynamic_reshape %2, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %4 = stablehlo.dynamic_reshape %3, %s : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %1, %3, %4 : tensor<?x2x?xf32>, tensor<?x?xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @reshape_of_what_is_computed
// CHECK-NEXT: stablehlo.dynamic_reshape
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: stablehlo.dynamic_reshape
func.func @reshape_of_what_is_computed(%a: tensor<?xf32>, %s: tensor<2xi64>, %t: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.negate %0 : tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %t : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @reshape_that_leaves_one_length_open
// CHECK-NEXT: return %arg0, %arg1
func.func @reshape_that_leaves_one_length_open(%a: tensor<?xf16>, %b: tensor<2x?x3xi1>, %s: tensor<1xindex>, %t: tensor<3xi64>) -> (tensor<?xf16>, tensor<2x?x3xi1>) {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf16>, tensor<1xindex>) -> tensor<?xf16>
  %1 = stablehlo.dynamic_reshape %b, %t : (tensor<2x?x3xi1>, tensor<3xi64>) -> tensor<2x?x3xi1>
  return %0, %1 : tensor<?xf16>, tensor<2x?x3xi1>
}

// CHECK-LABEL: func.func @reshape_that_may_be_another
// CHECK-NEXT: stablehlo.dynamic_reshape %arg0
// CHECK-NEXT: stablehlo.dynamic_reshape %arg1
// CHECK-NEXT: stablehlo.dynamic_reshape %arg2
func.func @reshape_that_may_be_another(%a: tensor<?x?xf16>, %b: tensor<0x?xf16>, %c: tensor<2x?xf16>, %s: tensor<2xi64>) -> (tensor<?x?xf16>, tensor<0x?xf16>, tensor<?x2xf16>) {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x?xf16>, tensor<2xi64>) -> tensor<?x?xf16>
  %1 = stablehlo.dynamic_reshape %b, %s : (tensor<0x?xf16>, tensor<2xi64>) -> tensor<0x?xf16>
  %2 = stablehlo.dynamic_reshape %c, %s : (tensor<2x?xf16>, tensor<2xi64>) -> tensor<?x2xf16>
  return %0, %1, %2 : tensor<?x?xf16>, tensor<0x?xf16>, tensor<?x2xf16>
}

// CHECK-LABEL: func.func @reshape_to_the_shape_it_has
// CHECK: %[[A:.*]] = stablehlo.dynamic_broadcast_in_dim
// CHECK-NEXT: return %arg0, %[[A]]
func.func @reshape_to_the_shape_it_has(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %t: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %s = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %t, dims = [0] : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %t : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @reshape_to_the_shape_of_another
// CHECK: stablehlo.dynamic_reshape %arg0
func.func @reshape_to_the_shape_of_another(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @broadcast_that_expands_nothing
// CHECK-NEXT: return %arg0, %arg1
func.func @broadcast_that_expands_nothing(%a: tensor<?xf32>, %b: tensor<2x?xf32>, %s: tensor<1xindex>, %t: tensor<2xi64>) -> (tensor<?xf32>, tensor<2x?xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %t, dims = [0, 1] {known_nonexpanding_dimensions = array<i64: 1>} : (tensor<2x?xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return %0, %1 : tensor<?xf32>, tensor<2x?xf32>
}

// CHECK-LABEL: func.func @broadcast_that_may_expand
// CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %arg0
// CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %arg0
// CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %arg0
func.func @broadcast_that_may_expand(%a: tensor<?x?xf32>, %s: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 1] {known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 1] {known_expanding_dimensions = array<i64: 0, 1>} : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @broadcast_that_moves_axes
// CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %arg1, dims = [1, 0]
func.func @broadcast_that_moves_axes(%a: tensor<?xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [1, 0] {known_nonexpanding_dimensions = array<i64: 0, 1>} : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @broadcast_to_the_shape_it_has
// CHECK: %[[A:.*]] = stablehlo.dynamic_reshape
// CHECK-NEXT: return %arg0, %[[A]]
func.func @broadcast_to_the_shape_it_has(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %t: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %s = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %b, %t : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %t, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @broadcast_of_broadcast
// CHECK-NEXT: %[[A:.*]] = stablehlo.dynamic_broadcast_in_dim %arg0, %arg3, dims = [2, 0] {x.y = "z"} : (tensor<?x4xf32>, tensor<4xi64>) -> tensor<?x?x?x2xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.dynamic_broadcast_in_dim %arg1, %arg3, dims = [] : (tensor<f32>, tensor<4xi64>) -> tensor<?x?x?x2xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @broadcast_of_broadcast(%a: tensor<?x4xf32>, %b: tensor<f32>, %s: tensor<3xi64>, %t: tensor<4xi64>) -> (tensor<?x?x?x2xf32>, tensor<?x?x?x2xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [2, 1] : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %t, dims = [3, 0, 2] {x.y = "z", known_expanding_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x?x?x2xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [] : (tensor<f32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %2, %t, dims = [3, 0, 2] : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x?x?x2xf32>
  return %1, %3 : tensor<?x?x?x2xf32>, tensor<?x?x?x2xf32>
}

// CHECK-LABEL: func.func @broadcast_of_reshape
// CHECK-NEXT: stablehlo.dynamic_reshape
// CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim
func.func @broadcast_of_reshape(%a: tensor<?xf32>, %s: tensor<2xi64>, %t: tensor<3xi64>) -> tensor<?x?x?xf32> {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %t, dims = [1, 2] : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @iota_of_known_length
// CHECK-NEXT: %[[A:.*]] = stablehlo.iota dim = 0 : tensor<5xui8>
// CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %[[A]], %arg0, dims = [1] {x.y = "z"} : (tensor<5xui8>, tensor<2xindex>) -> tensor<?x5xui8>
func.func @iota_of_known_length(%s: tensor<2xindex>) -> tensor<?x5xui8> {
  %0 = stablehlo.dynamic_iota %s, dim = 1 {x.y = "z"} : (tensor<2xindex>) -> tensor<?x5xui8>
  return %0 : tensor<?x5xui8>
}

// CHECK-LABEL: func.func @iota_of_unknown_length
// CHECK-NEXT: stablehlo.dynamic_iota %arg0, dim = 0
// CHECK-NEXT: return
func.func @iota_of_unknown_length(%s: tensor<2xi64>) -> tensor<?x5xui8> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x5xui8>
  return %0 : tensor<?x5xui8>
}

// CHECK-LABEL: func.func @shape_that_was_given
// CHECK-NEXT: return %arg1, %arg1
func.func @shape_that_was_given(%a: tensor<?xf32>, %s: tensor<2xindex>) -> (tensor<2xindex>, tensor<2xindex>) {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = shape.shape_of %0 : tensor<?x?xf32> -> tensor<2xindex>
  %2 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %3 = shape.shape_of %2 : tensor<?x?xf32> -> tensor<2xindex>
  return %1, %3 : tensor<2xindex>, tensor<2xindex>
}

// CHECK-LABEL: func.func @shape_of_another_type
// CHECK-NEXT: stablehlo.dynamic_reshape
// CHECK-NEXT: shape.shape_of
// CHECK-NEXT: shape.shape_of %arg0
func.func @shape_of_another_type(%a: tensor<?xf32>, %s: tensor<2xi64>) -> (tensor<2xindex>, tensor<1xindex>) {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = shape.shape_of %0 : tensor<?x?xf32> -> tensor<2xindex>
  %2 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  return %1, %2 : tensor<2xindex>, tensor<1xindex>
}
