// RUN: hlo-opt %s --passes symbol-dce | filecheck %s

// CHECK-NOT: @unreached
// CHECK-NOT: @reached_from_nothing
func.func private @unreached(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @reached_from_nothing(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func private @reached_from_nothing(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @public
// CHECK: call @reached
func.func @public(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = func.call @reached(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func private @reached(
func.func private @reached(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "my.op" %x {decomposition = @decomposition} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func private @decomposition(
func.func private @decomposition(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @target(%x) {called_computations = [@"named in a text"]} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func private @"named in a text"(
func.func private @"named in a text"(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
