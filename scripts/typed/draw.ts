/** Draws texts from a repository as people type them: messages, keys, flags, routes, names. Nothing is labelled by hand. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of a file, zero-based, with its text. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const CODE = /\.(?:c|h|cc|cpp|cs|go|java|kt|php|py|rb|rs|scala|ts|tsx)$/;
const DOCUMENTS = /\.(?:md|rst|adoc)$/;
const TESTS = /(?:^|\/)(?:tests?|t|spec|testdata)\/|_test|Tests?\./;
const MAX_BYTES = 1_000_000;

/** The lines of all source files that git tracks. */
export function sourceLines(root: string): Place[] {
  return linesOf(root, CODE);
}

/** The lines of all documents that git tracks. */
export function documentLines(root: string): Place[] {
  return linesOf(root, DOCUMENTS);
}

function trackedPaths(root: string): string[] {
  const listed = execFileSync("git", ["-C", root, "ls-files", "-z"], { maxBuffer: 2 ** 30 });
  return listed.toString().split("\0");
}

function linesOf(root: string, kind: RegExp): Place[] {
  const paths = trackedPaths(root).filter((path) => kind.test(path));
  return paths.flatMap((path) => {
    const text = readText(join(root, path));
    return text.split("\n").map((line, i): Place => ({ path, line: i, text: line }));
  });
}

function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    return bytes.length > MAX_BYTES ? "" : bytes.toString();
  } catch {
    // A snapshot lacks large files.
    return "";
  }
}

/** A message in double quotes, long enough for about four words. */
const MESSAGE = /"([A-Za-z][^"\\]{24,70})"/;

/** Messages in product code that no other line of it quotes. */
export function messagesIn(lines: readonly Place[]): Place[] {
  return onlyPlaces(quotedIn(lines.filter(({ path }) => !TESTS.test(path))));
}

/** Messages in tests and in documents that no other line of the repository quotes. */
export function otherMessagesIn(lines: readonly Place[]): Record<"test" | "document", Place[]> {
  const found = onlyPlaces(quotedIn(lines));
  const isDocument = ({ path }: Place) => DOCUMENTS.test(path);
  return {
    test: found.filter((place) => TESTS.test(place.path) && !isDocument(place)),
    document: found.filter(isDocument),
  };
}

function quotedIn(lines: readonly Place[]): Place[] {
  return lines.flatMap(({ path, line, text }): Place[] => {
    const message = MESSAGE.exec(text)?.[1];
    const isProse = message !== undefined && /[a-z]{3} [a-z]/.test(message);
    return isProse && message.split(" ").length > 3 ? [{ path, line, text: message }] : [];
  });
}

function onlyPlaces(messages: readonly Place[]): Place[] {
  const counts = new Map<string, number>();
  for (const { text } of messages) counts.set(text, (counts.get(text) ?? 0) + 1);
  return messages.filter(({ text }) => counts.get(text) === 1);
}

/** Tokens by their kind, as patterns of one group. */
export const TOKENS: Readonly<Record<string, RegExp>> = {
  dotted: /"([a-z]+(?:\.[a-z_-]+){1,4})"/g,
  flag: /"(--[a-z]+(?:-[a-z]+)+)/g,
  "environment variable": /"([A-Z]+_[A-Z_]{4,})"/g,
  route: /"(\/[a-z0-9]+(?:\/[a-z0-9_-]+)+)"/g,
  hyphenated: /"([a-z]+(?:-[a-z]+){1,3})"/g,
  snake_case: /"([a-z]+(?:_[a-z]+){2,5})"/g,
};

const MIN_TOKEN_LENGTH = 6;

export function tokensIn(lines: readonly Place[], pattern: RegExp): string[] {
  const found = lines.flatMap(({ text }) =>
    Array.from(text.matchAll(pattern), ([, token]) => token ?? ""),
  );
  return [...new Set(found)].filter((token) => token.length >= MIN_TOKEN_LENGTH);
}

/** Folders without product code. */
const SIDE_FOLDER =
  /(?:^|\/)(?:docs?|documentation|examples?|samples?|bench\w*|contrib|deps|vendor|third_party|fixtures?|[\w-]*-?(?:tests?|benchmarks?)(?:-\w+)?|changelogs?)\//i;
const DOCUMENT_OR_CASE = /\.(?:md|rst|adoc|txt|sgml|html|tcl|feature|[1-8])$/;

