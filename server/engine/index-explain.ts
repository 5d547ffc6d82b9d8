/** Says why a file is not in an index, and lists the files that are not. */

import type { ExcludedFile } from "../contracts/model.ts";
import type { OpenIndex } from "./open-index.ts";

/** A workspace with more files that hold secrets is a collection of them. */
const MAX_REDACTED = 10_000;

type Explained = Pick<OpenIndex, "workspace" | "rules" | "lanes" | "store">;

/** Which rule keeps a path out of the index, or that it is indexed. */
export async function explainPath(index: Explained, path: string): Promise<string> {
  const decision = await decisionOn(index, path);
  const secrets = (await index.store?.redactedChunks(MAX_REDACTED))?.get(path) ?? 0;
  return secrets === 0 ? decision : `${decision}; ${redactedNote(secrets)}`;
}

/** What is not in the index, and why: at most `limit` files; those that lack only some of their chunks come last. */
export async function excludedFiles(
  { workspace, store }: Explained,
  limit: number,
): Promise<readonly ExcludedFile[]> {
  const whole = [...workspace.excluded.values()].slice(0, limit);
  const rest = limit - whole.length;
  if (rest === 0) return whole;
  const redacted =
    (await store?.redactedChunks(Math.min(rest, MAX_REDACTED))) ?? new Map<string, number>();
  const partly = [...redacted].map(([path, secrets]) => ({ path, rule: redactedNote(secrets) }));
  return [...whole, ...partly];
}

async function decisionOn(
  { workspace, rules, lanes, store }: Explained,
  path: string,
): Promise<string> {
  const rule = workspace.excluded.get(path)?.rule ?? rules.decide(path, false)?.rule;
  if (rule !== undefined) return `${path} is left out: ${rule}`;
  const chunks = (await lanes?.chunksOf([path]))?.length ?? 0;
  if (chunks > 0) return `${path} is indexed: ${chunkCount(chunks)}`;
  const hash = (await store?.hashes())?.get(path);
  if (hash !== undefined) return `${path} is indexed, and has no text to find`;
  return `${path} is not indexed yet, or does not exist`;
}

/** The secret itself is shown nowhere. */
function redactedNote(secrets: number): string {
  return `${chunkCount(secrets)} with a secret left out`;
}

const chunkCount = (count: number) => (count === 1 ? "1 chunk" : `${count} chunks`);
