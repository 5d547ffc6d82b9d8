/** Numbers with their nouns, for messages. */

/** `1 file`, `2 files`, `1,234 files`. `many` is the irregular plural. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;
}
