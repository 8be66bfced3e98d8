/** The curve of what is held; a cursor goes along it, by pointer and by keyboard. */

import { h, svg } from "../dom";
import { bytes } from "../text";

const WIDTH = 1000;
const HEIGHT = 260;

export class Chart {
  readonly element: HTMLElement;
  private readonly frame = h("div.chart", { role: "slider", tabIndex: 0 });
  private readonly cursor = svg("line", {
    class: "cursor",
    y1: 0,
    y2: HEIGHT,
    visibility: "hidden",
  });
  private readonly said = h(
    "p.quiet",
    {},
    "Point at the curve, or go along it with the arrow keys; Enter shows the operation.",
  );
  private at: number;

  constructor(
    private readonly held: number[],
    private readonly top: number,
    private readonly peak: number,
    private readonly tell: (step: number) => string,
    private readonly choose: (step: number) => void,
  ) {
    this.at = peak;
    const about = { label: "Memory over the program", valuemin: 1, valuemax: held.length };
    for (const [name, value] of Object.entries(about))
      this.frame.setAttribute(`aria-${name}`, String(value));
    this.frame.append(
      this.drawing(),
      h("span.top", {}, bytes(top)),
      h("span.bottom", {}, "0"),
    );
    this.element = h("div", {}, this.frame, this.said);
    this.place();
    this.listen();
  }

  private x(step: number): number {
    return (step / Math.max(1, this.held.length)) * WIDTH;
  }

  private drawing(): SVGElement {
    const { held, peak } = this;
    const y = (value: number) => HEIGHT - (value / this.top) * (HEIGHT - 14);
    const path = thinned(held, WIDTH)
      .map(([i, value]) => `H${this.x(i).toFixed(1)}V${y(value).toFixed(1)}`)
      .join("");
    const middle = this.x(peak + 0.5);
    return svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("path", { d: `M0 ${HEIGHT}${path}H${WIDTH}V${HEIGHT}Z`, class: "area" }),
      svg("line", { x1: middle, x2: middle, y1: 0, y2: HEIGHT, class: "peak" }),
      this.cursor,
    );
  }

  private place(): void {
    const middle = String(this.x(this.at + 0.5));
    this.cursor.setAttribute("x1", middle);
    this.cursor.setAttribute("x2", middle);
    this.frame.setAttribute("aria-valuenow", String(this.at + 1));
    this.frame.setAttribute("aria-valuetext", this.tell(this.at));
  }

  private go(step: number): void {
    this.cursor.removeAttribute("visibility");
    this.at = Math.max(0, Math.min(this.held.length - 1, step));
    this.place();
    this.said.textContent = this.tell(this.at);
  }

  private listen(): void {
    const { frame } = this;
    frame.addEventListener("pointermove", (event) => {
      const box = frame.getBoundingClientRect();
      this.go(Math.floor(((event.clientX - box.left) / box.width) * this.held.length));
    });
    frame.addEventListener("click", () => this.choose(this.at));
    frame.addEventListener("keydown", (event) => {
      const page = Math.max(1, Math.round(this.held.length / 10));
      const steps: Record<string, number> = {
        ArrowRight: this.at + 1,
        ArrowUp: this.at + 1,
        ArrowLeft: this.at - 1,
        ArrowDown: this.at - 1,
        PageUp: this.at + page,
        PageDown: this.at - page,
        Home: 0,
        End: this.held.length - 1,
      };
      if (event.key === "Enter") this.choose(this.at);
      else if (event.key in steps) this.go(steps[event.key]);
      else return;
      event.preventDefault();
    });
  }
}

/** Of many steps the highest of each column of the drawing. */
function thinned(values: number[], columns: number): [number, number][] {
  const step = Math.max(1, Math.ceil(values.length / (2 * columns)));
  const points: [number, number][] = [];
  for (let i = 0; i < values.length; i += step)
    points.push([i, Math.max(...values.slice(i, i + step))]);
  return points;
}
