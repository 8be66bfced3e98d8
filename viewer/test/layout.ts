// The layered layout: boxes stand apart, below what they use, at the same places each time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fine } from "../src/graph/fine";
import { layered } from "../src/graph/layered";

const sizes = Array.from({ length: 400 }, (_, i) => ({
  width: 40 + (i % 9) * 12,
  height: 26 + (i % 2) * 12,
}));
const edges = sizes.flatMap((_, i): [number, number][] =>
  i
    ? [
        [i >> 1, i],
        [i - 1 - (i % 7 ? 0 : (i - 1) >> 2), i],
      ]
    : [],
);

for (const [name, lay, count] of [
  ["layered", layered, 400],
  ["fine", fine, 60],
] as const) {
  const boxes = sizes.slice(0, count);
  const links = edges.filter(([, to]) => to < count);
  const placed = lay(boxes, links);

  test(`${name}: boxes stand apart, in the frame`, () => {
    boxes.forEach((a, i) => {
      const { x, y } = placed.places[i];
      assert.ok(x - a.width / 2 > -1 && x + a.width / 2 < placed.width + 1);
      assert.ok(y - a.height / 2 > -1 && y + a.height / 2 < placed.height + 1);
      for (let j = 0; j < i; j++) {
        const [b, other] = [boxes[j], placed.places[j]];
        const apart =
          Math.abs(x - other.x) * 2 > a.width + b.width ||
          Math.abs(y - other.y) * 2 > a.height + b.height;
        assert.ok(apart, `${i} and ${j}`);
      }
    });
  });

  test(`${name}: edges go down`, () => {
    for (const [from, to] of links) assert.ok(placed.places[from].y < placed.places[to].y);
  });

  test(`${name}: the same each time`, () => assert.deepEqual(lay(boxes, links), placed));
}

test("layered: an edge against the order, and a box of its own, are no trouble", () => {
  const placed = layered(sizes.slice(0, 3), [
    [0, 1],
    [1, 0],
  ]);
  assert.equal(placed.places.length, 3);
});

test("layered: a row that is too wide goes on in the next", () => {
  const many = Array.from({ length: 2000 }, () => ({ width: 100, height: 30 }));
  const placed = layered(many, []);
  assert.ok(placed.width < 6000);
});

test("layered: a hundred thousand boxes", () => {
  const chain = Array.from({ length: 100_000 }, () => ({ width: 100, height: 30 }));
  const placed = layered(
    chain,
    chain.slice(1).map((_, i) => [i, i + 1]),
  );
  assert.equal(placed.places.length, 100_000);
});
