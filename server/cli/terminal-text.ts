/** Formats text for a terminal: control characters, sizes, durations and tables. */

/** Control characters except tab, which is replaced separately. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;

const TAB = "    ";

/** The text on one line, without control characters. */
export function printable(text: string): string {
  return text.replaceAll("\t", TAB).replaceAll(CONTROL, "\u00b7");
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(0)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

/** Aligns rows in columns with two spaces between; columns with numbers are right-aligned. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths: number[] = [];
  const numeric = new Set<number>();
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, String(cell).length);
      if (typeof cell === "number") numeric.add(i);
    });
  }
  const lines = rows.map((row) =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return numeric.has(i) ? String(cell).padStart(width) : String(cell).padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
  return lines.join("\n");
}

/** To the minute. The Swedish locale formats dates as in ISO 8601. */
export function localTime(time: string): string {
  return new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}
