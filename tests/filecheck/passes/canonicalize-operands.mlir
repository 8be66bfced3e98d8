// RUN: hlo-opt %s --passes canonicalize | filecheck %s

// CHECK-LABEL: func.func @adds_instead_of_subtracting_an_integer
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-3> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @adds_instead_of_subtracting_an_integer(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.subtract %x, %c : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @adds_instead_of_subtracting_an_unsigned_integer
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<253> : tensor<ui8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @adds_instead_of_subtracting_an_unsigned_integer(%x: tensor<ui8>) -> tensor<ui8> {
  %c = stablehlo.constant dense<3> : tensor<ui8>
  %0 = stablehlo.subtract %x, %c : tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: func.func @adds_instead_of_subtracting_the_least_integer
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<-128> : tensor<i8>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @adds_instead_of_subtracting_the_least_integer(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<-128> : tensor<i8>
  %0 = stablehlo.subtract %x, %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @adds_instead_of_subtracting_each_element
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[-1, -8]> : tensor<2xi4>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @adds_instead_of_subtracting_each_element(%x: tensor<2xi4>) -> tensor<2xi4> {
  %c = stablehlo.constant dense<[1, -8]> : tensor<2xi4>
  %0 = stablehlo.subtract %x, %c : tensor<2xi4>
  return %0 : tensor<2xi4>
}

// CHECK-LABEL: func.func @keeps_a_float_that_is_subtracted
// CHECK: %[[Y:.*]] = stablehlo.subtract %arg0
func.func @keeps_a_float_that_is_subtracted(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @keeps_what_is_subtracted_from_a_constant
// CHECK: %[[Y:.*]] = stablehlo.subtract %{{.*}}, %arg0
func.func @keeps_what_is_subtracted_from_a_constant(%x: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.subtract %c, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @adds_instead_of_subtracting_no_elements
// CHECK: %[[Y:.*]] = stablehlo.add %arg0
func.func @adds_instead_of_subtracting_no_elements(%x: tensor<0xi32>) -> tensor<0xi32> {
  %c = stablehlo.constant dense<3> : tensor<0xi32>
  %0 = stablehlo.subtract %x, %c : tensor<0xi32>
  return %0 : tensor<0xi32>
}

// CHECK-LABEL: func.func @chooses_by_a_scalar
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>
// CHECK-NEXT: return %[[Y]]
func.func @chooses_by_a_scalar(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %b = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<i1>) -> tensor<2xi1>
  %0 = stablehlo.select %b, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_choice_by_a_row
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0
// CHECK-NEXT: %[[Y:.*]] = stablehlo.select %[[B]], %arg1, %arg2
func.func @keeps_a_choice_by_a_row(%p: tensor<2xi1>, %x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %b = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<2xi1>) -> tensor<3x2xi1>
  %0 = stablehlo.select %b, %x, %y : tensor<3x2xi1>, tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @clamps_between_scalars
// CHECK-NEXT: %[[Y:.*]] = stablehlo.clamp %arg0, %arg1, %arg2
// CHECK-NEXT: return %[[Y]]
func.func @clamps_between_scalars(%a: tensor<f32>, %x: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %l = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %h = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.clamp %l, %x, %h : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @clamps_between_a_scalar_and_a_tensor
// CHECK-NEXT: %[[Y:.*]] = stablehlo.clamp %arg0, %arg1, %arg2 : (tensor<2xf32>, tensor<2xf32>, tensor<f32>)
// CHECK-NEXT: return %[[Y]]
func.func @clamps_between_a_scalar_and_a_tensor(%a: tensor<2xf32>, %x: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %h = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.clamp %a, %x, %h : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @keeps_a_clamp_between_tensors
// CHECK-NEXT: %[[Y:.*]] = stablehlo.clamp %arg0, %arg1, %arg2
func.func @keeps_a_clamp_between_tensors(%a: tensor<2xf32>, %x: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %a, %x, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}
