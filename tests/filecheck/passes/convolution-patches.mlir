// RUN: hlo-opt %s --passes convolution-patches | filecheck %s

// CHECK-LABEL: func.func @takes_four_places_at_once(
// CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1, 1, 0], high = [0, 1, 3, 0]
// CHECK: stablehlo.concatenate {{.*}} -> tensor<16x18x4x6xf32>
// CHECK: %[[PATCHES:.*]] = stablehlo.reshape {{.*}} : (tensor<16x16x4x18xf32>) -> tensor<1024x18xf32>
// CHECK: %[[KERNELS:.*]] = stablehlo.reshape {{.*}} -> tensor<18x24xf32>
// CHECK: %[[FINITE:.*]] = stablehlo.compare EQ
// CHECK: "stablehlo.if"(%[[FINITE]])
// CHECK: stablehlo.dot_general %[[PATCHES]], %[[KERNELS]], contracting_dims = [1] x [0]
// CHECK: %[[HELD:.*]] = stablehlo.optimization_barrier %arg0
// CHECK-NEXT: stablehlo.convolution(%[[HELD]], %arg1)
func.func @takes_four_places_at_once(%x: tensor<16x16x16x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32>
  return %0 : tensor<16x16x16x6xf32>
}

// CHECK-LABEL: func.func @takes_fewer_places_of_many_features(
// CHECK: stablehlo.dot_general {{.*}} : (tensor<2048x36xf32>, tensor<36x128xf32>)
func.func @takes_fewer_places_of_many_features(%x: tensor<16x16x16x3xf32>, %w: tensor<3x3x3x64xf32>) -> tensor<16x16x16x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x3xf32>, tensor<3x3x3x64xf32>) -> tensor<16x16x16x64xf32>
  return %0 : tensor<16x16x16x64xf32>
}

// CHECK-LABEL: func.func @takes_a_kernel_of_holes(
// CHECK: stablehlo.dot_general {{.*}} : (tensor<1024x24xf32>, tensor<24x24xf32>)
func.func @takes_a_kernel_of_holes(%x: tensor<16x16x16x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32>
  return %0 : tensor<16x16x16x6xf32>
}

// CHECK-LABEL: func.func @takes_the_derivative_by_the_kernel(
// CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1, 1, 0], high = [0, 1, 3, 0]
// CHECK: stablehlo.concatenate {{.*}} -> tensor<16x18x4x6xf32>
// CHECK: %[[PATCHES:.*]] = stablehlo.reshape {{.*}} : (tensor<16x16x4x18xf32>) -> tensor<1024x18xf32>
// CHECK: %[[EVERY:.*]] = stablehlo.dot_general %[[PATCHES]], %{{.*}}, contracting_dims = [0] x [0] {{.*}} -> tensor<18x24xf32>
// CHECK-COUNT-3: stablehlo.add
// CHECK-NOT: stablehlo.if
func.func @takes_the_derivative_by_the_kernel(%x: tensor<16x16x16x1xf32>, %w: tensor<16x16x16x6xf32>) -> tensor<3x3x1x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<16x16x16x6xf32>) -> tensor<3x3x1x6xf32>
  return %0 : tensor<3x3x1x6xf32>
}

// CHECK-LABEL: func.func @adds_windows_up(
// CHECK-COUNT-2: stablehlo.reduce
// CHECK: "stablehlo.if"
// CHECK: stablehlo.dot_general {{.*}}, contracting_dims = [1] x [1] {{.*}} -> tensor<1024x108xf32>
// CHECK: stablehlo.pad {{.*}}, low = [0, -1, -1, 0], high = [0, -1, -3, 0]
// CHECK: %[[HELD:.*]] = stablehlo.optimization_barrier %arg0
// CHECK-NEXT: stablehlo.convolution(%[[HELD]], %arg1)
func.func @adds_windows_up(%x: tensor<16x16x16x16xf32>, %w: tensor<3x3x16x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x16xf32>, tensor<3x3x16x6xf32>) -> tensor<16x16x16x6xf32>
  return %0 : tensor<16x16x16x6xf32>
}

// CHECK-LABEL: func.func @keeps_eight_features(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_eight_features(%x: tensor<16x16x16x8xf32>, %w: tensor<3x3x8x8xf32>) -> tensor<16x16x16x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<16x16x16x8xf32>
  return %0 : tensor<16x16x16x8xf32>
}

// CHECK-LABEL: func.func @keeps_six_features_of_the_input(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_six_features_of_the_input(%x: tensor<16x16x16x6xf32>, %w: tensor<3x3x6x16xf32>) -> tensor<16x16x16x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x6xf32>, tensor<3x3x6x16xf32>) -> tensor<16x16x16x16xf32>
  return %0 : tensor<16x16x16x16xf32>
}

// CHECK-LABEL: func.func @keeps_a_result_of_three_features(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_a_result_of_three_features(%x: tensor<16x16x16x1xf32>, %w: tensor<3x3x1x3xf32>) -> tensor<16x16x16x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<3x3x1x3xf32>) -> tensor<16x16x16x3xf32>
  return %0 : tensor<16x16x16x3xf32>
}

