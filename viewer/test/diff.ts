// The difference of two texts: what it says leads from one to the other, by the fewest lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { diff, type Line } from "../src/diff";

/** Numbers that look random, the same each time. */
function* numbers(seed: number): Generator<number> {
  for (;;) yield (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
}

const texts = (lines: Line[], sign: string) =>
  lines.filter((line) => line.sign === " " || line.sign === sign).map((line) => line.text);

/** The length of the longest common subsequence, by the table of all prefixes. */
function common(a: string[], b: string[]): number {
  const table = [new Array<number>(b.length + 1).fill(0)];
  for (const [i, x] of a.entries()) {
    const row = [0];
    for (const [j, y] of b.entries())
      row.push(x === y ? table[i][j] + 1 : Math.max(table[i][j + 1], row[j]));
    table.push(row);
  }
  return table[a.length][b.length];
}

test("it leads from one text to the other, by the fewest lines", () => {
  const next = numbers(1);
  const draw = (count: number) => Math.floor(next.next().value * count);
  for (let round = 0; round < 300; round++) {
    const [a, b] = [draw(12), draw(12)].map((n) =>
      Array.from({ length: n }, () => "abcd"[draw(4)]),
    );
    const lines = diff(a, b, (line) => line);
    assert.deepEqual(texts(lines, "-"), a);
    assert.deepEqual(texts(lines, "+"), b);
    const kept = lines.filter((line) => line.sign === " ").length;
    assert.equal(kept, common(a, b));
  }
});

test("lines have the numbers that they have in their texts", () => {
  const lines = diff(["a", "b", "c"], ["a", "x", "c"], (line) => line);
  assert.deepEqual(
    lines.map((line) => [line.sign, line.old, line.new]),
    [
      [" ", 1, 1],
      ["-", 2, 0],
      ["+", 0, 2],
      [" ", 3, 3],
    ],
  );
});

test("lines with equal keys are the same, and the new one is shown", () => {
  const lines = diff(["%1 = add"], ["%7 = add"], (line) => line.replace(/%\d+/, "%"));
  assert.deepEqual(lines, [{ sign: " ", text: "%7 = add", old: 1, new: 1 }]);
});

test("a text that has nothing in common with the other replaces it", () => {
  const some = (letter: string) => Array.from({ length: 20000 }, (_, i) => `${letter}${i}`);
  const lines = diff(some("a"), some("b"), (line) => line);
  assert.equal(lines.length, 40000);
});
