/** What the layouts share: boxes of a size in, places out; edges go down. */

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Placed extends Size {
  /** The centres of the boxes. */
  places: Point[];
  /** The ways of the edges; straight from box to box where there is none. */
  routes: (Point[] | undefined)[];
}

export const GAP = { x: 18, y: 34 };
