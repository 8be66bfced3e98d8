// RUN: hlo-opt %s --reduce 'hlo-opt {} --bogus' | filecheck %s --check-prefix=NOTHING
// RUN: not hlo-opt %s --reduce 'hlo-opt {} -o /dev/null' 2>&1 | filecheck %s

// NOTHING: module {
// NOTHING-NEXT: }
// CHECK: hlo-opt: the command does not fail on the program: hlo-opt {} -o /dev/null
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
