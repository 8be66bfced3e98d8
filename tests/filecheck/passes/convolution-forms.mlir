// RUN: hlo-opt %s --passes convolution-forms | filecheck %s

// CHECK-LABEL: func.func @makes_a_dot_of_a_kernel_of_one_place
// CHECK-NEXT: %[[ROWS:.*]] = stablehlo.reshape %arg0 : (tensor<2x4x5x3xf32>) -> tensor<40x3xf32>
// CHECK-NEXT: %[[KERNEL:.*]] = stablehlo.reshape %arg1 : (tensor<1x1x3x6xf32>) -> tensor<3x6xf32>
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %[[ROWS]], %[[KERNEL]], contracting_dims = [1] x [0]
// CHECK-NEXT: stablehlo.reshape %[[DOT]] : (tensor<40x6xf32>) -> tensor<2x4x5x6xf32>
func.func @makes_a_dot_of_a_kernel_of_one_place(%x: tensor<2x4x5x3xf32>, %w: tensor<1x1x3x6xf32>) -> tensor<2x4x5x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x3xf32>, tensor<1x1x3x6xf32>) -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func.func @contracts_where_the_kernel_says
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [1]
func.func @contracts_where_the_kernel_says(%x: tensor<2x4x5x3xf32>, %w: tensor<6x3x1x1xf32>) -> tensor<2x4x5x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x3xf32>, tensor<6x3x1x1xf32>) -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func.func @keeps_features_that_do_not_stand_last
// CHECK: stablehlo.convolution
func.func @keeps_features_that_do_not_stand_last(%x: tensor<2x3x4x5xf32>, %w: tensor<6x3x1x1xf32>) -> tensor<2x6x4x5xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<6x3x1x1xf32>) -> tensor<2x6x4x5xf32>
  return %0 : tensor<2x6x4x5xf32>
}

// CHECK-LABEL: func.func @keeps_strides
// CHECK: stablehlo.convolution
func.func @keeps_strides(%x: tensor<2x4x5x3xf32>, %w: tensor<1x1x3x6xf32>) -> tensor<2x2x5x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x3xf32>, tensor<1x1x3x6xf32>) -> tensor<2x2x5x6xf32>
  return %0 : tensor<2x2x5x6xf32>
}

// CHECK-LABEL: func.func @keeps_groups
// CHECK: stablehlo.convolution
func.func @keeps_groups(%x: tensor<2x4x5x4xf32>, %w: tensor<1x1x2x6xf32>) -> tensor<2x4x5x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x4x5x4xf32>, tensor<1x1x2x6xf32>) -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func.func @makes_a_dot_of_a_kernel_of_every_place
// CHECK-NEXT: %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<2x4x5x3xf32>) -> tensor<40x3xf32>
// CHECK-NEXT: %[[G:.*]] = stablehlo.reshape %arg1 : (tensor<2x4x5x6xf32>) -> tensor<40x6xf32>
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %[[X]], %[[G]], contracting_dims = [0] x [0]
// CHECK-NEXT: stablehlo.reshape %[[DOT]] : (tensor<3x6xf32>) -> tensor<1x1x3x6xf32>
func.func @makes_a_dot_of_a_kernel_of_every_place(%x: tensor<2x4x5x3xf32>, %g: tensor<2x4x5x6xf32>) -> tensor<1x1x3x6xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x3xf32>, tensor<2x4x5x6xf32>) -> tensor<1x1x3x6xf32>
  return %0 : tensor<1x1x3x6xf32>
}

// CHECK-LABEL: func.func @keeps_places_in_another_order
// CHECK: stablehlo.convolution
func.func @keeps_places_in_another_order(%x: tensor<2x4x4x3xf32>, %w: tensor<4x4x3x6xf32>) -> tensor<2x1x1x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[1, 0, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x3xf32>, tensor<4x4x3x6xf32>) -> tensor<2x1x1x6xf32>
  return %0 : tensor<2x1x1x6xf32>
}

