/** The numbers of a run, and their medians and percentiles over runs. */

/** Milliseconds, megabytes (10^6 bytes) and counts by name; undefined where it cannot be measured here. */
export type Numbers = Readonly<Record<string, number | undefined>>;

/** The smallest value that at least this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.ceil(middle) - 1],
    sorted[Math.floor(middle)],
  ];
  return (low + high) / 2;
}

/** The median of each number, over the runs that have it. */
export function medians(runs: readonly Numbers[]): Numbers {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run)))];
  return Object.fromEntries(
    names.map((name) => {
      const values = runs.flatMap((run) => run[name] ?? []);
      return [name, values.length === 0 ? undefined : rounded(median(values))];
    }),
  );
}

/** Three digits are as much as two runs agree on. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/** Of nothing: 0. */
export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The mean, and its standard error: 0 for a single value. */
export function meanWithError(values: readonly number[]): {
  readonly mean: number;
  readonly error: number;
} {
  const mean = average(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / Math.max(1, values.length - 1) / values.length) };
}

/** The names of all numbers, in the order of the last run, because an older program may lack some. */
export function namesOf(measured: readonly { readonly numbers: Numbers }[]): string[] {
  return [...new Set(measured.toReversed().flatMap(({ numbers }) => Object.keys(numbers)))];
}
