/** A program from stage to stage and from pass to pass, ours and XLA's. */

import { instead, messageOf, type Program, type Reader } from "../data";
import { h } from "../dom";
import { StageText } from "./stagetext";

/** So many milliseconds the text of the stage before may stay. */
const PATIENCE = 120;

/** Stages that come from each other, by the first words of their names. */
const CHAINS = [
  ["trace", "pass", "lowered", "stablehlo", "stablehlo-opt"],
  ["hlo", "xla-pass", "hlo-opt"],
];

export class Stepper {
  readonly element = h("div.stepper");
  private readonly steps = h("div.steps", { role: "listbox", tabIndex: 0, "aria-label": "Stages" });
  private readonly title = h("h2.plain", {});
  private readonly text = new StageText();
  private readonly whole = this.checkbox("whole", () => this.draw());
  private readonly numbers = this.checkbox("numbers", () => this.draw());
  private readonly hide = this.checkbox("hide", () => this.list());
  private readonly hidden = h("label", { htmlFor: "hide" });
  private readonly more = h(
    "button.small",
    { title: "XLA compiles the program once more", onclick: () => void this.ask() },
    "Show XLA's passes",
  );
  private readonly against = h("select", { id: "against", onchange: () => this.draw() });
  private program: Program | null = null;
  /** Programs of which all passes of XLA's are there. */
  private readonly made = new Set<string>();
  private shown: string[] = [];
  private stage = "";
  private asking = new AbortController();

  constructor(
    private readonly reader: Reader,
    private readonly chosen: (stage: string) => void,
  ) {
    const button = (name: string, step: number) =>
      h("button.small", { onclick: () => this.step(step) }, name);
    this.hide.checked = true;
    this.element.append(
      h(
        "div.side",
        {},
        h("h2", {}, "Stages"),
        h("span.field", {}, this.hide, this.hidden),
        this.steps,
        this.more,
      ),
      h(
        "div.main",
        {},
        h(
          "div.bar",
          {},
          this.title,
          button("← Previous", -1),
          button("Next →", 1),
          h("span.field", {}, h("label", { htmlFor: "against" }, "Compare with"), this.against),
          h("label", {}, this.whole, "All lines"),
          h("label", {}, this.numbers, "Renamed values count"),
          this.text.status,
        ),
        this.text.element,
      ),
    );
    this.steps.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.step(by);
    });
  }

  /** Another program, at a stage. */
  show(program: Program, stage: string): void {
    this.update(program);
    this.go(stage);
    if (this.element.offsetParent) void this.mark();
  }

  /** It comes into view. */
  appear(): void {
    void this.draw();
    void this.mark();
  }

  go(stage: string): void {
    this.stage = stage;
    this.chosen(stage);
    this.list();
    void this.draw();
  }

  /** The same program, of which more may be known now. */
  update(program: Program): void {
    this.program = program;
    const { value } = this.against;
    this.against.replaceChildren(
      h("option", { value: "before" }, "the stage before"),
      h("option", { value: "none" }, "nothing"),
      ...this.stages.map((stage) => h("option", { value: `=${stage}` }, stage)),
    );
    const kept = value === "none" || this.stages.includes(value.slice(1));
    this.against.value = kept ? value : "before";
    this.more.hidden = !this.makes || this.made.has(program.id);
    this.list();
  }

  private checkbox(id: string, onchange: () => void): HTMLInputElement {
    return h("input", { type: "checkbox", id, onchange });
  }

  /** Whether the server can make what the passes do to this program. */
  private get makes(): boolean {
    return this.reader.makes && this.stages.includes("hlo");
  }

  private get unchanged(): string[] {
    return this.program?.unchanged ?? [];
  }

  private get stages(): string[] {
    return this.program?.stages ?? [];
  }

  private step(by: number): void {
    const at = this.shown.indexOf(this.stage) + by;
    this.go(this.shown[Math.max(0, Math.min(this.shown.length - 1, at))] ?? "");
  }

  /** The stages; those that changed nothing may be hidden, but for the one that is looked at. */
  private list(): void {
    const hides = (stage: string) =>
      this.hide.checked && this.unchanged.includes(stage) && stage !== this.stage;
    this.shown = this.stages.filter((stage) => !hides(stage));
    this.hidden.textContent = `Hide ${this.unchanged.length} without a change`;
    this.hidden.parentElement!.hidden = !this.unchanged.length;
    this.steps.replaceChildren(...this.shown.map((stage, i) => this.option(stage, i)));
    const at = this.shown.indexOf(this.stage);
    this.steps.setAttribute("aria-activedescendant", `step-${at}`);
    this.steps.children[at]?.scrollIntoView({ block: "nearest" });
  }

  private option(stage: string, i: number): HTMLElement {
    return h(
      "div.step",
      {
        id: `step-${i}`,
        role: "option",
        "aria-selected": String(stage === this.stage),
        onclick: () => this.go(stage),
      },
      ...stage.split(/(?<=[:_-])/).flatMap((part) => [part, h("wbr")]),
      this.unchanged.includes(stage) && h("span.quiet", {}, " no change"),
    );
  }

  private get before(): string | null {
    const { value } = this.against;
    if (value.startsWith("=")) return value.slice(1);
    return value === "before" ? this.beforeOf(this.stage) : null;
  }

  /** The nearest earlier stage that a stage came from and is written like. */
  private beforeOf(stage: string): string | null {
    const chain = CHAINS.find((kinds) => kinds.includes(kindOf(stage)));
    const earlier = this.stages.slice(0, this.stages.indexOf(stage));
    return earlier.findLast((other) => chain?.includes(kindOf(other))) ?? null;
  }

  /** Marks the passes that changed nothing. They are made at once, those of XLA are not. */
  private async mark(): Promise<void> {
    const { program } = this;
    if (!program || !this.makes || program.unchanged?.length) return;
    const found = await this.reader.passes(program.id, "pass:*").catch(() => null);
    if (!found || found.problem) return;
    program.unchanged = found.unchanged;
    if (program === this.program) this.list();
  }

  /** Has XLA's passes made, and goes to the first of them. */
  private async ask(): Promise<void> {
    const program = this.program!;
    const { signal } = (this.asking = instead(this.asking));
    this.text.wait("XLA's passes");
    try {
      const { stages, problem } = await this.reader.passes(program.id, "xla-pass:.*", signal);
      if (problem) return this.text.fail(problem);
      program.stages = stages;
      this.made.add(program.id);
      this.go(stages.find((stage) => kindOf(stage) === "xla-pass") ?? this.stage);
      this.steps.focus();
    } catch (error) {
      if (!signal.aborted) this.text.fail(messageOf(error));
    }
  }

  private async draw(): Promise<void> {
    const { signal } = (this.asking = instead(this.asking));
    const { stage, program, before } = this;
    this.title.textContent = stage || "No stage";
    if (!program || !stage) return this.text.fail("");
    if (!this.element.offsetParent) return;
    const waiting = setTimeout(() => signal.aborted || this.text.wait(stage), PATIENCE);
    try {
      const [now, old] = await Promise.all([
        this.reader.text(program.id, stage, signal),
        before ? this.reader.text(program.id, before, signal) : null,
      ]);
      if (signal.aborted) return;
      this.text.show(now, old, before ?? "", this.whole.checked, this.numbers.checked);
    } catch (error) {
      if (!signal.aborted) this.text.fail(messageOf(error));
    } finally {
      clearTimeout(waiting);
    }
  }
}

function kindOf(stage: string): string {
  return stage.split(":")[0];
}
