// RUN: hlo-opt %s --passes simplify-slices | filecheck %s

// CHECK-LABEL: func.func @repeats_the_value_around_nothing
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<7x2xf32>
// CHECK-NEXT: return
func.func @repeats_the_value_around_nothing(%a: tensor<5x0xf32>, %v: tensor<f32>) -> tensor<7x2xf32> {
  %0 = stablehlo.pad %a, %v, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<5x0xf32>, tensor<f32>) -> tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}

// CHECK-LABEL: func.func @removes_a_pad_by_nothing
// CHECK-NEXT: return %arg0, %arg1
func.func @removes_a_pad_by_nothing(%a: tensor<5xf32>, %b: tensor<1xf32>, %v: tensor<f32>) -> (tensor<5xf32>, tensor<1xf32>) {
  %0 = stablehlo.pad %a, %v, low = [0], high = [0], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = stablehlo.pad %b, %v, low = [0], high = [0], interior = [4] : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  return %0, %1 : tensor<5xf32>, tensor<1xf32>
}

// CHECK-LABEL: func.func @keeps_a_pad_that_shifts
// CHECK-NEXT: stablehlo.pad %arg0, %arg1, low = [-1], high = [1]
func.func @keeps_a_pad_that_shifts(%a: tensor<5xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %0 = stablehlo.pad %a, %v, low = [-1], high = [1], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func.func @slices_where_a_pad_only_cuts
// CHECK-NEXT: stablehlo.slice %arg0 [1:3, 0:4]
// CHECK-NEXT: return
func.func @slices_where_a_pad_only_cuts(%a: tensor<5x4xf32>, %v: tensor<f32>) -> tensor<2x4xf32> {
  %0 = stablehlo.pad %a, %v, low = [-1, 0], high = [-2, 0], interior = [0, 0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @keeps_a_pad_that_cuts_between_holes
// CHECK-NEXT: stablehlo.pad
func.func @keeps_a_pad_that_cuts_between_holes(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %a, %v, low = [-1], high = [-1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @joins_pads
// CHECK-NEXT: stablehlo.pad %arg0, %arg1, low = [7], high = [3], interior = [5] : (tensor<3xf32>, tensor<f32>) -> tensor<23xf32>
// CHECK-NEXT: return
func.func @joins_pads(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<23xf32> {
  %0 = stablehlo.pad %a, %v, low = [3], high = [1], interior = [2] : (tensor<3xf32>, tensor<f32>) -> tensor<11xf32>
  %1 = stablehlo.pad %0, %v, low = [1], high = [1], interior = [1] : (tensor<11xf32>, tensor<f32>) -> tensor<23xf32>
  return %1 : tensor<23xf32>
}

// CHECK-LABEL: func.func @keeps_pads_of_zeros_that_differ
// CHECK-COUNT-2: stablehlo.pad
func.func @keeps_pads_of_zeros_that_differ(%a: tensor<3xf32>) -> tensor<7xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [1], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = stablehlo.pad %0, %n, low = [1], high = [1], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// CHECK-LABEL: func.func @keeps_a_pad_where_something_was_cut
// CHECK-NEXT: stablehlo.slice
// CHECK-NEXT: stablehlo.pad
func.func @keeps_a_pad_where_something_was_cut(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %a, %v, low = [-1], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.pad %0, %v, low = [1], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_pads_where_the_first_cuts_and_the_second_adds
// CHECK-COUNT-2: stablehlo.pad
func.func @keeps_pads_where_the_first_cuts_and_the_second_adds(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.pad %a, %v, low = [-1], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.pad %0, %v, low = [1], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @repeats_a_value_padded_with_itself
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<5xf32>
// CHECK-NEXT: return
func.func @repeats_a_value_padded_with_itself(%v: tensor<f32>) -> tensor<5xf32> {
  %0 = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.pad %0, %v, low = [1], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// CHECK-LABEL: func.func @keeps_a_value_padded_with_another
// CHECK: stablehlo.pad
func.func @keeps_a_value_padded_with_another(%v: tensor<f32>, %w: tensor<f32>) -> tensor<5xf32> {
  %0 = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.pad %0, %w, low = [1], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// CHECK-LABEL: func.func @removes_a_concatenate_of_one
// CHECK-NEXT: return %arg0
func.func @removes_a_concatenate_of_one(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.concatenate %a, dim = 0 : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @leaves_out_what_has_no_elements
// CHECK-NEXT: stablehlo.concatenate %arg0, %arg2, dim = 0
func.func @leaves_out_what_has_no_elements(%a: tensor<3xf32>, %b: tensor<0xf32>, %c: tensor<1xf32>) -> tensor<4xf32> {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<3xf32>, tensor<0xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @joins_concatenates
// CHECK-NEXT: stablehlo.concatenate %arg0, %arg1, %arg2, dim = 0
// CHECK-NEXT: return
func.func @joins_concatenates(%a: tensor<3xf32>, %b: tensor<2xf32>, %c: tensor<1xf32>) -> tensor<6xf32> {
  %0 = stablehlo.concatenate %b, %c, dim = 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
  %1 = stablehlo.concatenate %a, %0, dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// CHECK-LABEL: func.func @keeps_a_concatenate_that_is_used
// CHECK-COUNT-2: stablehlo.concatenate
func.func @keeps_a_concatenate_that_is_used(%a: tensor<3xf32>, %b: tensor<2xf32>, %c: tensor<1xf32>) -> (tensor<6xf32>, tensor<3xf32>) {
  %0 = stablehlo.concatenate %b, %c, dim = 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
  %1 = stablehlo.concatenate %a, %0, dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  return %1, %0 : tensor<6xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_concatenates_along_other_axes
// CHECK-COUNT-2: stablehlo.concatenate
func.func @keeps_concatenates_along_other_axes(%a: tensor<2x2xf32>, %b: tensor<1x2xf32>, %c: tensor<1x2xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.concatenate %b, %c, dim = 0 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.concatenate %a, %0, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @broadcasts_what_is_joined_with_itself
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return
func.func @broadcasts_what_is_joined_with_itself(%a: tensor<1x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.concatenate %a, %a, %a, dim = 0 : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @keeps_several_places_joined_with_themselves
// CHECK-NEXT: stablehlo.concatenate
func.func @keeps_several_places_joined_with_themselves(%a: tensor<1x2xf32>) -> tensor<1x4xf32> {
  %0 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// CHECK-LABEL: func.func @slices_neighbours_at_once
// CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [1:6]
// CHECK-NEXT: stablehlo.concatenate %[[S]], %arg1, dim = 0
func.func @slices_neighbours_at_once(%a: tensor<8xf32>, %b: tensor<1xf32>) -> tensor<6xf32> {
  %0 = stablehlo.slice %a [1:3] : (tensor<8xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %a [3:6] : (tensor<8xf32>) -> tensor<3xf32>
  %2 = stablehlo.concatenate %0, %1, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<6xf32>
  return %2 : tensor<6xf32>
}

// CHECK-LABEL: func.func @slices_rows_one_by_one_at_once
// CHECK-NEXT: stablehlo.slice %arg0 [0:5:2, 0:2]
// CHECK-NEXT: return
func.func @slices_rows_one_by_one_at_once(%a: tensor<8x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.slice %a [0:1, 0:2] : (tensor<8x2xf32>) -> tensor<1x2xf32>
  %1 = stablehlo.slice %a [2:3, 0:2] : (tensor<8x2xf32>) -> tensor<1x2xf32>
  %2 = stablehlo.slice %a [4:5, 0:2] : (tensor<8x2xf32>) -> tensor<1x2xf32>
  %3 = stablehlo.concatenate %0, %1, %2, dim = 0 : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  return %3 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @keeps_slices_in_another_order
// CHECK: stablehlo.concatenate
func.func @keeps_slices_in_another_order(%a: tensor<8xf32>) -> tensor<5xf32> {
  %0 = stablehlo.slice %a [1:3] : (tensor<8xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %a [3:6] : (tensor<8xf32>) -> tensor<3xf32>
  %2 = stablehlo.concatenate %1, %0, dim = 0 : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %2 : tensor<5xf32>
}

// CHECK-LABEL: func.func @keeps_neighbours_cut_otherwise_on_another_axis
// CHECK: stablehlo.concatenate
func.func @keeps_neighbours_cut_otherwise_on_another_axis(%a: tensor<8x4xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.slice %a [0:2, 0:2] : (tensor<8x4xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.slice %a [2:4, 1:3] : (tensor<8x4xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @repeats_neighbours_that_are_the_same_number_at_once
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<i32>) -> tensor<5xi32>
// CHECK-NEXT: stablehlo.concatenate %arg0, %[[B]], dim = 0
func.func @repeats_neighbours_that_are_the_same_number_at_once(%a: tensor<1xi32>) -> tensor<6xi32> {
  %0 = stablehlo.constant dense<7> : tensor<2xi32>
  %1 = stablehlo.constant dense<7> : tensor<3xi32>
  %2 = stablehlo.concatenate %a, %0, %1, dim = 0 : (tensor<1xi32>, tensor<2xi32>, tensor<3xi32>) -> tensor<6xi32>
  return %2 : tensor<6xi32>
}

// CHECK-LABEL: func.func @keeps_neighbours_that_are_zeros_of_other_signs
// CHECK: stablehlo.concatenate
func.func @keeps_neighbours_that_are_zeros_of_other_signs() -> tensor<5xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<2xf32>
  %1 = stablehlo.constant dense<-0.0> : tensor<3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %2 : tensor<5xf32>
}

// CHECK-LABEL: func.func @transposes_what_is_joined_once
// CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: stablehlo.transpose %[[C]], dims = [1, 0]
// CHECK-NEXT: return
func.func @transposes_what_is_joined_once(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<1x3xf32>) -> tensor<3x1xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_of_one_that_is_joined
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.concatenate
func.func @keeps_a_transpose_of_one_that_is_joined(%a: tensor<2x3xf32>, %b: tensor<3x1xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.concatenate %0, %b, dim = 1 : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @reshapes_what_is_joined_once
// CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x8x4xf32>
// CHECK-NEXT: stablehlo.reshape %[[C]] : (tensor<2x8x4xf32>) -> tensor<2x32xf32>
// CHECK-NEXT: return
func.func @reshapes_what_is_joined_once(%a: tensor<2x3x4xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x32xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %1 = stablehlo.reshape %b : (tensor<2x5x4xf32>) -> tensor<2x20xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x12xf32>, tensor<2x20xf32>) -> tensor<2x32xf32>
  return %2 : tensor<2x32xf32>
}

// CHECK-LABEL: func.func @keeps_reshapes_of_other_lengths
// CHECK-COUNT-2: stablehlo.reshape
// CHECK-NEXT: stablehlo.concatenate
func.func @keeps_reshapes_of_other_lengths(%a: tensor<2x3x4xf32>, %b: tensor<2x3x2xf32>) -> tensor<2x18xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %1 = stablehlo.reshape %b : (tensor<2x3x2xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x12xf32>, tensor<2x6xf32>) -> tensor<2x18xf32>
  return %2 : tensor<2x18xf32>
}

// CHECK-LABEL: func.func @keeps_reshapes_joined_along_an_inner_axis
// CHECK-COUNT-2: stablehlo.reshape
// CHECK-NEXT: stablehlo.concatenate
func.func @keeps_reshapes_joined_along_an_inner_axis(%a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<2x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reshape %b : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return %2 : tensor<2x6xf32>
}
