/** What the page is about, and where it gets it from: from inside itself, or from its server. */

import { inAddress } from "./text";

export interface GraphNode {
  id: string;
  op: string;
  type: string;
  label: string;
  scope: string;
  path: string[];
  place: string;
  flops: number | null;
  bytes: number | null;
  size: number | null;
  parent: string;
  text: string;
}

export interface Graph {
  schema: string;
  name: string;
  nodes: GraphNode[];
  edges: [number, number][];
}

/** A program at a stage as text; or the problem with it. */
export interface Shown {
  text: string;
  problem?: string;
}

/** A program at a stage as a graph; `lines` are those of the user's program that it names. */
export interface Drawn {
  graph: Graph | null;
  lines: Record<string, string>;
  problem?: string;
}

export interface Program {
  id: string;
  name: string;
  number: number;
  device: string;
  arguments?: string[];
  results?: string[];
  cause: string;
  reason: string;
  source: string;
  file: string;
  line: number;
  scope: string;
  operations: number;
  differences: string[];
  compile_seconds: number;
  cost: Record<string, number> | null;
  memory: Record<string, number> | null;
  recompiled: boolean;
  runs: number;
  run_seconds: number;
  stages: string[];
  /** The passes, as far as they are there, that changed nothing. */
  unchanged?: string[];
  error?: string;
}

/** What is known of a program once its passes were made, or the problem with that. */
export interface Passes {
  problem: string;
  stages: string[];
  unchanged: string[];
}

export interface Event {
  kind: string;
  at: number;
  seconds: number;
  /** What the device took for a run, where that was timed. */
  device_seconds?: number | null;
  /** The same, or else what is usual for the program. */
  own_seconds?: number | null;
  file: string;
  line: number;
  program?: string;
  cause?: string;
  reason?: string;
  operations?: number;
  results?: number;
  bytes?: number;
  to?: string;
  error?: string;
  text?: string;
}

export interface Page {
  schema: string;
  /** Of a page that is served: another one whenever the run has gone on. */
  version?: string;
  title: string;
  facts: Record<string, unknown>;
  notes: string[];
  programs: Program[];
  events: Event[];
  stages: Record<string, Record<string, Shown & Drawn>> | null;
}

/** The page's data. Where none is inside the page, its server is asked. */
export async function loadPage(): Promise<Page> {
  const inside = document.getElementById("data")?.textContent ?? "null";
  return (JSON.parse(inside) as Page | null) ?? fetched<Page>("api/page");
}

/** The page as it is now; null where it is still of this version. */
export async function newerPage(version?: string): Promise<Page | null> {
  const now = await fetched<Page>("api/version");
  return now.version === version ? null : fetched<Page>("api/page");
}

/** Reads programs at a stage: each thing is asked for once, until it is given up. */
export class Reader {
  private readonly known = new Map<string, Promise<unknown>>();

  constructor(private readonly page: Page) {}

  /** Whether a server makes what is not there. */
  get makes(): boolean {
    return !this.page.stages;
  }

  text(program: string, stage: string, until?: AbortSignal): Promise<Shown> {
    return this.read("texts", program, stage, until);
  }

  graph(program: string, stage: string, until?: AbortSignal): Promise<Drawn> {
    return this.read("graphs", program, stage, until);
  }

  /** All stages of a program, each pass that `stage` tells of among them. */
  passes(program: string, stage: string, until?: AbortSignal): Promise<Passes> {
    return this.read("passes", program, stage, until);
  }

  private read<T>(what: string, program: string, stage: string, until?: AbortSignal): Promise<T> {
    const { stages } = this.page;
    if (stages) {
      const inside = stages[program]?.[stage] as T | undefined;
      return inside
        ? Promise.resolve(inside)
        : Promise.reject(new Error(`${stage} is not in this page`));
    }
    const path = `api/${what}/${inAddress(program)}/${inAddress(stage)}`;
    const known = this.known.get(path) as Promise<T> | undefined;
    if (known) return known;
    const found = fetched<T>(path, until);
    const forget = () => this.known.delete(path);
    this.known.set(path, found);
    until?.addEventListener("abort", forget);
    found.then(() => until?.removeEventListener("abort", forget), forget);
    return found;
  }
}

/** Gives up what was asked for until now; what is asked for next. */
export function instead(of: AbortController): AbortController {
  of.abort();
  return new AbortController();
}

/** What to say of something that went wrong. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function fetched<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(path, { signal }).catch(() => {
    throw new Error("dump-hlo serve does not answer: it has ended. Start it again, then reload.");
  });
  const body = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(body.error ?? answer.statusText);
  return body;
}
