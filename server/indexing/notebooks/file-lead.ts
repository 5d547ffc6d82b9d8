/** Converts columns of a cell's line to columns of the notebook file, where the line is in a JSON string. */

/** How Jupyter writes a line of a cell: alone in a line of the file. */
const ONLY_STRING = /^([ \t]*")(?:[^"\\]|\\.)*",?[ \t\r]*$/;

/** A UTF-16 unit of a JSON string, as it is written. */
const WRITTEN_UNIT = /\\u[\da-fA-F]{4}|\\?[\s\S]/g;

/**
 * The text of the file before a place in a line of a cell: `   "\t` for the tab before `def` of `def f():`. Undefined if the file
 * has several lines of cells in one line, as no column of it can be shown then.
 *
 * @param written the line of the file
 * @param lead the text before the place in the line of the cell
 */
export function leadInFile(written: string, lead: string): string | undefined {
  const before = ONLY_STRING.exec(written)?.[1];
  if (before === undefined) return undefined;
  const units = written.slice(before.length).match(WRITTEN_UNIT) ?? [];
  return before + units.slice(0, lead.length).join("");
}
