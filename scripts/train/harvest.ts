/**
 * Takes (question, code) pairs out of git repositories, with the parser, the languages and the ignore rules of the server.
 *
 * usage: node --import tsx scripts/train/harvest.ts OUT NAME=GITDIR@REVISION...
 *
 * Writes OUT/<name>.jsonl for each repository that has none there yet: one pair per line. The same revision gives
 * the same file.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "../../server/indexing/discovery/decode.ts";
import { generatedTextRule } from "../../server/indexing/discovery/generated-text.ts";
import { detect } from "../../server/languages/detect.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { LANGUAGES, TEXT } from "../../server/languages/table.ts";
import { pairsOfCommits } from "./harvest/commits.ts";
import { type Kind, type Pair, pairsOf, pairsOfProse, type Source } from "./harvest/pairs.ts";
import { filesOf } from "./harvest/tree.ts";

/** The maximum number of pairs per repository, so that no repository dominates the training. */
const MAX_PAIRS: Readonly<Record<Kind, number>> = {
  doc: 9000,
  inline: 5000,
  test: 2500,
  path: 2000,
  prose: 1500,
  commit: 1500,
};
/** Pairs of one repository and kind that ask the same. */
const MAX_ALIKE = 2;
const MAX_BYTES = 300_000;
const SKIPPED =
  /(?:^|\/)(?:\.git|node_modules|vendor|vendored|third[_-]?party|deps|external|testdata|fixtures?|snapshots?|__snapshots__|dist|build|out|generated|gen|locales?|i18n|Godeps)(?:\/|$)/;

const languages = createLanguages();

async function main([out, ...repositories]: readonly string[]): Promise<number> {
  if (out === undefined || repositories.length === 0) {
    console.error("usage: node --import tsx scripts/train/harvest.ts OUT NAME=GITDIR@REVISION...");
    return 2;
  }
  mkdirSync(out, { recursive: true });
  for (const repository of repositories) {
    const [, name = "", gitDir = "", revision = ""] = /^(.*?)=(.*)@(.*)$/.exec(repository) ?? [];
    const file = join(out, `${name.replace("/", "+")}.jsonl`);
    if (existsSync(file)) continue;
    const pairs = choose([
      ...(await pairsOfTree(gitDir, revision)),
      ...(await pairsOfCommits(gitDir, revision, codeLanguage)),
    ]);
    writeFileSync(`${file}.part`, pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""));
    renameSync(`${file}.part`, file);
    console.error(`${name}: ${pairs.length} pairs`);
  }
  return 0;
}

async function pairsOfTree(gitDir: string, revision: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const isWanted = (path: string) => !SKIPPED.test(path) && detect(path, "") !== TEXT;
  for (const { path, bytes } of filesOf(gitDir, revision, isWanted)) {
    for (const pair of await pairsOfFile(path, bytes)) pairs.push(pair);
  }
  return pairs;
}

async function pairsOfFile(path: string, bytes: Buffer): Promise<Pair[]> {
  if (bytes.length > MAX_BYTES) return [];
  const text = decode(bytes);
  if (text === undefined) return [];
  const head = text.slice(0, 4096);
  const language = detect(path, head);
  if (generatedTextRule(text, head, language) !== undefined) return [];
  const source: Source = { path, language, text };
  if (language === "markdown") return pairsOfProse(source);
  if (!isCode(language)) return [];
  return languages.withSyntax(text, language, (syntax) => pairsOf(source, syntax));
}

function codeLanguage(path: string): string | undefined {
  const language = detect(path, "");
  return !SKIPPED.test(path) && isCode(language) ? language : undefined;
}

function isCode(language: string): boolean {
  return language !== TEXT && LANGUAGES.get(language)?.category === "implementation";
}

/** If there are too many, chooses the lowest hashes: the same pairs in every run. */
function choose(pairs: readonly Pair[]): Pair[] {
  const asked = new Map<string, number>();
  const seen = new Set<string>();
  const byKind = new Map<Kind, { readonly hash: string; readonly pair: Pair }[]>();
  for (const pair of pairs) {
    const question = `${pair.kind} ${pair.query.toLowerCase()}`;
    const times = asked.get(question) ?? 0;
    const hash = createHash("sha256").update(`${question}\n${pair.code}`).digest("hex");
    if (times >= MAX_ALIKE || seen.has(hash)) continue;
    asked.set(question, times + 1);
    seen.add(hash);
    const alike = byKind.get(pair.kind) ?? [];
    alike.push({ hash, pair });
    byKind.set(pair.kind, alike);
  }
  return [...byKind].flatMap(([kind, found]) =>
    found
      .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
      .slice(0, MAX_PAIRS[kind])
      .map(({ pair }) => pair),
  );
}

process.exitCode = await main(process.argv.slice(2));
