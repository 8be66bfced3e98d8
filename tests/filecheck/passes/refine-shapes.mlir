// RUN: hlo-opt %s --passes refine-shapes | filecheck %s

// CHECK-LABEL: func.func @types_follow_from_operands
// CHECK-SAME: -> tensor<3xi32>
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %arg0 : tensor<3xf32>
// CHECK-NEXT: stablehlo.convert %[[SUM]] : (tensor<3xf32>) -> tensor<3xi32>
func.func @types_follow_from_operands(%a: tensor<3xf32>) -> tensor<?xi32> {
  %0 = stablehlo.add %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<?xf32>
  %1 = stablehlo.convert %0 : (tensor<?xf32>) -> tensor<?xi32>
  return %1 : tensor<?xi32>
}

// CHECK-LABEL: func.func @unknown_lengths_stay
// CHECK-NEXT: stablehlo.add %arg0, %arg0 : tensor<?xf32>
func.func @unknown_lengths_stay(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @static_functions_stay
// CHECK: stablehlo.add %[[C:.*]], %[[C]]
func.func @static_functions_stay() -> tensor<i32> {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.add %0, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @attributes_are_read
// CHECK-SAME: -> tensor<2x5xf32>
// CHECK: stablehlo.dot_general %arg0, %{{.*}}, contracting_dims = [1] x [1]
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] {mhlo.sharding = "x"}
func.func @attributes_are_read(%a: tensor<5x3xf32>, %b: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.abs %b : (tensor<2x3xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [1] : (tensor<5x3xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] {mhlo.sharding = "x"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @attributes_left_out_are_the_defaults
// CHECK: "stablehlo.reduce_window"(%{{.*}}, %arg1)
// CHECK: : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
func.func @attributes_left_out_are_the_defaults(%a: tensor<6xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %a : (tensor<6xf32>) -> tensor<?xf32>
  %1 = "stablehlo.reduce_window"(%0, %b) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %2 = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %2 : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @bits_of_another_width_need_another_axis
// CHECK-SAME: -> (tensor<3x4xi8>, tensor<2xf32>)
func.func @bits_of_another_width_need_another_axis(%a: tensor<3xf32>, %b: tensor<2x4xi8>) -> (tensor<?x4xi8>, tensor<?xf32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<3xf32>) -> tensor<?x4xi8>
  %1 = stablehlo.bitcast_convert %b : (tensor<2x4xi8>) -> tensor<?xf32>
  return %0, %1 : tensor<?x4xi8>, tensor<?xf32>
}

// CHECK-LABEL: func.func @arithmetic_on_lengths_is_done
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<4x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: return %[[R]]
func.func @arithmetic_on_lengths_is_done(%a: tensor<4x3xf32>) -> tensor<?x?xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4x3xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x3xf32>) -> tensor<i32>
  %2 = stablehlo.divide %0, %two : tensor<i32>
  %3 = stablehlo.multiply %1, %two : tensor<i32>
  %4 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %7 = stablehlo.dynamic_reshape %a, %6 : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %7 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @lengths_may_be_chosen
// CHECK-NEXT: stablehlo.iota dim = 0 : tensor<5xf32>
func.func @lengths_may_be_chosen(%a: tensor<5xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<5xf32>) -> tensor<i32>
  %1 = stablehlo.compare GT, %0, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.select %1, %0, %c : tensor<i1>, tensor<i32>
  %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.dynamic_iota %3, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// CHECK-LABEL: func.func @floats_are_not_computed
// CHECK: stablehlo.add
func.func @floats_are_not_computed(%a: tensor<5xf32>) -> (tensor<i32>, tensor<f32>) {
  %c = stablehlo.constant dense<0.1> : tensor<f32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<5xf32>) -> tensor<i32>
  %1 = stablehlo.add %c, %c : tensor<f32>
  return %0, %1 : tensor<i32>, tensor<f32>
}

// CHECK-LABEL: func.func @large_arrays_are_not_computed
// CHECK: stablehlo.iota dim = 0 : tensor<1000xi32>
func.func @large_arrays_are_not_computed(%a: tensor<1000xf32>) -> tensor<?xi32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<1000xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %2 : tensor<?xi32>
}

// CHECK-LABEL: func.func @a_known_length_of_a_dynamic_shape
// CHECK: stablehlo.get_dimension_size %arg0, dim = 0
// CHECK-NOT: dim = 1
// CHECK: stablehlo.constant dense<4> : tensor<i32>
func.func @a_known_length_of_a_dynamic_shape(%a: tensor<?x4xf32>) -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// CHECK-LABEL: func.func @no_elements
// CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<0x3xf32>) -> tensor<0xf32>
func.func @no_elements(%a: tensor<0x3xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<0x3xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_reshape %a, %1 : (tensor<0x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// CHECK-LABEL: func.func @lengths_that_are_data_stay
// CHECK-NEXT: stablehlo.dynamic_iota %arg0
func.func @lengths_that_are_data_stay(%a: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %a, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @loops_carry_what_they_are_given
// CHECK: stablehlo.while(%[[X:.*]] = %{{.*}}) : tensor<4xf32>
// CHECK: stablehlo.add %[[X]], %[[X]] : tensor<4xf32>
func.func @loops_carry_what_they_are_given(%a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %a : (tensor<4xf32>) -> tensor<?xf32>
  %1 = stablehlo.while(%x = %0) : tensor<?xf32>
  cond {
    %2 = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %x, %x : tensor<?xf32>
    stablehlo.return %2 : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @branches_give_what_they_compute
// CHECK-SAME: -> tensor<4xf32>
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<4xf32>
func.func @branches_give_what_they_compute(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %a : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %1 = stablehlo.dynamic_broadcast_in_dim %b, %c, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @dynamic_shapes_within_static_branches
// CHECK: stablehlo.case
// CHECK-NOT: tensor<?
// CHECK-LABEL: func.func @chlo_follows_too
func.func @dynamic_shapes_within_static_branches(%i: tensor<i32>, %a: tensor<2x2xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.dynamic_reshape %a, %c : (tensor<2x2xf32>, tensor<1xi32>) -> tensor<?xf32>
    %2 = stablehlo.abs %1 : (tensor<?xf32>) -> tensor<?xf32>
    %3 = stablehlo.dynamic_reshape %2, %c : (tensor<?xf32>, tensor<1xi32>) -> tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-SAME: -> (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xi32>)
func.func @chlo_follows_too(%a: tensor<2x1xf32>, %b: tensor<3xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.abs %b : (tensor<3xf32>) -> tensor<?xf32>
  %2 = chlo.erf %1 : tensor<?xf32> -> tensor<?xf32>
  %3:2 = chlo.top_k(%1, k = 2) : tensor<?xf32> -> (tensor<?xf32>, tensor<?xi32>)
  return %0, %2, %3#0, %3#1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @types_of_what_is_only_carried
// CHECK-SAME: -> (tensor<2x5xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<2x1xf32>)
func.func @types_of_what_is_only_carried(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<f32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<2x?xf32>, tensor<2x?xf32>) {
  %six = stablehlo.constant dense<6> : tensor<1xi64>
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.rng %c, %c, %six, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  %2 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x?xf32>
  %3 = "stablehlo.reduce_scatter"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %4 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %4 : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2x3xf32>) -> tensor<2x?xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?xf32>, tensor<2x?xf32>, tensor<2x?xf32>
}

// CHECK-LABEL: func.func @partitions_that_are_not_known
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: -> tensor<2x?xf32>
func.func @partitions_that_are_not_known(%a: tensor<2x3xf32>) -> tensor<2x?xf32> {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2x3xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @casts_go
// CHECK-NEXT: return %arg0 : tensor<3xf32>
func.func @casts_go(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = builtin.unrealized_conversion_cast %a : tensor<3xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @a_place_computed_twice
// CHECK: stablehlo.dynamic_slice %arg0, %{{.*}}, sizes = [4]
func.func @a_place_computed_twice(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %size = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.add %1, %size : tensor<1xi32>
  %3 = stablehlo.real_dynamic_slice %a, %0, %2, %one : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