// CHECK-LABEL: func.func @takes_the_padding_of_the_input
// CHECK-NOT: stablehlo.pad
// CHECK: stablehlo.convolution(%arg0, %arg1)
// CHECK-SAME: pad = {{\[\[}}2, 1], [1, 1]], lhs_dilate = [2, 1]
func.func @takes_the_padding_of_the_input(%x: tensor<2x4x5x3xf32>, %w: tensor<3x3x3x6xf32>) -> tensor<2x8x5x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x8x5x3xf32>
  %0 = stablehlo.convolution(%p, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x5x3xf32>, tensor<3x3x3x6xf32>) -> tensor<2x8x5x6xf32>
  return %0 : tensor<2x8x5x6xf32>
}

// CHECK-LABEL: func.func @keeps_padding_by_another_value
// CHECK: stablehlo.pad
func.func @keeps_padding_by_another_value(%x: tensor<2x4x5x3xf32>, %w: tensor<3x3x3x6xf32>) -> tensor<2x3x3x6xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %p = stablehlo.pad %x, %one, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x5x5x3xf32>
  %0 = stablehlo.convolution(%p, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x5x3xf32>, tensor<3x3x3x6xf32>) -> tensor<2x3x3x6xf32>
  return %0 : tensor<2x3x3x6xf32>
}

// CHECK-LABEL: func.func @keeps_padding_of_features
// CHECK: stablehlo.pad
func.func @keeps_padding_of_features(%x: tensor<2x4x5x3xf32>, %w: tensor<3x3x4x6xf32>) -> tensor<2x2x3x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x4x5x4xf32>
  %0 = stablehlo.convolution(%p, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x2x3x6xf32>
  return %0 : tensor<2x2x3x6xf32>
}

// CHECK-LABEL: func.func @pads_nearly_eight_features
// CHECK: %[[X:.*]] = stablehlo.pad %arg0, %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 0, 2]
// CHECK: %[[W:.*]] = stablehlo.pad %arg1, %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 2, 0]
// CHECK: stablehlo.convolution(%[[X]], %[[W]])
func.func @pads_nearly_eight_features(%x: tensor<2x4x5x6xf32>, %w: tensor<3x3x6x4xf32>) -> tensor<2x2x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x2x3x4xf32>
  return %0 : tensor<2x2x3x4xf32>
}

// CHECK-LABEL: func.func @keeps_eight_features
// CHECK-NOT: stablehlo.pad
// CHECK: stablehlo.convolution
func.func @keeps_eight_features(%x: tensor<2x4x5x8xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<2x2x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x8xf32>, tensor<3x3x8x4xf32>) -> tensor<2x2x3x4xf32>
  return %0 : tensor<2x2x3x4xf32>
}

// CHECK-LABEL: func.func @keeps_features_of_groups
// CHECK-NOT: stablehlo.pad
// CHECK: stablehlo.convolution
func.func @keeps_features_of_groups(%x: tensor<2x4x5x6xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<2x2x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x4x5x6xf32>, tensor<3x3x3x4xf32>) -> tensor<2x2x3x4xf32>
  return %0 : tensor<2x2x3x4xf32>
}

// CHECK-LABEL: func.func @keeps_a_crop_before_padding
// CHECK: stablehlo.pad %arg0, %{{.*}}, low = [0, -1, 0], high = [0, 0, 0]
// CHECK: stablehlo.convolution
// CHECK-SAME: pad = {{.*}}1, 0]
func.func @keeps_a_crop_before_padding(%x: tensor<2x6x3xf32>, %w: tensor<2x3x4xf32>) -> tensor<2x5x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, -1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x6x3xf32>, tensor<f32>) -> tensor<2x5x3xf32>
  %1 = stablehlo.convolution(%0, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 0]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x5x3xf32>, tensor<2x3x4xf32>) -> tensor<2x5x4xf32>
  return %1 : tensor<2x5x4xf32>
}
