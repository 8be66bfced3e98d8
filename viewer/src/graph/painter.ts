/** Draws a scene on a canvas: what is in view, and of it what is large enough to be read. */

import type { GraphNode } from "../data";
import { amount, plural } from "../text";
import { kindOf, type Kind } from "./kinds";
import type { Box, Connection, Scene } from "./layout";
import type { Item, Model } from "./model";

export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export type Shade = "kind" | "flops" | "bytes";

export interface Marks {
  selected: Item | null;
  hovered: Item | null;
  found: Set<Item>;
  shade: Shade;
}

const FONT = 'system-ui, "Segoe UI", sans-serif';
const READABLE = 0.42;

export class Colors {
  private readonly known = new Map<string, string>();

  constructor(private readonly style: CSSStyleDeclaration) {}

  get(name: string): string {
    let color = this.known.get(name);
    if (color === undefined) {
      color = this.style.getPropertyValue(`--${name}`).trim();
      this.known.set(name, color);
    }
    return color;
  }
}

export class Painter {
  private model!: Model;
  private marks!: Marks;
  private scale = 1;
  private most = 1;

  constructor(
    private readonly pen: CanvasRenderingContext2D,
    private readonly colors: Colors,
  ) {}

  paint(model: Model, scene: Scene, camera: Camera, marks: Marks, density: number): void {
    const { pen } = this;
    const { width, height } = pen.canvas;
    Object.assign(this, { model, marks, scale: camera.scale });
    this.most = marks.shade === "kind" ? 1 : mostOf(model, marks.shade);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = this.colors.get("canvas");
    pen.fillRect(0, 0, width, height);
    const scale = camera.scale * density;
    pen.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
    const view = {
      left: camera.x,
      top: camera.y,
      right: camera.x + width / scale,
      bottom: camera.y + height / scale,
    };
    const seen = scene.boxes.filter((b) => within(b, view));
    for (const box of seen) if (box.item.open && box.item.expandable) this.frame(box);
    this.connections(scene.connections.filter((c) => crosses(c, view)));
    for (const box of seen) if (!(box.item.open && box.item.expandable)) this.box(box);
    this.links(scene);
  }

  /** An open group: a frame with its name. */
  private frame(box: Box): void {
    const { pen, colors } = this;
    this.outline(box, 8);
    pen.fillStyle = colors.get("group");
    pen.fill();
    this.stroke(box, "group-line");
    if (this.scale * 12 < 5) return;
    pen.font = `600 12px ${FONT}`;
    pen.fillStyle = colors.get("muted");
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(
      fit(pen, `− ${box.item.name}`, box.width - 20),
      box.x - box.width / 2 + 10,
      box.y - box.height / 2 + 15,
    );
  }

  private box(box: Box): void {
    const { pen, colors } = this;
    const node = box.item.node < 0 ? null : this.model.graph.nodes[box.item.node];
    const kind: Kind = node ? kindOf(node.op) : "group";
    const readable = this.scale > READABLE;
    if (readable) this.outline(box, 6);
    else {
      pen.beginPath();
      pen.rect(box.x - box.width / 2, box.y - box.height / 2, box.width, box.height);
    }
    pen.fillStyle = readable ? colors.get("box") : colors.get(`kind-${kind}`);
    pen.fill();
    this.shadeOf(box, kind, readable);
    this.stroke(box, kind === "group" ? "group-line" : "line");
    if (readable) this.words(box, node, kind);
  }

  /** How much of all the work is here, as a tint; by kind, a strip at the left. */
  private shadeOf(box: Box, kind: Kind, readable: boolean): void {
    const { pen, colors, marks } = this;
    if (marks.shade !== "kind") {
      const part = box.item[marks.shade] / this.most;
      pen.globalAlpha = part > 0 ? 0.1 + 0.4 * Math.sqrt(Math.min(1, part)) : 0;
      pen.fillStyle = colors.get("heat");
      pen.fill();
      pen.globalAlpha = 1;
    } else if (readable) {
      pen.fillStyle = colors.get(`kind-${kind}`);
      pen.fillRect(box.x - box.width / 2 + 1, box.y - box.height / 2 + 5, 3, box.height - 10);
    }
  }

