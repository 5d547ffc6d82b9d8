/** Explains why a file is not in an index, and lists excluded files. */

import { dirname, join } from "node:path";
import { count } from "../../common/count.ts";
import { BadRequest } from "../../common/errors.ts";
import { lstatIfExists } from "../../common/read-file.ts";
import type { ExcludedFile } from "../../contracts/model.ts";
import type { OpenIndex } from "./open-index.ts";

/** A workspace with more files with secrets is a collection of secrets. */
const MAX_REDACTED = 10_000;

type Explained = Pick<OpenIndex, "root" | "excluded" | "rules" | "lanes" | "store" | "encodingOf">;

/** Says that a path is excluded, with the rule, or indexed, or that it does not exist. */
export async function explainPath(index: Explained, path: string): Promise<string> {
  const decision = await decisionOn(index, path);
  const secrets = (await index.store?.redactedChunks(MAX_REDACTED))?.get(path) ?? 0;
  const encoding = index.encodingOf(path);
  return [
    decision,
    ...(encoding === undefined ? [] : [`read as ${encoding}`]),
    ...(secrets === 0 ? [] : [redactedNote(secrets)]),
  ].join("; ");
}

/** Excluded files with their rules, at most `limit`. Files with only some redacted chunks come last. */
export async function excludedFiles(
  { excluded, store }: Pick<Explained, "excluded" | "store">,
  limit: number,
): Promise<readonly ExcludedFile[]> {
  const whole = [...excluded.values()].slice(0, limit);
  const rest = limit - whole.length;
  if (rest === 0) return whole;
  const redacted =
    (await store?.redactedChunks(Math.min(rest, MAX_REDACTED))) ?? new Map<string, number>();
  const partly = [...redacted].map(([path, secrets]) => ({ path, rule: redactedNote(secrets) }));
  return [...whole, ...partly];
}

async function decisionOn(
  { root, excluded, rules, lanes, store }: Explained,
  path: string,
): Promise<string> {
  const there = await lstatIfExists(join(root, path));
  const isFolder = there?.isDirectory() === true;
  const rule = excluded.get(path)?.rule ?? rules.decide(path, isFolder ? "folder" : "file")?.rule;
  if (rule !== undefined) return `${path} is excluded: ${rule}`;
  // A parent folder may be excluded for being unreadable, which no rule of the path shows.
  for (let above = dirname(path); above !== "."; above = dirname(above)) {
    const folder = excluded.get(above);
    if (folder !== undefined) return `${path} is excluded: ${folder.rule} "${above}"`;
  }
  const chunks = (await lanes?.chunksOf([path]))?.length ?? 0;
  if (chunks > 0) return `${path} is indexed: ${count(chunks, "chunk")}`;
  const hash = (await store?.hashes())?.get(path);
  if (hash !== undefined) return `${path} is indexed, and has no searchable text`;
  if (isFolder) return folderNote(path);
  return there === undefined ? `${path} does not exist` : `${path} is not indexed yet`;
}

/** The error for a path that is an opened folder itself or outside all of them. */
export function noFileProblem(
  path: string,
  folders: readonly { readonly root: string }[],
  whole = path,
): BadRequest {
  const isRoot = folders.some(({ root }) => root === whole);
  return new BadRequest(isRoot ? folderNote(path) : `${path} is outside the opened folders`);
}

export function folderNote(path: string): string {
  return `${path} is a folder; name a file in it`;
}

/** Counts the secrets; never shows them. */
function redactedNote(secrets: number): string {
  return `${count(secrets, "chunk")} redacted for a secret`;
}
