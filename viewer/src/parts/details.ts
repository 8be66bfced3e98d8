/** What is known of an operation or of a group: in the panel, and in short beside the pointer. */

import type { GraphNode, Program } from "../data";
import { h, list } from "../dom";
import type { Item } from "../graph/model";
import type { Looking } from "../looking";
import { amount, bytes, plural } from "../text";
import { aboutProgram } from "./about";

type Lines = Record<string, string>;

/** In short: type, line, layer, flops and bytes. */
export function brief(looking: Looking, lines: () => Lines): (item: Item) => Node[] {
  return (item) => {
    const node = nodeOf(looking, item);
    const rows = facts(looking, item, node).filter(([name]) => name !== "Bytes of results");
    return [h("strong", {}, item.name), ...code(node, lines()), list(rows)];
  };
}

export class Details {
  readonly element = h("div.details", {});

  constructor(
    private readonly looking: Looking,
    private readonly lines: () => Lines,
    private readonly program: () => Program | null,
  ) {
    for (const change of ["model", "selected"] as const) looking.on(change, () => this.draw());
    looking.on("opened", () => this.draw());
  }

  /** More may be known of the program: of an operation there is not. */
  refresh(): void {
    if (!this.looking.selected) this.draw();
  }

  private draw(): void {
    const { looking } = this;
    const { selected: item, model } = looking;
    if (!item || !model) {
      const program = this.program();
      return this.element.replaceChildren(...(program ? aboutProgram(program) : []));
    }
    const node = nodeOf(looking, item);
    const parts: Node[] = [h("h3", {}, item.name)];
    if (item.expandable && item.parent)
      parts.push(
        h(
          "button.small",
          { onclick: () => looking.toggle(item) },
          item.open ? "Collapse" : "Expand",
        ),
      );
    parts.push(...code(node, this.lines()), list(facts(looking, item, node)));
    if (node) {
      parts.push(h("pre.line", { tabIndex: 0, "aria-label": "The operation as text" }, node.text));
      parts.push(...this.links("Uses", model.operands[item.node]));
      parts.push(...this.links("Used by", model.users[item.node]));
    }
    this.element.replaceChildren(...parts);
  }

  private links(title: string, positions: number[]): Node[] {
    const { model } = this.looking;
    const shown = [...new Set(positions)].slice(0, 40);
    if (!shown.length) return [];
    const buttons = shown.map((position) => {
      const { id, label, op } = model!.graph.nodes[position];
      const name = label && label !== id ? `${id} ${label}` : `${id} ${op}`;
      return h("button.link", { onclick: () => this.looking.reveal(model!.of[position]) }, name);
    });
    const more = positions.length - shown.length;
    const count = more > 0 ? h("span.quiet", {}, `and ${more} more`) : null;
    return [h("h4", {}, title), h("div.links", {}, ...buttons, count)];
  }
}

function nodeOf(looking: Looking, item: Item): GraphNode | null {
  return item.node < 0 ? null : looking.model!.graph.nodes[item.node];
}

function facts(looking: Looking, item: Item, node: GraphNode | null): [string, string][] {
  const { flops, bytes: all } = looking.model!;
  const part = (value: number, whole: number) =>
    value && whole ? ` (${((100 * value) / whole).toPrecision(2)} %)` : "";
  const rows: [string, string | null | undefined][] = [
    ["Operation", node && node.op !== item.name ? node.op : ""],
    ["Name", node?.id],
    ["Type", node?.type],
    ["Source", node?.place],
    ["Layer", node?.scope],
    ["Holds", item.count > 1 ? plural(item.count - (node ? 1 : 0), "operation") : ""],
    ["Flops", node?.flops === null ? "" : `${amount(item.flops)}${part(item.flops, flops)}`],
    ["Bytes moved", node?.bytes === null ? "" : `${bytes(item.bytes)}${part(item.bytes, all)}`],
    ["Bytes of results", node?.size ? bytes(node.size) : ""],
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

function code(node: GraphNode | null, lines: Lines): Node[] {
  const line = node && lines[node.place];
  return line ? [h("code.source", {}, line)] : [];
}
