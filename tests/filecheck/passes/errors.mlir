// RUN: not hlo-opt %s 2>&1 | filecheck %s

// CHECK: errors.mlir:6:10: use of undeclared SSA value name
// CHECK-NEXT: {{^}}  return %1
func.func @names_the_place(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %1 : tensor<2xf32>
}
