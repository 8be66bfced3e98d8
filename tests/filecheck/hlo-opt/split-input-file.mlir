// RUN: not hlo-opt %s --split-input-file --passes dce 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: not hlo-opt %s 2>&1 | filecheck %s --check-prefix=WHOLE

// ERROR: split-input-file.mlir:19:10: use of undeclared SSA value name
// ERROR: module {
// ERROR-NEXT: func.func @f
// ERROR-NEXT: return %arg0
// ERROR: // -----
// ERROR-NEXT: module {
// ERROR-NEXT: func.func @f
// WHOLE: split-input-file.mlir:19:10: use of undeclared SSA value name
// WHOLE-NOT: module
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %x : tensor<2xf32>
}
// -----
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %1 : tensor<2xf32>
}
// -----
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
