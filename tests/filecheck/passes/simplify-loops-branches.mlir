// RUN: hlo-opt %s --passes simplify-loops | filecheck %s

// CHECK-LABEL: func.func @takes_the_branch_of_a_known_predicate
// CHECK-NEXT: %[[COSINE:.*]] = stablehlo.cosine %arg0
// CHECK-NEXT: return %[[COSINE]]
func.func @takes_the_branch_of_a_known_predicate(%x: tensor<2xf32>) -> tensor<2xf32> {
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.if"(%no) ({
    %1 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %1 = stablehlo.cosine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_branch_of_an_unknown_predicate
// CHECK: stablehlo.if
func.func @keeps_a_branch_of_an_unknown_predicate(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %1 = stablehlo.cosine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_an_effect_that_is_known_to_happen
// CHECK-NEXT: %[[ACT:.*]] = stablehlo.custom_call @act(%arg0)
// CHECK-NEXT: return %[[ACT]]
func.func @takes_an_effect_that_is_known_to_happen(%x: tensor<2xf32>) -> tensor<2xf32> {
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%yes) ({
    %1 = stablehlo.custom_call @act(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_the_branch_of_a_known_index
// CHECK-NEXT: %[[COSINE:.*]] = stablehlo.cosine %arg0
// CHECK-NEXT: return %[[COSINE]]
func.func @takes_the_branch_of_a_known_index(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %1 = stablehlo.cosine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %1 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_the_last_branch_where_there_is_none
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[AGAIN:.*]] = stablehlo.sine %[[SINE]]
// CHECK-NEXT: return %[[AGAIN]]
func.func @takes_the_last_branch_where_there_is_none(%x: tensor<2xf32>) -> tensor<2xf32> {
  %less = stablehlo.constant dense<-1> : tensor<i32>
  %more = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.case"(%less) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %1 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %2 = "stablehlo.case"(%more) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    %1 = stablehlo.sine %0 : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_the_only_branch
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: return %[[SINE]]
func.func @takes_the_only_branch(%i: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @takes_one_of_equal_branches
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: %[[TWICE:.*]] = stablehlo.add %[[SINE]], %[[SINE]]
// CHECK-NEXT: return %[[TWICE]]
func.func @takes_one_of_equal_branches(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %x : tensor<2xf32>
    %2 = stablehlo.add %1, %1 : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }, {
    %1 = stablehlo.sine %x : tensor<2xf32>
    %2 = stablehlo.add %1, %1 : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_branches_that_differ_in_the_sign_of_zero
// CHECK: stablehlo.if
func.func @keeps_branches_that_differ_in_the_sign_of_zero(%p: tensor<i1>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.constant dense<0.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    %1 = stablehlo.constant dense<-0.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @passes_on_what_both_branches_give
// CHECK-NEXT: %[[IF:.*]] = "stablehlo.if"(%arg0)
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: stablehlo.return %[[SINE]] : tensor<2xf32>
// CHECK: return %arg1, %[[IF]], %[[IF]]
func.func @passes_on_what_both_branches_give(%p: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0:3 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %x, %1, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }, {
    %1 = stablehlo.cosine %x : tensor<2xf32>
    stablehlo.return %x, %1, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }) : (tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_what_one_branch_gives
// CHECK: %[[IF:.*]] = "stablehlo.if"(%arg0)
// CHECK: return %[[IF]]
func.func @keeps_what_one_branch_gives(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %y : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @removes_results_of_no_use
// CHECK: "stablehlo.if"(%arg0)
// CHECK-NEXT: %[[ACT:.*]] = stablehlo.custom_call @act(%arg1)
// CHECK-NEXT: stablehlo.return %[[ACT]] : tensor<2xf32>
// CHECK-NOT: stablehlo.cosine
// CHECK: return
func.func @removes_results_of_no_use(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.custom_call @act(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %1, %x : tensor<2xf32>, tensor<2xf32>
  }, {
    %1 = stablehlo.cosine %x : tensor<2xf32>
    stablehlo.return %x, %1 : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}
