/** The graph's textual twin: a tree of the same items with the same actions, or what was found. */

import { h } from "../dom";
import type { Item } from "../graph/model";
import { kindOf } from "../graph/kinds";
import type { Looking } from "../looking";
import { amount, plural } from "../text";

const ROW = 24;
const SPARE = 8;

interface Row {
  item: Item;
  level: number;
  position: number;
  count: number;
}

export class Outline {
  readonly element: HTMLElement;
  private readonly tree = h("div.tree", {
    role: "tree",
    tabIndex: 0,
    "aria-label": "Operations",
  });
  private readonly filler = h("div.filler", { role: "presentation" });
  private rows: Row[] = [];
  private at = new Map<Item, number>();
  private drawn = "";

  constructor(private readonly looking: Looking) {
    this.tree.append(this.filler);
    this.element = this.tree;
    this.tree.addEventListener("scroll", () => this.draw());
    this.tree.addEventListener("keydown", (event) => this.key(event));
    this.tree.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.draw()).observe(this.tree);
    for (const change of ["model", "opened", "found"] as const)
      looking.on(change, () => this.build());
    looking.on("selected", () => this.follow());
  }

  /** All rows: the tree as far as it is open; all that was found, where something is looked for. */
  private build(): void {
    const { model, query, matches } = this.looking;
    this.rows = [];
    if (model && query.trim())
      this.rows = matches.map((item, i) => ({
        item,
        level: 1,
        position: i + 1,
        count: matches.length,
      }));
    else if (model) this.add(model.root, 1);
    this.at = new Map(this.rows.map((row, i) => [row.item, i]));
    this.filler.style.height = `${this.rows.length * ROW}px`;
    this.drawn = "";
    this.follow();
  }

  private add(item: Item, level: number): void {
    item.children.forEach((child, i) => {
      this.rows.push({ item: child, level, position: i + 1, count: item.children.length });
      if (child.open) this.add(child, level + 1);
    });
  }

  private get current(): number {
    const { selected, model } = this.looking;
    if (!selected || !model) return -1;
    return this.at.get(selected) ?? this.at.get(model.visible(selected)) ?? -1;
  }

  /** Scrolls to the chosen row. */
  private follow(): void {
    const top = this.current * ROW;
    const { scrollTop, clientHeight } = this.tree;
    if (top >= 0 && (top < scrollTop || top + ROW > scrollTop + clientHeight))
      this.tree.scrollTop = Math.max(0, top - clientHeight / 2);
    this.drawn = "";
    this.draw();
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.tree.scrollTop / ROW) - SPARE);
    const last = Math.min(
      this.rows.length,
      Math.ceil((this.tree.scrollTop + this.tree.clientHeight) / ROW) + SPARE,
    );
    const state = `${first} ${last}`;
    if (state === this.drawn) return;
    this.drawn = state;
    const shown = this.rows.slice(first, last).map((row, i) => this.row(row, first + i));
    this.filler.replaceChildren(...shown);
    const current = this.current;
    if (current >= first && current < last)
      this.tree.setAttribute("aria-activedescendant", `row-${current}`);
    else this.tree.removeAttribute("aria-activedescendant");
  }

  private row({ item, level, position, count }: Row, index: number): HTMLElement {
    const node = item.node < 0 ? null : this.looking.model!.graph.nodes[item.node];
    const folded = this.looking.query.trim() || !item.expandable;
    return h(
      "div.row",
      {
        id: `row-${index}`,
        role: "treeitem",
        "aria-level": level,
        "aria-posinset": position,
        "aria-setsize": count,
        "aria-selected": index === this.current ? "true" : "false",
        "aria-expanded": folded ? null : String(item.open),
        "data-index": index,
        style: `top:${index * ROW}px;padding-left:${6 + (level - 1) * 14}px`,
      },
      h("span.twist", { "aria-hidden": "true" }, folded ? "" : item.open ? "▾" : "▸"),
      h(`span.dot`, {
        "aria-hidden": "true",
        style: `background:var(--kind-${node ? kindOf(node.op) : "group"})`,
      }),
      h("span.name", {}, item.name),
      node ? h("span.id", {}, item.name === node.id ? "" : node.id) : null,
      h(
        "span.type",
        {},
        node ? node.type : `${plural(item.count, "op")}, ${amount(item.flops)} flop`,
      ),
    );
  }

  private clicked(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>(".row");
    if (!row) return;
    const { item } = this.rows[Number(row.dataset.index)];
    if ((event.target as Element).closest(".twist") && item.expandable) this.looking.toggle(item);
    else this.choose(item);
  }

  private choose(item: Item): void {
    if (this.looking.query.trim()) this.looking.reveal(item);
    else this.looking.select(item);
  }

  private key(event: KeyboardEvent): void {
    const now = this.current;
    const page = Math.max(1, Math.floor(this.tree.clientHeight / ROW) - 1);
    const steps: Record<string, number> = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      Home: 0,
      End: this.rows.length - 1,
      PageDown: now + page,
      PageUp: now - page,
    };
    const item = this.rows[now]?.item;
    if (event.key in steps) this.step(steps[event.key]);
    else if (event.key === "ArrowRight" && item?.expandable) {
      if (item.open) this.step(now + 1);
      else this.looking.toggle(item);
    } else if (event.key === "ArrowLeft" && item) {
      if (item.open) this.looking.toggle(item);
      else if (item.parent?.parent) this.looking.select(item.parent);
    } else if ((event.key === "Enter" || event.key === " ") && item) {
      if (item.expandable && !this.looking.query.trim()) this.looking.toggle(item);
      else this.choose(item);
    } else return;
    event.preventDefault();
  }

  private step(to: number): void {
    const row = this.rows[Math.max(0, Math.min(this.rows.length - 1, to))];
    if (row) this.looking.select(row.item);
  }
}
