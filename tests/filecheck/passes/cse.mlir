// RUN: hlo-opt %s --passes cse | filecheck %s

// CHECK-LABEL: func.func @merges_a_repeated_operation
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %arg1
// CHECK-NOT: stablehlo.add
// CHECK: stablehlo.multiply %[[SUM]], %[[SUM]]
func.func @merges_a_repeated_operation(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  %1 = stablehlo.add %a, %b : tensor<2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_swapped_operands
// CHECK: stablehlo.subtract %arg0, %arg1
// CHECK: stablehlo.subtract %arg1, %arg0
func.func @keeps_swapped_operands(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.subtract %a, %b : tensor<2xf32>
  %1 = stablehlo.subtract %b, %a : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @merges_what_repeats_after_merging
// CHECK: %[[SINE:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[FLOOR:.*]] = stablehlo.floor %[[SINE]]
// CHECK-NEXT: return %[[FLOOR]], %[[FLOOR]]
func.func @merges_what_repeats_after_merging(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.sine %a : tensor<2xf32>
  %1 = stablehlo.sine %a : tensor<2xf32>
  %2 = stablehlo.floor %0 : tensor<2xf32>
  %3 = stablehlo.floor %1 : tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_another_attribute
// CHECK: stablehlo.compare LT
// CHECK: stablehlo.compare LE
func.func @keeps_another_attribute(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xi1>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %1 = stablehlo.compare LE, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1 : tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @keeps_another_result_type
// CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi32>
// CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi8>
func.func @keeps_another_result_type(%a: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xi8>) {
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xi32>
  %1 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xi8>
  return %0, %1 : tensor<2xi32>, tensor<2xi8>
}

// CHECK-LABEL: func.func @merges_equal_constants
// CHECK: %[[C:.*]] = stablehlo.constant dense<0x7FC00001>
// CHECK-NEXT: return %[[C]], %[[C]]
func.func @merges_equal_constants() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<0x7FC00001> : tensor<f32>
  %1 = stablehlo.constant dense<0x7FC00001> : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @keeps_another_payload_of_nan
// CHECK-DAG: dense<0x7FC00001>
// CHECK-DAG: dense<0x7FC00002>
func.func @keeps_another_payload_of_nan() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<0x7FC00001> : tensor<f32>
  %1 = stablehlo.constant dense<0x7FC00002> : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @keeps_negative_zero
// CHECK-DAG: dense<0.000000e+00>
// CHECK-DAG: dense<-0.000000e+00>
func.func @keeps_negative_zero() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.constant dense<-0.0> : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @keeps_true_beside_one
// CHECK-DAG: dense<true> : tensor<i1>
// CHECK-DAG: dense<1> : tensor<i8>
// CHECK-DAG: dense<1> : tensor<ui8>
func.func @keeps_true_beside_one() -> (tensor<i1>, tensor<i8>, tensor<ui8>) {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.constant dense<1> : tensor<i8>
  %2 = stablehlo.constant dense<1> : tensor<ui8>
  return %0, %1, %2 : tensor<i1>, tensor<i8>, tensor<ui8>
}

// CHECK-LABEL: func.func @merges_equal_regions
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add
// CHECK-NEXT: return %[[SUM]], %[[SUM]]
func.func @merges_equal_regions(%a: tensor<2x3xf32>, %b: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_another_region
// CHECK: applies stablehlo.add
// CHECK: applies stablehlo.maximum
func.func @keeps_another_region(%a: tensor<2x3xf32>, %b: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%a init: %b) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_regions_that_return_another_argument
// CHECK: stablehlo.reduce
// CHECK: stablehlo.reduce
func.func @keeps_regions_that_return_another_argument(%a: tensor<2xf32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
      stablehlo.return %x : tensor<f32>
    }
  %1 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
      stablehlo.return %y : tensor<f32>
    }
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @merges_inside_a_region
// CHECK: reducer(%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[X]], %[[Y]]
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[SUM]], %[[SUM]]
// CHECK-NEXT: stablehlo.return %[[PRODUCT]]
func.func @merges_inside_a_region(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
      %1 = stablehlo.add %x, %y : tensor<f32>
      %2 = stablehlo.add %x, %y : tensor<f32>
      %3 = stablehlo.multiply %1, %2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_region_from_reaching_out
// CHECK: stablehlo.constant dense<2.000000e+00>
// CHECK: reducer
// CHECK-NEXT: stablehlo.constant dense<2.000000e+00>
func.func @keeps_a_region_from_reaching_out(%a: tensor<2xf32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
      %d = stablehlo.constant dense<2.0> : tensor<f32>
      %1 = stablehlo.multiply %x, %d : tensor<f32>
      %2 = stablehlo.add %1, %y : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }
  return %0, %c : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @merges_all_results
// CHECK: %[[STATE:.*]], %[[BITS:.*]] = stablehlo.rng_bit_generator
// CHECK-NEXT: return %[[STATE]], %[[BITS]], %[[BITS]]
func.func @merges_all_results(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>, tensor<3xui32>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  return %1#0, %0#1, %1#1 : tensor<2xui64>, tensor<3xui32>, tensor<3xui32>
}

// CHECK-LABEL: func.func @replaces_in_branches_what_it_merged_around_them
// CHECK: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: "stablehlo.case"(%arg0)
// CHECK-NEXT: stablehlo.return %[[SINE]]
// CHECK: stablehlo.add %[[SINE]], %[[SINE]]
func.func @replaces_in_branches_what_it_merged_around_them(%i: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.sine %x : tensor<2xf32>
  %2 = "stablehlo.case"(%i) ({
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %3 = stablehlo.add %0, %1 : tensor<2xf32>
    stablehlo.return %3 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @merges_branches_that_use_the_same_values
// CHECK-COUNT-1: stablehlo.if
// CHECK-NOT: stablehlo.if
// CHECK: stablehlo.add %[[IF:.*]], %[[IF]]
func.func @merges_branches_that_use_the_same_values(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %4 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %4 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %1 = "stablehlo.if"(%p) ({
    %4 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %4 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_branches_that_use_other_values
// CHECK: stablehlo.if
// CHECK: stablehlo.if
func.func @keeps_branches_that_use_other_values(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %y : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %y : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
