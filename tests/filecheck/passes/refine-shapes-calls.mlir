// RUN: hlo-opt %s --passes refine-shapes | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK: call @double(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK: call @double(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK: call @double_0(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<?xf32>
  %1 = builtin.unrealized_conversion_cast %a : tensor<2xf32> to tensor<?xf32>
  %2 = call @double(%1) : (tensor<?xf32>) -> tensor<?xf32>
  %3 = call @double(%1) : (tensor<?xf32>) -> tensor<?xf32>
  %4 = builtin.unrealized_conversion_cast %b : tensor<3xf32> to tensor<?xf32>
  %5 = call @double(%4) : (tensor<?xf32>) -> tensor<?xf32>
  return %2, %3, %5 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func private @double(
// CHECK-SAME: tensor<2xf32> {x.y = 1 : i64}) -> (tensor<2xf32> {x.z})
// CHECK: stablehlo.add %arg0, %arg0 : tensor<2xf32>
// CHECK-LABEL: func.func private @double_0(
// CHECK: stablehlo.add %arg0, %arg0 : tensor<3xf32>
func.func private @double(%a: tensor<?xf32> {x.y = 1 : i64}) -> (tensor<?xf32> {x.z}) {
  %0 = stablehlo.add %a, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @lengths_are_no_arguments_any_more
// CHECK: call @ramp(%arg1) : (tensor<f32>) -> tensor<4xf32>
// CHECK: call @ramp_0(%arg1) : (tensor<f32>) -> tensor<8xf32>
func.func @lengths_are_no_arguments_any_more(%a: tensor<4xf32>, %b: tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  %1 = stablehlo.add %0, %0 : tensor<i32>
  %2 = call @ramp(%0, %b) : (tensor<i32>, tensor<f32>) -> tensor<?xf32>
  %3 = call @ramp(%1, %b) : (tensor<i32>, tensor<f32>) -> tensor<?xf32>
  return %2, %3 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func private @ramp(
// CHECK-SAME: tensor<f32> {x.b}) -> tensor<4xf32>
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4xf32>
func.func private @ramp(%n: tensor<i32> {x.a}, %b: tensor<f32> {x.b}) -> tensor<?xf32> {
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @arithmetic_in_functions_is_done
// CHECK-NEXT: stablehlo.iota dim = 0 : tensor<2xf32>
func.func @arithmetic_in_functions_is_done(%a: tensor<5xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<5xf32>) -> tensor<i32>
  %1 = call @floor_of(%0, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

func.func private @floor_of(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.divide %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @calls_of_static_functions_stay
// CHECK: call @half(%{{.*}}, %arg1) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
func.func @calls_of_static_functions_stay(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = call @half(%c, %b) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func private @half(%c: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// CHECK-LABEL: func.func @composites_keep_their_operands
// CHECK: stablehlo.composite "lib.act" %{{.*}}, %arg0 {decomposition = @act} : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func private @act
// CHECK-SAME: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<4xf32>
func.func @composites_keep_their_operands(%a: tensor<4xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = builtin.unrealized_conversion_cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = stablehlo.composite "lib.act" %c, %0 {decomposition = @act} : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func private @act(%n: tensor<i32>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.tanh %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @assertions_that_hold_go
// CHECK-NEXT: return %arg0
func.func @assertions_that_hold_go(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  %1 = stablehlo.compare GE, %0, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %a : tensor<4xf32>
}

// CHECK-LABEL: func.func @assertions_that_are_not_known_stay
// CHECK-NEXT: stablehlo.custom_call @shape_assertion(%arg0)
func.func @assertions_that_are_not_known_stay(%a: tensor<i1>) {
  stablehlo.custom_call @shape_assertion(%a) {api_version = 2 : i32, error_message = "no", has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// CHECK-LABEL: func.func @wrappers_go
// CHECK-NEXT: return %arg0 : tensor<4xf32>
func.func @wrappers_go(%a: tensor<4xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<4> : tensor<1xi64>
  %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%a, %c) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @windows_of_known_size
// CHECK: "stablehlo.reduce_window"(%arg0, %arg1)
// CHECK-SAME: padding = dense<[{{\[}}1, 0]]> : tensor<1x2xi64>
// CHECK-SAME: window_dimensions = array<i64: 2>
// CHECK: stablehlo.add
func.func @windows_of_known_size(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %pad = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%a, %b, %two, %one, %one, %one, %pad) {api_version = 2 : i32, called_computations = [@sum]} : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @random_bits_of_known_shape
// CHECK: stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
// CHECK: stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
func.func @random_bits_of_known_shape(%s: tensor<2xui64>) -> (tensor<?xui32>, tensor<?xui32>) {
  %c = stablehlo.constant dense<3> : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %c) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %c) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  return %0#1, %1#1 : tensor<?xui32>, tensor<?xui32>
}

// CHECK-LABEL: func.func @as_many_of_the_largest_as_known
// CHECK: chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
func.func @as_many_of_the_largest_as_known(%a: tensor<4xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%a, %c) {api_version = 2 : i32} : (tensor<4xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @results_of_any_custom_call
// CHECK: stablehlo.custom_call @mine(%arg0) : (tensor<4xf32>) -> tensor<1x2xf32>
func.func @results_of_any_custom_call(%a: tensor<4xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.custom_call @mine(%a, %c) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @custom_calls_that_call
// CHECK: stablehlo.custom_call @mine(%arg0) {called_computations = [@sum]} : (tensor<4xf32>) -> tensor<2xf32>
func.func @custom_calls_that_call(%a: tensor<4xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.custom_call @mine(%a, %c) {indices_of_shape_operands = dense<1> : tensor<1xi64>, called_computations = [@sum]} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @calls_with_an_effect_stay
// CHECK-NEXT: call @counted() : () -> tensor<1xi32>
// CHECK-NEXT: stablehlo.iota dim = 0 : tensor<4xf32>
// CHECK-LABEL: func.func private @counted
// CHECK: stablehlo.custom_call @act()
func.func @calls_with_an_effect_stay() -> tensor<?xf32> {
  %0 = call @counted() : () -> tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func private @counted() -> tensor<1xi32> {
  stablehlo.custom_call @act() {has_side_effect = true} : () -> ()
  %0 = stablehlo.constant dense<4> : tensor<1xi32>
  return %0 : tensor<1xi32>
}
