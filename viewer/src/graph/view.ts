/** The graph on its canvas: looking around with the pointer and with the keyboard. */

import type { GraphNode } from "../data";
import { h, still } from "../dom";
import type { Looking } from "../looking";
import { sceneOf, type Box, type Scene } from "./layout";
import type { Item } from "./model";
import { amount, bytes } from "../text";
import { Colors, Painter, type Camera, type Shade } from "./painter";

const HELP =
  "Arrow keys move along what feeds what, Enter opens and closes, plus and minus zoom, " +
  "0 shows all. The outline beside it holds the same operations as a tree.";

export class GraphView {
  readonly canvas = h("canvas", {
    tabIndex: 0,
    role: "application",
    "aria-label": "Graph of the program",
    "aria-roledescription": "graph",
    "aria-describedby": "graph-help",
  });
  readonly help = h("p.hidden", { id: "graph-help" }, HELP);
  /** What is said where the keyboard goes through the graph. */
  readonly said = h("p.hidden", { role: "status" });
  /** What stands in place of a picture: that it is being made, or why there is none. */
  readonly over = h("p.over", { hidden: true });
  readonly tip = h("div.tip", { hidden: true, "aria-hidden": "true" });
  shade: Shade = "kind";
  private camera: Camera = { x: 0, y: 0, scale: 1 };
  private scene: Scene | null = null;
  private painter!: Painter;
  private hovered: Item | null = null;
  private drag: { x: number; y: number; moved: boolean } | null = null;
  private pending = 0;
  private moving = 0;

  constructor(
    private readonly looking: Looking,
    private readonly describe: (item: Item) => Node[],
  ) {
    this.recolor();
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    looking.on("model", () => {
      this.hover(null);
      this.lay();
      this.fit();
    });
    looking.on("opened", () => this.relay());
    looking.on("selected", () => {
      if (document.activeElement === this.canvas) this.say();
      this.draw();
    });
    looking.on("found", () => this.draw());
    looking.on("go", () => this.show(looking.selected));
  }

  /** The colours of the page, again: they have changed. */
  recolor(): void {
    this.painter = new Painter(
      this.canvas.getContext("2d")!,
      new Colors(getComputedStyle(document.documentElement)),
    );
    this.draw();
  }

  draw(): void {
    if (!this.pending) this.pending = requestAnimationFrame(() => this.paint());
  }

  /** Everything in view, but no larger than life. */
  fit(): void {
    if (!this.scene) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { width: all, height: tall } = this.scene;
    const scale = Math.max(0.01, Math.min(1, width / all, height / tall));
    // a long program starts at its top, at a size that can be read
    const wanted = Math.max(scale, Math.min(0.55, width / all));
    const y = wanted > scale ? -tall / 2 : -height / wanted / 2;
    this.camera = { scale: wanted, x: -width / wanted / 2, y };
    this.draw();
  }

  zoom(
    factor: number,
    at = { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 },
  ): void {
    const scale = Math.max(0.01, Math.min(4, this.camera.scale * factor));
    const [x, y] = [
      this.camera.x + at.x / this.camera.scale,
      this.camera.y + at.y / this.camera.scale,
    ];
    this.camera = { scale, x: x - at.x / scale, y: y - at.y / scale };
    this.draw();
  }

  /** The whole of it, however small. */
  overview(): void {
    if (!this.scene) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const scale = Math.max(
      0.005,
      Math.min(1, width / this.scene.width, height / this.scene.height),
    );
    this.camera = { scale, x: -width / scale / 2, y: -height / scale / 2 };
    this.draw();
  }

  private say(): void {
    const { selected: item, model } = this.looking;
    const node = item && item.node >= 0 ? model!.graph.nodes[item.node] : null;
    const state = !item?.expandable ? "" : item.open ? "open" : "closed";
    const parts = node ? [item!.name, node.id, node.type, node.place] : [item?.name];
    const work = item ? workOf(item, node) : [];
    this.said.textContent = [...parts, state, ...work].filter(Boolean).join(", ");
  }

  private lay(): void {
    this.scene = this.looking.model ? sceneOf(this.looking.model) : null;
  }

  /** Lays out anew, and keeps what was opened or closed where it was on the screen. */
  private relay(): void {
    const anchor = this.looking.anchor;
    const before = anchor && this.scene?.byItem.get(anchor);
    this.lay();
    const after = anchor && this.scene?.byItem.get(anchor);
    if (before && after) {
      this.camera.x += after.x - before.x;
      this.camera.y += after.y - after.height / 2 - (before.y - before.height / 2);
      this.draw();
    } else this.fit();
  }

