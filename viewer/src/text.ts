/** Numbers and times as people read them. */

const UNITS = ["", "k", "M", "G", "T", "P"];

/** 1234567 -> "1.23 M" */
export function amount(value: number): string {
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return unit ? `${digits(value)} ${UNITS[unit]}` : String(Math.round(value));
}

/** 2048 -> "2.00 KiB" */
export function bytes(value: number): string {
  let unit = 0;
  while (Math.abs(value) >= 1023.5 && unit < 4) {
    value /= 1024;
    unit += 1;
  }
  return unit ? `${digits(value)} ${["KiB", "MiB", "GiB", "TiB"][unit - 1]}` : `${value} B`;
}

/** 0.0012 -> "1.20 ms" */
export function seconds(value: number): string {
  if (value >= 0.9995) return `${digits(value)} s`;
  if (value >= 0.9995e-3) return `${digits(value * 1e3)} ms`;
  return `${Math.round(value * 1e6)} µs`;
}

/** Three of them, more where a number has more before its point. */
function digits(value: number): string {
  return value >= 99.95 ? String(Math.round(value)) : value.toPrecision(3);
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