  private words(box: Box, node: GraphNode | null, kind: Kind): void {
    const { pen, colors } = this;
    // on a tint only the ink has enough contrast
    const tinted = this.marks.shade !== "kind";
    const left = box.x - box.width / 2 + 12;
    const room = box.width - (box.item.expandable ? 38 : 20);
    const second = node ? node.type : `${plural(box.item.count, "op")} · ${amount(box.item.flops)} flop`;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.font = `${kind === "group" ? 600 : 500} 12.5px ${FONT}`;
    pen.fillStyle = colors.get("ink");
    pen.fillText(fit(pen, box.item.name, room), left, second ? box.y - 7 : box.y);
    if (second && this.scale > 0.5) {
      pen.font = `10.5px ${FONT}`;
      pen.fillStyle = colors.get(tinted ? "ink" : "muted");
      pen.fillText(fit(pen, second, room), left, box.y + 9);
    }
    if (!box.item.expandable) return;
    pen.font = `500 15px ${FONT}`;
    pen.textAlign = "center";
    pen.fillStyle = colors.get(tinted ? "ink" : "accent");
    pen.fillText("+", box.x + box.width / 2 - 14, box.y);
  }

  private outline(box: Box, radius: number): void {
    this.pen.beginPath();
    this.pen.roundRect(
      box.x - box.width / 2,
      box.y - box.height / 2,
      box.width,
      box.height,
      radius,
    );
  }

  /** The line around the path that was drawn last: thicker the more it is looked at. */
  private stroke(box: Box, usual: string): void {
    const { pen, colors, marks } = this;
    const chosen = box.item === marks.selected || box.item === marks.hovered;
    const found = marks.found.has(box.item);
    pen.strokeStyle = colors.get(chosen ? "accent" : found ? "found" : usual);
    pen.lineWidth =
      chosen || found ? Math.max(2.2, 1.6 / this.scale) : Math.max(1, 0.5 / this.scale);
    pen.stroke();
  }

  private connections(connections: Connection[]): void {
    const { pen, colors } = this;
    pen.strokeStyle = colors.get("edge-line");
    pen.lineWidth = Math.max(1.1, 0.5 / this.scale);
    pen.beginPath();
    for (const { route } of connections) trace(pen, route, this.scale < 0.15);
    pen.stroke();
    if (this.scale < READABLE) return;
    pen.fillStyle = colors.get("edge-line");
    for (const { route } of connections) head(pen, route);
  }

  /** What the operation that is looked at gets and gives, from box to box. */
  private links(scene: Scene): void {
    const { pen, colors, model, marks } = this;
    const item = marks.hovered ?? marks.selected;
    if (!item || item.node < 0) return;
    const own = scene.byItem.get(model.visible(item));
    pen.lineWidth = Math.max(2, 1.4 / this.scale);
    pen.strokeStyle = colors.get("accent");
    pen.beginPath();
    const draw = (from?: Box, to?: Box) => {
      if (!from || !to || from === to) return;
      trace(
        pen,
        [
          { x: from.x, y: from.y + from.height / 2 },
          { x: to.x, y: to.y - to.height / 2 },
        ],
        false,
      );
    };
    for (const other of model.operands[item.node])
      draw(scene.byItem.get(model.visible(model.of[other])), own);
    for (const other of model.users[item.node])
      draw(own, scene.byItem.get(model.visible(model.of[other])));
    pen.stroke();
  }
}

function mostOf(model: Model, shade: "flops" | "bytes"): number {
  let most = 1;
  for (const item of model.of) most = Math.max(most, item[shade]);
  return most;
}

interface View {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function within(box: Box, view: View): boolean {
  return (
    box.x + box.width / 2 > view.left &&
    box.x - box.width / 2 < view.right &&
    box.y + box.height / 2 > view.top &&
    box.y - box.height / 2 < view.bottom
  );
}

function crosses({ from, to }: Connection, view: View): boolean {
  return (
    Math.max(from.x, to.x) + 300 > view.left &&
    Math.min(from.x, to.x) - 300 < view.right &&
    Math.max(from.y, to.y) > view.top &&
    Math.min(from.y, to.y) < view.bottom
  );
}

/** A smooth way through the points; straight where nobody could tell. */
function trace(
  pen: CanvasRenderingContext2D,
  route: { x: number; y: number }[],
  plain: boolean,
): void {
  const [first, ...rest] = route;
  pen.moveTo(first.x, first.y);
  let last = first;
  for (const point of rest) {
    if (plain) pen.lineTo(point.x, point.y);
    else {
      const middle = (last.y + point.y) / 2;
      pen.bezierCurveTo(last.x, middle, point.x, middle, point.x, point.y);
    }
    last = point;
  }
}

function head(pen: CanvasRenderingContext2D, route: { x: number; y: number }[]): void {
  const end = route[route.length - 1];
  const up = route[route.length - 2].y > end.y ? -1 : 1;
  pen.beginPath();
  pen.moveTo(end.x, end.y);
  pen.lineTo(end.x - 3.5, end.y - 6 * up);
  pen.lineTo(end.x + 3.5, end.y - 6 * up);
  pen.fill();
}

function fit(pen: CanvasRenderingContext2D, text: string, room: number): string {
  if (text.length * 4 < room || pen.measureText(text).width <= room) return text;
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}
