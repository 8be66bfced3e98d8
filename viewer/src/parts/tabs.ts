/** Tabs: left and right go from one to the next, as the pattern of ARIA has it. */

import { h } from "../dom";

export interface Tab {
  name: string;
  panel: HTMLElement;
  shown?: () => void;
}

export class Tabs {
  readonly list = h("div.tabs", { role: "tablist", "aria-label": "Views" });
  readonly panels: HTMLElement[];
  private readonly buttons: HTMLButtonElement[];

  constructor(private readonly tabs: Tab[]) {
    this.buttons = tabs.map(({ name }, i) =>
      h(
        "button.tab",
        { role: "tab", id: `tab-${i}`, "aria-controls": `panel-${i}`, onclick: () => this.go(i) },
        name,
      ),
    );
    this.panels = tabs.map(({ panel }, i) =>
      h("div.panel", { role: "tabpanel", id: `panel-${i}`, "aria-labelledby": `tab-${i}` }, panel),
    );
    this.list.append(...this.buttons);
    this.list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const at = this.buttons.indexOf(document.activeElement as HTMLButtonElement);
      const to = (at + step + tabs.length) % tabs.length;
      this.go(to);
      this.buttons[to].focus();
    });
    this.go(0);
  }

  go(to: number): void {
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === to));
      button.tabIndex = i === to ? 0 : -1;
      this.panels[i].hidden = i !== to;
    });
    this.tabs[to].shown?.();
  }
}
