// RUN: hlo-opt %s --passes simplify-slices | filecheck %s

// CHECK-LABEL: func.func @removes_a_slice_of_everything
// CHECK-NEXT: return %arg0
func.func @removes_a_slice_of_everything(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.slice %a [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_slice
// CHECK-NEXT: stablehlo.slice %arg0 [0:2, 1:3]
func.func @keeps_a_slice(%a: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.slice %a [0:2, 1:3] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @joins_slices
// CHECK-NEXT: stablehlo.slice %arg0 [5:18:6] : (tensor<20xf32>) -> tensor<3xf32>
// CHECK-NEXT: return
func.func @joins_slices(%a: tensor<20xf32>) -> tensor<3xf32> {
  %0 = stablehlo.slice %a [1:20:2] : (tensor<20xf32>) -> tensor<10xf32>
  %1 = stablehlo.slice %0 [2:9:3] : (tensor<10xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @makes_a_constant_of_an_empty_slice
// CHECK-NEXT: stablehlo.constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @makes_a_constant_of_an_empty_slice(%a: tensor<20xf32>) -> tensor<0xf32> {
  %0 = stablehlo.slice %a [3:3] : (tensor<20xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// CHECK-LABEL: func.func @slices_the_one_that_was_joined
// CHECK-NEXT: stablehlo.slice %arg1 [0:2, 1:4:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return
func.func @slices_the_one_that_was_joined(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %c: tensor<2x1xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.slice %0 [0:2, 4:7:2] : (tensor<2x8xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @slices_the_one_though_all_are_used
// CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate
// CHECK-NEXT: return %arg0, %[[C]]
func.func @slices_the_one_though_all_are_used(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<5xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = stablehlo.slice %0 [0:2] : (tensor<5xf32>) -> tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<5xf32>
}

// CHECK-LABEL: func.func @joins_only_those_that_are_sliced
// CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %arg1, %arg2, dim = 0
// CHECK-NEXT: stablehlo.slice %[[C]] [1:4]
func.func @joins_only_those_that_are_sliced(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<2xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [3:6] : (tensor<7xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_a_concatenate_that_is_used
// CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %arg0, %arg1, %arg2, dim = 0
// CHECK-NEXT: stablehlo.slice %[[C]] [3:6]
func.func @keeps_a_concatenate_that_is_used(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>) -> (tensor<3xf32>, tensor<7xf32>) {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<2xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [3:6] : (tensor<7xf32>) -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<7xf32>
}

// CHECK-LABEL: func.func @slices_what_was_padded
// CHECK-NEXT: stablehlo.slice %arg0 [1:3]
// CHECK-NEXT: return
func.func @slices_what_was_padded(%a: tensor<4xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.pad %a, %v, low = [2], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [3:5] : (tensor<7xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @slices_between_the_holes
// CHECK-NEXT: return %arg0
func.func @slices_between_the_holes(%a: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.pad %a, %v, low = [2], high = [1], interior = [2] : (tensor<4xf32>, tensor<f32>) -> tensor<13xf32>
  %1 = stablehlo.slice %0 [2:12:3] : (tensor<13xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @repeats_the_padding_where_only_that_is_sliced
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @repeats_the_padding_where_only_that_is_sliced(%a: tensor<4xf32>, %v: tensor<f32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %0 = stablehlo.pad %a, %v, low = [2], high = [1], interior = [2] : (tensor<4xf32>, tensor<f32>) -> tensor<13xf32>
  %1 = stablehlo.slice %0 [0:2] : (tensor<13xf32>) -> tensor<2xf32>
  %2 = stablehlo.slice %0 [1:11:3] : (tensor<13xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<2xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @pads_less
// CHECK-NEXT: stablehlo.pad %arg0, %arg1, low = [1], high = [-1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func @pads_less(%a: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.pad %a, %v, low = [2], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [1:5] : (tensor<7xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_a_slice_of_edges_with_a_stride
// CHECK-NEXT: stablehlo.pad
// CHECK-NEXT: stablehlo.slice
func.func @keeps_a_slice_of_edges_with_a_stride(%a: tensor<4xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %a, %v, low = [2], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [1:6:2] : (tensor<7xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_a_pad_that_is_used
// CHECK-NEXT: stablehlo.pad
// CHECK-NEXT: stablehlo.slice
func.func @keeps_a_pad_that_is_used(%a: tensor<4xf32>, %v: tensor<f32>) -> (tensor<4xf32>, tensor<7xf32>) {
  %0 = stablehlo.pad %a, %v, low = [2], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [1:5] : (tensor<7xf32>) -> tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<7xf32>
}

// CHECK-LABEL: func.func @broadcasts_less
// CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [0:1, 1:4:2] : (tensor<1x4xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[S]], dims = [1, 2] : (tensor<1x2xf32>) -> tensor<5x3x2xf32>
// CHECK-NEXT: return
func.func @broadcasts_less(%a: tensor<1x4xf32>) -> tensor<5x3x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<6x7x4xf32>
  %1 = stablehlo.slice %0 [1:6, 4:7, 1:4:2] : (tensor<6x7x4xf32>) -> tensor<5x3x2xf32>
  return %1 : tensor<5x3x2xf32>
}

// CHECK-LABEL: func.func @transposes_less
// CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [2:4, 0:3:2] : (tensor<5x4xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: stablehlo.transpose %[[S]], dims = [1, 0]
// CHECK-NEXT: return
func.func @transposes_less(%a: tensor<5x4xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %1 = stablehlo.slice %0 [0:4:2, 2:4] : (tensor<4x5xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_that_is_used
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.slice
func.func @keeps_a_transpose_that_is_used(%a: tensor<5x4xf32>) -> (tensor<2x2xf32>, tensor<4x5xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %1 = stablehlo.slice %0 [0:4:2, 2:4] : (tensor<4x5xf32>) -> tensor<2x2xf32>
  return %1, %0 : tensor<2x2xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: func.func @slices_before_axes_of_one
// CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [1:3, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: stablehlo.reshape %[[S]] : (tensor<2x6xf32>) -> tensor<2x1x2x3xf32>
// CHECK-NEXT: return
func.func @slices_before_axes_of_one(%a: tensor<5x6xf32>) -> tensor<2x1x2x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<5x6xf32>) -> tensor<5x1x2x3xf32>
  %1 = stablehlo.slice %0 [1:3, 0:1, 0:2, 0:3] : (tensor<5x1x2x3xf32>) -> tensor<2x1x2x3xf32>
  return %1 : tensor<2x1x2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_slice_of_an_axis_that_was_split
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.slice
func.func @keeps_a_slice_of_an_axis_that_was_split(%a: tensor<5x6xf32>) -> tensor<5x1x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<5x6xf32>) -> tensor<5x2x3xf32>
  %1 = stablehlo.slice %0 [0:5, 0:1, 0:3] : (tensor<5x2x3xf32>) -> tensor<5x1x3xf32>
  return %1 : tensor<5x1x3xf32>
}

// CHECK-LABEL: func.func @reverses_less
// CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [2:9:3] : (tensor<10xf32>) -> tensor<3xf32>
// CHECK-NEXT: stablehlo.reverse %[[S]], dims = [0]
// CHECK-NEXT: return
func.func @reverses_less(%a: tensor<10xf32>) -> tensor<3xf32> {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<10xf32>
  %1 = stablehlo.slice %0 [1:8:3] : (tensor<10xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_a_reverse_that_is_used
// CHECK-NEXT: stablehlo.reverse
// CHECK-NEXT: stablehlo.slice
func.func @keeps_a_reverse_that_is_used(%a: tensor<10xf32>) -> (tensor<3xf32>, tensor<10xf32>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<10xf32>
  %1 = stablehlo.slice %0 [1:8:3] : (tensor<10xf32>) -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<10xf32>
}

// CHECK-LABEL: func.func @computes_only_what_is_sliced
// CHECK: %[[S:.*]] = stablehlo.slice %arg0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK: stablehlo.multiply %[[S]], %{{.*}} : tensor<2xf32>
func.func @computes_only_what_is_sliced(%a: tensor<4xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.multiply %a, %c : tensor<4xf32>
  %1 = stablehlo.slice %0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_would_need_two_slices
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: stablehlo.slice
func.func @keeps_what_would_need_two_slices(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<4xf32>
  %1 = stablehlo.slice %0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @counts_less
// CHECK-NEXT: stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT: return
func.func @counts_less() -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<9xi32>
  %1 = stablehlo.slice %0 [0:4] : (tensor<9xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: func.func @keeps_a_slice_of_a_later_count
// CHECK-NEXT: stablehlo.iota
// CHECK-NEXT: stablehlo.slice
func.func @keeps_a_slice_of_a_later_count() -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<9xi32>
  %1 = stablehlo.slice %0 [1:5] : (tensor<9xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
