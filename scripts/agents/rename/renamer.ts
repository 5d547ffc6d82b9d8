/** Renames a repository: the same name always becomes the same other name, and every line stays on its line. */

import { chooseImages, type WordLists } from "./dictionary.ts";
import { extensionOf, isKept, type OwnNames, ownNames, type SourceFile } from "./own-names.ts";
import { regionsOf } from "./regions.ts";
import { IDENTIFIER, normalForm, replaceWords, wordsOf } from "./words.ts";

export interface RenameOptions {
  readonly seed: number;
  /** Words that tell which project it is: its name, its makers. They are replaced in prose, too. */
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

/** The words of names. Those of prose are free: they are no part of a name there. */
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
  const projects = new RegExp(
    `(${identity.toSorted((a, b) => b.length - a.length).join("|")})`,
    "gi",
  );
  const unnamed = (text: string) =>
    identity.length === 0 ? text : text.replace(projects, (word) => replaceWords(word, images));
  const isOwnForm = (name: string) => own.forms.has(normalForm(name)) && !own.foreign.has(name);
  const rename = (name: string) =>
    !isKept(name) && (own.names.has(name) || isOwnForm(name)) ? replaceWords(name, images) : name;
  const code = (text: string) => unnamed(text.replace(IDENTIFIER, rename));
  /** A name of data, such as `least_conn`: each of its words is one of the repository. */
  const isOwnData = (name: string) =>
    /[a-z0-9][_-][a-z0-9]/i.test(name) && wordsOf(name).every((word) => images.has(word));
  const several = (text: string) =>
    text.replace(SEVERAL, (name) => {
      const isSeveral = wordsOf(name).length > 1;
      return isSeveral && !isKept(name) && (isOwnForm(name) || isOwnData(name))
        ? replaceWords(name, images)
        : name;
    });
  const prose = (text: string) =>
    unnamed(
      text
        .split(BACKQUOTED)
        .map((part, i) => (i % 2 === 1 ? part.replace(IDENTIFIER, rename) : several(part)))
        .join(""),
    );
  const comment = (text: string) =>
    prose(
      text
        .replace(FIRST_NAME, (_, before: string, name: string) =>
          /[A-Z]/.test(name) ? before + rename(name) : before + name,
        )
        .replace(CALLED, rename),
    );
  const string = (text: string) =>
    /^(?:"""|''')/.test(text)
      ? comment(text)
      : /\s/.test(text)
        ? text
            .split(EMBEDDED)
            .map((part, i) =>
              i % 2 === 1 ? code(part) : unnamed(several(part.replace(CALLED, rename))),
            )
            .join("")
        : code(several(text));
  const region = { code, comment, string };
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

/** The ending of a file stays. */
function renamePath(path: string, code: (text: string) => string): string {
  const [, stem = "", ending = ""] = /^(.*?)(\.\w+)?$/.exec(path) ?? [];
  return code(stem) + ending;
}
