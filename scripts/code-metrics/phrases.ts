/** Phrases that a reader stumbles over, and where a file has them: in comments, messages, test names and Markdown. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The phrases with their names. Some occurrences are right, so test/tidy.test.ts limits their number, which may only fall. */
const PHRASES: readonly (readonly [name: string, expression: RegExp])[] = [
  // "what is stored": name the thing that is stored.
  [
    "headless what",
    /\b[Ww]hat (?:is|are|was|were|has|had|have|it|they|he|lies|stands|remains|follows|comes)\b/g,
  ],
  // "Of the query", "As written": a comment is a sentence or a noun with its article.
  ["comment without a subject", /(?<=(?:\/\*\* |\/\/ |\/\*\*\n \* ))(?:What|Of|Those|Nor|Who) /g],
  ["those that, those of", /\b[Tt]hose (?:that|of|who|which)\b/g],
  ["the one that", /\b[Tt]he (?:one|ones) (?:that|of|who|which)\b/g],
  ["told, tells", /\b(?:told|tells?|telling)\b/gi],
  ["of which, by which", /\b(?:of|by|for|from|in|to|with|on|at) (?:which|whom|whose)\b/gi],
  ["somebody, nobody", /\b(?:some|no|any|every)body\b/gi],
  ["headless who", /(?:^|[.:;!?] |\/\*\* |\/\/ |\* )Who(?:ever)? \w+s\b/gm],
  ["anew, of before, at once", /\banew\b|\bof before\b|\bas yet\b/gi],
  ["is no NOUN", /\b(?:is|are) no [a-z]+\b/g],
  ["stands, lies, goes on", /\b(?:stands?|stood|lies|lay|goes on|went on|go on)\b/g],
  ["so many, so long", /\bso (?:many|long|much)\b(?! as\b)/gi],
  ["whatever, whichever", /\b(?:what|which|when|where)ever\b/gi],
  ["where there is", /\bwhere (?:there is|there are|it is|they are|one is|none is)\b/gi],
];

interface Phrase {
  readonly name: string;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** The phrases in the comments and string literals of a source, or in the text of a Markdown file without its code blocks. */
export function phrasesIn(path: string, text: string): Phrase[] {
  const prose = proseOf(path, text);
  return PHRASES.flatMap(([name, expression]) =>
    [...prose.matchAll(expression)].map(({ 0: found, index }) => ({
      name,
      text: found.trim(),
      line: prose.slice(0, index).split("\n").length,
    })),
  );
}

/** The text with everything else blanked, so that lines keep their numbers. */
function proseOf(path: string, text: string): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, " ");
  if (path.endsWith(".md")) return text.replaceAll(/^```[\s\S]*?^```/gm, blank);
  const prose =
    /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()])\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  let end = 0;
  let out = "";
  for (const { 0: part, index } of text.matchAll(prose)) {
    out += blank(text.slice(end, index)) + part;
    end = index + part.length;
  }
  return out + blank(text.slice(end));
}

/** How often each phrase occurs in a tree, by the name of the phrase. */
export function countPhrases(root: string): Record<string, number> {
  const counts = Object.fromEntries(PHRASES.map(([name]) => [name, 0]));
  for (const { name } of listPhrases(root)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Every phrase of a tree, with the path of its file. */
export function listPhrases(root: string): (Phrase & { readonly path: string })[] {
  return filesWithProse(root).flatMap((path) =>
    phrasesIn(path, readFileSync(join(root, path), "utf8")).map((each) => ({ ...each, path })),
  );
}

const FOLDERS = ["server", "test", "scripts", "clients", ".github", "grammars"];

/** Paths of everything whose phrases count: sources and documents, but no golden files, samples and changelogs. */
function filesWithProse(root: string): string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      join(folder, path).replaceAll("\\", "/"),
    ),
  );
  return ["README.md", ...inFolders]
    .filter((path) => /\.(?:ts|md)$/.test(path) && !EXCLUDED.test(path))
    .toSorted();
}

const EXCLUDED = /(?:^|\/)(?:node_modules|dist|golden|fixtures|samples)\/|CHANGELOG|code-metrics\//;
