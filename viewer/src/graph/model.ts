/** A graph as nested items: operations in layers, in fusions, in regions; some of them open. */

import type { Graph, GraphNode } from "../data";

export type Grouping = "layer" | "line" | "order" | "none";

const CHUNK = 100;
/** So many operations outside of layers need no groups. */
const FEW = 24;

/** An operation, or a group of them. An operation with others inside, as a fusion, is both. */
export class Item {
  readonly children: Item[] = [];
  open = false;
  count = 0;
  flops = 0;
  bytes = 0;

  constructor(
    readonly serial: number,
    readonly name: string,
    /** The position of the operation; -1 of what is only a group. */
    readonly node: number,
    readonly parent: Item | null,
  ) {}

  get depth(): number {
    return this.parent ? this.parent.depth + 1 : 0;
  }

  get expandable(): boolean {
    return this.children.length > 0;
  }
}

export class Model {
  readonly items: Item[] = [];
  readonly root: Item;
  /** The item of each operation, by its position. */
  readonly of: Item[];
  readonly users: number[][];
  readonly operands: number[][];
  readonly flops: number;
  readonly bytes: number;
  private many = false;
  private readonly atPlace = new Map<string, number>();

  constructor(
    readonly graph: Graph,
    readonly grouping: Grouping,
  ) {
    const { nodes, edges } = graph;
    this.users = nodes.map(() => []);
    this.operands = nodes.map(() => []);
    for (const [from, to] of edges) {
      this.users[from].push(to);
      this.operands[to].push(from);
    }
    this.root = this.add(graph.name, -1, null);
    this.of = new Array<Item>(nodes.length);
    this.build(nodes);
    this.sum();
    this.flops = this.root.flops;
    this.bytes = this.root.bytes;
    this.openSome(40);
  }

  /** The innermost item that is shown where this one is. */
  visible(item: Item): Item {
    let shown = item;
    for (let at = item.parent; at; at = at.parent) if (!at.open) shown = at;
    return shown;
  }

  /** Opens everything around an item. */
  reveal(item: Item): void {
    for (let at = item.parent; at; at = at.parent) at.open = true;
  }

  /** Opens or closes every item that `chosen` takes; the root stays open. */
  setAll(open: boolean, chosen: (item: Item) => boolean = () => true): void {
    for (const item of this.items) if (item.expandable && chosen(item)) item.open = open;
    this.root.open = true;
  }

  /** Opens groups that hold groups, the outermost first; of others as many as there is room for. */
  openSome(limit: number): void {
    this.setAll(false);
    let shown = this.root.children.length;
    const open = (item: Item) => {
      const only = item.parent!.children.length === 1;
      if (shown + item.children.length > (only ? 10 : 1) * limit) return;
      item.open = true;
      shown += item.children.length;
    };
    const groups = (item: Item) => item.children.filter((child) => child.node < 0);
    for (let level = groups(this.root); level.length; level = level.flatMap(groups))
      for (const item of level) if (groups(item).length && item.parent!.open) open(item);
    if (shown <= limit / 3) for (const item of groups(this.root)) if (!item.open) open(item);
  }

  private add(name: string, node: number, parent: Item | null): Item {
    const item = new Item(this.items.length, name, node, parent);
    this.items.push(item);
    parent?.children.push(item);
    return item;
  }

  private build(nodes: GraphNode[]): void {
    const byId = new Map<string, Item>();
    const outside = nodes.filter((node) => !node.path.length && !node.parent);
    this.many = outside.length > FEW;
    for (const { place } of outside) this.atPlace.set(place, (this.atPlace.get(place) ?? 0) + 1);
    const groups = new Map<Item, Map<string, Item>>();
    nodes.forEach((node, position) => {
      const holder = byId.get(node.parent);
      let parent = holder ?? this.root;
      if (!holder)
        for (const name of this.path(node, position)) parent = this.group(groups, parent, name);
      this.of[position] = this.add(node.label || node.op, position, parent);
      byId.set(node.id, this.of[position]);
    });
  }

  private group(groups: Map<Item, Map<string, Item>>, parent: Item, name: string): Item {
    const inside = groups.get(parent) ?? new Map<string, Item>();
    groups.set(parent, inside);
    const item = inside.get(name) ?? this.add(short(name), -1, parent);
    inside.set(name, item);
    return item;
  }

  private path(node: GraphNode, position: number): string[] {
    if (this.grouping === "layer") return node.path.length ? node.path : this.outside(node);
    if (this.grouping === "line") return node.place ? [node.place] : [];
    if (this.grouping === "none") return [];
    const start = Math.floor(position / CHUNK) * CHUNK;
    return [`operations ${start + 1}–${Math.min(start + CHUNK, this.graph.nodes.length)}`];
  }

  /** Where an operation of no layer goes: many of them are told apart by their lines. */
  private outside(node: GraphNode): string[] {
    if (!this.many) return [];
    if (node.op === "argument" || node.op === "parameter") return ["arguments"];
    return node.place && this.atPlace.get(node.place)! > 1 ? [node.place] : [];
  }

  /** The work of an operation counts what is inside it already. */
  private sum(): void {
    for (const item of this.items.toReversed()) {
      if (item.node >= 0) {
        const node = this.graph.nodes[item.node];
        item.count += 1;
        if (node.flops !== null) item.flops = node.flops;
        if (node.bytes !== null) item.bytes = node.bytes;
      }
      if (item.parent) {
        item.parent.count += item.count;
        item.parent.flops += item.flops;
        item.parent.bytes += item.bytes;
      }
    }
  }
}

/** The last part of a path, of a file's or of names as JAX writes them. */
function short(name: string): string {
  return name.split(/\/(?![^()]*\))/).at(-1)!;
}

/** How a program is best grouped: by what there is most of. */
export function bestGrouping(graph: Graph): Grouping {
  const { nodes } = graph;
  if (nodes.length < 60) return "layer";
  const with_ = (has: (node: GraphNode) => boolean) => nodes.filter(has).length / nodes.length;
  if (with_((node) => node.path.length > 0 || node.parent !== "") > 0.4) return "layer";
  if (with_((node) => node.place !== "") > 0.4) return "line";
  return nodes.length > 400 ? "order" : "layer";
}
