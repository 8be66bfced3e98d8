/** How much memory is held as a program goes on: from where a value is made to its last use. */

import type { Graph } from "../data";
import { h } from "../dom";
import type { Looking } from "../looking";
import { bytes } from "../text";
import { Chart } from "./chart";

const SHOWN = 24;
const ALIASES = new Set(["tuple", "get-tuple-element", "bitcast", "return", "func"]);

export interface Held {
  /** The positions of the operations, in order, and what is held at each. */
  steps: number[];
  held: number[];
  peak: number;
  /** What is held at the peak, the largest first. */
  live: { position: number; size: number }[];
}

/** Live ranges by the order of the program, of what stands in no other operation. */
export function heldBy(graph: Graph): Held {
  const byId = new Map(graph.nodes.map((node, i) => [node.id, i]));
  // of a part of a program, what an operation stands in may be left out
  const holder = (position: number) => byId.get(graph.nodes[position].parent);
  const steps = graph.nodes.flatMap((node, i) =>
    holder(i) !== undefined || node.op === "func" ? [] : [i],
  );
  const order = new Map(steps.map((position, i) => [position, i]));
  const outer = (position: number): number => {
    let at = position;
    for (let next = holder(at); next !== undefined; next = holder(next)) at = next;
    return at;
  };
  const last = new Int32Array(graph.nodes.length);
  steps.forEach((position, i) => (last[position] = i));
  for (const [from, to] of graph.edges)
    if (order.has(from))
      last[from] = Math.max(last[from], order.get(outer(to)) ?? steps.length - 1);
  const change = new Float64Array(steps.length + 1);
  const size = (position: number) =>
    ALIASES.has(graph.nodes[position].op) ? 0 : (graph.nodes[position].size ?? 0);
  steps.forEach((position, i) => {
    // an argument is there from the start
    change[["argument", "parameter"].includes(graph.nodes[position].op) ? 0 : i] += size(position);
    change[last[position] + 1] -= size(position);
  });
  let sum = 0;
  const held = steps.map((_, i) => (sum += change[i]));
  const peak = held.reduce((most, value, i) => (value > held[most] ? i : most), 0);
  const live = steps.flatMap((position, i) => {
    const from = ["argument", "parameter"].includes(graph.nodes[position].op) ? 0 : i;
    return from <= peak && last[position] >= peak && size(position)
      ? [{ position, size: size(position) }]
      : [];
  });
  return {
    steps,
    held,
    peak,
    live: live.sort((a, b) => b.size - a.size || a.position - b.position),
  };
}

export class Memory {
  readonly element = h("div.memory");
  private stale = true;

  constructor(private readonly looking: Looking) {
    looking.on("model", () => {
      this.stale = true;
      if (this.element.offsetParent) this.show();
    });
  }

  /** Draws it, where it was not drawn for this program. */
  show(): void {
    const { model } = this.looking;
    if (!this.stale) return;
    this.stale = false;
    if (!model || !model.graph.nodes.length)
      return this.element.replaceChildren(h("p.quiet", {}, "No program."));
    const held = heldBy(model.graph);
    const top = Math.max(1, held.held[held.peak] ?? 0);
    const at = held.steps[held.peak];
    const { id, op, place } = model.graph.nodes[at];
    const said = `The peak is ${bytes(top)}, at ${id} ${op}${place ? `, ${place}` : ""}`;
    this.element.replaceChildren(
      h("h2.plain", {}, "Memory over the program"),
      h(
        "p",
        {},
        said,
        h(
          "span.quiet",
          {},
          " — by the live ranges of values in this order; XLA may share or reorder.",
        ),
      ),
      this.chart(held, top),
      h("h2.plain", {}, "Held at the peak"),
      this.table(held, top),
    );
  }

  private chart(held: Held, top: number): HTMLElement {
    const { model } = this.looking;
    const tell = (step: number) => {
      const { id, op, place } = model!.graph.nodes[held.steps[step]];
      const name = id === op ? id : `${id} ${op}`;
      return `${bytes(held.held[step])} at ${[name, place].filter(Boolean).join(", ")}`;
    };
    const choose = (step: number) => this.looking.reveal(model!.of[held.steps[step]]);
    return new Chart(held.held, top, held.peak, tell, choose).element;
  }

  private table(held: Held, top: number): HTMLElement {
    const { model } = this.looking;
    const rows = held.live.slice(0, SHOWN).map(({ position, size }) => {
      const { id, op, type, place } = model!.graph.nodes[position];
      return h(
        "tr",
        {},
        h(
          "td",
          {},
          h("button.link", { onclick: () => this.looking.reveal(model!.of[position]) }, id),
        ),
        h("td", {}, op),
        h("td", {}, type),
        h("td", {}, place),
        h("td.number", {}, bytes(size)),
        h("td.number", {}, `${((100 * size) / top).toPrecision(2)} %`),
      );
    });
    const head = ["Value", "Operation", "Type", "Source", "Bytes", "Part"].map((name, i) =>
      h(i > 3 ? "th.number" : "th", { scope: "col" }, name),
    );
    const more = held.live.length - rows.length;
    return h(
      "div",
      {},
      h("table.plain", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
      more > 0 ? h("p.quiet", {}, `and ${more.toLocaleString("en")} smaller ones`) : null,
    );
  }
}
