/** The list of programs; the heads of its columns sort it. */

import type { Program } from "../data";
import { h } from "../dom";
import { amount, bytes, place, seconds } from "../text";

interface Column {
  title: string;
  hint: string;
  value: (program: Program) => number | string;
  shown: (program: Program) => string | Node;
  number: boolean;
}

const COLUMNS: Column[] = [
  {
    title: "#",
    hint: "order of compile",
    value: (p) => p.number,
    shown: (p) => String(p.number),
    number: true,
  },
  { title: "Program", hint: "name and line", value: (p) => p.name, shown: named, number: false },
  numbers(
    "Ops",
    "operations",
    (p) => p.operations,
    (n) => n.toLocaleString("en"),
  ),
  numbers(
    "Runs",
    "how often it ran",
    (p) => p.runs,
    (n) => n.toLocaleString("en"),
  ),
  numbers("Compile", "time to compile", (p) => p.compile_seconds, seconds),
  numbers(
    "Flops",
    "arithmetic of one run",
    (p) => p.cost?.["flops"] ?? 0,
    (n) => (n ? amount(n) : "–"),
  ),
  numbers(
    "Bytes",
    "bytes moved in one run",
    (p) => p.cost?.["bytes accessed"] ?? 0,
    (n) => (n ? bytes(n) : "–"),
  ),
  numbers(
    "Peak",
    "memory at its peak",
    (p) => p.memory?.["peak"] ?? 0,
    (n) => (n ? bytes(n) : "–"),
  ),
];

export class Programs {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly heads: HTMLTableCellElement[];
  private column = 0;
  private down = false;
  private chosen = "";

  constructor(
    private programs: Program[],
    private readonly choose: (id: string) => void,
  ) {
    this.heads = COLUMNS.map((column, i) =>
      h(
        column.number ? "th.number" : "th",
        { scope: "col" },
        h("button.head", { title: column.hint, onclick: () => this.sort(i) }, column.title),
      ),
    );
    this.element = h(
      "div.scroll",
      { tabIndex: -1 },
      h(
        "table.programs",
        { "aria-label": "Programs" },
        h("thead", {}, h("tr", {}, ...this.heads)),
        this.body,
      ),
    );
    this.draw();
  }

  update(programs: Program[]): void {
    this.programs = programs;
    this.draw();
  }

  mark(id: string): void {
    this.chosen = id;
    this.draw();
  }

  /** Numbers the largest first; a second time the other way round. */
  private sort(column: number): void {
    this.down = column === this.column ? !this.down : COLUMNS[column].number && column > 0;
    this.column = column;
    this.draw();
  }

  private draw(): void {
    const { value } = COLUMNS[this.column];
    const order = [...this.programs].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      const less = x < y ? -1 : x > y ? 1 : a.number - b.number;
      return this.down ? -less : less;
    });
    this.heads.forEach((head, i) => {
      const sorted = i !== this.column ? "none" : this.down ? "descending" : "ascending";
      head.setAttribute("aria-sort", sorted);
    });
    const focused = this.body.querySelector(":focus")?.closest("tr")?.dataset.id;
    this.body.replaceChildren(...order.map((program) => this.row(program)));
    if (focused)
      this.body.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(focused)}"] button`)?.focus();
  }

  private row(program: Program): HTMLElement {
    const current = program.id === this.chosen;
    const row = h("tr", { "data-id": program.id, onclick: () => this.choose(program.id) });
    if (current) row.setAttribute("aria-current", "true");
    row.append(
      ...COLUMNS.map((column) => {
        const shown = column.shown(program);
        return h(column.number ? "td.number" : "td", {}, shown);
      }),
    );
    return row;
  }
}

/** A program by the line that it was cut at. */
export function titleOf(program: Program): string {
  return place(program.file, program.line) || program.name || program.id;
}

function numbers(
  title: string,
  hint: string,
  value: (p: Program) => number,
  shown: (n: number) => string,
): Column {
  return { title, hint, value, shown: (p) => shown(value(p)), number: true };
}

function named(program: Program): Node {
  const where = titleOf(program);
  const name = program.name === "main" || program.name === where ? "" : program.name;
  const marks = [
    program.error ? "failed" : "",
    program.recompiled ? "recompiled" : "",
    program.source === "disk" ? "from disk" : "",
  ].filter(Boolean);
  return h(
    "button.program",
    { title: program.id },
    h("span.name", {}, where),
    h("span.where", {}, [name, program.scope, program.cause].filter(Boolean).join(" · ")),
    ...marks.map((mark) => h(mark === "failed" ? "span.badge.bad" : "span.badge", {}, mark)),
  );
}
