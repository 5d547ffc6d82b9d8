/** Renames a repository: the same name always becomes the same other name, and every line stays on its line. */

import { chooseImages, type WordLists } from "./dictionary.ts";
import { extensionOf, isKept, type OwnNames, ownNames, type SourceFile } from "./own-names.ts";
import { regionsOf } from "./regions.ts";
import { IDENTIFIER, normalForm, replaceWords, wordsOf } from "./words.ts";

interface RenameOptions {
  readonly seed: number;
  /** Words that reveal the project: its name, its makers. They are replaced in prose, too. */
  readonly identity: readonly string[];
  readonly lists: WordLists;
}

export interface Renamer {
  readonly path: (path: string) => string;
  /** A piece of code, such as a name. */
  readonly code: (text: string) => string;
  readonly text: (path: string, text: string) => string;
  /** Prose about the code, such as a task: only names in backquotes or of several words. */
  readonly prose: (text: string) => string;
}

/** Names of several words, as code or data write them: `a_b`, `a-b`, `aB`. */
const SEVERAL = /[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+|[A-Za-z_][A-Za-z0-9_]*/g;
/** A header of the protocol: `Content-Type`. */
const IS_HEADER = /^[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+$/;
/** A module before a name, and the most characters that it may have. */
const BEFORE_DOT = /(?<![\w.])([A-Za-z_][\w.]*)\.$/;
const LONGEST = 60;
/** Code inside of a text: `${a.b}`, `#{a}`, `{a}`. */
const EMBEDDED = /([$#]?\{[\w.()[\], !?]*\})/;
const BACKQUOTED = /(`[^`\n]*`)/;
/** A name of one word is taken for one at the beginning of a comment, or before a bracket. */
const FIRST_NAME = /^((?:\/\/|\/\*|#|\*|\s)*)([A-Za-z_]\w*)(?=[ (.:])/;
const CALLED = /\b[A-Za-z_]\w*(?=\()/g;

export async function createRenamer(
  files: readonly SourceFile[],
  { seed, identity, lists }: RenameOptions,
): Promise<Renamer> {
  const own = await ownNames(files);
  const words = new Set([...own.words, ...identity.map((word) => word.toLowerCase())]);
  const images = chooseImages({ own: words, all: allWords(files) }, lists, seed);
  return renamerOf(own, images, identity);
}

/** The words of names. The words of prose are free, because no name has them. */
function allWords(files: readonly SourceFile[]): Set<string> {
  const all = new Set<string>();
  for (const { text, path } of files) {
    const regions = regionsOf(text, extensionOf(path)) ?? [];
    const code = regions.filter((region) => region.kind === "code" || !/\s/.test(region.text));
    for (const part of [path, ...code.map((region) => region.text)]) {
      for (const name of part.match(IDENTIFIER) ?? []) {
        for (const word of wordsOf(name)) all.add(word);
      }
    }
  }
  return all;
}

function renamerOf(
  own: OwnNames,
  images: ReadonlyMap<string, string>,
  identity: readonly string[],
): Renamer {
  const names = namesBy(own, images, identity);
  const { code, prose } = names;
  const region = { code, comment: commentBy(names), string: stringBy(names) };
  return {
    code,
    prose,
    path: (path) => renamePath(path, code),
    text: (path, text) =>
      regionsOf(text, extensionOf(path))
        ?.map((part) => region[part.kind](part.text))
        .join("") ?? prose(text),
  };
}

interface Names {
  /** One name. */
  readonly rename: (name: string) => string;
  readonly code: (text: string) => string;
  /** Text without backquotes, where only several words make a name. */
  readonly words: (text: string) => string;
  readonly prose: (text: string) => string;
}

function namesBy(
  own: OwnNames,
  images: ReadonlyMap<string, string>,
  identity: readonly string[],
): Names {
  const longestFirst = identity.toSorted((a, b) => b.length - a.length);
  const projects = new RegExp(longestFirst.join("|"), "gi");
  const anonymous = (text: string) =>
    identity.length === 0 ? text : text.replace(projects, (word) => replaceWords(word, images));
  const isOwnForm = (name: string) => own.forms.has(normalForm(name)) && !own.foreign.has(name);
  const rename = (name: string) =>
    !isKept(name) && (own.names.has(name) || isOwnForm(name)) ? replaceWords(name, images) : name;
  /** A name of data, such as `least_conn`: each of its words is one of the repository. */
  const isOwnData = (name: string) =>
    /^[a-z0-9_]+$/.test(name) && wordsOf(name).every((word) => images.has(word));
  const several = (name: string) =>
    wordsOf(name).length > 1 && !isKept(name) && (isOwnForm(name) || isOwnData(name))
      ? replaceWords(name, images)
      : name;
  const words = (text: string) =>
    anonymous(text.replace(SEVERAL, (name) => (IS_HEADER.test(name) ? name : several(name))));
  const renameAt = (name: string, offset: number, whole: string) => {
    const [, before] = BEFORE_DOT.exec(whole.slice(Math.max(0, offset - LONGEST), offset)) ?? [];
    return before !== undefined && own.modules.has(before) ? name : rename(name);
  };
  const code = (text: string) => anonymous(text.replace(IDENTIFIER, renameAt));
  const prose = (text: string) => byTurns(text, BACKQUOTED, words, code);
  return { rename, code, words, prose };
}

function commentBy({ rename, prose }: Names): (text: string) => string {
  const first = (whole: string, before: string, name: string) =>
    /[A-Z]/.test(name) ? before + rename(name) : whole;
  return (text) => prose(text.replace(FIRST_NAME, first).replace(CALLED, rename));
}

/** A string without a space is a path or a key, one with three quotes a comment, and others are prose with code in it. */
function stringBy(names: Names): (text: string) => string {
  const { rename, code, words } = names;
  const comment = commentBy(names);
  return (text) => {
    if (/^(?:"""|''')/.test(text)) return comment(text);
    if (!/\s/.test(text)) return code(words(text));
    return byTurns(text, EMBEDDED, (part) => words(part.replace(CALLED, rename)), code);
  };
}

/** The parts between the matches, and the matches. */
function byTurns(
  text: string,
  pattern: RegExp,
  between: (part: string) => string,
  matched: (part: string) => string,
): string {
  const parts = text.split(pattern);
  return parts.map((part, i) => (i % 2 === 1 ? matched(part) : between(part))).join("");
}

/** The ending of a file stays. */
function renamePath(path: string, code: (text: string) => string): string {
  const [, stem = "", ending = ""] = /^(.*?)(\.\w+)?$/.exec(path) ?? [];
  return code(stem) + ending;
}
