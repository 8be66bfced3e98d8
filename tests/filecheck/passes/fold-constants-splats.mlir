// RUN: hlo-opt %s --passes fold-constants | filecheck %s

// CHECK-LABEL: func.func @joins_equal_numbers_that_follow_each_other
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<i32>) -> tensor<4xi32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.concatenate %[[B]], %arg0, dim = 0
// CHECK-NEXT: return %[[Y]]
func.func @joins_equal_numbers_that_follow_each_other(%x: tensor<1xi32>) -> tensor<5xi32> {
  %c = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.concatenate %c, %c, %x, dim = 0 : (tensor<2xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// CHECK-LABEL: func.func @keeps_equal_numbers_apart_that_others_are_between
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<1xi32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.concatenate %[[C]], %arg0, %[[C]], dim = 0
// CHECK-NEXT: return %[[Y]]
func.func @keeps_equal_numbers_apart_that_others_are_between(%x: tensor<1xi32>) -> tensor<3xi32> {
  %c = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.concatenate %c, %x, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @keeps_zeros_of_two_signs_apart
// CHECK: %[[Y:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, %arg0, dim = 0
// CHECK-NEXT: return %[[Y]]
func.func @keeps_zeros_of_two_signs_apart(%x: tensor<1xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<1xf32>
  %d = stablehlo.constant dense<-0.0> : tensor<1xf32>
  %0 = stablehlo.concatenate %c, %d, %x, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @reduces_any_number_of_equal_bools
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[B]]
func.func @reduces_any_number_of_equal_bools() -> tensor<2xi1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2000xi1>
  %z = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%b init: %z) applies stablehlo.or across dimensions = [1] : (tensor<2x2000xi1>, tensor<i1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// CHECK-LABEL: func.func @finds_the_greatest_of_equal_floats
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @finds_the_greatest_of_equal_floats() -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1000xf32>
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%b init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_a_sum_of_equal_floats
// CHECK: %[[Y:.*]] = stablehlo.reduce
// CHECK-NEXT: return %[[Y]]
func.func @leaves_a_sum_of_equal_floats() -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1000xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @leaves_the_greatest_of_nan
// CHECK: %[[Y:.*]] = stablehlo.reduce
// CHECK-NEXT: return %[[Y]]
func.func @leaves_the_greatest_of_nan() -> tensor<f32> {
  %c = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<10xf32>
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%b init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @finds_no_true_among_no_bools
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[C]]
func.func @finds_no_true_among_no_bools() -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<0xi1>
  %z = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%b init: %z) applies stablehlo.or across dimensions = [0] : (tensor<0xi1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}
