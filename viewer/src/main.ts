/** The page: puts its parts together, and shows the program and the stage that are chosen. */

import { instead, loadPage, messageOf, Reader, type Drawn, type Page, type Program } from "./data";
import { h } from "./dom";
import { bestGrouping } from "./graph/model";
import { Looking } from "./looking";
import { GraphPanel, label } from "./panels/graph";
import { Memory } from "./panels/memory";
import { Stepper } from "./panels/stepper";
import { Timeline } from "./panels/timeline";
import { Details } from "./parts/details";
import { watch } from "./parts/growing";
import { Outline } from "./parts/outline";
import { Programs, titleOf } from "./parts/programs";
import { Search } from "./parts/search";
import { Tabs } from "./parts/tabs";
import { themeButton } from "./parts/theme";
import { inAddress, plural } from "./text";

class App {
  private readonly looking = new Looking();
  private readonly reader: Reader;
  private drawn: Drawn | null = null;
  private program: Program | null = null;
  private asking = new AbortController();
  private readonly lines = () => this.drawn?.lines ?? {};
  private readonly graph = new GraphPanel(this.looking, this.lines);
  private asked = "";
  private readonly stages = h("select", {
    id: "stage",
    disabled: true,
    onchange: () => this.stepper.go(this.stages.value),
  });
  private readonly said = h("p.status", { role: "status" });
  private readonly news = h("p.news", { role: "status" });
  private readonly notes = h("div", {});
  private readonly search = new Search(this.looking);
  private readonly details = new Details(this.looking, this.lines, () => this.program);
  private readonly stepper: Stepper;
  private readonly memory = new Memory(this.looking);
  private readonly programs: Programs;
  private readonly timeline: Timeline;

  constructor(private page: Page) {
    this.reader = new Reader(page);
    this.stepper = new Stepper(this.reader, (stage) => this.choose(stage));
    this.programs = new Programs(page.programs, (id) => this.showProgram(id));
    this.timeline = new Timeline(page.events, (id) => this.showProgram(id));
    document.title = `${page.title} – dump-hlo`;
    this.build();
    this.showFirst();
    if (this.reader.makes) watch(page, (newer) => this.grow(newer));
  }

  private build(): void {
    const { page, looking, graph, memory } = this;
    const tabs = new Tabs([
      { name: "Graph", panel: graph.element, shown: () => void this.showStage() },
      { name: "Stages", panel: this.stepper.element, shown: () => this.stepper.appear() },
      {
        name: "Memory",
        panel: memory.element,
        shown: () => {
          void this.showStage();
          memory.show();
        },
      },
    ]);
    looking.on("go", () => graph.element.offsetParent || tabs.go(0));
    // the page of one program that was no run's is about nothing else
    const ran = this.reader.makes || page.events.length > 0;
    const several = ran || page.programs.length > 1;
    const side = several || page.notes.length > 0;
    this.note();
    document.body.replaceChildren(
      h("a.skip", { href: "#outline" }, "Skip to the outline of operations"),
      h(
        "header",
        {},
        h("h1", { title: page.title }, page.title),
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
              this.news,
              this.notes,
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
            new Outline(looking).element,
          ),
          h("section", { "aria-label": "What is chosen", tabIndex: 0 }, this.details.element),
        ),
      ),
      ran ? h("footer", {}, this.timeline.element) : "",
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

  private note(): void {
    this.notes.replaceChildren(...this.page.notes.map((note) => h("p.note", {}, note)));
  }

  /** The program that the address names, or else the one that costs most. */
  private showFirst(): void {
    const { programs } = this.page;
    const named = programs.find(({ id }) => location.hash === `#${inAddress(id)}`);
    const first = named ?? costliest(programs);
    if (first) this.showProgram(first.id);
    else this.tell("Nothing was compiled yet: there is no program to show.", true);
  }

  /** Takes in what a run has added. What is looked at stays as it is. */
  private grow(newer: Page): void {
    const known = new Set(this.page.programs.map(({ id }) => id));
    const added = newer.programs.filter(({ id }) => !known.has(id));
    this.page = newer;
    this.note();
    this.programs.update(newer.programs);
    this.timeline.update(newer.events);
    if (added.length)
      this.news.textContent = `${plural(added.length, "new program")}: ${titleOf(added.at(-1)!)}`;
    const program = newer.programs.find(({ id }) => id === this.program?.id);
    if (!this.program || !program) return this.showFirst();
    Object.assign(this.program, program);
    this.listStages();
    this.details.refresh();
  }

  private showProgram(id: string): void {
    const program = this.page.programs.find((p) => p.id === id);
    if (!program || id === this.program?.id) return;
    this.program = program;
    this.programs.mark(id);
    const { stages } = program;
    const preferred = [this.stages.value, "lowered", "trace", "hlo-opt", stages[0]];
    const stage = preferred.find((name) => stages.includes(name));
    history.replaceState(null, "", `#${inAddress(id)}`);
    if (!stage) this.showNothing("No stage of this program is stored.");
    this.stepper.show(program, stage ?? "");
  }

  /** A stage is looked at, in any panel; its graph is shown where graphs are. */
  private choose(stage: string): void {
    this.listStages(stage);
    void this.showStage();
  }

  /** The stages of the program, of which there may be more now. */
  private listStages(chosen = this.stages.value): void {
    const { stages } = this.program!;
    if (stages.join() !== [...this.stages.options].map(({ value }) => value).join()) {
      this.stages.replaceChildren(...stages.map((value) => h("option", { value }, value)));
      this.stages.disabled = stages.length < 2;
      this.stepper.update(this.program!);
    }
    this.stages.value = chosen;
  }

  /** No graph, and why. */
  private showNothing(why: string): void {
    this.asking.abort();
    this.asked = "";
    this.drawn = null;
    this.looking.show(null, "layer");
    this.tell(why, true);
  }

  /** The graph of the stage that is chosen, unless it is there, or texts are looked at. */
  private async showStage(): Promise<void> {
    const { program } = this;
    const stage = this.stages.value;
    const wanted = `${program?.id} ${stage}`;
    if (!program || !stage || wanted === this.asked || this.stepper.element.offsetParent) return;
    const { signal } = (this.asking = instead(this.asking));
    this.asked = wanted;
    this.tell(`Making ${stage} …`, true);
    try {
      const read = await this.reader.graph(program.id, stage, signal);
      if (signal.aborted) return;
      if (!read.graph) return this.showNothing(read.problem ?? "There is no graph of it.");
      this.drawn = read;
      const grouping = bestGrouping(read.graph);
      this.graph.grouping = grouping;
      this.looking.show(read.graph, grouping);
      this.tell(plural(read.graph.nodes.length, "node"));
    } catch (error) {
      if (!signal.aborted) this.showNothing(messageOf(error));
    }
  }

  private recolor(): void {
    this.graph?.view.recolor();
    this.timeline?.draw();
  }

  /** Says something; `over`: and in place of the picture. */
  private tell(message: string, over = false): void {
    this.said.textContent = message;
    this.graph.view.over.textContent = message;
    this.graph.view.over.hidden = !over;
    // it is read aloud in any case, and shown once
    this.said.classList.toggle("hidden", over);
  }
}

function costliest(programs: Program[]): Program | undefined {
  const cost = (p: Program) => (p.cost?.["flops"] ?? p.operations) * Math.max(1, p.runs);
  return programs.toSorted((a, b) => cost(b) - cost(a) || a.number - b.number)[0];
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
