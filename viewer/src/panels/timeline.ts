/** When what happened: a lane each for cuts, compiles, runs and transfers. */

import type { Event } from "../data";
import { h } from "../dom";
import { Colors } from "../graph/painter";
import { bytes, place, plural, seconds } from "../text";

const LANES = ["cut", "compile", "run", "transfer"];
const LEFT = 74;
const LANE = 20;
const TOP = 18;

export class Timeline {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", {
    tabIndex: 0,
    role: "application",
    "aria-label": "Timeline",
    "aria-roledescription": "timeline",
    "aria-describedby": "timeline-help",
  });
  private readonly help = h(
    "p.hidden",
    { id: "timeline-help" },
    "Left and right go from event to event, Enter shows the program, " +
      "plus and minus zoom, 0 shows all.",
  );
  private readonly said = h("p.said", { role: "status" });
  private readonly counts = h("p.counts", {});
  private events: Event[] = [];
  private end = 1;
  private from = 0;
  private to = 1;
  private current = -1;
  private drag: number | null = null;
  private dragged = false;

  constructor(
    events: Event[],
    private readonly choose: (program: string) => void,
  ) {
    this.canvas.style.height = `${TOP + LANES.length * LANE + 4}px`;
    this.element = h(
      "section.timeline",
      { "aria-label": "Timeline of the run" },
      h(
        "div.timeline-head",
        {},
        this.said,
        this.counts,
        h("span.quiet.keys", { "aria-hidden": "true" }, "scroll to zoom, drag to move"),
        h(
          "span.buttons",
          { role: "group", "aria-label": "Zoom of the timeline" },
          this.button("−", "Zoom the timeline out", () => this.closer(1 / 2)),
          this.button("+", "Zoom the timeline in", () => this.closer(2)),
          this.button("Show all", "Show all of the timeline", () => this.closer(0)),
        ),
      ),
      this.canvas,
      this.help,
    );
    this.listen();
    this.update(events);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Takes other events; what is told of, and what is zoomed in on, stays. */
  update(events: Event[]): void {
    const { current, to, end } = this;
    const told = this.events[current];
    this.events = events.filter((event) => LANES.includes(event.kind)).sort((a, b) => a.at - b.at);
    const last = this.events.reduce((end, event) => Math.max(end, endOf(event)), 0);
    this.end = last || 1;
    if (to === end) this.to = this.end;
    const same = (event: Event) => event.at === told?.at && event.kind === told.kind;
    this.current = this.events.findIndex(same);
    this.summary();
    this.draw();
  }

  private summary(): void {
    const count = (kind: string) => this.events.filter((event) => event.kind === kind).length;
    const parts = LANES.filter(count).map((kind) => plural(count(kind), kind));
    this.counts.textContent = parts.length
      ? `${parts.join(", ")} in ${seconds(this.end)}`
      : "Nothing has happened yet";
  }

  draw(): void {
    const pen = this.canvas.getContext("2d")!;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = height * devicePixelRatio;
    pen.scale(devicePixelRatio, devicePixelRatio);
    const colors = new Colors(getComputedStyle(document.documentElement));
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillStyle = colors.get("muted");
    LANES.forEach((kind, lane) => pen.fillText(`${kind}s`, 8, TOP + lane * LANE + LANE / 2));
    this.scale(pen, colors, width, height);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, width - LEFT, height);
    pen.clip();
    const last = new Float64Array(LANES.length).fill(-1);
    this.events.forEach((event, i) => {
      const lane = LANES.indexOf(event.kind);
      const x = this.x(event.at, width);
      const right = Math.max(x + 2, this.x(endOf(event), width));
      // what would paint over the same point again is left out
      if (i !== this.current && (right < LEFT || x > width || right <= last[lane])) return;
      last[lane] = right;
      pen.fillStyle = colors.get(
        event.error ? "bad" : i === this.current ? "accent" : `lane-${event.kind}`,
      );
      pen.globalAlpha = isGuessed(event) ? 0.55 : 1;
      pen.fillRect(x, TOP + lane * LANE + 3, right - x, LANE - 6);
    });
    pen.globalAlpha = 1;
    this.cursor(pen, colors, width, height);
    pen.restore();
  }

  private cursor(
    pen: CanvasRenderingContext2D,
    colors: Colors,
    width: number,
    height: number,
  ): void {
    const event = this.events[this.current];
    if (!event) return;
    const x = this.x(event.at, width);
    pen.fillStyle = colors.get("accent");
    pen.fillRect(x - 0.5, TOP - 4, 1, height);
    const lane = LANES.indexOf(event.kind);
    pen.strokeStyle = colors.get("accent");
    pen.lineWidth = 2;
    pen.strokeRect(
      x - 1,
      TOP + lane * LANE + 2,
      Math.max(4, this.x(endOf(event), width) - x + 2),
      LANE - 4,
    );
  }

  private scale(
    pen: CanvasRenderingContext2D,
    colors: Colors,
    width: number,
    height: number,
  ): void {
    const rough = (this.to - this.from) / Math.max(2, (width - LEFT) / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5, 10].find((n) => n * power >= rough) ?? 10);
    for (let n = Math.ceil(this.from / step); n * step <= this.to; n++) {
      const x = this.x(n * step, width);
      pen.fillStyle = colors.get("line");
      pen.fillRect(x, TOP - 2, 1, height);
      pen.fillStyle = colors.get("muted");
      const text = n ? seconds(n * step) : "0";
      if (x + 3 + pen.measureText(text).width < width) pen.fillText(text, x + 3, 8);
    }
  }

  private x(at: number, width: number): number {
    return LEFT + ((at - this.from) / (this.to - this.from)) * (width - LEFT - 6);
  }

  private timeAt(x: number): number {
    return this.from + ((x - LEFT) / (this.canvas.clientWidth - LEFT - 6)) * (this.to - this.from);
  }

  private button(text: string, name: string, act: () => void): HTMLElement {
    return h("button.small", { "aria-label": name, onclick: act }, text);
  }

  /** Zooms around the event that is told of, or else around the middle. */
  private closer(factor: number): void {
    this.zoom(factor, this.events[this.current]?.at ?? (this.from + this.to) / 2);
  }

  private zoom(factor: number, around: number): void {
    const span = Math.min(this.end, Math.max(this.end / 1e5, (this.to - this.from) / factor));
    const part = (around - this.from) / (this.to - this.from);
    this.from = Math.max(0, Math.min(this.end - span, around - part * span));
    this.to = this.from + span;
    this.draw();
  }

  private move(by: number): void {
    const span = this.to - this.from;
    this.from = Math.max(0, Math.min(this.end - span, this.from + by));
    this.to = this.from + span;
    this.draw();
  }

  private point(index: number): void {
    if (index === this.current) return;
    this.current = index;
    const event = this.events[index];
    if (!event) this.said.textContent = "";
    else {
      this.said.textContent = tellOf(event);
      if (event.at < this.from || event.at > this.to)
        this.move(event.at - (this.from + this.to) / 2);
    }
    this.draw();
  }

  private near(x: number, y: number): number {
    const kind = LANES[Math.floor((y - TOP) / LANE)];
    const reach = this.timeAt(x + 3) - this.timeAt(x);
    const at = this.timeAt(x);
    let best = -1;
    this.events.forEach((event, i) => {
      if (event.kind === kind && event.at - reach <= at && endOf(event) + reach >= at)
        best = i;
    });
    return best;
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
          this.move(((this.to - this.from) * (event.deltaX || event.deltaY)) / 800);
        else this.zoom(Math.exp(-event.deltaY / 300), this.timeAt(event.offsetX));
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      this.drag = event.offsetX;
      this.dragged = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.drag === null) return this.point(this.near(event.offsetX, event.offsetY));
      if (!this.dragged && Math.abs(event.offsetX - this.drag) < 3) return;
      this.dragged = true;
      this.move(this.timeAt(this.drag) - this.timeAt(event.offsetX));
      this.drag = event.offsetX;
    });
    canvas.addEventListener("pointerup", () => (this.drag = null));
    canvas.addEventListener("click", () => this.dragged || this.enter());
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  private enter(): void {
    const program = this.events[this.current]?.program;
    if (program) this.choose(program);
  }

  private key(event: KeyboardEvent): void {
    const acts: Record<string, () => void> = {
      ArrowRight: () => this.point(Math.min(this.events.length - 1, this.current + 1)),
      ArrowLeft: () => this.point(Math.max(0, this.current - 1)),
      Home: () => this.point(0),
      End: () => this.point(this.events.length - 1),
      Enter: () => this.enter(),
      "+": () => this.closer(1.5),
      "=": () => this.closer(1.5),
      "-": () => this.closer(1 / 1.5),
      "0": () => this.closer(0),
      Escape: () => this.point(-1),
    };
    if (!acts[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    acts[event.key]();
  }
}

/** Of a run, when its results were there: it goes on while the program does. */
function endOf(event: Event): number {
  return event.at + (event.own_seconds ?? event.seconds);
}

/** Whether how long it took was not timed. */
function isGuessed(event: Event): boolean {
  return event.kind === "run" && event.device_seconds == null;
}

function tellOf(event: Event): string {
  const parts = [
    event.kind,
    event.cause ?? event.reason ?? "",
    event.to ? `to ${event.to}` : "",
    event.bytes !== undefined ? bytes(event.bytes) : "",
    event.operations !== undefined ? plural(event.operations, "operation") : "",
    place(event.file, event.line),
    `${isGuessed(event) ? "about " : ""}${seconds(event.own_seconds ?? event.seconds)} at ${seconds(event.at)}`,
    event.program ?? "",
    event.error ?? "",
  ];
  return parts.filter(Boolean).join(" · ");
}
