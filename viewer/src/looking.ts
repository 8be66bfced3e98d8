/** What is looked at in a graph: what is open, chosen, found. The parts of the page listen. */

import type { Graph } from "./data";
import { Model, type Grouping, type Item } from "./graph/model";

type Change = "model" | "opened" | "selected" | "found" | "go";

export class Looking {
  model: Model | null = null;
  selected: Item | null = null;
  found = new Set<Item>();
  matches: Item[] = [];
  query = "";
  /** What was opened or closed last: it should not move. */
  anchor: Item | null = null;
  private readonly listeners = new Map<Change, (() => void)[]>();
  private names: string[] = [];
  private haystack: string[] = [];

  on(change: Change, listener: () => void): void {
    this.listeners.set(change, [...(this.listeners.get(change) ?? []), listener]);
  }

  show(graph: Graph | null, grouping: Grouping): void {
    const before =
      this.selected && this.selected.node >= 0
        ? this.model?.graph.nodes[this.selected.node].id
        : "";
    this.model = graph && new Model(graph, grouping);
    const nodes = graph?.nodes ?? [];
    this.names = nodes.map((node) => `${node.id} ${node.op} ${node.label}`.toLowerCase());
    this.haystack = nodes.map((node, i) =>
      `${this.names[i]} ${node.type} ${node.scope} ${node.place}`.toLowerCase(),
    );
    const same = before && graph ? graph.nodes.findIndex((node) => node.id === before) : -1;
    this.selected = same >= 0 ? this.model!.of[same] : null;
    this.tell("model");
    this.search(this.query);
    this.tell("selected");
  }

  /** Chooses an item; `go`: and goes where it is. */
  select(item: Item | null, go = true): void {
    this.selected = item;
    this.tell("selected");
    if (go && item) this.tell("go");
  }

  /** Opens all that is around an item, and chooses it. */
  reveal(item: Item): void {
    const hidden = this.model!.visible(item) !== item;
    this.model!.reveal(item);
    this.anchor = null;
    if (hidden) this.tell("opened");
    this.select(item);
  }

  toggle(item: Item): void {
    if (!item.expandable || !item.parent) return;
    item.open = !item.open;
    this.anchor = item;
    this.tell("opened");
    this.select(item, false);
  }

  setAll(open: boolean, chosen?: (item: Item) => boolean): void {
    this.model?.setAll(open, chosen);
    this.anchor = null;
    this.tell("opened");
    this.tell("selected");
  }

  /** The next operation of those that use the chosen one, or that it uses. */
  along(which: "users" | "operands"): void {
    const item = this.selected;
    if (!this.model) return;
    if (!item) this.select(this.model.root.children[0] ?? null);
    else if (item.node < 0 || !this.model[which][item.node].length)
      this.beside(which === "users" ? 1 : -1);
    else this.select(this.model.visible(this.model.of[this.model[which][item.node][0]]));
  }

  /** What comes before or after it in the same group. */
  beside(step: number): void {
    const item = this.selected ? this.model!.visible(this.selected) : null;
    const siblings = item?.parent?.children ?? this.model?.root.children ?? [];
    const at = item ? siblings.indexOf(item) : -1;
    const next = siblings[Math.max(0, Math.min(siblings.length - 1, at + step))];
    if (next) this.select(next);
  }

  /** Finds operations that hold every word; those whose own name or op does come first. */
  search(query: string): void {
    this.query = query;
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const model = words.length ? this.model : null;
    const found = model
      ? model.of.filter((_, i) => words.every((word) => this.haystack[i].includes(word)))
      : [];
    const own = (item: Item) => words.every((word) => this.names[item.node].includes(word));
    this.matches = [...found.filter(own), ...found.filter((item) => !own(item))];
    this.found = new Set(found.map((item) => model!.visible(item)));
    this.tell("found");
  }

  /** The next match after the chosen operation, or the one before. */
  next(step: number): void {
    if (!this.matches.length) return;
    const at = this.selected ? this.matches.indexOf(this.selected) : -1;
    const to = at < 0 && step < 0 ? -1 : at + step;
    this.reveal(this.matches[(to + this.matches.length) % this.matches.length]);
  }

  private tell(change: Change): void {
    if (change === "opened")
      this.found = new Set(this.matches.map((item) => this.model!.visible(item)));
    for (const listener of this.listeners.get(change) ?? []) listener();
  }
}
