/** The difference of two texts by lines: Myers' algorithm, between where both begin and end alike. */

export interface Line {
  sign: " " | "+" | "-";
  text: string;
  /** Numbers in the old and the new text, from 1; 0 where it is not in that one. */
  old: number;
  new: number;
}

/** Beyond so many changes the rest counts as replaced. */
const MOST = 1500;

export function diff(before: string[], after: string[], key: (line: string) => string): Line[] {
  const a = before.map(key);
  const b = after.map(key);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1])
    [endA, endB] = [endA - 1, endB - 1];
  const lines: Line[] = [];
  let [x, y] = [0, 0];
  const same = () => lines.push({ sign: " ", text: after[y], old: ++x, new: ++y });
  const remove = () => lines.push({ sign: "-", text: before[x], old: ++x, new: 0 });
  const add = () => lines.push({ sign: "+", text: after[y], old: 0, new: ++y });
  while (x < start) same();
  for (const sign of steps(a.slice(start, endA), b.slice(start, endB)))
    ({ " ": same, "-": remove, "+": add })[sign]();
  while (x < a.length) same();
  return lines;
}

function steps(a: string[], b: string[]): Line["sign"][] {
  const most = Math.min(a.length + b.length, MOST);
  const trail: Int32Array[] = [];
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let changes = 0; changes <= most; changes++) {
    trail.push(reach.slice(middle - changes - 1, middle + changes + 2));
    for (let k = -changes; k <= changes; k += 2) {
      const down =
        k === -changes || (k !== changes && reach[middle + k - 1] < reach[middle + k + 1]);
      let x = down ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return back(trail, a.length, b.length);
    }
  }
  return [...a.map((): "-" => "-"), ...b.map((): "+" => "+")];
}

function back(trail: Int32Array[], x: number, y: number): Line["sign"][] {
  const signs: Line["sign"][] = [];
  for (let changes = trail.length - 1; changes >= 0; changes--) {
    const at = (k: number) => trail[changes][k + changes + 1];
    const k = x - y;
    const down = k === -changes || (k !== changes && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = changes ? at(fromK) : 0;
    const fromY = changes ? fromX - fromK : 0;
    const [startX, startY] = changes ? (down ? [fromX, fromY + 1] : [fromX + 1, fromY]) : [0, 0];
    while (x > startX && y > startY) {
      signs.push(" ");
      [x, y] = [x - 1, y - 1];
    }
    if (changes) signs.push(down ? "+" : "-");
    [x, y] = [fromX, fromY];
  }
  return signs.reverse();
}
