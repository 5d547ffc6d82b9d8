/** Files that are named like others: a test is named after what it tests, a second implementation after the first. */

import { baseNameOf } from "../../common/relative-path.ts";
import { partsOf } from "../../common/words.ts";

/** They say what a file is in its folder, or that it is a test, and not what it is about. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(
  "test tests spec index init mod main lib".split(" "),
);

/** Files that are read between two pauses. */
const STEP_FILES = 100;

/** A file keeps its number, and its name with it, for as long as a project lives. */
interface NamedFiles {
  /** The numbers that were given, also to files that are gone. */
  readonly size: number;
  has(file: number): boolean;
  path(file: number): string;
}

/** The files of a project by the words of their names. */
export class SimilarFileNames {
  readonly #project: NamedFiles;
  readonly #files = new Map<string, number[]>();
  /** How many words the name of each file has. */
  readonly #counts: number[] = [];

  constructor(project: NamedFiles) {
    this.#project = project;
  }

  /** Reads the names of files that were added since, in steps. */
  *settle(): Generator<void, void> {
    for (let file = this.#counts.length; file < this.#project.size; file = this.#counts.length) {
      const words = wordsOfName(this.#project.path(file));
      this.#counts.push(words.size);
      for (const word of words) {
        const known = this.#files.get(word);
        if (known === undefined) this.#files.set(word, [file]);
        else known.push(file);
      }
      if (file % STEP_FILES === STEP_FILES - 1) yield;
    }
  }

  /** The words that both names have, of those that one of them has, for every file that shares a word with a path. */
  similarTo(path: string): Map<number, number> {
    const words = wordsOfName(path);
    const shared = new Map<number, number>();
    for (const word of words)
      for (const file of this.#files.get(word) ?? []) shared.set(file, (shared.get(file) ?? 0) + 1);
    const likeness = new Map<number, number>();
    for (const [file, count] of shared) {
      if (!this.#project.has(file) || this.#project.path(file) === path) continue;
      likeness.set(file, count / (words.size + (this.#counts[file] ?? 0) - count));
    }
    return likeness;
  }
}

/** Of the file's name without its extensions. */
function wordsOfName(path: string): ReadonlySet<string> {
  const [name = ""] = baseNameOf(path).split(".");
  return new Set(partsOf(name).filter((word) => !GENERAL_WORDS.has(word)));
}
