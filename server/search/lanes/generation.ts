/** Numbers the states of all lanes: what was answered at one generation holds for it only. */

let last = 0;

/** One count for all indexes: lanes that were closed and opened again never repeat a generation. */
export function nextGeneration(): string {
  last += 1;
  return String(last);
}
