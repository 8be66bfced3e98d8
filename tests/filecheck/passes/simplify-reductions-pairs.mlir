// RUN: hlo-opt %s --passes simplify-reductions | filecheck %s

// CHECK-LABEL: func.func @drops_a_pair_that_nobody_needs
// CHECK-NEXT: %[[R:.*]] = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [0] : (tensor<8xi64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: return %[[R]]
func.func @drops_a_pair_that_nobody_needs(%a: tensor<8xi64>, %b: tensor<8xi64>, %v: tensor<i64>) -> tensor<i64> {
  %0:2 = stablehlo.reduce(%a init: %v), (%b init: %v) across dimensions = [0] : (tensor<8xi64>, tensor<8xi64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
    reducer(%x: tensor<i64>, %p: tensor<i64>) (%y: tensor<i64>, %q: tensor<i64>) {
      %1 = stablehlo.add %x, %p : tensor<i64>
      %2 = stablehlo.subtract %y, %q : tensor<i64>
      stablehlo.return %1, %2 : tensor<i64>, tensor<i64>
    }
  return %0#0 : tensor<i64>
}

// CHECK-LABEL: func.func @keeps_a_pair_that_another_is_made_of
// CHECK-NEXT: stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg2)
func.func @keeps_a_pair_that_another_is_made_of(%a: tensor<8xi64>, %b: tensor<8xi64>, %v: tensor<i64>) -> tensor<i64> {
  %0:2 = stablehlo.reduce(%a init: %v), (%b init: %v) across dimensions = [0] : (tensor<8xi64>, tensor<8xi64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
    reducer(%x: tensor<i64>, %p: tensor<i64>) (%y: tensor<i64>, %q: tensor<i64>) {
      %1 = stablehlo.add %x, %q : tensor<i64>
      %2 = stablehlo.subtract %y, %q : tensor<i64>
      stablehlo.return %1, %2 : tensor<i64>, tensor<i64>
    }
  return %0#0 : tensor<i64>
}

// CHECK-LABEL: func.func @drops_the_first_of_three
// CHECK-NEXT: %[[R:.*]]:2 = stablehlo.reduce(%arg1 init: %arg3), (%arg2 init: %arg3)
// CHECK: return %[[R]]#1
func.func @drops_the_first_of_three(%a: tensor<8xi64>, %b: tensor<8xi64>, %c: tensor<8xi64>, %v: tensor<i64>) -> tensor<i64> {
  %0:3 = stablehlo.reduce(%a init: %v), (%b init: %v), (%c init: %v) across dimensions = [0] : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<i64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>)
    reducer(%x: tensor<i64>, %p: tensor<i64>) (%y: tensor<i64>, %q: tensor<i64>) (%z: tensor<i64>, %r: tensor<i64>) {
      %1 = stablehlo.add %x, %q : tensor<i64>
      %2 = stablehlo.subtract %y, %r : tensor<i64>
      %3 = stablehlo.multiply %z, %q : tensor<i64>
      stablehlo.return %1, %2, %3 : tensor<i64>, tensor<i64>, tensor<i64>
    }
  return %0#2 : tensor<i64>
}

// CHECK-LABEL: func.func @keeps_a_sort_along_several_places
// CHECK: "stablehlo.sort"
func.func @keeps_a_sort_along_several_places(%a: tensor<3xi32>) -> tensor<3xi32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @leaves_single_places_as_they_are
// CHECK-NEXT: return %arg0
func.func @leaves_single_places_as_they_are(%a: tensor<3x1xf32>) -> tensor<3x1xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// CHECK-LABEL: func.func @drops_a_passenger_that_nobody_needs
// CHECK-NEXT: %[[S:.*]] = "stablehlo.sort"(%arg1)
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>):
// CHECK-NEXT: stablehlo.compare LT, %[[X]], %[[Y]]
// CHECK: return %[[S]]
func.func @drops_a_passenger_that_nobody_needs(%a: tensor<3xi32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  return %0#1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @keeps_a_key_that_nobody_needs
// CHECK: "stablehlo.sort"(%arg0, %arg1)
func.func @keeps_a_key_that_nobody_needs(%a: tensor<3xi32>, %b: tensor<3xf32>) -> tensor<3xi32> {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  return %0#0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @sorts_integers_once
// CHECK-NEXT: %[[S:.*]] = "stablehlo.sort"(%arg0)
// CHECK: stablehlo.compare GT
// CHECK-NOT: "stablehlo.sort"
// CHECK: return %[[S]]
func.func @sorts_integers_once(%a: tensor<3xi32>) -> tensor<3xi32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  %2 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %3 = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  return %2 : tensor<3xi32>
}

// CHECK-LABEL: func.func @sorts_floats_twice
// CHECK-COUNT-2: "stablehlo.sort"
func.func @sorts_floats_twice(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
