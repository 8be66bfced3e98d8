// RUN: hlo-opt %s --passes expand-chlo | filecheck %s

// CHECK-LABEL: func.func @constants
// CHECK-NEXT: stablehlo.constant dense<[-0.000000e+00, 0x7FC00000]> : tensor<2xf32>
// CHECK-NEXT: stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: stablehlo.constant dense<-3> : tensor<2xi8>
func.func @constants() -> (tensor<2xf32>, tensor<2xi1>, tensor<2xi8>) {
  %0 = chlo.constant dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
  %1 = chlo.constant dense<[true, false]> : tensor<2xi1>
  %2 = chlo.constant dense<-3> : tensor<2xi8>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xi1>, tensor<2xi8>
}

// CHECK-LABEL: func.func @constants_in_a_shape
// CHECK-NEXT: %[[INF:.*]] = stablehlo.constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[INF]], dims = [] : (tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: stablehlo.constant dense<7> : tensor<i32>
// CHECK-NEXT: return
func.func @constants_in_a_shape(%a: tensor<2x3xf32>, %b: tensor<i32>) -> (tensor<2x3xf32>, tensor<i32>) {
  %0 = "chlo.constant_like"(%a) {value = 0x7F800000 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "chlo.constant_like"(%b) {value = 7 : i32} : (tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<2x3xf32>, tensor<i32>
}

// CHECK-LABEL: func.func @keeps_a_constant_in_a_dynamic_shape
// CHECK-NEXT: chlo.constant_like
func.func @keeps_a_constant_in_a_dynamic_shape(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "chlo.constant_like"(%a) {value = 1.0 : f32} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @largest_elements
// CHECK-NEXT: %[[PLACES:.*]] = stablehlo.iota dim = 1 : tensor<2x5xi32>
// CHECK-NEXT: %[[BOTH:.*]]:2 = "stablehlo.sort"(%arg0, %[[PLACES]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER
// CHECK: stablehlo.slice %[[BOTH]]#0 [0:2, 0:3]
// CHECK-NEXT: stablehlo.slice %[[BOTH]]#1 [0:2, 0:3]
func.func @largest_elements(%a: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%a, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// CHECK-LABEL: func.func @largest_integers
// CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
func.func @largest_integers(%a: tensor<5xui8>) -> (tensor<3xui8>, tensor<3xi32>) {
  %0:2 = chlo.top_k(%a, k = 3) : tensor<5xui8> -> (tensor<3xui8>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xui8>, tensor<3xi32>
}

// CHECK-LABEL: func.func @keeps_the_largest_of_a_dynamic_shape
// CHECK-NEXT: chlo.top_k
func.func @keeps_the_largest_of_a_dynamic_shape(%a: tensor<?x5xf32>) -> tensor<?x3xf32> {
  %0:2 = chlo.top_k(%a, k = 3) : tensor<?x5xf32> -> (tensor<?x3xf32>, tensor<?x3xi32>)
  return %0#0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @scan_is_a_loop
// CHECK: %[[LOOP:.*]]:3 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[CARRY:.*]] = %arg1, %[[OUT:.*]] = %{{.*}})
// CHECK: %[[END:.*]] = stablehlo.constant dense<4> : tensor<i64>
// CHECK: stablehlo.compare LT, %[[I]], %[[END]]
// CHECK: %[[ROW:.*]] = stablehlo.dynamic_slice %arg0, %{{.*}}, %[[I]], sizes = [2, 1]
// CHECK: %[[FLAT:.*]] = stablehlo.reshape %[[ROW]] : (tensor<2x1xf32>) -> tensor<2xf32>
// CHECK: %[[SUM:.*]] = stablehlo.add %[[FLAT]], %[[CARRY]]
// CHECK: %[[BACK:.*]] = stablehlo.reshape %[[SUM]] : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK: stablehlo.dynamic_update_slice %[[OUT]], %[[BACK]], %{{.*}}, %[[I]]
// CHECK: return %[[LOOP]]#2, %[[LOOP]]#1
func.func @scan_is_a_loop(%a: tensor<2x4xf32>, %b: tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>) {
  %0:2 = chlo.scan(%a) inits(%b) dimension = 1 {
  ^bb0(%x: tensor<2xf32>, %carry: tensor<2xf32>):
    %1 = stablehlo.add %x, %carry : tensor<2xf32>
    stablehlo.return %1, %1 : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x4xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @scan_from_the_end
// CHECK: %[[LAST:.*]] = stablehlo.constant dense<3> : tensor<i64>
// CHECK: %[[AT:.*]] = stablehlo.subtract %[[LAST]]
// CHECK: stablehlo.dynamic_slice %arg0, %[[AT]], sizes = [1]
func.func @scan_from_the_end(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %0:2 = chlo.scan(%a) inits(%b) dimension = 0 attributes {is_reverse = true} {
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    %1 = stablehlo.multiply %x, %carry : tensor<f32>
    stablehlo.return %1, %x : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @scan_of_nothing
// CHECK-NOT: stablehlo.while
// CHECK: return %{{.*}}, %arg1
func.func @scan_of_nothing(%a: tensor<0xf32>, %b: tensor<f32>) -> (tensor<0xf32>, tensor<f32>) {
  %0:2 = chlo.scan(%a) inits(%b) dimension = 0 {
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return %x, %x : tensor<f32>, tensor<f32>
  } : (tensor<0xf32>, tensor<f32>) -> (tensor<0xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<0xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @keeps_a_scan_of_a_dynamic_shape
// CHECK: chlo.scan
func.func @keeps_a_scan_of_a_dynamic_shape(%a: tensor<?xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %0:2 = chlo.scan(%a) inits(%b) dimension = 0 {
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return %x, %x : tensor<f32>, tensor<f32>
  } : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  return %0#0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @product_of_groups_of_rows
// CHECK-COUNT-2: stablehlo.dot_general %arg0, %{{.*}}, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
// CHECK-NOT: chlo.
func.func @product_of_groups_of_rows(%a: tensor<4x5xf32>, %b: tensor<2x5x3xf32>, %n: tensor<2xi32>) -> tensor<4x3xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %n) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>,
    precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>]
  } : (tensor<4x5xf32>, tensor<2x5x3xf32>, tensor<2xi32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @product_of_each_group_of_columns
// CHECK-COUNT-2: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0]
// CHECK: stablehlo.concatenate {{.*}} -> tensor<2x4x3xf32>
// CHECK-NOT: chlo.
func.func @product_of_each_group_of_columns(%a: tensor<4x5xf32>, %b: tensor<5x3xf32>, %n: tensor<2xi64>) -> tensor<2x4x3xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %n) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>
  } : (tensor<4x5xf32>, tensor<5x3xf32>, tensor<2xi64>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @product_of_groups_of_batches
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
// CHECK-NEXT: return
func.func @product_of_groups_of_batches(%a: tensor<2x4x5xf32>, %b: tensor<2x5x3xf32>, %n: tensor<2xi64>) -> tensor<2x4x3xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %n) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>
  } : (tensor<2x4x5xf32>, tensor<2x5x3xf32>, tensor<2xi64>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_product_of_a_dynamic_shape
// CHECK-NEXT: chlo.ragged_dot
func.func @keeps_a_product_of_a_dynamic_shape(%a: tensor<?x5xf32>, %b: tensor<2x5x3xf32>, %n: tensor<2xi64>) -> tensor<?x3xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %n) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<?x5xf32>, tensor<2x5x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