// CHECK-LABEL: func.func @keeps_few_places(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_few_places(%x: tensor<1x16x16x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<1x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x1xf32>, tensor<3x3x1x6xf32>) -> tensor<1x16x16x6xf32>
  return %0 : tensor<1x16x16x6xf32>
}

// CHECK-LABEL: func.func @keeps_rows_of_a_prime_length(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_rows_of_a_prime_length(%x: tensor<32x16x13x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<32x16x13x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<32x16x13x1xf32>, tensor<3x3x1x6xf32>) -> tensor<32x16x13x6xf32>
  return %0 : tensor<32x16x13x6xf32>
}

// CHECK-LABEL: func.func @keeps_a_kernel_of_one_column(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_a_kernel_of_one_column(%x: tensor<16x16x16x1xf32>, %w: tensor<3x1x1x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<3x1x1x6xf32>) -> tensor<16x16x16x6xf32>
  return %0 : tensor<16x16x16x6xf32>
}

// CHECK-LABEL: func.func @keeps_patches_of_many_elements(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_patches_of_many_elements(%x: tensor<1x224x224x3xf32>, %w: tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[3, 2], [3, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
  return %0 : tensor<1x112x112x64xf32>
}

// CHECK-LABEL: func.func @keeps_a_kernel_of_a_long_row(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_a_kernel_of_a_long_row(%x: tensor<1x65536x1xf32>, %w: tensor<101x1x8xf32>) -> tensor<1x65536x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[50, 50]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x65536x1xf32>, tensor<101x1x8xf32>) -> tensor<1x65536x8xf32>
  return %0 : tensor<1x65536x8xf32>
}

// CHECK-LABEL: func.func @keeps_groups(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_groups(%x: tensor<16x16x16x3xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<16x16x16x3xf32>, tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32>
  return %0 : tensor<16x16x16x6xf32>
}

// CHECK-LABEL: func.func @keeps_an_input_of_holes(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_an_input_of_holes(%x: tensor<16x16x16x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<16x32x32x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 2], [1, 2]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<3x3x1x6xf32>) -> tensor<16x32x32x6xf32>
  return %0 : tensor<16x32x32x6xf32>
}

// CHECK-LABEL: func.func @keeps_features_that_stand_first(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_features_that_stand_first(%x: tensor<16x1x16x16xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<16x6x16x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x1x16x16xf32>, tensor<3x3x1x6xf32>) -> tensor<16x6x16x16xf32>
  return %0 : tensor<16x6x16x16xf32>
}

// CHECK-LABEL: func.func @keeps_other_floats(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_other_floats(%x: tensor<16x16x16x1xf64>, %w: tensor<3x3x1x6xf64>) -> tensor<16x16x16x6xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf64>, tensor<3x3x1x6xf64>) -> tensor<16x16x16x6xf64>
  return %0 : tensor<16x16x16x6xf64>
}

// CHECK-LABEL: func.func @keeps_windows_with_strides(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_windows_with_strides(%x: tensor<16x32x32x16xf32>, %w: tensor<3x3x16x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 0], [1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x32x32x16xf32>, tensor<3x3x16x6xf32>) -> tensor<16x16x16x6xf32>
  return %0 : tensor<16x16x16x6xf32>
}

// CHECK-LABEL: func.func @keeps_a_derivative_of_six_features(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_a_derivative_of_six_features(%x: tensor<16x16x16x6xf32>, %w: tensor<16x16x16x16xf32>) -> tensor<3x3x6x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x6xf32>, tensor<16x16x16x16xf32>) -> tensor<3x3x6x16xf32>
  return %0 : tensor<3x3x6x16xf32>
}

// CHECK-LABEL: func.func @keeps_a_derivative_of_few_places(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_a_derivative_of_few_places(%x: tensor<1x16x16x1xf32>, %w: tensor<1x16x16x6xf32>) -> tensor<3x3x1x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x1xf32>, tensor<1x16x16x6xf32>) -> tensor<3x3x1x6xf32>
  return %0 : tensor<3x3x1x6xf32>
}

// CHECK-LABEL: func.func @keeps_a_derivative_whose_batch_stands_elsewhere(
// CHECK-NEXT: stablehlo.convolution(%arg0, %arg1)
func.func @keeps_a_derivative_whose_batch_stands_elsewhere(%x: tensor<1x16x16x16xf32>, %w: tensor<16x16x16x6xf32>) -> tensor<3x3x1x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x16xf32>, tensor<16x16x16x6xf32>) -> tensor<3x3x1x6xf32>
  return %0 : tensor<3x3x1x6xf32>
}

// CHECK-LABEL: func.func @keeps_what_stands_in_a_branch(
// CHECK-NEXT: %[[HELD:.*]] = stablehlo.optimization_barrier %arg0
// CHECK-NEXT: stablehlo.convolution(%[[HELD]], %arg1)
func.func @keeps_what_stands_in_a_branch(%x: tensor<16x16x16x1xf32>, %w: tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32> {
  %0 = stablehlo.optimization_barrier %x : tensor<16x16x16x1xf32>
  %1 = stablehlo.convolution(%0, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x1xf32>, tensor<3x3x1x6xf32>) -> tensor<16x16x16x6xf32>
  return %1 : tensor<16x16x16x6xf32>
}
