// RUN: hlo-opt %s --passes inline | filecheck %s

func.func private @twice(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0, %x : tensor<2xf32>, tensor<2xf32>
}

func.func private @four_times(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = call @twice(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %1:2 = call @twice(%0#0) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %1#0 : tensor<2xf32>
}

func.func private @identity(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

func.func private @seven() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<7.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func private @one_of(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = func.call @four_times(%x) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func private @kept(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = call @twice(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

// CHECK-NOT: @twice
// CHECK-NOT: @four_times
// CHECK-NOT: @identity

// CHECK-LABEL: func.func private @kept
// CHECK-NEXT: stablehlo.add %arg0, %arg0

// CHECK-LABEL: func.func @replaces_a_call
// CHECK-NEXT: %[[TWICE:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: return %[[TWICE]], %arg0
func.func @replaces_a_call(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = call @twice(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @replaces_calls_in_what_is_called
// CHECK-NEXT: %[[TWO:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: %[[FOUR:.*]] = stablehlo.add %[[TWO]], %[[TWO]]
// CHECK-NEXT: return %[[FOUR]]
func.func @replaces_calls_in_what_is_called(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @four_times(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @makes_each_call_anew
// CHECK-NEXT: %[[A:.*]] = stablehlo.constant dense<7
// CHECK-NEXT: %[[B:.*]] = stablehlo.constant dense<7
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @makes_each_call_anew() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = call @seven() : () -> tensor<2xf32>
  %1 = call @seven() : () -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @replaces_a_call_of_nothing
// CHECK-NEXT: return %arg0
func.func @replaces_a_call_of_nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @identity(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @identity(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @replaces_calls_in_regions
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg1
// CHECK-NEXT: "stablehlo.if"(%arg0)
// CHECK-NEXT: %[[TWO:.*]] = stablehlo.add %[[SINE]], %[[SINE]]
// CHECK-NEXT: %[[FOUR:.*]] = stablehlo.add %[[TWO]], %[[TWO]]
// CHECK-NEXT: stablehlo.return %[[FOUR]]
// CHECK: stablehlo.return %[[SINE]]
func.func @replaces_calls_in_regions(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = call @one_of(%p, %0) : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @replaces_a_composite
// CHECK-NEXT: %[[TWICE:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: return %[[TWICE]]
func.func @replaces_a_composite(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = stablehlo.composite "my.twice" %x {decomposition = @twice} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_call_that_says_so
// CHECK-NEXT: %[[KEPT:.*]] = call @kept(%arg0) {mhlo.frontend_attributes = {inlineable = "false"}}
// CHECK-NEXT: return %[[KEPT]]
func.func @keeps_a_call_that_says_so(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @kept(%x) {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @replaces_a_call_that_says_something_else
// CHECK-NEXT: stablehlo.add %arg0, %arg0
func.func @replaces_a_call_that_says_something_else(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @kept(%x) {mhlo.frontend_attributes = {inlineable = "true"}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