  private resized(): void {
    const first = !this.canvas.dataset.sized;
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth) return;
    this.canvas.width = clientWidth * devicePixelRatio;
    this.canvas.height = clientHeight * devicePixelRatio;
    this.canvas.dataset.sized = "yes";
    if (first) this.fit();
    // a canvas of another size is empty until it is painted
    this.paint();
  }

  private paint(): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    const { model, selected, found } = this.looking;
    if (!model || !this.scene) {
      // what was there is no picture of what is chosen now
      this.canvas.getContext("2d")!.reset();
      return;
    }
    if (!this.canvas.clientWidth) return;
    const visible = (item: Item | null) => item && model.visible(item);
    const marks = { selected: visible(selected), hovered: this.hovered, found, shade: this.shade };
    this.painter.paint(model, this.scene, this.camera, marks, devicePixelRatio);
    if (!document.documentElement.dataset.painted) performance.mark("painted");
    document.documentElement.dataset.painted = String(this.scene.boxes.length);
  }

  /** Brings an item into the middle, unless it is in view as it is. */
  private show(item: Item | null): void {
    const box = item && this.scene?.byItem.get(this.looking.model!.visible(item));
    if (!box) return;
    const { clientWidth, clientHeight } = this.canvas;
    const scale = Math.max(this.camera.scale, 0.7);
    const margin = 40 / scale;
    const inView =
      scale === this.camera.scale &&
      box.x - box.width / 2 > this.camera.x + margin &&
      box.x + box.width / 2 < this.camera.x + clientWidth / scale - margin &&
      box.y - box.height / 2 > this.camera.y + margin &&
      box.y + box.height / 2 < this.camera.y + clientHeight / scale - margin;
    if (!inView)
      this.glide({
        scale,
        x: box.x - clientWidth / scale / 2,
        y: box.y - clientHeight / scale / 2,
      });
    this.draw();
  }

  private glide(to: Camera): void {
    const from = { ...this.camera };
    const start = performance.now();
    const turn = ++this.moving;
    const step = (now: number) => {
      if (turn !== this.moving) return;
      const part = still() ? 1 : Math.min(1, (now - start) / 180);
      const eased = part * (2 - part);
      for (const key of ["x", "y", "scale"] as const)
        this.camera[key] = from[key] + (to[key] - from[key]) * eased;
      this.draw();
      if (part < 1) requestAnimationFrame(step);
    };
    step(start);
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (
          event.ctrlKey ||
          event.metaKey ||
          event.deltaMode ||
          (Math.abs(event.deltaY) >= 50 && !event.shiftKey)
        )
          this.zoom(
            Math.exp(-Math.sign(event.deltaY) * Math.min(0.25, Math.abs(event.deltaY) / 400)),
            at(event),
          );
        else
          this.pan(event.shiftKey ? event.deltaY : event.deltaX, event.shiftKey ? 0 : event.deltaY);
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.drag = { ...at(event), moved: false };
      this.moving++;
    });
    canvas.addEventListener("pointermove", (event) => this.pointed(event));
    canvas.addEventListener("pointerup", (event) => this.released(event));
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("dblclick", (event) => {
      const box = this.boxAt(at(event));
      if (box?.item.expandable) this.looking.toggle(box.item);
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("blur", () => this.hover(null));
  }

  private pan(x: number, y: number): void {
    this.camera.x += x / this.camera.scale;
    this.camera.y += y / this.camera.scale;
    this.hover(null);
    this.draw();
  }

  private pointed(event: PointerEvent): void {
    const place = at(event);
    if (this.drag) {
      const [x, y] = [this.drag.x - place.x, this.drag.y - place.y];
      if (!this.drag.moved && Math.abs(x) + Math.abs(y) < 4) return;
      this.drag = { ...place, moved: true };
      this.pan(x, y);
      return;
    }
    const box = this.boxAt(place);
    this.hover(box && !(box.item.open && box.item.node < 0) ? box.item : null, place);
  }

  private released(event: PointerEvent): void {
    const clicked = this.drag && !this.drag.moved;
    this.drag = null;
    if (!clicked) return;
    const place = at(event);
    const box = this.boxAt(place);
    const x = this.camera.x + place.x / this.camera.scale;
    const y = this.camera.y + place.y / this.camera.scale;
    const sign =
      box?.item.expandable &&
      (box.item.open
        ? y < box.y - box.height / 2 + 28 && x < box.x - box.width / 2 + 24
        : x > box.x + box.width / 2 - 26);
    if (box && sign) this.looking.toggle(box.item);
    else this.looking.select(box?.item ?? null, false);
  }

  private boxAt(place: { x: number; y: number }): Box | null {
    const x = this.camera.x + place.x / this.camera.scale;
    const y = this.camera.y + place.y / this.camera.scale;
    const inside = (box: Box) =>
      Math.abs(box.x - x) <= box.width / 2 && Math.abs(box.y - y) <= box.height / 2;
    return this.scene?.boxes.findLast(inside) ?? null;
  }

  private hover(item: Item | null, place = { x: 0, y: 0 }): void {
    if (item !== this.hovered) {
      this.hovered = item;
      this.tip.hidden = !item;
      if (item) this.tip.replaceChildren(...this.describe(item));
      this.canvas.style.cursor = item ? "pointer" : "";
      this.draw();
    }
    if (!item) return;
    const { offsetWidth, offsetHeight } = this.tip;
    const left = Math.min(place.x + 16, this.canvas.clientWidth - offsetWidth - 8);
    const below = place.y + 18 + offsetHeight < this.canvas.clientHeight;
    const top = below ? place.y + 18 : Math.max(4, place.y - offsetHeight - 12);
    this.tip.style.transform = `translate(${Math.max(4, left)}px, ${top}px)`;
  }

  private key(event: KeyboardEvent): void {
    const { looking } = this;
    const step: Record<string, () => void> = {
      ArrowDown: () => looking.along("users"),
      ArrowUp: () => looking.along("operands"),
      ArrowRight: () => looking.beside(1),
      ArrowLeft: () => looking.beside(-1),
      Enter: () => looking.selected && looking.toggle(looking.model!.visible(looking.selected)),
      Escape: () => looking.select(null),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      "0": () => this.overview(),
    };
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : step[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

function workOf(item: Item, node: GraphNode | null): string[] {
  const flops = node?.flops === null ? "" : `${amount(item.flops)} flop`;
  return [flops, node?.bytes === null ? "" : `${bytes(item.bytes)} moved`];
}

function at(event: MouseEvent): { x: number; y: number } {
  return { x: event.offsetX, y: event.offsetY };
}
