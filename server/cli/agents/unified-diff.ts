/** The difference between two versions of a file in the unified format, as one hunk: each of our edits is in one place. */

const CONTEXT_LINES = 3;

/** The text of a missing file is undefined. */
export function unifiedDiff(
  before: string | undefined,
  after: string | undefined,
  name: string,
): string {
  const [old, now] = [linesOf(before ?? ""), linesOf(after ?? "")];
  let same = 0;
  while (same < Math.min(old.length, now.length) && old[same] === now[same]) same++;
  let tail = 0;
  const rest = Math.min(old.length, now.length) - same;
  while (tail < rest && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const first = Math.max(0, same - CONTEXT_LINES);
  const below = Math.min(tail, CONTEXT_LINES);
  const removed = old.slice(same, old.length - tail);
  const added = now.slice(same, now.length - tail);
  const context = same - first + below;
  return [
    `--- ${before === undefined ? "/dev/null" : name}`,
    `+++ ${after === undefined ? "/dev/null" : name}`,
    `@@ -${range(first, context + removed.length)} +${range(first, context + added.length)} @@`,
    ...marked(" ", old.slice(first, same)),
    ...marked("-", removed),
    ...marked("+", added),
    ...marked(" ", old.slice(old.length - tail, old.length - tail + below)),
  ].join("\n");
}

/** Lines with their endings. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** An empty range names the line before it. */
function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) => {
    const shown = `${mark}${line.replace(/\r?\n$/, "")}`;
    return line.endsWith("\n") ? shown : `${shown}\n\\ No newline at end of file`;
  });
}
