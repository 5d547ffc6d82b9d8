/** Finds the names that are a repository's own: defined in it, or of its files and folders, and not names of its dependencies. */

import { generatedTextRule } from "../../../server/indexing/discovery/generated-text.ts";
import { createLanguages } from "../../../server/languages/languages.ts";
import { KEPT_NAMES, KEPT_SHAPE } from "./kept.ts";
import { regionsOf } from "./regions.ts";
import { IDENTIFIER, normalForm, wordsOf } from "./words.ts";

export interface SourceFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface OwnNames {
  /** Names as they are written. */
  readonly names: ReadonlySet<string>;
  /** Normal forms of the names with several words, which are also written as `snake_case` or `kebab-case` in data. */
  readonly forms: ReadonlySet<string>;
  /** All words of these. */
  readonly words: ReadonlySet<string>;
  /** Names of dependencies, which stay. */
  readonly foreign: ReadonlySet<string>;
  /** Modules of dependencies: a name behind one of these and a dot stays. */
  readonly modules: ReadonlySet<string>;
}

/** How often a name is mentioned as the repository's own, and as one of a dependency. */
interface Mentions {
  readonly own: Map<string, number>;
  readonly foreign: Map<string, number>;
  readonly modules: Set<string>;
}

export async function ownNames(files: readonly SourceFile[]): Promise<OwnNames> {
  const mentions: Mentions = { own: new Map(), foreign: new Map(), modules: new Set() };
  const defined = await definedNames(files);
  for (const [name, count] of defined) note(mentions.own, name, count);
  const tops = topNames(files);
  const assigned = new Set<string>();
  for (const file of files) {
    noteImports(file, tops, mentions);
    for (const name of assignedNames(file)) assigned.add(name);
    for (const name of file.path.match(IDENTIFIER) ?? []) note(mentions.own, name, 1);
  }
  const isForeign = (name: string) =>
    (mentions.foreign.get(name) ?? 0) > (mentions.own.get(name) ?? 0);
  const all = [...mentions.own.keys(), ...assigned];
  const names = new Set(all.filter((name) => !isForeign(name) && !isKept(name)));
  const several = [...names].map(normalForm).filter((form) => form.includes(" "));
  const foreign = new Set([...mentions.foreign.keys()].filter(isForeign));
  const words = new Set([...names].flatMap(wordsOf));
  const modules = new Set([...mentions.modules].filter((name) => !names.has(name)));
  return { names, forms: new Set(several), words, foreign, modules };
}

export function isKept(name: string): boolean {
  return KEPT_NAMES.has(name) || KEPT_SHAPE.test(name);
}

function note(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** The definitions of the indexer, by their last name. */
async function definedNames(files: readonly SourceFile[]): Promise<Map<string, number>> {
  const languages = createLanguages();
  const counts = new Map<string, number>();
  for (const { path, text } of files) {
    const head = text.slice(0, 4096);
    const id = languages.detect(path, head);
    if (regionsOf("", extensionOf(path)) === undefined) continue;
    if (generatedTextRule(text, head, id) !== undefined) continue;
    const found = await languages.withSyntax(text, id, ({ definitions }) => definitions, { path });
    for (const { symbol } of found) {
      for (const part of symbol.name.match(IDENTIFIER) ?? []) note(counts, part, 1);
    }
  }
  return counts;
}

/** The first names of the repository's own modules: `scrapy`, and each folder, since packages are named after their folder. */
function topNames(files: readonly SourceFile[]): Set<string> {
  return new Set(
    files.flatMap(({ path }) => path.split("/").map((part) => part.replace(/\..*/, ""))),
  );
}

export function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** Import statements by extension; the module is the first group, the imported names are the second. */
const IMPORTS: Readonly<Record<string, readonly RegExp[]>> = {
  py: [
    /^[ \t]*from ([\w.]+) import \(([^)]*)\)/gm,
    /^[ \t]*from ([\w.]+) import ([^(\n]+)$/gm,
    /^[ \t]*import ([\w.]+)()/gm,
  ],
  ts: [/\bfrom "([^"]+)"()/g],
};
const NAMED_IMPORTS = /import (?:type )?([^;"]*?) from ["']([^"']+)["']/g;
const GO_IMPORT = /^\s*(?:import )?(?:(\w+) )?"([\w./-]+)"$/gm;
const QUALIFIED = /(?<![\w.])(\w+)\.([A-Z]\w*)/g;

function noteImports(
  { path, text }: SourceFile,
  tops: ReadonlySet<string>,
  mentions: Mentions,
): void {
  const extension = extensionOf(path);
  if (extension === "go") noteGo(text, tops, mentions);
  else if (/^[jt]sx?$/.test(extension)) {
    for (const [, names = "", from = ""] of text.matchAll(NAMED_IMPORTS)) {
      const isOwn = /^[.~@]\/|^[.~]|^@server|^@shared/.test(from);
      noteNames(names, isOwn ? mentions.own : mentions.foreign);
    }
  } else {
    for (const pattern of IMPORTS[extension] ?? []) {
      for (const [, from = "", names = ""] of text.matchAll(pattern)) {
        const isOwn = from.startsWith(".") || tops.has(from.split(".")[0] ?? "");
        const counts = isOwn ? mentions.own : mentions.foreign;
        noteNames(names, counts);
        if (isOwn) continue;
        noteNames(from, counts);
        mentions.modules.add(from);
      }
    }
  }
}

function noteNames(names: string, counts: Map<string, number>): void {
  for (const name of names.match(IDENTIFIER) ?? []) note(counts, name, 1);
}

/** In Go the packages of other modules have a domain that is not ours; their names are used behind the package's. */
function noteGo(text: string, tops: ReadonlySet<string>, mentions: Mentions): void {
  const end = text.search(/^(?:func|type|var|const) /m);
  const own = new Set<string>();
  const foreign = new Set<string>();
  for (const [, alias, from = ""] of text.slice(0, Math.max(0, end)).matchAll(GO_IMPORT)) {
    const last = from.split("/").findLast((part) => !/^v\d+$/.test(part)) ?? from;
    const isOwn = from.includes(".") && tops.has(last) && !from.startsWith("golang.org");
    (isOwn ? own : foreign).add(alias ?? last);
  }
  for (const name of foreign) {
    note(mentions.foreign, name, 1);
    mentions.modules.add(name);
  }
  for (const [, before = "", name = ""] of text.matchAll(QUALIFIED)) {
    if (foreign.has(before)) note(mentions.foreign, name, 1);
    else if (own.has(before)) note(mentions.own, name, 1);
  }
}

const ASSIGNED =
  /(?<![\w.])(?:self\.|this\.|cls\.)?([A-Za-z_]\w*)\s*(?::=|=(?![=>~])|:\s*[A-Z*[\]\w.| ]+=(?!=))|\b(?:let|const|var|val|def)\s+(\w+)|^\t+(\w+)(?:, \w+)*\s+[\w.*[\]{}]+\s*(?:`|$)/gm;

/** Variables, attributes and fields that are set somewhere: only those with several words, because others are everywhere. */
function assignedNames({ path, text }: SourceFile): string[] {
  const code = regionsOf(text, extensionOf(path))?.filter(({ kind }) => kind === "code") ?? [];
  const found = code.flatMap((region) =>
    [...region.text.matchAll(ASSIGNED)].map(
      ([, set, declared, field]) => set ?? declared ?? field ?? "",
    ),
  );
  return found.filter((name) => wordsOf(name).length > 1);
}
