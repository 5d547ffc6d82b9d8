/** Numbers, sizes and foreign text as people read them on a terminal. */

/** `1 file`, `2,410 files`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** Powers of 1000, as disks are sold: `1.2 MB`. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** All control characters but the tab: a file or a path must not move the cursor, nor ring, nor rename the window. */
const CONTROL = /[\p{Cc}\u{2028}\u{2029}]/gu;

export function printable(text: string): string {
  return text.replaceAll(CONTROL, (found) => (found === "\t" ? found : "\u{FFFD}"));
}

/** Columns as wide as their widest cell; the last one is not padded. */
export function table(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) =>
        rightAligned.includes(column)
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
