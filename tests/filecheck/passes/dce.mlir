// RUN: hlo-opt %s --passes dce | filecheck %s

// CHECK-LABEL: func.func @removes_what_nobody_needs
// CHECK-NEXT: return %arg0
func.func @removes_what_nobody_needs(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %a : tensor<2xf32>
  return %a : tensor<2xf32>
}

// CHECK-LABEL: func.func @removes_a_chain
// CHECK-NEXT: return %arg0
func.func @removes_a_chain(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %a : tensor<2xf32>
  %1 = stablehlo.floor %0 : tensor<2xf32>
  %2 = stablehlo.add %1, %0 : tensor<2xf32>
  return %a : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_is_returned
// CHECK: stablehlo.sine
// CHECK-NEXT: stablehlo.floor
func.func @keeps_what_is_returned(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %a : tensor<2xf32>
  %1 = stablehlo.floor %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_repeats
// CHECK: stablehlo.sine
// CHECK: stablehlo.sine
func.func @keeps_repeats(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.sine %a : tensor<2xf32>
  %1 = stablehlo.sine %a : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_an_operation_of_which_one_result_is_needed
// CHECK: stablehlo.rng_bit_generator
func.func @keeps_an_operation_of_which_one_result_is_needed(%s: tensor<2xui64>) -> tensor<3xui32> {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  return %0#1 : tensor<3xui32>
}

// CHECK-LABEL: func.func @removes_inside_a_region
// CHECK: applies stablehlo.add
func.func @removes_inside_a_region(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
      %1 = stablehlo.sine %x : tensor<f32>
      %2 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_what_follows_a_cleaned_region
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %[[SUM]]
// CHECK-NEXT: return %[[SINE]], %[[SUM]]
func.func @keeps_what_follows_a_cleaned_region(%a: tensor<2xf32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
      %1 = stablehlo.sine %x : tensor<f32>
      %2 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }
  %3 = stablehlo.sine %0 : tensor<f32>
  return %3, %0 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @keeps_unused_arguments
// CHECK-SAME: (%arg0: tensor<2xf32>, %arg1: tensor<3xf32>)
func.func @keeps_unused_arguments(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_only_a_branch_needs
// CHECK: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: "stablehlo.if"(%arg0)
// CHECK-NEXT: stablehlo.return %[[SINE]]
// CHECK-NOT: stablehlo.floor
// CHECK: stablehlo.return %arg1
func.func @keeps_what_only_a_branch_needs(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.floor %x : tensor<2xf32>
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    %3 = stablehlo.cosine %1 : tensor<2xf32>
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_only_a_loop_in_a_loop_needs
// CHECK: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: stablehlo.return %[[SINE]]
func.func @keeps_what_only_a_loop_in_a_loop_needs(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.while(%y = %x) : tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %2 = stablehlo.while(%z = %y) : tensor<2xf32>
        cond {
          stablehlo.return %p : tensor<i1>
        } do {
          stablehlo.return %0 : tensor<2xf32>
        }
      stablehlo.return %2 : tensor<2xf32>
    }
  return %1 : tensor<2xf32>
}
