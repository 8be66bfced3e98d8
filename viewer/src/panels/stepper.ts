/** A program from stage to stage: its text, and what changed since the stage before. */

import { messageOf, type Program, type Reader, type Shown } from "../data";
import { diff, type Line } from "../diff";
import { h } from "../dom";
import { plural } from "../text";

const CONTEXT = 3;
const MOST_ROWS = 6000;
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
  private readonly status = h("p.quiet", { role: "status" });
  private readonly text = h("div.text", {
    tabIndex: 0,
    role: "region",
    "aria-label": "Text of the stage",
  });
  private readonly whole = h("input", {
    type: "checkbox",
    id: "whole",
    onchange: () => this.draw(),
  });
  private readonly numbers = h("input", {
    type: "checkbox",
    id: "numbers",
    onchange: () => this.draw(),
  });
  private readonly against = h("select", { id: "against", onchange: () => this.draw() });
  private program: Program | null = null;
  private readonly same = new Set<string>();
  private at = 0;
  private turn = 0;

  constructor(private readonly reader: Reader) {
    const button = (name: string, step: number) =>
      h("button.small", { onclick: () => this.go(this.at + step) }, name);
    this.element.append(
      h("div.side", {}, h("h2", {}, "Stages"), this.steps),
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
          this.status,
        ),
        this.text,
      ),
    );
    this.steps.addEventListener("keydown", (event) => {
      const to = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, Home: 0, End: Infinity }[
        event.key
      ];
      if (to === undefined) return;
      event.preventDefault();
      this.go(to);
    });
  }

  show(program: Program | null): void {
    this.program = program;
    this.same.clear();
    const stages = program?.stages ?? [];
    this.against.replaceChildren(
      h("option", { value: "before" }, "the stage before"),
      h("option", { value: "none" }, "nothing"),
      ...stages.map((stage) => h("option", { value: `=${stage}` }, stage)),
    );
    this.go(0);
    if (this.element.offsetParent) void this.scan();
  }

  /** Goes to the stage that was chosen elsewhere. */
  choose(stage: string): void {
    const at = this.stages.indexOf(stage);
    if (at >= 0) this.go(at);
  }

  private get stages(): string[] {
    return this.program?.stages ?? [];
  }

  private go(to: number): void {
    this.at = Math.max(0, Math.min(this.stages.length - 1, to));
    this.list();
    void this.draw();
  }

  private list(): void {
    this.steps.replaceChildren(
      ...this.stages.map((stage, i) =>
        h(
          "div.step",
          {
            id: `step-${i}`,
            role: "option",
            "aria-selected": String(i === this.at),
            onclick: () => this.go(i),
          },
          stage,
          this.same.has(stage) && h("span.quiet", {}, " no change"),
        ),
      ),
    );
    this.steps.setAttribute("aria-activedescendant", `step-${this.at}`);
    this.steps.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  private get before(): string | null {
    const { value } = this.against;
    if (value.startsWith("=")) return value.slice(1);
    return value === "before" ? this.beforeOf(this.at) : null;
  }

  /** The nearest earlier stage that a stage came from and is written like. */
  private beforeOf(at: number): string | null {
    const chain = CHAINS.find((kinds) => kinds.includes(kindOf(this.stages[at] ?? "")));
    return this.stages.slice(0, at).findLast((stage) => chain?.includes(kindOf(stage))) ?? null;
  }

  /** Marks the passes that changed nothing. Their texts are there at once, those of XLA are not. */
  async scan(): Promise<void> {
    const { program } = this;
    for (let at = 0; at < this.stages.length && program === this.program; at++) {
      const before = this.beforeOf(at);
      if (
        !program ||
        !before ||
        kindOf(this.stages[at]) !== "pass" ||
        this.same.has(this.stages[at])
      )
        continue;
      const [now, old] = await Promise.all(
        [this.stages[at], before].map((stage) => this.reader.text(program.id, stage)),
      );
      if (program !== this.program) return;
      if (now.text === old.text) this.same.add(this.stages[at]);
    }
    this.list();
  }

  private async draw(): Promise<void> {
    const turn = ++this.turn;
    const stage = this.stages[this.at];
    this.title.textContent = stage ?? "No stage";
    if (!this.program || !stage) return this.text.replaceChildren();
    const before = this.before;
    const waiting = setTimeout(() => turn === this.turn && this.wait(stage), PATIENCE);
    try {
      const [now, old] = await Promise.all([
        this.reader.text(this.program.id, stage),
        before ? this.reader.text(this.program.id, before) : null,
      ]);
      if (turn === this.turn) this.fill(now, old, before ?? "");
    } catch (error) {
      if (turn === this.turn) this.fill({ text: "", problem: messageOf(error) }, null, "");
    } finally {
      clearTimeout(waiting);
    }
  }

  /** A stage that is not stored takes as long as the compiler needs. */
  private wait(stage: string): void {
    this.status.textContent = `Making ${stage} …`;
    this.text.setAttribute("aria-busy", "true");
    this.text.replaceChildren();
  }

  private fill(now: Shown, old: Shown | null, before: string): void {
    this.text.removeAttribute("aria-busy");
    if (now.problem) {
      this.status.textContent = now.problem;
      return this.text.replaceChildren();
    }
    const after = split(now.text);
    if (!old) {
      this.status.textContent = plural(after.length, "line");
      this.rows(after.map((text, i) => ({ sign: " ", text, old: 0, new: i + 1 })));
      return;
    }
    const lines = diff(split(old.text), after, this.numbers.checked ? (line) => line : unnamed);
    const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
    const [added, removed] = [count("+"), count("-")];
    this.status.textContent =
      added + removed
        ? `${plural(added, "line")} added, ${removed.toLocaleString("en")} removed since ${before}`
        : `the same as ${before}`;
    this.rows(this.whole.checked ? lines : near(lines));
  }

  private rows(lines: (Line | null)[]): void {
    const shown = lines
      .slice(0, MOST_ROWS)
      .map((line) =>
        line
          ? h(
              "div.text-row",
              { "data-sign": line.sign },
              h("span.gutter", { "aria-hidden": "true" }, String(line.new || line.old)),
              h("span.sign", {}, line.sign === "-" ? "−" : line.sign),
              h("code", {}, line.text),
            )
          : h("div.gap", {}, "⋯"),
      );
    if (lines.length > MOST_ROWS)
      shown.push(h("div.gap", {}, `${plural(lines.length - MOST_ROWS, "more line")}`));
    this.text.replaceChildren(...shown);
    this.text.scrollTop = 0;
  }
}

function kindOf(stage: string): string {
  return stage.split(":")[0];
}

function split(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** A line without the numbers of its values and without its place. */
function unnamed(line: string): string {
  return line.replace(/%[\w.\-]+(#\d+|:\d+)?/g, "%").replace(/\s+(\/\/.*|loc\(.*)$/, "");
}

/** The lines that changed and a few around them; null stands for those left out. */
function near(lines: Line[]): (Line | null)[] {
  const wanted = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.sign !== " ") wanted.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  });
  const shown: (Line | null)[] = [];
  lines.forEach((line, i) => {
    if (wanted[i]) shown.push(line);
    else if (shown.at(-1) !== null) shown.push(null);
  });
  return shown;
}
