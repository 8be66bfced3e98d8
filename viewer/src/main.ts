/** The page: puts its parts together, and shows the program and the stage that are chosen. */

import { loadPage, messageOf, Reader, type Drawn, type Page, type Program } from "./data";
import { h } from "./dom";
import { KIND_NAMES } from "./graph/kinds";
import { bestGrouping, type Grouping } from "./graph/model";
import type { Shade } from "./graph/painter";
import { GraphView } from "./graph/view";
import { Looking } from "./looking";
import { Memory } from "./panels/memory";
import { Stepper } from "./panels/stepper";
import { Timeline } from "./panels/timeline";
import { brief, Details } from "./parts/details";
import { Outline } from "./parts/outline";
import { Programs } from "./parts/programs";
import { Search } from "./parts/search";
import { Tabs } from "./parts/tabs";
import { themeButton } from "./parts/theme";
import { inAddress, plural } from "./text";

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

class App {
  private readonly looking = new Looking();
  private readonly reader: Reader;
  private drawn: Drawn | null = null;
  private program: Program | null = null;
  private turn = 0;
  private readonly lines = () => this.drawn?.lines ?? {};
  private readonly view = new GraphView(this.looking, brief(this.looking, this.lines));
  private readonly stages = h("select", {
    id: "stage",
    onchange: () => {
      this.stepper.choose(this.stages.value);
      void this.showStage(this.stages.value);
    },
  });
  private readonly groupings = options("grouping", GROUPINGS, () => this.regroup());
  private readonly said = h("p.status", { role: "status" });
  private readonly search = new Search(this.looking);
  private readonly stepper: Stepper;
  private readonly memory = new Memory(this.looking);
  private readonly programs: Programs;
  private readonly timeline: Timeline | null;

  constructor(private readonly page: Page) {
    this.reader = new Reader(page);
    this.stepper = new Stepper(this.reader);
    this.programs = new Programs(page.programs, (id) => this.showProgram(id));
    this.timeline = page.events.length
      ? new Timeline(page.events, (id) => this.showProgram(id))
      : null;
    document.title = `${page.title} – dump-hlo`;
    this.build();
    const named = page.programs.find(({ id }) => location.hash === `#${inAddress(id)}`);
    const first = named ?? costliest(page.programs);
    if (first) this.showProgram(first.id);
    else this.tell("Nothing was compiled yet: there is no program to show.", true);
  }

  private build(): void {
    const tabs = new Tabs([
      { name: "Graph", panel: this.graphPanel() },
      { name: "Stages", panel: this.stepper.element, shown: () => void this.stepper.scan() },
      { name: "Memory", panel: this.memory.element, shown: () => this.memory.show() },
    ]);
    this.looking.on("go", () => this.memory.element.offsetParent && tabs.go(0));
    // the page of one program that was no run's is about nothing else
    const several = this.page.programs.length > 1 || this.page.events.length > 0;
    const side = several || this.page.notes.length > 0;
    document.body.replaceChildren(
      h("a.skip", { href: "#outline" }, "Skip to the outline of operations"),
      h(
        "header",
        {},
        h("h1", {}, this.page.title),
        h("div.fields", {}, label("Stage", this.stages)),
        this.search.element,
        tabs.list,
        themeButton(() => this.recolor()),
      ),
      h(
        side ? "div.body.with-programs" : "div.body",
        {},
        side
          ? h(
              "aside.list",
              { "aria-label": "Programs" },
              several ? this.programs.element : null,
              ...this.notes(),
            )
          : null,
        h("main", {}, ...tabs.panels),
        h(
          "aside.about",
          { "aria-label": "Operations" },
          h(
            "section.outline",
            { id: "outline", tabIndex: -1 },
            h("div.head-line", {}, h("h2", {}, "Outline"), this.said),
            new Outline(this.looking).element,
          ),
          h(
            "section",
            { "aria-label": "What is chosen", tabIndex: 0 },
            new Details(this.looking, this.lines, () => this.program).element,
          ),
        ),
      ),
      this.timeline ? h("footer", {}, this.timeline.element) : "",
    );
    document.addEventListener("keydown", (event) => {
      const typing =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.search.field.focus();
      this.search.field.select();
    });
  }

