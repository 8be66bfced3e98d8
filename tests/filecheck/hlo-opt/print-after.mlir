// RUN: hlo-opt %s --passes cse,dce --print-after cse --stats 2>&1 | filecheck %s
// RUN: hlo-opt %s --passes cse,dce --bisect-limit 0 2>&1 | filecheck %s --check-prefix=NONE

// CHECK: // ----- IR after cse -----
// CHECK: stablehlo.cosine
// CHECK: // ----- rewrites
// CHECK-NEXT: 1  cse
// CHECK: module {
// CHECK-NOT: stablehlo.cosine
// NONE: hlo-opt: rewrites made: 0; the last one: none
// NONE-COUNT-2: stablehlo.sine
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.sine %x : tensor<2xf32>
  %2 = stablehlo.cosine %x : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
