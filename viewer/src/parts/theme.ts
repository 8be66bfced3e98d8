/** Light or dark: as the system has it, until one is chosen. */

import { h } from "../dom";

const dark = matchMedia("(prefers-color-scheme: dark)");

export function themeButton(changed: () => void): HTMLButtonElement {
  const button = h("button.icon", { onclick: flip });
  dark.addEventListener("change", show);
  show();
  return button;

  function isDark(): boolean {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : dark.matches;
  }

  function flip(): void {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
  }

  function show(): void {
    button.textContent = isDark() ? "☀" : "☾";
    button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
    button.title = button.getAttribute("aria-label")!;
    changed();
  }
}
