// RUN: hlo-opt %s --passes convolution-patches | filecheck %s

// CHECK-LABEL: func.func @makes_a_dot_with_patches(
// CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1, 1], high = [0, 1, 1]
// CHECK-COUNT-9: stablehlo.slice
// CHECK: %[[PATCHES:.*]] = stablehlo.concatenate {{.*}} -> tensor<9x4096xf32>
// CHECK-NEXT: stablehlo.dot_general %{{.*}}, %[[PATCHES]], contracting_dims = [0] x [0] {{.*}} -> tensor<6x4096xf32>
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 2, 3, 0]
func.func @makes_a_dot_with_patches(%x: tensor<16x16x16x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32>
  return %0 : tensor<16x16x16x6xf32>
}

// CHECK-LABEL: func.func @makes_a_dot_with_patches_of_the_derivative
// CHECK: %[[PATCHES:.*]] = stablehlo.concatenate {{.*}} -> tensor<9x4096xf32>
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %[[PATCHES]], %{{.*}}, contracting_dims = [1] x [0]
// CHECK: return %{{.*}} : tensor<3x3x1x6xf32>
func.func @makes_a_dot_with_patches_of_the_derivative(%x: tensor<16x16x16x1xf32>, %g: tensor<16x16x16x6xf32>) -> tensor<3x3x1x6xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<16x16x16x6xf32>) -> tensor<3x3x1x6xf32>
  return %0 : tensor<3x3x1x6xf32>
}

// CHECK-LABEL: func.func @makes_a_dot_with_patches_of_three_features
// CHECK: %[[PATCHES:.*]] = stablehlo.concatenate {{.*}} -> tensor<4096x27xf32>
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %[[PATCHES]], %{{.*}}, contracting_dims = [0] x [0]
// CHECK-NEXT: stablehlo.reshape %[[DOT]] : (tensor<27x6xf32>) -> tensor<3x3x3x6xf32>
func.func @makes_a_dot_with_patches_of_three_features(%x: tensor<16x16x16x3xf32>, %g: tensor<16x16x16x6xf32>) -> tensor<3x3x3x6xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x3xf32>, tensor<16x16x16x6xf32>) -> tensor<3x3x3x6xf32>
  return %0 : tensor<3x3x3x6xf32>
}

// CHECK-LABEL: func.func @keeps_a_derivative_of_many_features
// CHECK: stablehlo.convolution
func.func @keeps_a_derivative_of_many_features(%x: tensor<16x16x16x16xf32>, %g: tensor<16x16x16x6xf32>) -> tensor<3x3x16x6xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x16xf32>, tensor<16x16x16x6xf32>) -> tensor<3x3x16x6xf32>
  return %0 : tensor<3x3x16x6xf32>
}

// CHECK-LABEL: func.func @keeps_few_patches
// CHECK: stablehlo.convolution
func.func @keeps_few_patches(%x: tensor<1x16x16x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<1x14x14x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x1xf32>, tensor<3x3x1x6xf32>) -> tensor<1x14x14x6xf32>
  return %0 : tensor<1x14x14x6xf32>
}

// CHECK-LABEL: func.func @keeps_an_input_of_two_features
// CHECK: stablehlo.convolution
func.func @keeps_an_input_of_two_features(%x: tensor<32x16x16x2xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<32x14x14x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<32x16x16x2xf32>, tensor<3x3x2x6xf32>) -> tensor<32x14x14x6xf32>
  return %0 : tensor<32x14x14x6xf32>
}

// CHECK-LABEL: func.func @keeps_many_features_of_an_input_of_one
// CHECK: stablehlo.convolution
func.func @keeps_many_features_of_an_input_of_one(%x: tensor<32x16x16x1xf32>, %w: tensor<3x3x1x32xf32>) -> tensor<32x14x14x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<32x16x16x1xf32>, tensor<3x3x1x32xf32>) -> tensor<32x14x14x32xf32>
  return %0 : tensor<32x14x14x32xf32>
}
