/** Numbers and times as people read them. */

const UNITS = ["", "k", "M", "G", "T", "P"];

/** 1234567 -> "1.23 M" */
export function amount(value: number): string {
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 ? Math.round(value).toString() : value.toPrecision(3);
  return unit ? `${digits} ${UNITS[unit]}` : digits;
}

/** 2048 -> "2.00 KiB" */
export function bytes(value: number): string {
  let unit = 0;
  while (Math.abs(value) >= 1023.5 && unit < 4) {
    value /= 1024;
    unit += 1;
  }
  return unit ? `${value.toPrecision(3)} ${["KiB", "MiB", "GiB", "TiB"][unit - 1]}` : `${value} B`;
}

export function seconds(value: number): string {
  if (value >= 1) return `${value.toPrecision(3)} s`;
  if (value >= 1e-3) return `${(value * 1e3).toPrecision(3)} ms`;
  return `${Math.round(value * 1e6)} µs`;
}

export function plural(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

/** What stands for a name in an address; half a character can't. */
export function inAddress(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** The file's own name and the line. */
export function place(file: string, line: number): string {
  return line ? `${file.split(/[\\/]/).at(-1)}:${line}` : "";
}
