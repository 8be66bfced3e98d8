/** The picture of a program, and what is done to it as a whole. */

import type { Drawn } from "../data";
import { h } from "../dom";
import { KIND_NAMES } from "../graph/kinds";
import type { Grouping } from "../graph/model";
import type { Shade } from "../graph/painter";
import { GraphView } from "../graph/view";
import type { Looking } from "../looking";
import { brief } from "../parts/details";

const GROUPINGS: [Grouping, string][] = [
  ["layer", "layer"],
  ["line", "source line"],
  ["order", "order"],
  ["none", "nothing"],
];
const SHADES: [Shade, string][] = [
  ["kind", "kind"],
  ["flops", "flops"],
  ["bytes", "bytes moved"],
];

export class GraphPanel {
  readonly element: HTMLElement;
  readonly view: GraphView;
  private readonly groupings = options("grouping", GROUPINGS, () => this.regroup());
  private readonly shades = options("shade", SHADES, () => this.reshade());
  private readonly key = legend();

  constructor(
    private readonly looking: Looking,
    lines: () => Drawn["lines"],
  ) {
    this.view = new GraphView(looking, brief(looking, lines));
    const inside = (open: boolean) => looking.setAll(open, (item) => item.node >= 0);
    this.element = h(
      "div.graph",
      {},
      h(
        "div.bar",
        {},
        label("Group by", this.groupings),
        label("Colour by", this.shades),
        buttons("Groups", {
          "Open all": () => looking.setAll(true),
          "Close all": () => looking.setAll(false),
        }),
        buttons("Fusions and regions", {
          "Open fusions": () => inside(true),
          "Close fusions": () => inside(false),
        }),
      ),
      this.stage(),
    );
  }

  set grouping(grouping: Grouping) {
    this.groupings.value = grouping;
  }

  private stage(): HTMLElement {
    const { view } = this;
    const zoom = (text: string, name: string, factor: number) =>
      h("button.small", { "aria-label": name, onclick: () => view.zoom(factor) }, text);
    return h(
      "div.stage",
      {},
      view.canvas,
      view.help,
      view.said,
      this.key,
      h(
        "span.buttons.zoom",
        { role: "group", "aria-label": "Zoom" },
        zoom("−", "Zoom out", 0.8),
        zoom("+", "Zoom in", 1.25),
        h("button.small", { onclick: () => view.overview() }, "Show all"),
      ),
      view.over,
      view.tip,
    );
  }

  private regroup(): void {
    const { model } = this.looking;
    if (model) this.looking.show(model.graph, this.groupings.value as Grouping);
  }

  private reshade(): void {
    this.view.shade = this.shades.value as Shade;
    this.key.hidden = this.shades.value !== "kind";
    this.view.draw();
  }
}

export function label(text: string, field: HTMLElement): HTMLElement {
  return h("span.field", {}, h("label", { htmlFor: field.id }, text), field);
}

function buttons(name: string, acts: Record<string, () => void>): HTMLElement {
  return h(
    "span.buttons",
    { role: "group", "aria-label": name },
    ...Object.entries(acts).map(([text, onclick]) => h("button.small", { onclick }, text)),
  );
}

function options(id: string, values: [string, string][], changed: () => void): HTMLSelectElement {
  return h(
    "select",
    { id, onchange: changed },
    ...values.map(([value, name]) => h("option", { value }, name)),
  );
}

function legend(): HTMLElement {
  return h(
    "ul.legend",
    { "aria-label": "Colours" },
    ...KIND_NAMES.map(([kind, name]) =>
      h(
        "li",
        {},
        h("span.dot", { "aria-hidden": "true", style: `background:var(--kind-${kind})` }),
        name,
      ),
    ),
  );
}
