/** The field that finds operations. */

import { h } from "../dom";
import type { Looking } from "../looking";

export class Search {
  readonly element: HTMLElement;
  readonly field = h("input", {
    type: "search",
    id: "search",
    placeholder: "Search: op, name, type, layer, file:line",
    "aria-keyshortcuts": "/",
    "aria-describedby": "found",
    autocomplete: "off",
    spellcheck: false,
  });
  private readonly count = h("output", { id: "found", role: "status" });

  constructor(private readonly looking: Looking) {
    this.element = h(
      "search",
      {},
      h("label.hidden", { htmlFor: "search" }, "Search operations"),
      this.field,
      this.count,
    );
    this.field.addEventListener("input", () => looking.search(this.field.value));
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") looking.next(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") this.clear();
    });
    looking.on("found", () => this.tell());
    looking.on("selected", () => this.tell());
  }

  private clear(): void {
    this.field.value = "";
    this.looking.search("");
  }

  private tell(): void {
    const { matches, selected, query } = this.looking;
    const at = selected ? matches.indexOf(selected) : -1;
    const total = matches.length.toLocaleString("en");
    this.count.textContent = !query.trim()
      ? ""
      : at < 0
        ? `${total} found`
        : `${at + 1} of ${total}`;
  }
}
