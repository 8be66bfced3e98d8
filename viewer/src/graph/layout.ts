/** Where everything that is shown stands: each open item is laid out by itself, inside out. */

import { type Item, type Model } from "./model";
import { fine } from "./fine";
import { layered } from "./layered";
import { GAP, type Placed, type Point, type Size } from "./placing";

/** Up to so many boxes the better layout is quick enough: about a tenth of a second. */
const FINE = 220;
const PADDING = { x: 14, top: 30, bottom: 14 };

export interface Box extends Size {
  item: Item;
  x: number;
  y: number;
}

/** A connection of two boxes of one group; `count` are the values that it stands for. */
export interface Connection {
  from: Box;
  to: Box;
  count: number;
  route: Point[];
}

export interface Scene extends Size {
  /** Groups come before what is in them. */
  boxes: Box[];
  byItem: Map<Item, Box>;
  connections: Connection[];
}

interface Inner {
  placed: Placed;
  edges: [number, number, number][];
}

export function sceneOf(model: Model): Scene {
  const links = connected(model);
  const sizes = new Map<Item, Size>();
  const inner = new Map<Item, Inner>();
  const lay = count(model.root) <= FINE ? fine : layered;
  measure(model, model.root);
  const scene: Scene = { ...sizes.get(model.root)!, boxes: [], byItem: new Map(), connections: [] };
  put(model.root, 0, 0);
  return scene;

  function measure(model: Model, item: Item): Size {
    let size = sizeOf(item, model);
    if (item.open && item.expandable) {
      const children = item.children.map((child) => measure(model, child));
      const edges = [...(links.get(item)?.values() ?? [])];
      const placed = lay(
        children,
        edges.map(([from, to]) => [from, to]),
      );
      inner.set(item, { placed, edges });
      const width = Math.max(placed.width + 2 * PADDING.x, item.parent ? size.width : 0);
      size = { width, height: placed.height + PADDING.top + PADDING.bottom };
    }
    sizes.set(item, size);
    return size;
  }

  /** Adds the box of an item, whose centre is given, and all in it. */
  function put(item: Item, x: number, y: number): void {
    const size = sizes.get(item)!;
    const box = { item, x, y, ...size };
    if (item.parent) scene.boxes.push(box);
    scene.byItem.set(item, box);
    const inside = inner.get(item);
    if (!inside) return;
    const left = x - inside.placed.width / 2;
    const top = y - size.height / 2 + PADDING.top;
    item.children.forEach((child, i) => {
      const place = inside.placed.places[i];
      put(child, left + place.x, top + place.y);
    });
    inside.edges.forEach(([a, b, values], i) => {
      const from = scene.byItem.get(item.children[a])!;
      const to = scene.byItem.get(item.children[b])!;
      const route = inside.placed.routes[i]?.map((p) => ({ x: left + p.x, y: top + p.y }));
      scene.connections.push({ from, to, count: values, route: route ?? straight(from, to) });
    });
  }
}

/** From box to box; past those between them where they stand below each other. */
function straight(from: Box, to: Box): Point[] {
  const down = from.y <= to.y ? 1 : -1;
  const start = { x: from.x, y: from.y + (down * from.height) / 2 };
  const end = { x: to.x, y: to.y - (down * to.height) / 2 };
  const far = Math.abs(end.y - start.y) > 2 * GAP.y && Math.abs(end.x - start.x) < 40;
  if (!far) return [start, end];
  const side = from.item.serial % 2 ? 1 : -1;
  const out = Math.max(from.width, to.width) / 2 + 16;
  return [start, { x: (start.x + end.x) / 2 + side * out, y: (start.y + end.y) / 2 }, end];
}

/** For each open item the connections of its children: their places among them, how many. */
function connected(model: Model): Map<Item, Map<number, [number, number, number]>> {
  const place = new Int32Array(model.items.length);
  for (const item of model.items) item.children.forEach((child, i) => (place[child.serial] = i));
  const depth = new Int32Array(model.items.length);
  for (const item of model.items)
    depth[item.serial] = item.parent ? depth[item.parent.serial] + 1 : 0;
  const shown = model.of.map((item) => model.visible(item));
  const links = new Map<Item, Map<number, [number, number, number]>>();
  for (const [from, to] of model.graph.edges) {
    let [a, b] = [shown[from], shown[to]];
    while (depth[a.serial] > depth[b.serial]) a = a.parent!;
    while (depth[b.serial] > depth[a.serial]) b = b.parent!;
    if (a === b) continue;
    while (a.parent !== b.parent) [a, b] = [a.parent!, b.parent!];
    const inside = links.get(a.parent!) ?? new Map<number, [number, number, number]>();
    links.set(a.parent!, inside);
    const key = place[a.serial] * a.parent!.children.length + place[b.serial];
    const known = inside.get(key);
    if (known) known[2] += 1;
    else inside.set(key, [place[a.serial], place[b.serial], 1]);
  }
  return links;
}

/** How many boxes are shown. */
function count(item: Item): number {
  return item.open ? item.children.reduce((sum, child) => sum + count(child), 1) : 1;
}

/** The size of a box that is closed: as wide as its two lines of text. */
function sizeOf(item: Item, model: Model): Size {
  const type = item.node < 0 ? "" : model.graph.nodes[item.node].type;
  const wide = Math.max(
    item.name.length * 7.2,
    Math.min(type.length, 30) * 6,
    item.node < 0 ? 110 : 40,
  );
  const width = Math.min(260, wide + (item.expandable ? 46 : 26));
  return { width, height: type || item.node < 0 ? 38 : 26 };
}
