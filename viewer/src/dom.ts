/** Elements in one call. */

type Child = Node | string | null | false;
type Properties = Record<string, unknown>;

/** `h("button.small", { onclick, "aria-label": "Close" }, "×")`, properties and attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K | `${K}.${string}`,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && !key.includes("-")) (element as unknown as Properties)[key] = value;
    else if (value !== false && value != null) element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element as HTMLElementTagNameMap[K];
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(
  tag: string,
  attributes: Record<string, string | number>,
  ...children: Child[]
): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/** Names and what they stand for. */
export function list(rows: [string, string][]): HTMLElement {
  return h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** Whether whoever looks wants things to stand still. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
