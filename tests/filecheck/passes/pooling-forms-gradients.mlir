// RUN: hlo-opt %s --passes pooling-forms | filecheck %s

// CHECK-LABEL: func.func @masks_what_goes_to_an_extremum
// CHECK: %[[SUM:.*]] = stablehlo.add %{{.*}}, %arg1 : tensor<2xf32>
// CHECK: %[[A:.*]] = stablehlo.slice %arg0 [0:3:2]
// CHECK-NEXT: %[[B:.*]] = stablehlo.slice %arg0 [1:4:2]
// CHECK-NEXT: %[[FIRST:.*]] = stablehlo.compare GE, %[[A]], %[[B]]
// CHECK: %[[SECOND:.*]] = stablehlo.not %[[FIRST]]
// CHECK: stablehlo.select %[[FIRST]], %[[SUM]]
// CHECK-NEXT: stablehlo.select %[[SECOND]], %[[SUM]]
// CHECK: stablehlo.concatenate
// CHECK: return %{{.*}} : tensor<4xf32>
func.func @masks_what_goes_to_an_extremum(%x: tensor<4xf32>, %s: tensor<2xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @pads_what_no_window_holds
// CHECK: stablehlo.pad %{{.*}}, %arg2, low = [0], high = [1]
func.func @pads_what_no_window_holds(%x: tensor<5xi32>, %s: tensor<2xi32>, %v: tensor<i32>) -> tensor<5xi32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %v) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.multiply %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// CHECK-LABEL: func.func @keeps_windows_that_overlap
// CHECK: stablehlo.select_and_scatter
func.func @keeps_windows_that_overlap(%x: tensor<4xf32>, %s: tensor<3xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>} : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_windows_that_pass_the_edge
// CHECK: stablehlo.select_and_scatter
func.func @keeps_windows_that_pass_the_edge(%x: tensor<3xf32>, %s: tensor<2xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_an_order_of_all_bits
// CHECK: stablehlo.select_and_scatter
func.func @keeps_an_order_of_all_bits(%x: tensor<4xf32>, %s: tensor<2xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