  private graphPanel(): HTMLElement {
    const key = legend();
    const shades = options("shade", SHADES, () => {
      this.view.shade = shades.value as Shade;
      key.hidden = shades.value !== "kind";
      this.view.draw();
    });
    const button = (name: string, act: () => void) => h("button.small", { onclick: act }, name);
    const inside = (open: boolean) => this.looking.setAll(open, (item) => item.node >= 0);
    return h(
      "div.graph",
      {},
      h(
        "div.bar",
        {},
        label("Group by", this.groupings),
        label("Colour by", shades),
        h(
          "span.buttons",
          { role: "group", "aria-label": "Groups" },
          button("Open all", () => this.looking.setAll(true)),
          button("Close all", () => this.looking.setAll(false)),
        ),
        h(
          "span.buttons",
          { role: "group", "aria-label": "Fusions and regions" },
          button("Open fusions", () => inside(true)),
          button("Close fusions", () => inside(false)),
        ),
      ),
      h(
        "div.stage",
        {},
        this.view.canvas,
        this.view.help,
        this.view.said,
        key,
        h(
          "span.buttons.zoom",
          { role: "group", "aria-label": "Zoom" },
          h("button.small", { "aria-label": "Zoom out", onclick: () => this.view.zoom(0.8) }, "−"),
          h("button.small", { "aria-label": "Zoom in", onclick: () => this.view.zoom(1.25) }, "+"),
          button("Show all", () => this.view.overview()),
        ),
        this.view.over,
        this.view.tip,
      ),
    );
  }

  private notes(): HTMLElement[] {
    return this.page.notes.map((note) => h("p.note", {}, note));
  }

  private showProgram(id: string): void {
    const program = this.page.programs.find((p) => p.id === id);
    if (!program || program === this.program) return;
    this.program = program;
    this.programs.mark(id);
    const preferred =
      ["lowered", "trace", "hlo-opt"].find((stage) => program.stages.includes(stage)) ??
      program.stages[0];
    const stage = program.stages.includes(this.stages.value) ? this.stages.value : preferred;
    this.stages.replaceChildren(
      ...program.stages.map((name) => h("option", { value: name, selected: name === stage }, name)),
    );
    this.stages.disabled = program.stages.length < 2;
    this.stepper.show(program);
    history.replaceState(null, "", `#${inAddress(id)}`);
    if (stage) void this.showStage(stage);
    else this.showNothing("No stage of this program is stored.");
  }

  /** No graph, and why. */
  private showNothing(why: string): void {
    this.turn++;
    this.drawn = null;
    this.looking.show(null, "layer");
    this.tell(why, true);
  }

  private async showStage(stage: string): Promise<void> {
    const turn = ++this.turn;
    const program = this.program!;
    this.tell(`Making ${stage} …`, true);
    try {
      const read = await this.reader.graph(program.id, stage);
      if (turn !== this.turn) return;
      if (!read.graph) return this.showNothing(read.problem ?? "There is no graph of it.");
      this.drawn = read;
      const grouping = bestGrouping(read.graph);
      this.groupings.value = grouping;
      this.looking.show(read.graph, grouping);
      this.tell(plural(read.graph.nodes.length, "node"));
    } catch (error) {
      if (turn === this.turn) this.showNothing(messageOf(error));
    }
  }

  private regroup(): void {
    if (this.drawn?.graph) this.looking.show(this.drawn.graph, this.groupings.value as Grouping);
  }

  private recolor(): void {
    this.view?.recolor();
    this.timeline?.draw();
  }

  /** Says something; `over`: and in place of the picture. */
  private tell(message: string, over = false): void {
    this.said.textContent = message;
    this.view.over.textContent = message;
    this.view.over.hidden = !over;
    // it is read aloud in any case, and shown once
    this.said.classList.toggle("hidden", over);
  }
}

function costliest(programs: Program[]): Program | undefined {
  const cost = (p: Program) => (p.cost?.["flops"] ?? p.operations) * Math.max(1, p.runs);
  return programs.toSorted((a, b) => cost(b) - cost(a) || a.number - b.number)[0];
}

function label(text: string, field: HTMLElement): HTMLElement {
  return h("span.field", {}, h("label", { htmlFor: field.id }, text), field);
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

loadPage()
  .then((page) => new App(page))
  .catch((error: unknown) => {
    document.body.replaceChildren(
      h(
        "main",
        {},
        h("h1", {}, "dump-hlo"),
        h("p", { role: "alert" }, `The page has no data: ${String(error)}`),
      ),
    );
  });
