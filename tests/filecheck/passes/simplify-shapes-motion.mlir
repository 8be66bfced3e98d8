// RUN: hlo-opt %s --passes simplify-shapes | filecheck %s

// CHECK-LABEL: func.func @computes_before_a_broadcast
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %arg0, %arg1 : tensor<3xf32>
// CHECK-NEXT: %[[E:.*]] = stablehlo.exponential %[[S]] : tensor<3xf32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[E]], dims = [1]
// CHECK-NEXT: return
func.func @computes_before_a_broadcast(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
  %3 = stablehlo.exponential %2 : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_broadcasts_of_other_axes
// CHECK-COUNT-2: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.add {{.*}} : tensor<3x3xf32>
func.func @keeps_broadcasts_of_other_axes(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<3xf32>) -> tensor<3x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @computes_with_a_number_before_a_broadcast
// CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT: %[[M:.*]] = stablehlo.multiply %arg0, %[[B]] : tensor<3xf32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[M]], dims = [1]
func.func @computes_with_a_number_before_a_broadcast(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<2x3xf32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.multiply %0, %c : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_a_broadcast_beside_a_constant_of_several_numbers
// CHECK: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.multiply
func.func @keeps_a_broadcast_beside_a_constant_of_several_numbers(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.multiply %0, %c : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tells_zeros_apart
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[-0.000000e+00, 0.000000e+00]>
// CHECK: stablehlo.add {{.*}}, %[[C]] : tensor<2xf32>
func.func @tells_zeros_apart(%a: tensor<f32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xf32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %c : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @computes_numbers_once
// CHECK-NEXT: %[[D:.*]] = stablehlo.divide %arg0, %arg1 : tensor<f32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[D]], dims = []
// CHECK-NEXT: return %[[B]]
func.func @computes_numbers_once(%a: tensor<f32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %2 = stablehlo.divide %0, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @leaves_constants_to_others
// CHECK: stablehlo.add {{.*}} : tensor<2xf32>
func.func @leaves_constants_to_others() -> tensor<2xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.add %c, %c : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_edges_without_axes
// CHECK-NEXT: %[[C:.*]] = stablehlo.clamp %arg0, %arg1, %arg2 : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT: stablehlo.broadcast_in_dim %[[C]], dims = [1]
func.func @keeps_edges_without_axes(%l: tensor<f32>, %a: tensor<3xf32>, %h: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.clamp %l, %0, %h : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @converts_before_a_transpose
// CHECK-NEXT: %[[C:.*]] = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
// CHECK-NEXT: stablehlo.transpose %[[C]], dims = [1, 0] : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
func.func @converts_before_a_transpose(%a: tensor<2x3xf32>) -> tensor<3x2xbf16> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.convert %0 : (tensor<3x2xf32>) -> tensor<3x2xbf16>
  return %1 : tensor<3x2xbf16>
}

// CHECK-LABEL: func.func @keeps_a_transpose_that_is_used_otherwise
// CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg0
// CHECK-NEXT: stablehlo.negate %[[T]]
func.func @keeps_a_transpose_that_is_used_otherwise(%a: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.negate %0 : tensor<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @transposes_a_sum_not_its_terms
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>
// CHECK-NEXT: stablehlo.transpose %[[S]], dims = [1, 0]
// CHECK-NEXT: return
func.func @transposes_a_sum_not_its_terms(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @keeps_a_transpose_of_one_term
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: stablehlo.add
func.func @keeps_a_transpose_of_one_term(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.add %0, %b : tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @removes_moves_around_what_is_computed
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[E:.*]] = stablehlo.exponential %[[N]]
// CHECK-NEXT: return %[[E]]
func.func @removes_moves_around_what_is_computed(%a: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.negate %0 : tensor<12xf32>
  %2 = stablehlo.exponential %1 : tensor<12xf32>
  %3 = stablehlo.reshape %2 : (tensor<12xf32>) -> tensor<2x6xf32>
  return %3 : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @moves_the_other_term_where_that_lets_two_cancel
// CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg1, dims = [1, 0]
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %arg0, %[[T]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[S]]
func.func @moves_the_other_term_where_that_lets_two_cancel(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.add %0, %b : tensor<3x2xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_moves_where_none_would_be_saved
// CHECK-NEXT: stablehlo.transpose %arg0
// CHECK-NEXT: stablehlo.select
// CHECK-NEXT: stablehlo.transpose
func.func @keeps_moves_where_none_would_be_saved(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %p: tensor<3x2xi1>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.select %p, %0, %b : tensor<3x2xi1>, tensor<3x2xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_how_exact_a_result_is
// CHECK: stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<3xf32>
func.func @keeps_how_exact_a_result_is(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @squares_before_a_transpose
// CHECK-NEXT: %[[M:.*]] = stablehlo.multiply %arg0, %arg0 : tensor<2x3xf32>
// CHECK-NEXT: stablehlo.transpose %[[M]]
func.func @squares_before_a_transpose(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @selects_by_one_predicate
// CHECK-NEXT: stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<2x3xf32>
// CHECK-NEXT: return
func.func @selects_by_one_predicate(%p: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<i1>) -> tensor<2x3xi1>
  %1 = stablehlo.select %0, %a, %b : tensor<2x3xi1>, tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @clamps_between_two_numbers
// CHECK-DAG: %[[L:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK: stablehlo.clamp %[[L]], %arg0, %arg1 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return
func.func @clamps_between_two_numbers(%a: tensor<2x3xf32>, %h: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %h, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %2 = stablehlo.clamp %0, %a, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @keeps_several_predicates
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.select
func.func @keeps_several_predicates(%p: tensor<3xi1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<3xi1>) -> tensor<2x3xi1>
  %1 = stablehlo.select %0, %a, %b : tensor<2x3xi1>, tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
