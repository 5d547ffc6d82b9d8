/** Converts a commit into the row to store: hunks with the definitions that they change, term counts and a vector. */

import { createHash } from "node:crypto";
import type { EmbeddableChunk } from "../contracts/embedding.ts";
import type { Hunk, ReadCommit, TouchedFile } from "../contracts/history.ts";
import { packEntry, type TermCounts, type TextLane, toSmall } from "./lane-entry.ts";
import type { FilePatch, RawHunk } from "./patch-parser.ts";
import type { Metadata } from "./read-metadata.ts";
import { withoutTrailers } from "./trailers.ts";

/** Functions of other parts that the conversion of commits needs. */
export interface CommitTools {
  /** The normalized terms of a text, in order. */
  termsOf(text: string): readonly string[];
  termNumber(term: string): number;
  /** The name of the definition that begins on a line of a file. */
  definedOn(line: string, path: string): string | undefined;
  /** Replaces secrets by stars; line numbers do not change. */
  maskSecrets(text: string): string;
  /** Whether a path, relative to the workspace, is excluded from the index. */
  isExcluded(path: string): boolean;
  /** The built-in model; undefined if another model embeds the text later. */
  readonly embed: ((chunk: EmbeddableChunk) => Float32Array | undefined) | undefined;
}

const MAX_COUNT = 255;
/** Occurrences are counted in quarters, as in the index of the files. */
const STEPS = 4;
/** Characters of added lines that are embedded. */
const MAX_EMBEDDED = 1_500;
const MAX_SYMBOLS_PER_HUNK = 20;
const MAX_NAME = 100;
const MAX_COUNTED_PATHS = 20;

export function digestCommit(
  { files, ...meta }: Metadata,
  patches: readonly FilePatch[],
  tools: CommitTools,
): ReadCommit {
  const masked = patches.map((patch) => maskPatch(patch, tools));
  const hunks = masked.flatMap((patch) =>
    patch.hunks.map((hunk) => toHunk(patch.path, hunk, tools)),
  );
  const symbols = [...new Set(hunks.flatMap((hunk) => hunk.symbols))];
  const lines = (side: "added" | "removed") =>
    masked.flatMap((patch) => patch.hunks.flatMap((hunk) => hunk[side])).join("\n");
  const subject = tools.maskSecrets(meta.subject);
  const body = tools.maskSecrets(meta.body);
  const added = lines("added");
  const texts: Record<TextLane, TermCounts> = {
    subject: countTerms(subject, tools),
    body: countTerms(`${withoutTrailers(body)}\n${pathsOf(files)}`, tools),
    added: countTerms(added, tools),
    removed: countTerms(lines("removed"), tools),
    symbols: countTerms(symbols.join(" "), tools),
  };
  const chunk = {
    path: files
      .map(({ path }) => path)
      .slice(0, 5)
      .join(" "),
    text: `${subject}\n${added.slice(0, MAX_EMBEDDED)}`,
    names: symbols.slice(0, MAX_SYMBOLS_PER_HUNK),
  };
  const vector = tools.embed?.(chunk);
  return {
    ...meta,
    subject,
    body,
    files,
    hunks,
    lanes: packEntry({ texts, ...(vector === undefined ? {} : { vector: toSmall(vector) }) }),
    ...(tools.embed === undefined
      ? { text: [chunk.path, ...chunk.names, chunk.text].join("\n") }
      : {}),
  };
}

/**
 * Paths are indexed with the message, because queries name files that messages omit. A lane of their own ranks worse
 * (test/ranking/history.md#words).
 */
function pathsOf(files: readonly TouchedFile[]): string {
  const paths = files.map(({ path }) => path);
  return paths.slice(0, MAX_COUNTED_PATHS).join("\n");
}

/** Masks secrets in all added lines of a file together, and in all removed ones, because a secret may span several lines. */
function maskPatch({ path, hunks }: FilePatch, { maskSecrets }: CommitTools): FilePatch {
  const sides = (["added", "removed"] as const).map((side) => {
    const text = hunks.flatMap((hunk) => hunk[side]).join("\n");
    const masked = maskSecrets(text);
    return masked === text ? undefined : masked.split("\n");
  });
  const [added, removed] = sides;
  if (added === undefined && removed === undefined) return { path, hunks };
  let [nextAdded, nextRemoved] = [0, 0];
  const take = (lines: string[] | undefined, own: readonly string[], from: number) =>
    lines?.slice(from, from + own.length) ?? own;
  return {
    path,
    hunks: hunks.map((hunk) => {
      const result = {
        ...hunk,
        heading: maskSecrets(hunk.heading),
        added: take(added, hunk.added, nextAdded),
        removed: take(removed, hunk.removed, nextRemoved),
        // A hash of the unmasked text would let a guess of the secret be checked.
        textHash: createHash("sha1").update(`${path}:${hunk.start}`).digest("hex").slice(0, 16),
      };
      nextAdded += hunk.added.length;
      nextRemoved += hunk.removed.length;
      return result;
    }),
  };
}

function toHunk(path: string, hunk: RawHunk, { definedOn }: CommitTools): Hunk {
  const { start, lines, oldStart, oldLines, heading, added, removed, textHash } = hunk;
  const names = new Set<string>();
  const changed = [...added, ...removed];
  // The heading names the definition above the hunk, which does not contain it if the hunk begins with a new definition.
  const first = changed.find((line) => line.trim() !== "") ?? "";
  const isNew = definedOn(first, path) !== undefined;
  for (const line of isNew ? changed : [heading, ...changed]) {
    const name = line === "" ? undefined : definedOn(line, path);
    if (name !== undefined && name.length <= MAX_NAME) names.add(name);
    if (names.size >= MAX_SYMBOLS_PER_HUNK) break;
  }
  return { path, start, lines, oldStart, oldLines, symbols: [...names], textHash };
}

function countTerms(text: string, { termsOf, termNumber }: CommitTools): TermCounts {
  const found = new Map<number, number>();
  const terms = termsOf(text);
  for (const term of terms) {
    const number = termNumber(term);
    found.set(number, (found.get(number) ?? 0) + STEPS);
  }
  const sorted = Int32Array.from(found.keys()).toSorted();
  return {
    terms: sorted,
    counts: Uint8Array.from(sorted, (term) => Math.min(MAX_COUNT, found.get(term) ?? 0)),
    length: terms.length,
  };
}
