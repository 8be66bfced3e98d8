// RUN: hlo-opt %s --passes simplify-arithmetic | filecheck %s

// CHECK-LABEL: func.func @clamps_from_above_alone
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = []
// CHECK-NEXT: %[[Y:.*]] = stablehlo.minimum %arg0, %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @clamps_from_above_alone(%x: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.clamp %c, %x, %b : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @clamps_from_below_alone
// CHECK-NEXT: %[[Y:.*]] = stablehlo.maximum %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @clamps_from_below_alone(%x: tensor<i8>, %a: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<127> : tensor<i8>
  %0 = stablehlo.clamp %a, %x, %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @keeps_a_clamp_to_finite_numbers
// CHECK: %[[Y:.*]] = stablehlo.clamp
func.func @keeps_a_clamp_to_finite_numbers(%x: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0xFF7FFFFF> : tensor<f32>
  %0 = stablehlo.clamp %c, %x, %b : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @removes_a_second_clamp_to_the_same
// CHECK-NEXT: %[[Y:.*]] = stablehlo.clamp %arg1, %arg0, %arg2
// CHECK-NEXT: return %[[Y]]
func.func @removes_a_second_clamp_to_the_same(%x: tensor<f32>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.clamp %a, %x, %b : tensor<f32>
  %1 = stablehlo.clamp %a, %0, %b : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_clamp_to_another_edge
// CHECK-NEXT: %[[Z:.*]] = stablehlo.clamp %arg1, %arg0, %arg2
// CHECK-NEXT: %[[Y:.*]] = stablehlo.clamp %arg1, %[[Z]], %arg3
func.func @keeps_a_clamp_to_another_edge(%x: tensor<f32>, %a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.clamp %a, %x, %b : tensor<f32>
  %1 = stablehlo.clamp %a, %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_clamp_to_another_lower_edge
// CHECK-NEXT: %[[Z:.*]] = stablehlo.clamp %arg1, %arg0, %arg2
// CHECK-NEXT: %[[Y:.*]] = stablehlo.clamp %arg3, %[[Z]], %arg2
func.func @keeps_a_clamp_to_another_lower_edge(%x: tensor<f32>, %a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.clamp %a, %x, %b : tensor<f32>
  %1 = stablehlo.clamp %c, %0, %b : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @gives_the_upper_edge_where_the_edges_cross
// CHECK-NEXT: %[[D:.*]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[D]], dims = []
// CHECK-NEXT: return %[[B]]
func.func @gives_the_upper_edge_where_the_edges_cross(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<5> : tensor<i32>
  %d = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.clamp %c, %x, %d : (tensor<i32>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @keeps_a_clamp_of_floats_where_the_edges_cross_for_nan
// CHECK: %[[Y:.*]] = stablehlo.clamp
func.func @keeps_a_clamp_of_floats_where_the_edges_cross_for_nan(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<5.0> : tensor<f32>
  %d = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.clamp %c, %x, %d : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_clamp_between_constants
// CHECK: %[[Y:.*]] = stablehlo.clamp
func.func @keeps_a_clamp_between_constants(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %d = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.clamp %c, %x, %d : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @compares_edges_as_unsigned
// CHECK: %[[Y:.*]] = stablehlo.clamp
func.func @compares_edges_as_unsigned(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<100> : tensor<ui8>
  %d = stablehlo.constant dense<200> : tensor<ui8>
  %0 = stablehlo.clamp %c, %x, %d : tensor<ui8>
  return %0 : tensor<ui8>
}