/** Whether a file is neither a test nor a document, by its path. */
export function mayBeProduct(path: string): boolean {
  return !TESTS.test(path) && !SIDE_FOLDER.test(path) && !DOCUMENT_OR_CASE.test(path);
}

/** The patterns of `TOKENS` without quotes, at the edges that text has. */
const PLAIN_TOKEN = /(?<![\w./-])(?:--|\/)?[a-zA-Z]\w*(?:[./-]\w+)*(?![\w/-])/g;

/**
 * By kind, the tokens that product code has in quotes and a test or a document has as text. Many parsers of arguments name a
 * flag without its dashes.
 */
export function sharedTokensIn(root: string): Record<string, string[]> {
  const lines = sourceLines(root).filter(({ path }) => mayBeProduct(path));
  const others = trackedPaths(root).filter(
    (path) => TESTS.test(path) || DOCUMENT_OR_CASE.test(path),
  );
  const known = new Set(
    others.flatMap((path) => readText(join(root, path)).match(PLAIN_TOKEN) ?? []),
  );
  const found = Object.entries(TOKENS).map(([kind, pattern]): [string, string[]] => [
    kind,
    tokensIn(lines, pattern).filter((token) => known.has(token)),
  ]);
  const names = tokensIn(lines, TOKENS["hyphenated"] as RegExp).map((name) => `--${name}`);
  const flags = names.filter((flag) => known.has(flag));
  return { ...Object.fromEntries(found), "flag without dashes": flags };
}

const CLASS =
  /^(?:(?:export|default|public|internal|abstract|sealed|final|static|open|data|pub) )*(?:class|interface|type|struct|enum|func|fn) ([A-Z]\w{7,40})/;

/** Classes and types of product code, each name once. */
export function classesIn(lines: readonly Place[]): Place[] {
  const found = lines.flatMap(({ path, line, text }): Place[] => {
    const name = TESTS.test(path) ? undefined : CLASS.exec(text)?.[1];
    return name === undefined ? [] : [{ path, line, text: name }];
  });
  return [...new Map(found.map((place) => [place.text, place])).values()];
}

const humps = (name: string) => name.match(/[A-Z][a-z0-9]*/g) ?? [name];

/** A name as it is typed into a picker; undefined where that is too short to mean it. */
export const TYPED_NAMES: Readonly<Record<string, (name: string) => string | undefined>> = {
  "in full": (name) => name,
  "lower case": (name) => name.toLowerCase(),
  words: (name) => humps(name).join(" ").toLowerCase(),
  "first 60 %": (name) => name.slice(0, Math.ceil(name.length * 0.6)),
  initials: (name) => {
    const letters = humps(name)
      .map((hump) => hump.slice(0, 1))
      .join("");
    return letters.length < 3 ? undefined : letters;
  },
  "two letters a word": (name) =>
    humps(name)
      .map((hump) => hump.slice(0, 2))
      .join(""),
  "two letters swapped": (name) => {
    const at = Math.floor(name.length / 2);
    return `${name.slice(0, at)}${name[at + 1] ?? ""}${name[at] ?? ""}${name.slice(at + 2)}`;
  },
};

const VALUES = ["main.cfg", "42", "alpha", "/var/x"];
/** Values that are words of nearly every code base. */
const COMMON_VALUES = ["integer", "string", "file", "name", "user", "index"];
const PLACEHOLDERS = /%[-.0-9]*l*[a-zA-Z]|\{[^}]*\}/g;

/** A message as it is pasted. */
export const TYPED_MESSAGES: Readonly<
  Record<string, (message: string, random: () => number) => string>
> = {
  "as it is": (message) => message,
  "filled in": filled,
  quoted: (message) => `"${message}"`,
  'behind "error:"': (message, random) => `error: ${filled(message, random)}`,
  "first half": (message) => {
    const words = message.split(" ");
    return words.slice(0, Math.max(4, Math.ceil(words.length / 2))).join(" ");
  },
};

/** The message with values in place of placeholders. */
function filled(message: string, random: () => number, values = VALUES): string {
  const value = () => values[Math.floor(random() * values.length)] ?? "";
  return message.replaceAll(PLACEHOLDERS, value);
}

/** With common words as values; undefined for a message without placeholders. */
export function filledWithWords(message: string, random: () => number): string | undefined {
  return message.search(PLACEHOLDERS) < 0 ? undefined : filled(message, random, COMMON_VALUES);
}
