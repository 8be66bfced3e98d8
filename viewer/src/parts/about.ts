/** What is known of a program: why it was compiled, what it takes, and what it costs. */

import type { Program } from "../data";
import { h, list } from "../dom";
import { amount, bytes, plural, seconds } from "../text";
import { titleOf } from "./programs";

export function aboutProgram(program: Program): Node[] {
  const said = rows(program).filter((row): row is [string, string] => Boolean(row[1]));
  const { differences } = program;
  return [
    h("h3", {}, titleOf(program)),
    program.error ? h("p.problem", {}, program.error) : "",
    list(said),
    ...(differences.length
      ? [h("h4", {}, "What is new in it"), h("ul.plain", {}, ...differences.map(item))]
      : []),
    h("p.hint", {}, "Choose an operation in the graph or in the outline to see what it is."),
  ].filter((part): part is HTMLElement => part !== "");
}

function rows(program: Program): [string, string | undefined][] {
  const { cost, memory, runs } = program;
  const each = runs ? `, ${seconds(program.run_seconds / runs)} each` : "";
  return [
    ["Cut by", program.cause],
    ["In layer", program.scope],
    ["Why compiled", [program.reason, source(program)].filter(Boolean).join(", ")],
    ["Compile time", program.compile_seconds ? seconds(program.compile_seconds) : ""],
    ["Runs", program.device ? `${runs.toLocaleString("en")}${each}` : ""],
    ["Device", program.device],
    ["Operations", program.operations.toLocaleString("en")],
    ["Takes", program.arguments && plural(program.arguments.length, "value")],
    ["Gives", program.results && plural(program.results.length, "value")],
    ["Flops", cost?.["flops"] ? amount(cost["flops"]) : ""],
    ["Bytes moved", cost?.["bytes accessed"] ? bytes(cost["bytes accessed"]) : ""],
    ["Peak of memory", memory?.["peak"] ? bytes(memory["peak"]) : ""],
    ["Name", program.id],
  ];
}

function source(program: Program): string {
  return program.source === "disk" ? "read from disk" : "";
}

function item(text: string): HTMLElement {
  return h("li", {}, text);
}
