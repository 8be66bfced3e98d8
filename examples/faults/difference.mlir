// What the pass in wrong_pass.py gets wrong.
func.func @difference(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %y : tensor<4xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<4xf32>
  %2 = stablehlo.tanh %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
