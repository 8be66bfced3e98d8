/** The text of a stage, and what changed in it since another. */

import type { Shown } from "../data";
import { diff, type Line } from "../diff";
import { h } from "../dom";
import { plural } from "../text";

const CONTEXT = 3;
const MOST_ROWS = 6000;

export class StageText {
  readonly element = h("div.text", {
    tabIndex: 0,
    role: "region",
    "aria-label": "Text of the stage",
  });
  readonly status = h("p.quiet", { role: "status" });

  /** A stage that is not stored takes as long as the compiler needs. */
  wait(what: string): void {
    this.status.textContent = `Making ${what} …`;
    this.element.setAttribute("aria-busy", "true");
    this.element.replaceChildren();
  }

  /** Nothing, and why. */
  fail(problem: string): void {
    this.element.removeAttribute("aria-busy");
    this.status.textContent = problem;
    this.element.replaceChildren();
  }

  /** A text, whole; or what it has other than an old one. `strict`: names of values count. */
  show(now: Shown, old: Shown | null, before: string, whole: boolean, strict: boolean): void {
    if (now.problem) return this.fail(now.problem);
    this.element.removeAttribute("aria-busy");
    const after = split(now.text);
    if (!old) {
      this.status.textContent = plural(after.length, "line");
      return this.rows(after.map((text, i) => ({ sign: " ", text, old: 0, new: i + 1 })));
    }
    const lines = diff(split(old.text), after, strict ? (line) => line : unnamed);
    const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
    const [added, removed] = [count("+"), count("-")];
    this.status.textContent =
      added + removed
        ? `${plural(added, "line")} added, ${removed.toLocaleString("en")} removed since ${before}`
        : `the same as ${before}`;
    this.rows(whole || !(added + removed) ? lines : near(lines));
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
    this.element.replaceChildren(...shown);
    this.element.scrollTop = 0;
  }
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
