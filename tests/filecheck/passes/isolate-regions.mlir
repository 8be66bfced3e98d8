// RUN: hlo-opt %s --passes isolate-regions | filecheck %s

// CHECK-LABEL: func.func @leaves_closed_regions
// CHECK-NOT: stablehlo.while
// CHECK: stablehlo.reduce
// CHECK: return
func.func @leaves_closed_regions(%x: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @copies_a_constant
// CHECK-NOT: stablehlo.while
// CHECK: stablehlo.map
// CHECK: ^bb0(%arg1: tensor<f32>):
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00>
// CHECK-NEXT: stablehlo.multiply %arg1, %[[C]]
func.func @copies_a_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.multiply %a, %two : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The branches read what the loop is given, in the order in which it was defined.

// CHECK-LABEL: func.func @puts_branches_into_a_loop_of_one_turn
// CHECK: %[[COUNT:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK: %[[W:.*]]:5 = stablehlo.while(%[[I:.*]] = %[[COUNT]], %{{.*}} = %{{.*}}, %[[P:.*]] = %arg0, %[[X:.*]] = %arg1, %[[Y:.*]] = %arg2)
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1>
// CHECK: stablehlo.compare LT, %[[I]], %[[ONE]]
// CHECK: %[[NEXT:.*]] = stablehlo.add %[[I]],
// CHECK: %[[R:.*]] = "stablehlo.if"(%[[P]])
// CHECK: stablehlo.return %[[X]]
// CHECK: stablehlo.return %[[Y]]
// CHECK: stablehlo.return %[[NEXT]], %[[R]], %[[P]], %[[X]], %[[Y]]
// CHECK: %[[Z:.*]] = stablehlo.negate %[[W]]#1
// CHECK: return %[[Z]]
func.func @puts_branches_into_a_loop_of_one_turn(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %y : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @a_region_may_read_what_is_around_it_in_a_region
// CHECK: stablehlo.while
// CHECK: cond
// CHECK: "stablehlo.if"
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @a_region_may_read_what_is_around_it_in_a_region(%n: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
  %0:2 = stablehlo.while(%i = %n, %q = %p) : tensor<i32>, tensor<i1>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %1 = "stablehlo.if"(%q) ({
        stablehlo.return %i : tensor<i32>
      }, {
        %2 = stablehlo.add %i, %i : tensor<i32>
        stablehlo.return %2 : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      stablehlo.return %1, %q : tensor<i32>, tensor<i1>
    }
  return %0#0 : tensor<i32>
}

// CHECK-LABEL: func.func @a_loop_that_reads_more_than_its_state
// CHECK: %[[W:.*]]:4 = stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[X:.*]] = %arg0, %[[N:.*]] = %arg1)
// CHECK: stablehlo.while(%[[J:.*]] = %[[X]])
// CHECK: stablehlo.compare LT, %[[J]], %[[N]]
// CHECK: return %[[W]]#1
func.func @a_loop_that_reads_more_than_its_state(%x: tensor<i32>, %n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = stablehlo.add %i, %i : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @results_without_elements
// CHECK: stablehlo.constant dense<false>
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<i1>) -> tensor<0xi1>
// CHECK: stablehlo.while
func.func @results_without_elements(%p: tensor<i1>, %x: tensor<0xi1>) -> tensor<0xi1> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<0xi1>
  }, {
    stablehlo.return %x : tensor<0xi1>
  }) : (tensor<i1>) -> tensor<0xi1>
  return %0 : tensor<0xi1>
}

// What is no tensor can't be state: nothing to start from.

// CHECK-LABEL: func.func @leaves_what_is_no_tensor
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @leaves_what_is_no_tensor(%p: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
