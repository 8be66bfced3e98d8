/** The layout of small graphs: dagre's, which finds better orders and ways around boxes. */

import { Graph, layout } from "@dagrejs/dagre";
import { GAP, type Placed, type Size } from "./placing";

export function fine(sizes: Size[], edges: [number, number][]): Placed {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: "TB", nodesep: GAP.x, ranksep: GAP.y, edgesep: 10 });
  graph.setDefaultEdgeLabel(() => ({}));
  sizes.forEach((size, box) => graph.setNode(String(box), { ...size }));
  for (const [from, to] of edges) graph.setEdge(String(from), String(to), {});
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  const places = sizes.map((_, box) => {
    const { x, y } = graph.node(String(box)) as { x: number; y: number };
    return { x, y };
  });
  const routes = edges.map(([from, to]) => {
    const { points } = graph.edge(String(from), String(to)) as {
      points?: { x: number; y: number }[];
    };
    return points;
  });
  return { places, routes, width, height };
}
