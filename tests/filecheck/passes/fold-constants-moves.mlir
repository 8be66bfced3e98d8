// RUN: hlo-opt %s --passes fold-constants | filecheck %s

// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-NEXT: return %[[C]]
func.func @reshapes() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = stablehlo.reshape %c : (tensor<4xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi32>
// CHECK-NEXT: return %[[C]]
func.func @transposes() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @slices
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]]
func.func @slices() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = stablehlo.slice %c [1:4:2] : (tensor<4xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @reverses
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[3, 2, 1]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]]
func.func @reverses() -> tensor<3xi32> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %0 = stablehlo.reverse %c, dims = [0] : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @concatenates
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]]
func.func @concatenates() -> tensor<3xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = stablehlo.concatenate %c, %d, dim = 0 : (tensor<2xi32>, tensor<1xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @pads
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[9, 1, 9, 2]> : tensor<4xi32>
// CHECK-NEXT: return %[[C]]
func.func @pads() -> tensor<4xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %c, %d, low = [1], high = [0], interior = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @slices_where_a_constant_says
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]]
func.func @slices_where_a_constant_says() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %s = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.dynamic_slice %c, %s, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @reinterprets_bits
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]]
func.func @reinterprets_bits() -> tensor<f32> {
  %c = stablehlo.constant dense<1065353216> : tensor<i32>
  %0 = stablehlo.bitcast_convert %c : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @broadcasts_what_stays_small
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<{{\[\[}}1, 1], [2, 2]]> : tensor<2x2xi32>
// CHECK-NEXT: return %[[C]]
func.func @broadcasts_what_stays_small() -> tensor<2x2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @keeps_a_broadcast_that_would_grow
// CHECK: %[[Y:.*]] = stablehlo.broadcast_in_dim
// CHECK-NEXT: return %[[Y]]
func.func @keeps_a_broadcast_that_would_grow() -> tensor<2x500xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<2xi32>) -> tensor<2x500xi32>
  return %0 : tensor<2x500xi32>
}

// CHECK-LABEL: func.func @keeps_a_broadcast_of_a_scalar
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @keeps_a_broadcast_of_a_scalar() -> tensor<2xi32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @computes_before_a_broadcast_of_any_size
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[Y]]
func.func @computes_before_a_broadcast_of_any_size() -> tensor<1000x1000xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %d = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  %e = stablehlo.broadcast_in_dim %d, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  %0 = stablehlo.add %b, %e : tensor<1000x1000xf32>
  return %0 : tensor<1000x1000xf32>
}

// CHECK-LABEL: func.func @keeps_what_rounds_before_a_broadcast
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim
// CHECK-NEXT: %[[Y:.*]] = stablehlo.exponential %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @keeps_what_rounds_before_a_broadcast() -> tensor<1000x1000xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  %0 = stablehlo.exponential %b : tensor<1000x1000xf32>
  return %0 : tensor<1000x1000xf32>
}

// CHECK-LABEL: func.func @computes_elements_with_a_broadcast
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[11, 12]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]]
func.func @computes_elements_with_a_broadcast() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.broadcast_in_dim %d, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %0 = stablehlo.add %c, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @moves_a_broadcast_of_any_size
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[Y]]
func.func @moves_a_broadcast_of_any_size() -> tensor<3000000xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1000x3000xf32>
  %0 = stablehlo.reshape %b : (tensor<1000x3000xf32>) -> tensor<3000000xf32>
  return %0 : tensor<3000000xf32>
}

// CHECK-LABEL: func.func @slices_a_broadcast_anywhere
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[Y]]
func.func @slices_a_broadcast_anywhere(%i: tensor<i32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %0 = stablehlo.dynamic_slice %b, %i, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @joins_broadcasts_of_one_number
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[Y]]
func.func @joins_broadcasts_of_one_number() -> tensor<5xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %d = stablehlo.constant dense<1.0> : tensor<3xf32>
  %0 = stablehlo.concatenate %b, %d, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func.func @keeps_broadcasts_of_two_zeros_apart
// CHECK-NOT: broadcast_in_dim
// CHECK: %[[Y:.*]] = stablehlo.constant dense<"0x
// CHECK-NEXT: return %[[Y]]
func.func @keeps_broadcasts_of_two_zeros_apart() -> tensor<600xf32> {
  %b = stablehlo.constant dense<0.0> : tensor<200xf32>
  %d = stablehlo.constant dense<-0.0> : tensor<400xf32>
  %0 = stablehlo.concatenate %b, %d, dim = 0 : (tensor<200xf32>, tensor<400xf32>) -> tensor<600xf32>
  return %0 : tensor<600xf32>
}

// CHECK-LABEL: func.func @pads_a_broadcast_with_its_number
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[Y]]
func.func @pads_a_broadcast_with_its_number() -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.pad %b, %c, low = [2], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @updates_a_broadcast_with_its_number
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
// CHECK-NEXT: return %[[Y]]
func.func @updates_a_broadcast_with_its_number(%i: tensor<i32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.dynamic_update_slice %b, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @keeps_an_iota
// CHECK-NEXT: %[[Y:.*]] = stablehlo.iota
// CHECK-NEXT: return %[[Y]]
func.func @keeps_an_iota() -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @keeps_an_iota_that_is_moved
// CHECK-NEXT: %[[Z:.*]] = stablehlo.iota
// CHECK-NEXT: %[[Y:.*]] = stablehlo.reshape %[[Z]]
// CHECK-NEXT: return %[[Y]]
func.func @keeps_an_iota_that_is_moved() -> tensor<2x2xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.reshape %0 : (tensor<4xi32>) -> tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @computes_with_a_tiny_iota
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
// CHECK-NEXT: return %[[C]]
func.func @computes_with_a_tiny_iota() -> tensor<4xi1> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %c = stablehlo.constant dense<2> : tensor<4xi32>
  %1 = stablehlo.compare LT, %0, %c : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: func.func @keeps_what_is_computed_with_a_larger_iota
// CHECK: %[[Y:.*]] = stablehlo.compare LT
// CHECK-NEXT: return %[[Y]]
func.func @keeps_what_is_computed_with_a_larger_iota() -> tensor<400xi1> {
  %0 = stablehlo.iota dim = 0 : tensor<400xi32>
  %c = stablehlo.constant dense<2> : tensor<400xi32>
  %1 = stablehlo.compare LT, %0, %c : (tensor<400xi32>, tensor<400xi32>) -> tensor<400xi1>
  return %1 : tensor<400xi1>
}

// CHECK-LABEL: func.func @moves_nothing
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<> : tensor<0x2xi32>
// CHECK-NEXT: return %[[C]]
func.func @moves_nothing() -> tensor<0x2xi32> {
  %c = stablehlo.constant dense<> : tensor<2x0xi32>
  %0 = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x0xi32>) -> tensor<0x2xi32>
  return %0 : tensor<0x2xi32>
}

// CHECK-LABEL: func.func @keeps_elements_past_the_limit
// CHECK: %[[Y:.*]] = stablehlo.add
// CHECK-NEXT: return %[[Y]]
func.func @keeps_elements_past_the_limit() -> tensor<130x130xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<130x130xf32>
  %c = stablehlo.constant dense<1.0> : tensor<130x130xf32>
  %1 = stablehlo.add %0, %c : tensor<130x130xf32>
  return %1 : tensor<130x130xf32>
}
