// RUN: hlo-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: func.func @is_printed
// CHECK-NOT: func.func
func.func @is_printed() {
  return
}
// -----
func.func @at_the_next_line(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{use of undeclared SSA value name}}
  return %1 : tensor<2xf32>
}
// -----
func.func @below(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @below {{op requires}}
  // expected-note @below {{see current operation}}
  %0 = "stablehlo.sine"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
func.func @at_this_line(%x: tensor<2xf32>) -> tensor<3xf32> {
  return %x : tensor<2xf32> // expected-error-re {{type of return operand {{[0-9]}} ('tensor<2xf32>')}}
}
