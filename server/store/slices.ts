/** Cuts many rows into statements of a bounded size. */

/** About 2 MB of parameters; larger statements are no faster. */
const ROWS = 500;

export function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS) yield rows.slice(from, from + ROWS);
}
