// RUN: hlo-opt %s --passes canonicalize-dynamism | filecheck %s

// CHECK-LABEL: func.func @reshape
// CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
func.func @reshape(%a: tensor<4xf32>) -> tensor<2x2xf32> {
  %c = stablehlo.constant dense<2> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %c : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @a_shape_that_is_data
// CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
func.func @a_shape_that_is_data(%a: tensor<4xf32>, %c: tensor<2xi64>) -> tensor<2x2xf32> {
  %0 = stablehlo.dynamic_reshape %a, %c : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @a_type_that_is_dynamic
// CHECK: stablehlo.dynamic_reshape
func.func @a_type_that_is_dynamic(%a: tensor<4xf32>) -> tensor<2x?xf32> {
  %c = stablehlo.constant dense<2> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %c : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @an_operand_that_is_dynamic
// CHECK: stablehlo.reshape %arg0 : (tensor<?xf32>) -> tensor<2x2xf32>
func.func @an_operand_that_is_dynamic(%a: tensor<?xf32>) -> tensor<2x2xf32> {
  %c = stablehlo.constant dense<2> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %c : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @broadcast_in_dim
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
func.func @broadcast_in_dim(%a: tensor<4xf32>) -> tensor<3x4xf32> {
  %c = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %c) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @iota
// CHECK-NEXT: stablehlo.iota dim = 1 : tensor<2x3xbf16>
func.func @iota() -> tensor<2x3xbf16> {
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_iota %c, dim = 1 : (tensor<2xi32>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// CHECK-LABEL: func.func @broadcast_to_a_shape_that_is_data
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<1xi8>) -> tensor<0x4xi8>
func.func @broadcast_to_a_shape_that_is_data(%a: tensor<1xi8>, %s: tensor<2xi32>) -> tensor<0x4xi8> {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<1xi8>, tensor<2xi32>) -> tensor<0x4xi8>
  return %0 : tensor<0x4xi8>
}

// CHECK-LABEL: func.func @broadcast_of_what_is_dynamic
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg0
func.func @broadcast_of_what_is_dynamic(%a: tensor<?xi8>) -> tensor<3x4xi8> {
  %c = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %c, dims = [1] : (tensor<?xi8>, tensor<2xi32>) -> tensor<3x4xi8>
  return %0 : tensor<3x4xi8>
}

// CHECK-LABEL: func.func @iota_of_a_shape_that_is_data
// CHECK-NEXT: stablehlo.iota dim = 1 : tensor<2x3xui8>
// CHECK-NEXT: stablehlo.iota dim = 0 : tensor<4xf32>
func.func @iota_of_a_shape_that_is_data(%s: tensor<2xi64>, %t: tensor<1xindex>) -> (tensor<2x3xui8>, tensor<4xf32>) {
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<2x3xui8>
  %1 = stablehlo.dynamic_iota %t, dim = 0 : (tensor<1xindex>) -> tensor<4xf32>
  return %0, %1 : tensor<2x3xui8>, tensor<4xf32>
}

// CHECK-LABEL: func.func @shapes_of_the_dialect_for_them
// CHECK: stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
func.func @shapes_of_the_dialect_for_them(%a: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<3x4xf32>) {
  %s = shape.const_shape [2, 2] : tensor<2xindex>
  %t = shape.const_shape [3, 4] : tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %t, dims = [1] : (tensor<4xf32>, tensor<2xindex>) -> tensor<3x4xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK-NEXT: stablehlo.pad %arg0, %arg1, low = [-1], high = [1], interior = [2]
func.func @pad(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<10xf32> {
  %low = stablehlo.constant dense<-1> : tensor<1xi64>
  %high = stablehlo.constant dense<1> : tensor<1xi64>
  %inside = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %a, %b, %low, %high, %inside : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: func.func @padding_that_is_data
// CHECK: stablehlo.dynamic_pad
func.func @padding_that_is_data(%a: tensor<4xf32>, %b: tensor<f32>, %low: tensor<1xi64>) -> tensor<10xf32> {
  %c = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %a, %b, %low, %c, %c : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: func.func @gather
// CHECK-NEXT: "stablehlo.gather"(%arg0, %arg1)
// CHECK-SAME: indices_are_sorted = true, slice_sizes = array<i64: 1, 3>
func.func @gather(%a: tensor<5x4xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true} : (tensor<5x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @convolution
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
// CHECK-SAME: pad = {{\[\[}}1, 2]]
func.func @convolution(%a: tensor<1x6x2xf32>, %k: tensor<3x2x4xf32>) -> tensor<1x7x4xf32> {
  %c = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %0 = "stablehlo.dynamic_conv"(%a, %k, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x6x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x7x4xf32>
  return %0 : tensor<1x7x4xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK-NEXT: stablehlo.slice %arg0 [1:5:2] {x.y = "z"}
func.func @slice(%a: tensor<6xf32>) -> tensor<2xf32> {
  %start = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.constant dense<5> : tensor<1xi64>
  %step = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %step {x.y = "z"} : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @a_slice_of_known_size
// CHECK: %[[FIRST:.*]] = stablehlo.slice %arg1 [0:1]
// CHECK: %[[START:.*]] = stablehlo.reshape %[[FIRST]]
// CHECK: stablehlo.dynamic_slice %arg0, %[[START]], sizes = [3]
func.func @a_slice_of_known_size(%a: tensor<6xf32>, %start: tensor<1xi64>) -> tensor<3xf32> {
  %size = stablehlo.constant dense<3> : tensor<1xi64>
  %step = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.add %size, %start : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %step : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @a_slice_of_unknown_size
// CHECK: stablehlo.real_dynamic_slice
// CHECK: stablehlo.real_dynamic_slice
func.func @a_slice_of_unknown_size(%a: tensor<6xf32>, %start: tensor<1xi64>, %n: tensor<1xi64>) -> (tensor<3xf32>, tensor<3xf32>) {
  %size = stablehlo.constant dense<3> : tensor<1xi64>
  %step = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.add %size, %start : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %n : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  %1 = stablehlo.real_dynamic_slice %a, %start, %n, %step : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @sizes_of_dimensions
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK-NEXT: %[[X:.*]] = stablehlo.set_dimension_size %arg0, %arg1, dim = 0
// CHECK-NEXT: return %[[C]], %arg0, %[[X]]
func.func @sizes_of_dimensions(%a: tensor<4xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<4xf32>, tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  %1 = stablehlo.constant dense<4> : tensor<i32>
  %2 = stablehlo.set_dimension_size %a, %1, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  %3 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0, %2, %3 : tensor<i32>, tensor<4xf32>, tensor<?xf32, #stablehlo.bounds<4>>
}

// CHECK-LABEL: func.func @custom_calls_lose_their_shapes
// CHECK-NEXT: stablehlo.custom_call @mine(%arg0) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]}
func.func @custom_calls_lose_their_shapes(%a: tensor<2x2xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.custom_call @mine(%c, %a) {indices_of_shape_operands = dense<0> : tensor<1xi64>, operand_layouts = [dense<0> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<1xi64>, tensor<2x2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @custom_calls_of_other_kinds_stay
// CHECK: stablehlo.custom_call @mine(%arg0, %c)
func.func @custom_calls_of_other_kinds_stay(%a: tensor<2x2xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.custom_call @mine(%a, %c) : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @results_may_share_a_shape
// CHECK-NEXT: stablehlo.custom_call @mine(%arg0) {called_computations = [@reshape]}
func.func @results_may_share_a_shape(%a: tensor<2x2xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %c = stablehlo.constant dense<3> : tensor<1xi64>
  %0:2 = stablehlo.custom_call @mine(%a, %c) {indices_of_shape_operands = dense<1> : tensor<2xi64>, called_computations = [@reshape]} : (tensor<2x2xf32>, tensor<1xi64>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
