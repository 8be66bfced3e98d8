/**
 * A layered layout in time linear in boxes and edges (but for sorting the rows): ranks by longest
 * path in the order of the program, rows sorted by where their neighbours are, then spread.
 */

import { GAP, type Placed, type Point, type Size } from "./placing";

const WIDEST = 24;
const SWEEPS = 4;

export function layered(sizes: Size[], edges: [number, number][]): Placed {
  const links = new Links(sizes.length, edges);
  const rows = broken(rowsOf(ranks(links)), sizes);
  const position = new Float64Array(sizes.length);
  for (const row of rows) row.forEach((box, i) => (position[box] = i - row.length / 2));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : rows.toReversed())
      sort(row, position, down ? links.above : links.below);
  }
  return place(rows, sizes, links);
}

/** The neighbours of each box. An edge that goes up in the order of the program is not one. */
class Links {
  readonly above: number[][];
  readonly below: number[][];

  constructor(count: number, edges: [number, number][]) {
    this.above = Array.from({ length: count }, () => []);
    this.below = Array.from({ length: count }, () => []);
    for (const [from, to] of edges) {
      if (from >= to) continue;
      this.above[to].push(from);
      this.below[from].push(to);
    }
  }
}

/** Longest paths from above; what has nothing above comes just over what uses it first. */
function ranks(links: Links): Int32Array {
  const count = links.above.length;
  const rank = new Int32Array(count);
  for (let box = 0; box < count; box++)
    for (const from of links.above[box]) rank[box] = Math.max(rank[box], rank[from] + 1);
  for (let box = count - 1; box >= 0; box--) {
    if (links.above[box].length || !links.below[box].length) continue;
    let first = Infinity;
    for (const to of links.below[box]) first = Math.min(first, rank[to]);
    rank[box] = Math.max(0, first - 1);
  }
  return rank;
}

function rowsOf(rank: Int32Array): number[][] {
  const rows: number[][] = [];
  rank.forEach((row, box) => (rows[row] ??= []).push(box));
  return rows.filter(Boolean);
}

/** A row that is too wide becomes several. */
function broken(rows: number[][], sizes: Size[]): number[][] {
  const whole = sizes.reduce((sum, size) => sum + size.width, 0) / Math.max(1, sizes.length);
  const most = Math.max(WIDEST, Math.round(4000 / whole));
  return rows.flatMap((row) => {
    const parts = Math.ceil(row.length / most);
    if (parts === 1) return [row];
    const length = Math.ceil(row.length / parts);
    return Array.from({ length: parts }, (_, i) => row.slice(i * length, (i + 1) * length));
  });
}

function sort(row: number[], position: Float64Array, neighbours: number[][]): void {
  const wanted = new Map(row.map((box) => [box, mean(neighbours[box], position) ?? position[box]]));
  row.sort((a, b) => wanted.get(a)! - wanted.get(b)! || a - b);
  row.forEach((box, i) => (position[box] = i - row.length / 2));
}

function mean(boxes: number[], position: Float64Array): number | undefined {
  if (!boxes.length) return undefined;
  let sum = 0;
  for (const box of boxes) sum += position[box];
  return sum / boxes.length;
}

/** Each box near those above it, then near those below, as far as its row has room. */
function place(rows: number[][], sizes: Size[], links: Links): Placed {
  const x = new Float64Array(sizes.length);
  for (const row of rows)
    spread(
      row,
      row.map(() => 0),
      sizes,
      x,
    );
  for (const row of rows)
    spread(
      row,
      row.map((box) => mean(links.above[box], x) ?? x[box]),
      sizes,
      x,
    );
  for (const row of rows.toReversed())
    spread(
      row,
      row.map((box) => mean(links.below[box], x) ?? x[box]),
      sizes,
      x,
    );
  for (const row of rows)
    spread(
      row,
      row.map((box) => mean([...links.above[box], ...links.below[box]], x) ?? x[box]),
      sizes,
      x,
    );
  return finish(rows, sizes, x);
}

/** Boxes at the places that are wanted, moved apart: runs that touch move as one. */
function spread(row: number[], wanted: number[], sizes: Size[], x: Float64Array): void {
  const runs: { start: number; sum: number; width: number; count: number }[] = [];
  row.forEach((box, i) => {
    const width = sizes[box].width + GAP.x;
    let run = { start: wanted[i] - width / 2, sum: wanted[i] - width / 2, width, count: 1 };
    for (let last = runs.at(-1); last && last.start + last.width > run.start; last = runs.at(-1)) {
      runs.pop();
      const sum = last.sum + run.sum - run.count * last.width;
      const count = last.count + run.count;
      run = { start: sum / count, sum, width: last.width + run.width, count };
    }
    runs.push(run);
  });
  let i = 0;
  for (const run of runs) {
    let left = run.start;
    for (let n = 0; n < run.count; n++, i++) {
      const width = sizes[row[i]].width + GAP.x;
      x[row[i]] = left + width / 2;
      left += width;
    }
  }
}

function finish(rows: number[][], sizes: Size[], x: Float64Array): Placed {
  const places = new Array<Point>(sizes.length);
  let left = Infinity;
  let right = -Infinity;
  sizes.forEach(({ width }, box) => {
    left = Math.min(left, x[box] - width / 2);
    right = Math.max(right, x[box] + width / 2);
  });
  let y = 0;
  for (const row of rows) {
    const height = row.reduce((most, box) => Math.max(most, sizes[box].height), 0);
    for (const box of row) places[box] = { x: x[box] - left, y: y + height / 2 };
    y += height + GAP.y;
  }
  const height = Math.max(0, y - GAP.y);
  return { places, routes: [], width: Math.max(0, right - left), height };
}
