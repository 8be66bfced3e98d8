// RUN: hlo-opt %s --passes mark-donation | filecheck %s

// CHECK-LABEL: func.func @gives_the_place_of_a_result
// CHECK-SAME: (%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2xf32>)
func.func @gives_the_place_of_a_result(%x: tensor<2xf32> {jax.buffer_donor = true}, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_nobody_gives
// CHECK-SAME: (%arg0: tensor<2xf32>)
func.func @keeps_what_nobody_gives(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @gives_what_an_update_leads_to
// CHECK-SAME: (%arg0: tensor<2xf32> {tf.aliasing_output = 2 : i32}, %arg1: tensor<2xf32> {tf.aliasing_output = 1 : i32})
func.func @gives_what_an_update_leads_to(%p: tensor<2xf32> {jax.buffer_donor = true}, %q: tensor<2xf32> {jax.buffer_donor = true}) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.sine %p : tensor<2xf32>
  %1 = stablehlo.multiply %0, %q : tensor<2xf32>
  %2 = stablehlo.cosine %1 : tensor<2xf32>
  %3 = stablehlo.subtract %q, %2 : tensor<2xf32>
  %4 = stablehlo.subtract %p, %2 : tensor<2xf32>
  return %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @gives_a_result_of_another_origin
// CHECK-SAME: (%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2xf32>)
func.func @gives_a_result_of_another_origin(%x: tensor<2xf32> {jax.buffer_donor = true}, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @gives_each_result_once
// CHECK-SAME: (%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2xf32> {jax.buffer_donor = true})
func.func @gives_each_result_once(%x: tensor<2xf32> {jax.buffer_donor = true}, %y: tensor<2xf32> {jax.buffer_donor = true}) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_donor_of_another_shape
// CHECK-SAME: (%arg0: tensor<2xf32> {jax.buffer_donor = true})
func.func @keeps_a_donor_of_another_shape(%x: tensor<2xf32> {jax.buffer_donor = true}) -> tensor<1x2xf32> {
  %0 = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @keeps_a_donor_of_another_dtype
// CHECK-SAME: (%arg0: tensor<2xf32> {jax.buffer_donor = true})
func.func @keeps_a_donor_of_another_dtype(%x: tensor<2xf32> {jax.buffer_donor = true}) -> tensor<2xi32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @keeps_a_result_that_is_another_argument
// CHECK-SAME: (%arg0: tensor<2xf32> {jax.buffer_donor = true}, %arg1: tensor<2xf32>)
func.func @keeps_a_result_that_is_another_argument(%x: tensor<2xf32> {jax.buffer_donor = true}, %y: tensor<2xf32>) -> tensor<2xf32> {
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @gives_a_result_that_is_the_argument_itself
// CHECK-SAME: (%arg0: tensor<2xf32> {tf.aliasing_output = 1 : i32})
func.func @gives_a_result_that_is_the_argument_itself(%x: tensor<2xf32> {jax.buffer_donor = true}) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0, %x : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_is_given_already
// CHECK-SAME: (%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2xf32> {tf.aliasing_output = 1 : i32})
func.func @keeps_what_is_given_already(%x: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<2xf32> {jax.buffer_donor = true}) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.sine %y : tensor<2xf32>
  %1 = stablehlo.sine %x : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_donor_that_says_no
// CHECK-SAME: (%arg0: tensor<2xf32> {jax.buffer_donor = false})
func.func @keeps_a_donor_that_says_no(%x: tensor<2xf32> {jax.buffer_donor = false}) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_other_attributes
// CHECK-SAME: (%arg0: tensor<2xf32> {mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32})
func.func @keeps_other_attributes(%x: tensor<2xf32> {jax.buffer_donor = true, mhlo.layout_mode = "default"}) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
