// RUN: hlo-opt %s --passes pooling-forms | filecheck %s

// CHECK-LABEL: func.func @combines_windows_axis_by_axis
// CHECK: %[[A:.*]] = stablehlo.slice %arg0 [0:4, 0:5:2]
// CHECK-NEXT: %[[B:.*]] = stablehlo.slice %arg0 [0:4, 1:6:2]
// CHECK-NEXT: %[[ROWS:.*]] = stablehlo.add %[[A]], %[[B]]
// CHECK-NEXT: %[[C:.*]] = stablehlo.slice %[[ROWS]] [0:3:2, 0:3]
// CHECK-NEXT: %[[D:.*]] = stablehlo.slice %[[ROWS]] [1:4:2, 0:3]
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[C]], %[[D]]
// CHECK: stablehlo.add %{{.*}}, %[[SUM]] : tensor<2x3xf32>
func.func @combines_windows_axis_by_axis(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @needs_no_identity
// CHECK-COUNT-2: stablehlo.maximum
// CHECK-NEXT: return
func.func @needs_no_identity(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %low) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @pads_windows_that_pass_the_edge
// CHECK: %[[PAD:.*]] = stablehlo.pad %arg0, %arg1, low = [0, 1], high = [0, 1]
// CHECK-COUNT-3: stablehlo.slice %[[PAD]]
// CHECK: stablehlo.maximum
func.func @pads_windows_that_pass_the_edge(%x: tensor<4x6xf32>, %v: tensor<f32>) -> tensor<4x3xf32> {
  %0 = "stablehlo.reduce_window"(%x, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @reduces_a_window_of_everything
// CHECK: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK-NEXT: stablehlo.reshape
func.func @reduces_a_window_of_everything(%x: tensor<4x60xf32>) -> tensor<4x1xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 60>} : (tensor<4x60xf32>, tensor<f32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @keeps_long_windows
// CHECK: stablehlo.reduce_window
func.func @keeps_long_windows(%x: tensor<60xf32>) -> tensor<60xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 60>, padding = dense<[[59, 0]]> : tensor<1x2xi64>} : (tensor<60xf32>, tensor<f32>) -> tensor<60xf32>
  return %0 : tensor<60xf32>
}

// CHECK-LABEL: func.func @keeps_sums_of_narrow_floats
// CHECK: stablehlo.reduce_window
func.func @keeps_sums_of_narrow_floats(%x: tensor<4xbf16>) -> tensor<2xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %1 = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %1 : tensor<bf16>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xbf16>, tensor<bf16>) -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// CHECK-LABEL: func.func @keeps_what_is_not_commutative
// CHECK: stablehlo.reduce_window
func.func @keeps_what_is_not_commutative(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%x, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_windows_without_elements
// CHECK: stablehlo.reduce_window
func.func @keeps_windows_without_elements(%x: tensor<0x4xf32>, %v: tensor<f32>) -> tensor<0x2xf32> {
  %0 = "stablehlo.reduce_window"(%x, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<0x4xf32>, tensor<f32>) -> tensor<0x2xf32>
  return %0 : tensor<0x2xf32>
}

// CHECK-LABEL: func.func @takes_the_padding_of_the_operand
// CHECK-NOT: stablehlo.pad
// CHECK: stablehlo.reduce_window
// CHECK-SAME: padding = dense<{{\[\[}}59, 1]]>
func.func @takes_the_padding_of_the_operand(%x: tensor<60xf32>) -> tensor<61xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [57], high = [1], interior = [0] : (tensor<60xf32>, tensor<f32>) -> tensor<118xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 60>, padding = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<118xf32>, tensor<f32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}

// CHECK-LABEL: func.func @keeps_padding_of_another_value
// CHECK: stablehlo.pad
// CHECK: stablehlo.reduce_window
func.func @keeps_padding_of_another_value(%x: tensor<60xf32>) -> tensor<61xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %minus = stablehlo.constant dense<-0.0> : tensor<f32>
  %p = stablehlo.pad %x, %minus, low = [57], high = [1], interior = [0] : (tensor<60xf32>, tensor<f32>) -> tensor<118xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 60>, padding = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<118xf32>, tensor<f32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}

// CHECK-LABEL: func.func @repeats_what_spreads_over_windows
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %{{.*}} : tensor<2x3xf32>
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[SUM]], dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x2xf32>
// CHECK-NEXT: %[[ROWS:.*]] = stablehlo.reshape %[[WIDE]] : (tensor<2x3x2xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: stablehlo.pad %[[ROWS]], %{{.*}}, low = [0, 0], high = [0, 1]
func.func @repeats_what_spreads_over_windows(%x: tensor<2x3xf32>) -> tensor<2x7xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x5xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}

// CHECK-LABEL: func.func @keeps_windows_that_share_elements
// CHECK: stablehlo.reduce_window
func.func @keeps_windows_that_share_elements(%x: tensor<3xf32>) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 3>, base_dilations = array<i64: 2>, padding = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: func.func @keeps_windows_of_two_operands
// CHECK: stablehlo.reduce_window
func.func @keeps_windows_of_two_operands(%x: tensor<4xf32>, %v: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = "stablehlo.reduce_window"(%x, %x, %v, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %1 = stablehlo.add %a, %c : tensor<f32>
      %2 = stablehlo.multiply %b, %d : tensor<f32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_a_call_combines
// CHECK: stablehlo.reduce_window
func.func @keeps_what_a_call_combines(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%x, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = func.call @combine(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func private @combine(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_crop_before_padded_windows
// CHECK: %[[CROP:.*]] = stablehlo.pad %arg0, %arg1, low = [-1], high = [0]
// CHECK-NEXT: stablehlo.pad %[[CROP]], %arg1, low = [1], high = [0]
func.func @keeps_a_crop_before_padded_windows(%x: tensor<6xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %0 = stablehlo.pad %x, %v, low = [-1], high = [0], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = "stablehlo.reduce_window"(%0, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
