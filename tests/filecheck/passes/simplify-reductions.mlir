// RUN: hlo-opt %s --passes simplify-reductions | filecheck %s

// CHECK-LABEL: func.func @gives_the_start_where_nothing_is_reduced
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT: return
func.func @gives_the_start_where_nothing_is_reduced(%a: tensor<0x3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.reduce(%a init: %v) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @reshapes_what_has_one_place
// CHECK: stablehlo.reshape %arg0 : (tensor<1x3xi32>) -> tensor<3xi32>
// CHECK: stablehlo.reshape %arg1 : (tensor<1x3xf32>) -> tensor<3xf32>
// CHECK-NOT: stablehlo.reduce
// CHECK: return
func.func @reshapes_what_has_one_place(%a: tensor<1x3xi32>, %b: tensor<1x3xf32>) -> (tensor<3xi32>, tensor<3xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.reduce(%a init: %0) applies stablehlo.add across dimensions = [0] : (tensor<1x3xi32>, tensor<i32>) -> tensor<3xi32>
  %2 = stablehlo.reduce(%b init: %n) applies stablehlo.maximum across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %1, %2 : tensor<3xi32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_the_start_that_changes_negative_zero
// CHECK-DAG: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<1x3xf32>) -> tensor<3xf32>
// CHECK-DAG: %[[Z:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK: stablehlo.add %[[Z]], %[[R]] : tensor<3xf32>
func.func @keeps_the_start_that_changes_negative_zero(%a: tensor<1x3xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @leaves_out_negative_zero_as_a_start
// CHECK: stablehlo.reshape %arg0
// CHECK-NEXT: return
func.func @leaves_out_negative_zero_as_a_start(%a: tensor<1x3xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @adds_bools_as_or
// CHECK: stablehlo.reshape %arg0
// CHECK-NEXT: return
func.func @adds_bools_as_or(%a: tensor<1x3xi1>) -> tensor<3xi1> {
  %f = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0] : (tensor<1x3xi1>, tensor<i1>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// CHECK-LABEL: func.func @reduces_over_no_axis_by_what_is_done_once
// CHECK: stablehlo.subtract %{{.*}}, %arg1 : tensor<3xi32>
// CHECK-NOT: stablehlo.reduce
// CHECK: return
func.func @reduces_over_no_axis_by_what_is_done_once(%a: tensor<3xi32>, %b: tensor<3xi32>, %v: tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %0:2 = stablehlo.reduce(%a init: %v), (%b init: %v) across dimensions = [] : (tensor<3xi32>, tensor<3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
    reducer(%x: tensor<i32>, %p: tensor<i32>) (%y: tensor<i32>, %q: tensor<i32>) {
      %1 = stablehlo.add %x, %p : tensor<i32>
      %2 = stablehlo.subtract %y, %q : tensor<i32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<3xi32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @keeps_a_reduction_of_several_places
// CHECK-NEXT: stablehlo.reduce
func.func @keeps_a_reduction_of_several_places(%a: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.reduce(%a init: %v) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @repeats_what_a_region_gives_anyway
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<8xi32>
// CHECK-NEXT: return
func.func @repeats_what_a_region_gives_anyway(%a: tensor<4x8xi32>, %c: tensor<i32>) -> tensor<8xi32> {
  %0 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4x8xi32>, tensor<i32>) -> tensor<8xi32>
    reducer(%x: tensor<i32>, %y: tensor<i32>) {
      stablehlo.return %c : tensor<i32>
    }
  return %0 : tensor<8xi32>
}

// CHECK-LABEL: func.func @keeps_a_region_that_gives_one_of_two
// CHECK: stablehlo.reduce
func.func @keeps_a_region_that_gives_one_of_two(%a: tensor<4x8xi32>, %c: tensor<i32>) -> tensor<8xi32> {
  %0 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4x8xi32>, tensor<i32>) -> tensor<8xi32>
    reducer(%x: tensor<i32>, %y: tensor<i32>) {
      stablehlo.return %y : tensor<i32>
    }
  return %0 : tensor<8xi32>
}

// CHECK-LABEL: func.func @reduces_at_once
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK-NEXT: return
func.func @reduces_at_once(%a: tensor<2x3x4xi32>, %v: tensor<i32>) -> tensor<3xi32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
  return %1 : tensor<3xi32>
}

// CHECK-LABEL: func.func @takes_extrema_of_floats_at_once
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0, 1]
// CHECK-NEXT: return
func.func @takes_extrema_of_floats_at_once(%a: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %v) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_sums_of_floats_in_order
// CHECK-COUNT-2: stablehlo.reduce
func.func @keeps_sums_of_floats_in_order(%a: tensor<2x3xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_start_that_is_added_each_time
// CHECK-COUNT-2: stablehlo.reduce
func.func @keeps_a_start_that_is_added_each_time(%a: tensor<2x3xi32>, %v: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.reduce(%a init: %v) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_reductions_by_other_operations
// CHECK-COUNT-2: stablehlo.reduce
func.func @keeps_reductions_by_other_operations(%a: tensor<2x3xi32>) -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.or across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_reduction_that_is_used
// CHECK-COUNT-2: stablehlo.reduce
func.func @keeps_a_reduction_that_is_used(%a: tensor<2x3xi32>) -> (tensor<i32>, tensor<3xi32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %1, %0 : tensor<i32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @reduces_other_axes_of_what_was_transposed
// CHECK-NEXT: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1]
// CHECK-NEXT: return
func.func @reduces_other_axes_of_what_was_transposed(%a: tensor<2x3x4xf32>, %v: tensor<f32>) -> tensor<2x4xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [0] : (tensor<3x2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_of_axes_that_stay
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.reduce
func.func @keeps_a_transpose_of_axes_that_stay(%a: tensor<2x3x4xf32>, %v: tensor<f32>) -> tensor<4x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [0] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @keeps_the_order_of_a_sum_of_floats
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.reduce
func.func @keeps_the_order_of_a_sum_of_floats(%a: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @sums_integers_in_any_order
// CHECK-NEXT: stablehlo.reduce(%arg0 init: %arg1)
// CHECK-NEXT: return
func.func @sums_integers_in_any_order(%a: tensor<2x3xi32>, %v: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xi32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @reduces_what_was_reshaped
// CHECK-NEXT: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func @reduces_what_was_reshaped(%a: tensor<2x3x4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [0] : (tensor<6x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_a_reshape_of_axes_that_stay
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.reduce
func.func @keeps_a_reshape_of_axes_that_stay(%a: tensor<2x3x4xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// CHECK-LABEL: func.func @takes_the_extremum_of_what_is_not_repeated
// CHECK: %[[M:.*]] = stablehlo.maximum
// CHECK-NOT: stablehlo.reduce
// CHECK: return
func.func @takes_the_extremum_of_what_is_not_repeated(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @takes_the_extremum_of_one_number
// CHECK: %[[M:.*]] = stablehlo.minimum %arg1, %arg0 : tensor<f32>
// CHECK-NEXT: return %[[M]]
func.func @takes_the_extremum_of_one_number(%a: tensor<f32>, %v: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_sum_of_repeated_floats
// CHECK: stablehlo.reduce
func.func @keeps_a_sum_of_repeated_floats(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @multiplies_integers_that_are_repeated
// CHECK-DAG: stablehlo.constant dense<44> : tensor<i8>
// CHECK: stablehlo.multiply {{.*}} : tensor<3xi8>
// CHECK-NEXT: return
func.func @multiplies_integers_that_are_repeated(%a: tensor<3xi8>) -> tensor<3xi8> {
  %z = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xi8>) -> tensor<300x3xi8>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<300x3xi8>, tensor<i8>) -> tensor<3xi8>
  return %1 : tensor<3xi8>
}

// CHECK-LABEL: func.func @takes_windows_of_one_place
// CHECK: stablehlo.slice %arg0 [0:7:3]
// CHECK: stablehlo.add
// CHECK-NOT: "stablehlo.reduce_window"
// CHECK: return
func.func @takes_windows_of_one_place(%a: tensor<8xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%a, %v) <{window_dimensions = array<i64: 1>, window_strides = array<i64: 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_windows_with_padding
// CHECK: "stablehlo.reduce_window"
func.func @keeps_windows_with_padding(%a: tensor<8xf32>, %v: tensor<f32>) -> tensor<9xf32> {
  %0 = "stablehlo.reduce_window"(%a, %v) <{window_dimensions = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// CHECK-LABEL: func.func @selects_and_scatters_in_windows_of_one_place
// CHECK: return %arg1
func.func @selects_and_scatters_in_windows_of_one_place(%a: tensor<8xi32>, %s: tensor<8xi32>) -> tensor<8xi32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<8xi32>, tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// CHECK-LABEL: func.func @reduces_no_padding_that_changes_nothing
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT: return
func.func @reduces_no_padding_that_changes_nothing(%a: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.pad %a, %n, low = [0, 1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x8xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.maximum across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_padding_with_a_zero_that_changes_negative_zero
// CHECK: stablehlo.pad
// CHECK: stablehlo.reduce
func.func @keeps_padding_with_a_zero_that_changes_negative_zero(%a: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [0, 1], high = [0, 2], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x6xf32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_padding_that_cuts
// CHECK: stablehlo.pad
// CHECK: stablehlo.reduce
func.func @keeps_padding_that_cuts(%a: tensor<2x3xi32>, %v: tensor<i32>) -> tensor<2xi32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %a, %z, low = [0, -1], high = [0, 2], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x4xi32>
  %1 = stablehlo.reduce(%0 init: %v) applies stablehlo.add across dimensions = [1] : (tensor<2x4xi32>, tensor<i32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// CHECK-LABEL: func.func @makes_a_constant_of_windows_without_places
// CHECK: stablehlo.constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @makes_a_constant_of_windows_without_places(%a: tensor<0xf32>, %v: tensor<f32>) -> tensor<0xf32> {
  %0 = "stablehlo.reduce_window"(%a, %v) <{window_dimensions = array<i64: 1>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<0xf32>, tensor<f32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
