/** Checks the scores of an answer before they order anything. */

/** Returns one score per document, in the order of the documents, or a message that names the defect of the answer. */
export function checkedScores(
  entries: unknown,
  count: number,
  scoreName: string,
): number[] | { readonly problem: string } {
  if (!Array.isArray(entries)) return { problem: "without a list of scores" };
  if (entries.length !== count) {
    return { problem: `${entries.length} scores for ${count} documents` };
  }
  const scores = new Map<number, number>();
  for (const entry of entries as readonly (Readonly<Record<string, unknown>> | null)[]) {
    const [index, score] = [entry?.["index"], entry?.[scoreName]];
    if (typeof score !== "number" || !Number.isFinite(score)) {
      return { problem: "a score that is not a finite number" };
    }
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count) {
      return { problem: "a score for a document that was not sent" };
    }
    scores.set(index, score);
  }
  if (scores.size !== count) return { problem: "several scores for one document" };
  return Array.from({ length: count }, (_, i) => scores.get(i) as number);
}
