// RUN: hlo-opt %s --passes simplify-slices | filecheck %s

// CHECK-LABEL: func.func @slices_at_a_known_place
// CHECK: stablehlo.slice %arg0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: return
func.func @slices_at_a_known_place(%a: tensor<4xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %c, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @moves_a_known_place_inside
// CHECK: %[[A:.*]] = stablehlo.slice %arg0 [2:4]
// CHECK: %[[B:.*]] = stablehlo.slice %arg0 [0:2]
// CHECK: %[[C:.*]] = stablehlo.slice %arg0 [2:4]
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @moves_a_known_place_inside(%a: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %n = stablehlo.constant dense<-1> : tensor<i32>
  %u = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = stablehlo.dynamic_slice %a, %c, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  %1 = stablehlo.dynamic_slice %a, %n, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  %2 = stablehlo.dynamic_slice %a, %u, sizes = [2] : (tensor<4xf32>, tensor<ui64>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @needs_no_place_on_whole_axes
// CHECK: stablehlo.slice %arg0 [1:2, 0:4]
func.func @needs_no_place_on_whole_axes(%a: tensor<3x4xf32>, %i: tensor<i32>) -> tensor<1x4xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %c, %i, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// CHECK-LABEL: func.func @keeps_a_slice_at_an_unknown_place
// CHECK: stablehlo.dynamic_slice
func.func @keeps_a_slice_at_an_unknown_place(%a: tensor<3x4xf32>, %i: tensor<i32>) -> tensor<1x2xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %c, %i, sizes = [1, 2] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @broadcasts_less
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return
func.func @broadcasts_less(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<2x4xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.dynamic_slice %0, %i, %i, sizes = [2, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @keeps_a_slice_of_what_differs
// CHECK: stablehlo.dynamic_slice
func.func @keeps_a_slice_of_what_differs(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.dynamic_slice %0, %i, %i, sizes = [2, 3] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @reads_what_was_written
// CHECK: return %arg1
func.func @reads_what_was_written(%a: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_slice %0, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_is_read_elsewhere
// CHECK: stablehlo.dynamic_update_slice
// CHECK: stablehlo.dynamic_slice
func.func @keeps_what_is_read_elsewhere(%a: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_slice %0, %j, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_is_read_of_another_size
// CHECK: stablehlo.dynamic_update_slice
// CHECK: stablehlo.dynamic_slice
func.func @keeps_what_is_read_of_another_size(%a: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<1xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_slice %0, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}

// CHECK-LABEL: func.func @updates_everything
// CHECK-NEXT: return %arg1
func.func @updates_everything(%a: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @updates_nothing
// CHECK-NEXT: return %arg0
func.func @updates_nothing(%a: tensor<4xf32>, %u: tensor<0xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<0xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @writes_back_nothing_new
// CHECK: return %arg0
func.func @writes_back_nothing_new(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  %1 = stablehlo.dynamic_update_slice %a, %0, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_what_is_written_elsewhere
// CHECK: stablehlo.dynamic_update_slice
func.func @keeps_what_is_written_elsewhere(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  %1 = stablehlo.dynamic_update_slice %b, %0, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_the_last_of_updates
// CHECK-NEXT: stablehlo.dynamic_update_slice %arg0, %arg2, %arg3
// CHECK-NEXT: return
func.func @keeps_the_last_of_updates(%a: tensor<4xf32>, %u: tensor<2xf32>, %v: tensor<2xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_update_slice %0, %v, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_updates_of_other_sizes
// CHECK-COUNT-2: stablehlo.dynamic_update_slice
func.func @keeps_updates_of_other_sizes(%a: tensor<4xf32>, %u: tensor<2xf32>, %v: tensor<1xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_update_slice %0, %v, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @pads_in_place_of_an_update_of_zeros
// CHECK: stablehlo.pad %arg0, %{{.*}}, low = [1], high = [1], interior = [0]
// CHECK-NEXT: return
func.func @pads_in_place_of_an_update_of_zeros(%u: tensor<2xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.dynamic_update_slice %z, %u, %c : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_an_update_of_several_numbers
// CHECK: stablehlo.dynamic_update_slice
func.func @keeps_an_update_of_several_numbers(%u: tensor<2xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %z = stablehlo.constant dense<[0.0, -0.0, 0.0, 0.0]> : tensor<4xf32>
  %0 = stablehlo.dynamic_update_slice %z, %u, %c : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @slices_the_row_that_is_gathered
// CHECK: %[[S:.*]] = stablehlo.slice %arg0 [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: stablehlo.reshape %[[S]] : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func @slices_the_row_that_is_gathered(%a: tensor<3x4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<7> : tensor<1xi32>
  %0 = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @slices_a_window_that_is_gathered
// CHECK: stablehlo.slice %arg0 [1:3, 0:2] : (tensor<3x4xf32>) -> tensor<2x2xf32>
// CHECK: stablehlo.reshape %{{.*}} : (tensor<2x2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: return
func.func @slices_a_window_that_is_gathered(%a: tensor<3x4xf32>) -> tensor<2x1x2xf32> {
  %c = stablehlo.constant dense<[[-5, 2]]> : tensor<1x2xi32>
  %0 = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>}> : (tensor<3x4xf32>, tensor<1x2xi32>) -> tensor<2x1x2xf32>
  return %0 : tensor<2x1x2xf32>
}

// CHECK-LABEL: func.func @slices_rows_at_an_even_distance
// CHECK: stablehlo.slice %arg0 [0:3:2, 0:4] : (tensor<5x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return
func.func @slices_rows_at_an_even_distance(%a: tensor<5x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @slices_columns_of_one_row
// CHECK: %[[S:.*]] = stablehlo.slice %arg0 [1:2, 0:3] : (tensor<5x4xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: stablehlo.reshape %[[S]] : (tensor<1x3xf32>) -> tensor<3xf32>
func.func @slices_columns_of_one_row(%a: tensor<5x4xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<[[1, 0], [1, 1], [1, 2]]> : tensor<3x2xi32>
  %0 = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x4xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_rows_in_another_order
// CHECK: "stablehlo.gather"
func.func @keeps_rows_in_another_order(%a: tensor<5x4xf32>) -> tensor<2x4xf32> {
  %c = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @keeps_rows_that_end_as_columns
// CHECK: "stablehlo.gather"
func.func @keeps_rows_that_end_as_columns(%a: tensor<5x4xf32>) -> tensor<4x2xf32> {
  %c = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @keeps_windows_that_overlap
// CHECK: "stablehlo.gather"
func.func @keeps_windows_that_overlap(%a: tensor<5xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 3>}> : (tensor<5xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_gather_of_what_is_unknown
// CHECK: "stablehlo.gather"
func.func @keeps_a_gather_of_what_is_unknown(%a: tensor<3x4xf32>, %i: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gathers_one_number
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func @gathers_one_number(%v: tensor<f32>, %i: tensor<1xi32>) -> tensor<4xf32> {
  %a = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @scatters_nothing
// CHECK: return %arg0
func.func @scatters_nothing(%a: tensor<3xf32>, %i: tensor<0x1xi32>, %u: tensor<0xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<0x1xi32>, tensor<0xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_a_scatter
// CHECK: "stablehlo.scatter"
func.func @keeps_a_scatter(%a: tensor<3xf32>, %i: tensor<1x1xi32>, %u: tensor<1xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @counts_one_as_zero
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<i32>) -> tensor<1x4xi32>
func.func @counts_one_as_zero() -> tensor<1x4xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<1x4xi32>
  return %0 : tensor<1x4xi32>
}

// CHECK-LABEL: func.func @counts_on_one_axis
// CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[I]], dims = [1] : (tensor<4xi32>) -> tensor<5x4xi32>
func.func @counts_on_one_axis() -> tensor<5x4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<5x4xi32>
  return %0 : tensor<5x4xi32>
}

// CHECK-LABEL: func.func @compares_a_count_with_its_ends
// CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-DAG: %[[ALL:.*]] = stablehlo.broadcast_in_dim %[[T]], dims = [] : (tensor<i1>) -> tensor<4xi1>
// CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-DAG: %[[NONE:.*]] = stablehlo.broadcast_in_dim %[[F]], dims = [] : (tensor<i1>) -> tensor<4xi1>
// CHECK: return %[[ALL]], %[[NONE]]
func.func @compares_a_count_with_its_ends() -> (tensor<4xi1>, tensor<4xi1>) {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %4 = stablehlo.constant dense<4> : tensor<4xi32>
  %n = stablehlo.constant dense<-1> : tensor<4xi32>
  %1 = stablehlo.compare LT, %0, %4 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.compare EQ, %0, %n : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1, %2 : tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func.func @keeps_a_comparison_with_a_number_between
// CHECK: stablehlo.compare LT
func.func @keeps_a_comparison_with_a_number_between() -> tensor<4xi1> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %3 = stablehlo.constant dense<3> : tensor<4xi32>
  %1 = stablehlo.compare LT, %0, %3 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: func.func @keeps_a_count_that_wraps
// CHECK: stablehlo.compare GE
func.func @keeps_a_count_that_wraps() -> tensor<200xi1> {
  %0 = stablehlo.iota dim = 0 : tensor<200xi8>
  %z = stablehlo.constant dense<0> : tensor<200xi8>
  %1 = stablehlo.compare GE, %0, %z : (tensor<200xi8>, tensor<200xi8>) -> tensor<200xi1>
  return %1 : tensor<200xi1>
}

// CHECK-LABEL: func.func @slices_one_number_anywhere
// CHECK: %[[C:.*]] = stablehlo.constant dense<5> : tensor<i32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<i32>) -> tensor<2xi32>
func.func @slices_one_number_anywhere(%i: tensor<i32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<5> : tensor<6xi32>
  %0 = stablehlo.dynamic_slice %c, %i, sizes = [2] : (tensor<6xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @counts_in_the_dtype_that_is_needed
// CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<9xf32>
// CHECK-NEXT: return %[[I]]
func.func @counts_in_the_dtype_that_is_needed() -> tensor<9xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<9xi32>
  %1 = stablehlo.convert %0 : (tensor<9xi32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// CHECK-LABEL: func.func @keeps_a_convert_of_a_count_that_wraps
// CHECK: stablehlo.convert
func.func @keeps_a_convert_of_a_count_that_wraps() -> tensor<200xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<200xi8>
  %1 = stablehlo.convert %0 : (tensor<200xi8>) -> tensor<200xf32>
  return %1 : tensor<200xf32>
}

// CHECK-LABEL: func.func @keeps_a_convert_to_bools
// CHECK: stablehlo.convert
func.func @keeps_a_convert_to_bools() -> tensor<9xi1> {
  %0 = stablehlo.iota dim = 0 : tensor<9xi32>
  %1 = stablehlo.convert %0 : (tensor<9xi32>) -> tensor<9xi1>
  return %1 : tensor<9xi1>
}

// CHECK-LABEL: func.func @keeps_a_convert_of_a_count_of_floats
// CHECK: stablehlo.convert
func.func @keeps_a_convert_of_a_count_of_floats() -> tensor<900xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<900xbf16>
  %1 = stablehlo.convert %0 : (tensor<900xbf16>) -> tensor<900xi32>
  return %1 : tensor<900xi32>
}
