/** Numbers the states of all lanes: a cached answer is valid for its generation only. */

let last = 0;

/** One count for all indexes: lanes that were closed and opened again never repeat a generation. */
export function nextGeneration(): string {
  last += 1;
  return String(last);
}
