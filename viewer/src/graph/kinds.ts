/** Sorts of operations, for their colours. */

export type Kind =
  "matrix" | "elementwise" | "reduce" | "move" | "control" | "constant" | "edge" | "group";

const KINDS: Record<Exclude<Kind, "group" | "elementwise">, string> = {
  matrix: "dot dot_general convolution fft cholesky triangular_solve triangular-solve",
  reduce: "reduce reduce_window reduce-window select_and_scatter select-and-scatter sort scan",
  move:
    "broadcast broadcast_in_dim reshape transpose slice dynamic_slice dynamic-slice pad reverse " +
    "dynamic_update_slice dynamic-update-slice concatenate gather scatter copy bitcast tuple " +
    "bitcast_convert get_tuple_element get-tuple-element bitcast-convert copy-start copy-done",
  control:
    "while if case conditional call func func.call fusion custom_call custom-call map composite " +
    "optimization_barrier opt-barrier after_all after-all",
  constant: "constant iota rng rng_bit_generator rng-bit-generator",
  edge: "argument parameter return",
};
const TABLE = new Map<string, Kind>();
for (const [kind, ops] of Object.entries(KINDS))
  for (const op of ops.split(" ")) TABLE.set(op, kind as Kind);

export const KIND_NAMES: [Kind, string][] = [
  ["matrix", "matrix product"],
  ["elementwise", "elementwise"],
  ["reduce", "reduction"],
  ["move", "movement"],
  ["control", "control, fusion"],
  ["constant", "constant"],
  ["edge", "argument, result"],
];

export function kindOf(op: string): Kind {
  return TABLE.get(op) ?? "elementwise";
}
